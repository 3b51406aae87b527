#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# rr: runs of every kind, its limits, tasks that die or hang, nothing left behind.
# Usage: rr_test.sh WORKER
. "$(dirname "$0")/worker_lib.sh"
export ASAN_OPTIONS=detect_leaks=0 # in each task it takes longer than the run

# run STATUS PATTERN ARGS...
run() {
	status=$1 pattern=$2
	shift 2
	gives "$status" "$pattern" rr "$@"
}

test_every_mode() {
	for mode in process thread; do
		for transport in tcp udp unix; do
			run 0 '"status":"ok"' time=30ms mode=$mode transport=$transport
			run 0 '"name":"fairness"' time=30ms mode=$mode transport=$transport pairs=3 request=3000 response=60000
		done
		for transport in tcp unix; do
			run 0 '"name":"operations","text":"NTCreateX [0-9]* ' time=30ms mode=$mode transport=$transport flavor=tbench pairs=2
		done
	done
	run 0 '"status":"ok"' time=30ms cpus=0
	run 0 '"status":"ok"' time=30ms cpus=same pairs=2
	run 0 '"status":"ok"' time=50ms warmup=20ms
}

# 2 pairs x 100 a second x 0.3 s: a sample for each, also where the answers of a second can't come in time
test_open_loop_loses_no_sample() {
	run 0 '"samples":"9;60;.*"' time=300ms rate=200 pairs=2 arrivals=uniform
	run 0 '"samples":"9;3000;' time=30ms rate=100k arrivals=uniform
	run 0 '"name":"unserved","unit":"count","better":"lower","value":[1-9]' time=100ms rate=10M
}

test_usage() {
	run 2 'warmup: must be shorter than time' time=1s warmup=1s
	run 2 'transport: tcp or unix with flavor=tbench' flavor=tbench transport=udp
	run 2 'request, response: of many sizes' flavor=tbench request=2
	run 2 'at most 65507 bytes with udp' transport=udp response=65508
	run 2 "cpus: 'none' is no list" cpus=none
}

# 40 pairs of threads are 80 sockets and what they listen by.
test_file_limit() {
	sh -c 'ulimit -n 60; exec "$@"' sh "$worker" rr mode=thread pairs=40 time=10ms >"$tmp/out" 2>"$tmp/err"
	grep -q 'rr: needs 81 more open files, RLIMIT_NOFILE is at most 60' "$tmp/out" || bad 'reason at ulimit -n 60'
	sh -c 'ulimit -Sn 20; exec "$@"' sh "$worker" rr mode=thread pairs=40 time=10ms >"$tmp/out" 2>"$tmp/err" ||
		bad 'a soft limit is not raised'
}

children_of() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

count() {
	echo $#
}

start_endless() {
	"$worker" rr time=1h "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for i in $(seq 100); do
		[ "$(count $(children_of $pid))" = 4 ] && break
		sleep 0.05
	done
	sleep 0.2
}

# ended PATTERN: it failed within 5 s, with such a reason, and its tasks are gone
ended() {
	for i in $(seq 100); do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	kill -9 $pid 2>/dev/null && bad 'still runs'
	wait $pid
	grep -q "\"status\":\"failed\",\"reason\":\"[^\"]*$1" "$tmp/out" || bad "no reason like $1"
	all_gone
}

all_gone() {
	for i in $(seq 100); do
		alive=
		for child in $tasks; do
			grep -q '^State:.[^ZX]' "/proc/$child/status" 2>/dev/null && alive=$child
		done
		[ "$alive" ] || return
		sleep 0.05
	done
	bad "'$alive' of '$tasks' is left"
}

# A server and a client of the second pair: the third and the fourth task.
test_killed_task() {
	for transport in tcp udp unix; do
		for which in 3 4; do
			start_endless pairs=2 transport=$transport
			tasks=$(children_of $pid)
			kill -9 "$(echo $tasks | cut -d' ' -f$which)"
			ended 'killed by signal 9'
		done
	done
}

# It doesn't answer any more: the client says so, and for how long.
test_stopped_server() {
	start_endless pairs=2 patience=400ms
	tasks=$(children_of $pid)
	kill -STOP "$(echo $tasks | cut -d' ' -f3)"
	ended 'client 1: nothing came for 0.4 s'
}

test_killed_worker_leaves_nothing() {
	start_endless pairs=2 flavor=tbench
	tasks=$(children_of $pid)
	kill -9 $pid
	wait $pid 2>/dev/null
	all_gone
}

# One send and one receive at each end for each request, and at the end of all the server's last look.
test_system_calls() {
	if ! strace -c true 2>/dev/null >&2; then
		echo 'skipped: system calls (strace is missing or not allowed)'
		return
	fi
	for mode in process thread; do
		strace -f -e trace=sendto,recvfrom -o "$tmp/strace" "$worker" rr time=100ms mode=$mode \
			>"$tmp/out" 2>"$tmp/err" || bad strace
		n=$(sed -n 's/.*"samples":"9;\([0-9]*\);.*/\1/p' "$tmp/out")
		[ "$(grep -c 'sendto(' "$tmp/strace")" = $((2 * n)) ] || bad "$mode: sendto aren't 2 x $n"
		[ "$(grep -c 'recvfrom(' "$tmp/strace")" = $((2 * n + 1)) ] || bad "$mode: recvfrom aren't 2 x $n + 1"
	done
}

: >"$tmp/out"
: >"$tmp/err"
for t in every_mode open_loop_loses_no_sample usage file_limit killed_task stopped_server killed_worker_leaves_nothing \
	system_calls; do
	echo "== $t"
	test_$t
done
exit $failed
