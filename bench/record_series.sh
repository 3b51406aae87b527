#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records series of runs in which nothing is changed: real noise that verdicts are scored on (bench/verdict).
# Usage: bench/record_series.sh [-n RUNS] [-w WORKER] [-s SUFFIX] [FOLDER]
#   -n  runs of each workload (400)
#   -w  schedproof-worker (build/src/worker/schedproof-worker)
#   -s  ends the files' names, as _loaded
# The workloads take turns, a run of some 0.1 s each. Each gives FOLDER/NAME SUFFIX.txt (tests/data/traces), which is
# replaced only when all runs are done. Leave the machine alone meanwhile, or say in the header what you did.

runs=400
worker=$(dirname "$0")/../build/src/worker/schedproof-worker
suffix=
while getopts n:w:s: opt; do
	case $opt in
	n) runs=$OPTARG ;;
	w) worker=$OPTARG ;;
	s) suffix=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
folder=${1:-$(dirname "$0")/../tests/data/traces}
[ -x "$worker" ] || { echo "no worker at $worker: build first, or use -w" >&2 && exit 2; }
[ -d "$folder" ] || { echo "no folder $folder" >&2 && exit 2; }

# name, metric, ns in the unit that is written, the unit, command
workloads() {
	cat <<-END
		hackbench_process_pipe time 1e9 s hackbench groups=1 transport=pipe loops=120
		hackbench_thread_socket time 1e9 s hackbench groups=1 mode=thread loops=60
		pipe_process loop 1e3 us pipe loops=8000
		pipe_thread loop 1e3 us pipe mode=thread loops=8000
	END
}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# run NAME METRIC NS-PER-UNIT UNIT COMMAND...
run() {
	name=$1 metric=$2 unit=$3
	shift 4
	"$worker" "$@" >"$tmp/run" </dev/null
	value=$(sed -n '/"status":"ok"/s/.*{"name":"'"$metric"'",[^}]*"value":\([0-9.e+]*\)}.*/\1/p' "$tmp/run")
	[ "$value" ] || { echo "$name: a run failed: $(cat "$tmp/run")" >&2 && exit 1; }
	awk -v value="$value" -v unit="$unit" 'BEGIN { printf "%.5g\n", value / unit }' >>"$tmp/$name"
}

load=$(cut -d' ' -f1 /proc/loadavg)
workloads >"$tmp/list"
for i in $(seq "$runs"); do
	while read -r line; do
		# shellcheck disable=SC2086 # words of a line
		run $line
	done <"$tmp/list"
	[ ! -t 2 ] || printf '\r%d of %d ' "$i" "$runs" >&2
done
[ ! -t 2 ] || echo >&2

where="$(uname -sr), $(nproc) CPUs, load average $load before, $(cut -d' ' -f1 /proc/loadavg) after, $(date -u +%F)"
while read -r name _ _ unit command; do
	{
		echo "# schedproof-worker $command: $unit, in the order of time; all workloads in turn"
		echo "# $where"
		paste -sd'         \n' "$tmp/$name"
	} >"$folder/$name$suffix.txt"
	echo "$folder/$name$suffix.txt: $runs runs"
done <"$tmp/list"
