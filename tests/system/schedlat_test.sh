#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedlat: all times are told, load, 10000 idle tasks, limits, a kill, a hang, cyclictest's lines.
# Usage: schedlat_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

# Looking for leaks in the stacks of ten thousand threads takes minutes.
export ASAN_OPTIONS=detect_leaks=0

# Times at 10, 20 .. 490 ms of the first task, 11 .. 495 of the second: 49 + 45, however late.
test_all_times_are_told() {
	ok schedlat tasks=2 interval=10ms distance=1ms runtime=500ms
	holds out '"name":"late","unit":"ns","better":"lower","samples":"9;94;'
	ok schedlat interval=100us distance=0 tasks=5 runtime=200ms load=3
	holds out '"name":"late","unit":"ns","better":"lower","samples":"9;9995;'
}

# The computing task is on the machine for a quarter of its time at most, and a cycle more.
test_load() {
	ok schedlat runtime=500ms load=1 duty=25 load-nice=19
	within load-cpu 0 28
	ok schedlat runtime=200ms bind=each slack=1us
	[ -z "$(value load-cpu)" ] || bad "load-cpu without a load"
}

test_idle_tasks() {
	ok schedlat runtime=200ms idle=10000
	holds out '"name":"late","unit":"ns","better":"lower","samples":"9;199;'
}

test_fifo() {
	if chrt -f 1 true 2>/dev/null; then
		ok schedlat runtime=200ms prio=1
	else
		fails 'prio: SCHED_FIFO 1: ' schedlat runtime=200ms prio=1
	fi
	if [ -w /dev/cpu_dma_latency ]; then
		ok schedlat runtime=100ms awake=yes
	else
		fails 'awake: /dev/cpu_dma_latency: ' schedlat runtime=100ms awake=yes
	fi
}

test_limits() {
	usage 'runtime: not longer than the last' schedlat tasks=100 runtime=50ms
	usage "bind: 'all' is not valid, expected none|each" schedlat bind=all
	if setpriv --reuid=65534 --clear-groups test -x "$worker" 2>/dev/null; then
		expect 1 prlimit --nproc=50 setpriv --reuid=65534 --clear-groups "$worker" schedlat idle=100
		holds out '"status":"failed","reason":"schedlat: needs 101 more tasks, RLIMIT_NPROC '
	fi
}

# Threads die with their process: 2 + 3 + 4 and the main thread.
test_killed() {
	start 0 schedlat tasks=2 load=3 idle=4 runtime=1h
	for i in $(seq 100); do
		[ "$(ls "/proc/$pid/task" | wc -l)" = 10 ] && break
		sleep 0.05
	done
	[ "$(ls "/proc/$pid/task" | wc -l)" = 10 ] || bad "not 10 threads"
	kill -9 "$pid"
	gone "$pid"
	[ -s "$tmp/out" ] && bad "a killed run printed something"
}

test_hang() {
	expect 3 "$sp" run --worker "$worker" schedlat runtime=1h --timeout 1s
	holds out '^  run 1: hang: no result in 1 s; '
}

test_original() {
	expect 0 "$sp" run --worker "$worker" schedlat tasks=2 runtime=1s --as original
	same_form cyclictest sh -c 'command -v cyclictest >/dev/null && cyclictest -q --default-system -t 2 -D 1 2>/dev/null'
}

tests all_times_are_told load idle_tasks fifo limits killed hang original
