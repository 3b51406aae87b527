#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Our workloads against the programs they are modelled on, at the same parameters, in turn: bench/workloads/NAME.sh each.
# Usage: bench/workloads.sh [-n RUNS] [-w WORKER] [-p] [PATTERN]
#   -n  runs of each program of a pair (15)
#   -w  schedproof-worker (build/src/worker/schedproof-worker)
#   -p  give this session's autogroup the weight of nice -20, against other load (root)
# Needs hackbench and cyclictest (Debian package rt-tests), perf (linux-perf), stress-ng, tbench (dbench), sysbench, rt-app and strace, and
# on PATH UnixBench's pgms, netperf, schbench (generation D), schbench-old (commit e4aa540) and autonuma-benchmark's programs,
# which Debian lacks; what is missing is skipped.
# PATTERN: only pairs with it in their name, as 'hackbench process'
# The figure of hackbench and messaging is the program's own Time in s, that of pipe usecs/op, that of stress-ng the time in s
# that it completed in, that of UnixBench loops a second. Where there are several figures, each has a line of its own.

here=$(dirname "$0")
runs=15
worker=$here/../build/src/worker/schedproof-worker
urgent=
while getopts n:w:p opt; do
	case $opt in
	n) runs=$OPTARG ;;
	w) worker=$OPTARG ;;
	p) urgent=1 ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
pattern=$*
[ -x "$worker" ] || { echo "no worker at $worker: build first, or use -w" >&2 && exit 2; }
if [ "$urgent" ] && [ ! "$WORKLOADS_SH_SESSION" ]; then
	WORKLOADS_SH_SESSION=1 exec setsid -w "$0" -n "$runs" -w "$worker" -p "$@"
fi
[ ! "$urgent" ] || echo -20 >/proc/self/autogroup || exit 1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

. "$here/workloads/lib.sh"
strace=
have strace strace 'system calls per message' && strace=1
echo "$(uname -sr), $(nproc) CPUs, load $(cut -d' ' -f1-3 /proc/loadavg), $runs runs each in turn, $(date -u +%F)"
printf '%-30s %9s %9s %7s %7s %-16s %s\n' pair ours theirs ratio 'of pair' '95 %' 'write+read a message: ours theirs'
for part in hackbench pipe numa cpuload unixbench oltp rr schbench schedlat rtapp replay; do
	. "$here/workloads/$part.sh"
done
echo "load $(cut -d' ' -f1-3 /proc/loadavg)"
