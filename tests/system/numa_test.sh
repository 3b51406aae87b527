#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The workload numa on this machine, whatever its nodes: small runs of every test, limits, a killed task, one that hangs.
# Usage: numa_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

# runs STATUS PATTERN ARGS...
runs() {
	status=$1 pattern=$2
	shift 2
	export ASAN_OPTIONS=detect_leaks=0
	gives "$status" "$pattern" numa "$@"
	unset ASAN_OPTIONS
}

# figure NAME: its value in the last run
figure() {
	grep -o "\"name\":\"$1\",\"unit\":\"[^\"]*\",\(\"better\":\"[a-z]*\",\)\{0,1\}\"value\":[0-9.e+]*" "$tmp/out" | sed 's/.*://'
}

# is NAME VALUE
is() {
	[ "$(figure "$1")" = "$2" ] || bad "$1 is '$(figure "$1")', not $2"
}

small='size=1MiB processes=2 threads=2 rounds=3'

# 2 x 2 tasks do 3 rounds of 1 MiB each or of half of it; a histogram has each round of each task.
test_every_test() {
	for bind in free hard inverse; do
		for t in numa01 perf-numa01 perf-numa03 perf-numa04 perf-numa05 perf; do
			runs 0 '"samples":"9;12;' test=$t bind=$bind $small
			is bytes 12582912
		done
		for t in numa01-thread-local numa02 numa02-smt; do
			runs 0 '"samples":"9;12;' test=$t bind=$bind $small
			is bytes 6291456
		done
		runs 0 '"samples":"9;12;' test=perf-numa02 bind=$bind processes=2 threads=2 rounds=3 thread-size=64KiB global-size=128KiB
		is bytes 2359296
	done
	for access in zero stream read write update; do
		for order in forward random; do
			runs 0 '"status":"ok"' $small access=$access order=$order thp=never
		done
	done
	for t in numa01 perf-numa04; do
		runs 0 '"status":"ok"' test=$t size=1MiB rounds=1 sample=0
		is cpus "$(nproc)"
	done
}

# A run that only its limit ends; it looks about ten times, and all its memory is on the nodes that it tells.
test_limit_and_looks() {
	runs 0 '"name":"looks"' test=perf limit=300ms sample=20ms
	runs 0 '"placement","text":"process 0: tasks [^;]*, pages [^;n]*node' test=numa02 size=1MiB limit=100ms rounds=1000000000 sample=0
	if [ "$(figure nodes)" = 1 ]; then
		runs 0 '"not-shown","text":"this machine has one NUMA node.*bind=inverse is the same as hard"' $small bind=inverse
		[ "$(figure local)" ] && bad "a share of local memory on one node"
	else
		runs 0 '"name":"local","unit":"percent"' $small
	fi
}

test_usage_and_limits() {
	runs 2 "first: 'here' is neither 'free' nor a node's number" first=here
	runs 2 'first: only with bind=free' first=0 bind=hard
	runs 2 'order=both: memory is cleared upwards only' order=both
	runs 1 '"reason":"numa: first: there is no node 1023 with memory for us"' first=1023
	runs 1 '"reason":"numa: needs [0-9]* bytes of memory, ' size=524288GiB
	runs 1 '"reason":"numa: size: 4096 bytes are less than a page of 4096 for each of 2 threads"' test=numa02 size=4096 threads=2
	runs 1 '"reason":"numa: needs 100010001 more tasks' processes=10000 threads=10000 size=1
}

# Start a run without end; it is in its rounds when this returns, and $children are its processes.
start_endless() {
	"$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for i in $(seq 200); do
		processes=$(children $pid)
		threads=0
		for process in $processes; do
			threads=$((threads + $(ls "/proc/$process/task" | wc -l)))
		done
		[ $threads = 6 ] && break
		sleep 0.05
	done
	[ $threads = 6 ] || bad "no 6 tasks"
}

children() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# ended PIDS...: none of them runs any more, within 10 s
ended() {
	for i in $(seq 200); do
		alive=
		for p in "$@"; do
			grep -q '^State:.[^ZX]' "/proc/$p/status" 2>/dev/null && alive=$p
		done
		[ "$alive" ] || return
		sleep 0.05
	done
	bad "process $alive is left"
}

test_killed() {
	endless='size=1MiB processes=2 threads=2 rounds=4000000000'
	start_endless "$worker" numa $endless
	kill -9 "$(echo $processes | cut -d' ' -f2)"
	wait $pid
	[ $? = 1 ] || bad "exit status after a process was killed"
	grep -q '"status":"failed","reason":"a task (process [0-9]*) was killed by signal 9' "$tmp/out" || bad "reason after a kill"
	ended $processes
	start_endless "$worker" numa $endless
	kill -9 $pid
	wait $pid 2>/dev/null
	ended $processes
}

test_hang() {
	timeout 300 "$sp" run --worker "$worker" --timeout 1s numa size=1MiB processes=2 threads=2 rounds=4000000000 >"$tmp/out" 2>"$tmp/err"
	[ $? = 3 ] || bad "exit status of a hang"
	cat "$tmp/out" "$tmp/err" | grep -q 'hang: no result in 1 s; 8 tasks left: 4 numa thread ' || bad "reason of a hang"
}

for t in every_test limit_and_looks usage_and_limits killed hang; do
	echo "== $t"
	test_$t
done
exit $failed
