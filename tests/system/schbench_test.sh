#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schbench: runs of all generations and modes, far more workers than CPUs, limits, a kill, a hang, the originals' lines.
# Usage: schbench_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

# Looking for leaks in the stacks of a thousand threads takes a minute.
export ASAN_OPTIONS=detect_leaks=0
quick='runtime=200ms messengers=1 threads=2 warmup=0s'

test_modes() {
	for gen in A B C D; do
		ok schbench $quick gen=$gen sleep=1ms think=1ms message-think=1ms
		ok schbench $quick gen=$gen rps=20 think=1ms
		ok schbench $quick gen=$gen pipe=4KiB
		[ "$(value request-p50)" ] && bad "requests in pipe mode"
	done
	ok schbench $quick gen=C work=matrix operations=1 footprint=64KiB
	[ "$(value work)" ] || bad "the time of the work is not told"
	ok schbench $quick work=none lock=no nap=0s worker-cpus=0 message-cpus=0
}

test_rates() {
	for arrivals in batch burst uniform poisson; do
		ok schbench $quick rps=50 arrivals=$arrivals operations=1
		within goal-rps 50 50
	done
	ok schbench $quick work=units think=100us calibrate=yes
	[ "$(value work-unit)" ] || bad "the unit of work is not told"
	ok schbench $quick auto-rps=100 operations=1
	[ "$(value busy)" ] || bad "how busy it was is not told"
}

# Two bursts of 10 requests, at the start of each second, which end long before the last one does; and none is lost that
# finds no room: 100 came, and each of the 50 ms a nap takes one may begin.
test_every_request_is_told() {
	ok schbench runtime=2s threads=2 rps=10 operations=1
	holds out '"name":"wakeup","unit":"ns","better":"lower","samples":"9;20;'
	within goal-rps 10 10
	ok schbench runtime=1s threads=1 rps=100 queue=1 nap=50ms
	within dropped 98 99
}

test_message_threads_apart() {
	[ "$(nproc)" -gt 1 ] || return 0
	ok schbench $quick message-cpus=auto
	fails 'needs 1001 CPUs' schbench messengers=1000 threads=1 message-cpus=auto
}

# The run ends when its time is over, though its main thread may be the last to get a CPU.
test_thousand_workers() {
	ok schbench threads=1000 runtime=500ms
	within workers 1000 1000
	ok schbench gen=B messengers=2 threads=500 warmup=0s runtime=500ms
	within workers 1000 1000
}

test_limits() {
	usage 'pipe: excludes rps' schbench pipe=1 rps=1
	usage "gen: 'E' is not valid, expected A|B|C|D" schbench gen=E
	fails 'worker-cpus: .*none of them is online' schbench $quick worker-cpus=8191
	fails 'message-cpus: .*none of them is online' schbench $quick message-cpus=8191
	fails 'schbench: needs 100001000 more tasks' schbench messengers=1000 threads=100000
}

# Threads die with their process, also those that sleep: 2 message threads, 40 workers, the main thread.
test_killed() {
	start 0 schbench gen=B threads=20 runtime=1h
	for i in $(seq 100); do
		[ "$(ls "/proc/$pid/task" | wc -l)" = 43 ] && break
		sleep 0.05
	done
	[ "$(ls "/proc/$pid/task" | wc -l)" = 43 ] || bad "not 43 threads"
	kill -9 "$pid"
	gone "$pid"
	[ -s "$tmp/out" ] && bad "a killed run printed something"
}

test_hang() {
	expect 3 "$sp" run --worker "$worker" schbench gen=B runtime=1h --timeout 1s
	holds out '^  run 1: hang: no result in 1 s; '
}

test_original() {
	expect 0 "$sp" run --worker "$worker" schbench gen=B threads=2 warmup=0s runtime=1s --as original
	holds out '^Latency percentiles \(usec\) runtime 1 \(s\) \([0-9]+ total samples\)$'
	expect 0 "$sp" run --worker "$worker" schbench threads=1 runtime=1s pipe=4KiB --as original
	same_form schbench schbench -t 1 -r 1 -p 4096
	expect 0 "$sp" run --worker "$worker" schbench threads=2 runtime=1s --as original
	same_form schbench schbench -t 2 -r 1
}

tests modes rates every_request_is_told message_threads_apart thousand_workers limits killed hang original
