#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Our workloads against the programs they are modelled on, at the same parameters, in turn.
# Usage: bench/workloads.sh [-n RUNS] [-w WORKER] [-p] [PATTERN]
#   -n  runs of each program of a pair (15)
#   -w  schedproof-worker (build/src/worker/schedproof-worker)
#   -p  give this session's autogroup the weight of nice -20, against other load (root)
# Needs hackbench (Debian package rt-tests), perf (linux-perf) and strace; what is missing is skipped.
# PATTERN: only pairs with it in their name, as 'hackbench process'
# The figure of hackbench and messaging is the program's own Time in s, that of pipe usecs/op.

runs=15
worker=$(dirname "$0")/../build/src/worker/schedproof-worker
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

# have PROGRAM PACKAGE WHAT-IS-SKIPPED
have() {
	command -v "$1" >/dev/null && return
	echo "skipped: $3 ($1 is missing; Debian package $2)"
	return 1
}

# Time of our hackbench in s, of our pipe in us; the program has ended before another one starts
ours() {
	"$worker" "$@" >"$tmp/run"
	sed -n 's/.*"status":"ok".*"metrics":\[{[^}]*"value":\([0-9.e+]*\)}.*/\1/p' "$tmp/run" |
		awk -v name="$1" '{ printf "%.6f\n", $1 / (name == "pipe" ? 1e3 : 1e9) }'
}

theirs() {
	"$@" >"$tmp/run" 2>/dev/null
	awk '
		/^Time: / { value = $2 }
		/Total time: / { value = $3 }
		/usecs\/op/ { value = $1 }
		/runtime-max\/thread/ { value = $2 + 0 }
		END { if (value != "") print value }' "$tmp/run"
}

# summary FILE: medians and their ratio; the median of the ratios of neighbours with an interval from two of them,
# which holds whatever the distribution: ranks k and n+1-k cover 1 - 2 P(Binomial(n, 1/2) < k) >= 0.95.
summary() {
	awk '
	function sort(x, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && x[j - 1] > x[j]; j--) {
				t = x[j]
				x[j] = x[j - 1]
				x[j - 1] = t
			}
	}
	function median(x, n) {
		return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
	}
	{
		a[NR] = $1
		b[NR] = $2
		r[NR] = $1 / $2
	}
	END {
		sort(a, NR)
		sort(b, NR)
		sort(r, NR)
		p = 0.5 ^ NR
		for (k = 0; 2 * (below + p) <= 0.05; k++) {
			below += p
			p *= (NR - k) / (k + 1)
		}
		range = k ? sprintf("[%.3f, %.3f]", r[k], r[NR + 1 - k]) : "[too few runs]"
		printf "%9.3f %9.3f %7.3f %7.3f %-16s", median(a, NR), median(b, NR),
			median(a, NR) / median(b, NR), median(r, NR), range
	}' "$1"
}

# calls COMMAND...: "reads writes" of all its tasks on pipes and sockets, not on files as those of /proc
calls() {
	strace -f -y -e trace=read,write -o "$tmp/strace" "$@" >/dev/null 2>&1
	grep -v '</' "$tmp/strace" | awk '/ read\(/ { r++ } / write\(/ { w++ } END { print r + 0, w + 0 }'
}

# per_message MESSAGES SHORT LONG: writes + reads a message from the calls of two lengths, in which all else is the same
per_message() {
	messages=$1
	set -- $2 $3
	awk -v m="$messages" -v r="$(($3 - $1))" -v w="$(($4 - $2))" 'BEGIN { printf "%.3f+%.3f", w / m, r / m }'
}

# pair NAME SHORT LONG MESSAGES LENGTH OUR-COMMAND -- THEIR-COMMAND: both commands take the length behind what they end
# in; SHORT and LONG are lengths to count system calls at, MESSAGES lie between them
pair() {
	name=$1 short=$2 long=$3 messages=$4 length=$5
	shift 5
	mine=
	while [ "$1" != -- ]; do
		mine="$mine $1"
		shift
	done
	shift
	case $name in
	*"$pattern"*) ;;
	*) return ;;
	esac
	: >"$tmp/runs"
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			a=$(ours $mine"$length")
			b=$(theirs "$@" "$length")
		else
			b=$(theirs "$@" "$length")
			a=$(ours $mine"$length")
		fi
		[ "$a" ] && [ "$b" ] || { echo "$name: a run failed: $mine$length against $* $length" && return; }
		echo "$a $b" >>"$tmp/runs"
	done
	printf '%-30s %s' "$name" "$(summary "$tmp/runs")"
	if [ "$strace" ]; then
		printf ' %s %s' \
			"$(per_message "$messages" "$(calls "$worker" $mine"$short")" "$(calls "$worker" $mine"$long")")" \
			"$(per_message "$messages" "$(calls "$@" "$short")" "$(calls "$@" "$long")")"
	fi
	echo
}

# 10 groups of 20 + 20 tasks: 4,000 messages a loop.
hackbench_pairs() {
	have hackbench rt-tests "rt-tests' hackbench" || return
	pair 'hackbench process socket' 2 7 20000 200 hackbench loops= -- hackbench -l
	pair 'hackbench process pipe' 2 7 20000 600 hackbench transport=pipe loops= -- hackbench -p -l
	pair 'hackbench thread socket' 2 7 20000 200 hackbench mode=thread loops= -- hackbench -T -l
	pair 'hackbench thread pipe' 2 7 20000 600 hackbench mode=thread transport=pipe loops= -- hackbench -T -p -l
	pair 'hackbench process tcp' 2 7 20000 200 hackbench transport=tcp loops= -- hackbench -i -l
}

