#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# cpuload: work and load that are reached, limits, a task that is killed or hangs, stress-ng's lines.
# Usage: cpuload_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

# 101 operations by two are 102; all of 1 CPU's work is done, whoever else runs.
test_work() {
	ok cpuload tasks=2 ops=101 work=1000
	within ops 102 102
	within spread 0 100
	holds out '"name":"finish","unit":"ns","better":"lower","samples":"9;2;'
	ok cpuload tasks=2 ops=50 work=1000 quota=task
	within ops 100 100
	ok cpuload ops=10 work=100
}

# Twice as much work takes twice the CPU time, within what other load does to a short run.
test_work_is_fixed() {
	ok cpuload tasks=1 ops=100 work=2000
	short=$(value task-user)
	ok cpuload tasks=1 ops=400 work=2000
	[ "$(awk -v a="$short" -v b="$(value task-user)" 'BEGIN { print (b > 2 * a && b < 8 * a) }')" = 1 ] ||
		bad "4 times the work took $(value task-user) ns for $short ns"
}

# Never more than was asked for by more than a slice. Where other load leaves it less, there may be no time to sleep.
test_load() {
	for pacing in deadline stress-ng; do
		ok cpuload tasks=1 ops=150 work=2000 load=25 slice=5 pacing=$pacing
		within load-mean 0.1 32
		if value load-mean | awk '{ exit !($1 < 20) }'; then
			echo "skipped: wakeups with pacing=$pacing (a load of $(value load-mean) % is all that this machine has left)"
			continue
		fi
		[ "$(value late-p50)" ] || bad "no late wakeups"
		holds out '"name":"late","unit":"ns","better":"lower","samples":"9;([1-9]|[12][0-9]);'
	done
}

test_limits() {
	usage "load: '0' is out of range" cpuload load=0
	usage "load: '101' is out of range" cpuload load=101
	usage 'ops x work: more than 2\^57 units' cpuload ops=1000000000000 work=1000000000
	fails 'cpuload: needs 1000000[01] more tasks' cpuload tasks=10000000
}

test_killed_task() {
	start 2 cpuload tasks=2 ops=1000000000
	kill -9 "$(children_of $pid | cut -d' ' -f2)"
	died 'signal 9'
}

test_killed_worker() {
	start 2 cpuload tasks=2 ops=1000000000 load=50
	left=$(children_of $pid)
	kill -9 $pid
	wait $pid 2>/dev/null
	gone $left
}

# A task that is stopped never ends: the reason tells it.
test_hang() {
	"$sp" run --worker "$worker" cpuload tasks=2 ops=10 work=500000 --timeout 2s >"$tmp/out" 2>"$tmp/err" &
	run=$!
	task=
	for i in $(seq 100); do
		child=$(children_of $run)
		[ "$child" ] && task=$(children_of $child | cut -d' ' -f1)
		[ "$task" ] && kill -STOP $task && break
		sleep 0.01
	done
	wait $run
	[ $? = 3 ] || bad "exit status of a hang"
	holds out '^  run 1: hang: no result in 2 s; [0-9]+ tasks? left: .*compute'
	gone $task
}

test_original() {
	expect 0 "$sp" run --worker "$worker" cpuload tasks=2 ops=20 work=1000 --as original
	same_form stress-ng stress-ng --cpu 2 --cpu-ops 20 --metrics-brief
}

tests work work_is_fixed load limits killed_task killed_worker hang original
