#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# unixbench: each test, what a script costs, limits, tasks that are killed or hang, nothing left behind.
# Usage: unixbench_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

test_each() {
	for test in execl pipe context1 spawn shell1 shell8; do
		ok unixbench test=$test time=20ms folder="$tmp"
		within $test 0.1 1e9
		within index 0.1 1e9
	done
	ok unixbench test=shell1 tools=own time=20ms copies=2 folder="$tmp"
	ok unixbench time=10ms copies=2 tools=own folder="$tmp"
	within shell8 0.1 1e9
	within spread 0 100
	ok unixbench test=pipe time=10ms copies=0
	[ "$(echo "$tmp"/schedproof-*)" = "$tmp/schedproof-*" ] || bad "a folder is left"
}

# A time of 200 ms is 200 ms and the rest of a loop.
test_time() {
	ok unixbench test=spawn time=200ms
	within spawn-time 2e8 2e9
}

# counted CALLS ARGS...: how often all its tasks made them, and of how many loops
counted() {
	calls=$1
	shift
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace="$calls" -e status=successful -e signal=none -o "$tmp/strace" \
		"$worker" unixbench "$@" folder="$tmp" >"$tmp/out" 2>"$tmp/err" || bad "strace $*"
	grep -Ec '(execve|fork|clone3?)(\(| resumed)' "$tmp/strace"
}

# One loop of k scripts: multi.sh, and for each script itself and 7 programs, are executed; as many are forked.
# Beside the loops the worker is executed; a guard and the copy are forked.
test_script_costs() {
	if ! strace -c true 2>/dev/null >&2; then
		echo "skipped: forks and executions of a loop (strace is missing or not allowed)"
		return
	fi
	for tools in system own; do
		for k in 1 8; do
			n=$(counted execve test=shell$k tools=$tools time=30ms)
			each=$(per_loop shell$k $((n - 1)))
			[ "$each" = $((1 + 8 * k)) ] || bad "$each executions a loop, tools=$tools"
			n=$(counted fork,vfork,clone,clone3 test=shell$k tools=$tools time=30ms)
			each=$(per_loop shell$k $((n - 2)))
			[ "$each" = $((1 + 8 * k)) ] || bad "$each forks a loop, tools=$tools"
		done
	done
}

# per_loop TEST N: N by the loops of the last run; the copy's own time is a little below that of the whole
per_loop() {
	awk -v rate="$(value "$1")" -v ns="$(value "$1-time")" -v n="$2" 'BEGIN {
		loops = int(rate * ns / 1e9 + 0.02)
		print n / loops
	}'
}

test_limits() {
	usage "time: '10us' is out of range" unixbench time=10us
	usage "time: .*'soon'" unixbench time=soon
	usage "test: 'shell2' is not valid" unixbench test=shell2
	fails 'unixbench: needs 340000[0-9] more tasks' unixbench copies=100000
	fails 'folder: /nowhere: No such file' unixbench test=shell1 folder=/nowhere
	mkdir "$tmp/bin"
	ln -s "$(command -v sh)" "$tmp/bin/sh"
	PATH="$tmp/bin" "$worker" unixbench test=shell1 time=10ms >"$tmp/out" 2>"$tmp/err"
	holds out '"reason":"unixbench: sort is not in PATH: use tools=own"'
	PATH="$tmp/bin" "$worker" unixbench test=shell1 time=10ms tools=own folder="$tmp" >"$tmp/out" 2>"$tmp/err" ||
		bad "tools=own needs a program of the system"
}

test_killed_task() {
	start 2 unixbench test=context1 copies=2 time=1h
	copy=$(children_of $pid | cut -d' ' -f2)
	kill -9 $copy
	died 'signal 9'
	start 1 unixbench test=context1 time=1h
	kill -9 $(children_of $(children_of $pid))
	died 'context1: copy 0: the other process was killed by signal 9'
	start 1 unixbench test=execl time=1h
	kill -9 $(children_of $pid)
	died 'signal 9'
}

# The folder goes as well, whatever the scripts are at just then.
test_killed_worker() {
	for args in 'test=context1' 'test=shell1 tools=system' 'test=shell8 tools=own'; do
		start 1 unixbench $args time=1h folder="$tmp"
		left=$(for p in $(children_of $pid); do echo $p $(children_of $p); done)
		kill -9 $pid
		wait $pid 2>/dev/null
		gone $left
		for i in $(seq 100); do
			[ "$(echo "$tmp"/schedproof-*)" = "$tmp/schedproof-*" ] && break
			sleep 0.05
		done
		[ "$(echo "$tmp"/schedproof-*)" = "$tmp/schedproof-*" ] || bad "a folder is left: $args"
	done
}

test_hang() {
	"$sp" run --worker "$worker" unixbench test=context1 time=1h --timeout 2s >"$tmp/out" 2>"$tmp/err" &
	run=$!
	task=
	for i in $(seq 100); do
		child=$(children_of $run)
		copy=$([ "$child" ] && children_of $child)
		task=$([ "$copy" ] && children_of $copy)
		[ "$task" ] && kill -STOP $task && break
		sleep 0.02
	done
	wait $run
	[ $? = 3 ] || bad "exit status of a hang"
	holds out '^  run 1: hang: no result in 2 s; [0-9] tasks? left: .*context1'
	gone $task
}

test_original() {
	expect 0 "$sp" run --worker "$worker" unixbench test=shell1 time=100ms --as original
	holds out '^1 CPU in system|^[0-9]+ CPUs in system; running 1 parallel copy of tests$'
	holds out '^Shell Scripts \(1 concurrent\) {13,24}[0-9.]+ lpm   \([0-9.]+ s, 1 samples\)$'
	expect 0 "$sp" run --worker "$worker" unixbench test=pipe copies=2 time=100ms --as original
	holds out '; running 2 parallel copies of tests$'
	holds out '^System Benchmarks Index Score \(Partial Only\) {13,29}[0-9.]+$'
}

tests each time script_costs limits killed_task killed_worker hang original