perf_messaging_pairs() {
	pair 'perf messaging process socket' 2 7 20000 200 hackbench loops= -- perf bench sched messaging -l
	pair 'perf messaging process pipe' 2 7 20000 600 hackbench transport=pipe loops= -- perf bench sched messaging -p -l
	pair 'perf messaging thread socket' 2 7 20000 200 hackbench mode=thread loops= -- perf bench sched messaging -t -l
	pair 'perf messaging thread pipe' 2 7 20000 600 hackbench mode=thread transport=pipe loops= -- \
		perf bench sched messaging -t -p -l
}

# From 6.15 on both tasks of perf write first, which makes half as many switches.
perf_protocol() {
	perf version | awk '{ split($3, v, "."); print v[1] < 6 || (v[1] == 6 && v[2] < 15) ? "strict" : "inflight2" }'
}

perf_pipe_pairs() {
	protocol=$(perf_protocol)
	pair 'perf pipe process' 10 110 100 100000 pipe protocol=$protocol loops= -- perf bench sched pipe -l
	pair 'perf pipe thread' 10 110 100 100000 pipe protocol=$protocol mode=thread loops= -- perf bench sched pipe -T -l
	pair 'perf pipe process, one CPU' 10 110 100 100000 pipe protocol=$protocol cpus=0 loops= -- taskset -c 0 perf bench sched pipe -l
	pair 'perf pipe thread, one CPU' 10 110 100 100000 pipe protocol=$protocol cpus=0 mode=thread loops= -- \
		taskset -c 0 perf bench sched pipe -T -l
}

# all_calls COMMAND...: system calls of whatever kind of all its tasks
all_calls() {
	strace -f -o "$tmp/strace" "$@" >/dev/null 2>&1
	grep -c '(' "$tmp/strace"
}

# numa_pair NAME LENGTH OUR-COMMAND -- THEIR-COMMAND: as pair; then system calls of any kind a round of both, of 2 tasks
numa_pair() {
	numa_name=$1 length=$2
	shift 2
	case $numa_name in
	*"$pattern"*) ;;
	*) return ;;
	esac
	strace_was=$strace strace=
	pair "$numa_name" 0 0 0 "$length" "$@"
	strace=$strace_was
	[ "$strace" ] || return
	mine=
	while [ "$1" != -- ]; do
		mine="$mine $1"
		shift
	done
	shift
	more=$(($(all_calls "$worker" $mine"110") - $(all_calls "$worker" $mine"10")))
	more_theirs=$(($(all_calls "$@" 110) - $(all_calls "$@" 10)))
	awk -v o="$more" -v t="$more_theirs" 'BEGIN { printf "%31ssystem calls a round: ours %.3f theirs %.3f\n", "", o / 200, t / 200 }'
}

# Two tasks, as processes and as threads; without the first megabyte that perf takes by itself, without time limit.
numa_pairs() {
	mem='perf bench numa mem -G 0 -T 0 -s 0 --no-data_rand_walk'
	our_numa='numa test=perf sample=0 size=64MiB order=forward access=zero'
	numa_pair 'perf numa 2 processes, zero' 50 $our_numa processes=2 rounds= -- $mem -p 2 -t 1 -P 64 -Z -l
	numa_pair 'perf numa 2 threads, zero' 50 $our_numa threads=2 rounds= -- $mem -p 1 -t 2 -P 64 -Z -l
	our_numa='numa test=perf sample=0 size=64MiB order=both'
	numa_pair 'perf numa 2 processes, update' 20 $our_numa processes=2 rounds= -- $mem -p 2 -t 1 -P 64 -l
	numa_pair 'perf numa 2 processes, read' 20 $our_numa processes=2 access=read rounds= -- $mem --no-data_writes -p 2 -t 1 -P 64 -l
}

# Minutes, and 6 GiB: one run each unless asked for by name.
autonuma_pairs() {
	for program in numa01 numa01_THREAD_ALLOC numa02; do
		have $program 'none; autonuma-benchmark, built' $program || continue
		case $program in
		*"$pattern"*) [ "$pattern" ] || continue ;;
		*) continue ;;
		esac
		test=$(echo $program | sed 's/_THREAD_ALLOC/-thread-local/')
		printf '%-30s ours %s s, ' $program "$(ours numa test=$test)"
		begin=$(date +%s%N)
		$program >/dev/null 2>&1
		echo "theirs $((($(date +%s%N) - begin) / 10000000)) hundredths of a second"
	done
}

strace=
have strace strace 'system calls per message' && strace=1
echo "$(uname -sr), $(nproc) CPUs, load $(cut -d' ' -f1-3 /proc/loadavg), $runs runs each in turn, $(date -u +%F)"
printf '%-30s %9s %9s %7s %7s %-16s %s\n' pair ours theirs ratio 'of pair' '95 %' 'write+read a message: ours theirs'
hackbench_pairs
if have perf linux-perf 'perf bench sched'; then
	perf_messaging_pairs
	perf_pipe_pairs
	numa_pairs
fi
autonuma_pairs
echo "load $(cut -d' ' -f1-3 /proc/loadavg)"
