#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof-worker: runs of every kind, failures that must end with a reason, nothing left behind.
# Usage: worker_test.sh WORKER
worker=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

bad() {
	echo "FAILED: $*"
	sed 's/^/    out: /' "$tmp/out"
	sed 's/^/    err: /' "$tmp/err"
	failed=1
}

# expect STATUS OUT-PATTERN ERR-PATTERN COMMAND...: '' as a pattern means that nothing is printed
expect() {
	status=$1 out=$2 err=$3
	shift 3
	timeout 300 "$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = "$status" ] || bad "exit $got, not $status: $*"
	printed "$tmp/out" "$out" || bad "standard output: $*"
	printed "$tmp/err" "$err" || bad "standard error: $*"
}

# One line of the pattern, or nothing.
printed() {
	if [ "$2" ]; then
		[ "$(wc -l <"$1")" = 1 ] && grep -q -- "$2" "$1"
	else
		[ ! -s "$1" ]
	fi
}

ok() {
	head="{\"schema\":2,\"workload\":\"$1\",\"status\":\"ok\",\"reason\":null,"
	expect 0 "^$head.*\"value\":[0-9.e+]*}\],\"counters\":\[.*\],\"histograms\":\[.*\],\"notes\":\[.*\]}$" '' "$worker" "$@"
}

fails() {
	reason=$1
	shift
	expect 1 "\"status\":\"failed\",\"reason\":\"[^\"]*$reason.*\",\"metrics\":\[\],\"counters\":\[\],\"histograms\":\[\],\"notes\":\[.*\]}$" '' "$@"
}

usage() {
	reason=$1
	shift
	expect 2 '' "^schedproof-worker: $reason" "$worker" "$@"
}

tiny='groups=1 fds=3 loops=5'

test_every_mode() {
	for mode in process thread; do
		for transport in socket pipe fifo tcp; do
			ok hackbench $tiny mode=$mode transport=$transport
			ok hackbench $tiny mode=$mode transport=$transport size=1
		done
		ok hackbench groups=1 loops=1 mode=$mode flavor=ltp
		ok hackbench groups=1 loops=1 mode=$mode flavor=perf transport=pipe
		for protocol in strict inflight2; do
			ok pipe loops=100 mode=$mode protocol=$protocol
			ok pipe loops=100 mode=$mode protocol=$protocol cpus=0
			ok pipe loops=100 mode=$mode protocol=$protocol cpus=same
			ok pipe loops=1 mode=$mode protocol=$protocol cpus=
		done
	done
	if chrt -f 1 true 2>/dev/null; then
		ok hackbench $tiny parent=fifo
	else
		fails 'parent=fifo: SCHED_FIFO: ' "$worker" hackbench $tiny parent=fifo
	fi
}

# 2400 tasks; the histogram of their ends has each of them. (Looking for leaks in each takes a minute.)
# With a sanitizer's shadow of memory a fork takes up to 50 ms on some virtual machines: fewer of them.
test_sixty_groups() {
	groups=60
	if "$(dirname "$0")/sanitized.sh" "$worker"; then
		groups=12
		echo "$groups instead of 60 groups, as this is a sanitizer's build"
	fi
	expect 0 '"status":"ok"' '' env ASAN_OPTIONS=detect_leaks=0 "$worker" hackbench groups=$groups loops=2
	grep -q '"name":"finish","unit":"ns","better":"lower","samples":"9;'$((40 * groups))';' "$tmp/out" ||
		bad "not every task has told its end"
	[ "$(grep -o '"name":"[a-z]*","unit":"ns","better":"lower","value"' "$tmp/out" | tr -dc 'a-z\n' |
		sed 's/^name//; s/unit.*//' | tr '\n' ' ')" = 'time messages teardown setup ' ] || bad "metrics of hackbench"
}

# Two CPUs: each task on its own, and not one token stays on a CPU; one: all do.
test_pipe_placement() {
	ok pipe loops=500 cpus=0
	grep -q '"name":"same-cpu","unit":"percent","value":100,' "$tmp/out" || bad "same-cpu on one CPU"
	grep -q 'first task: CPU 0 100 %; second task: CPU 0 100 %' "$tmp/out" || bad "placement on one CPU"
	grep -q '"samples":"9;500;' "$tmp/out" || bad "not every loop is in the histogram"
	"$worker" pipe loops=500 cpus=llc >"$tmp/out" 2>"$tmp/err"
	case $(cat "$tmp/out") in
	*'no two CPUs that this process may use are at distance'*|*'needs 2 CPUs'*) return ;;
	*'"name":"same-cpu","unit":"percent","value":0,'*) ;;
	*) bad "same-cpu of a pair" ;;
	esac
	ok pipe loops=500 cpus=llc mode=thread
	grep -q '"name":"same-cpu","unit":"percent","value":0,' "$tmp/out" || bad "same-cpu of a pair of threads"
}

# Far above a thread's stack and a channel's buffer, where the originals end by a signal or hang.
test_large_messages() {
	for mode in process thread; do
		for transport in socket pipe; do
			ok hackbench groups=1 fds=2 loops=2 size=9000000 mode=$mode transport=$transport
		done
	done
}

test_usage() {
	usage "unknown workload 'hackbnch', did you mean 'hackbench'?" hackbnch
	usage "hackbench: unknown key 'group', did you mean 'groups'?" hackbench group=1
	usage "hackbench: groups: '0' is out of range, allowed is 1 .. 10000" hackbench groups=0
	usage "hackbench: loops: '-5' is not valid" hackbench loops=-5
	usage "hackbench: mode: 'procs' is not valid, expected process|thread" hackbench mode=procs
	usage "hackbench: 'x' is not of the form key=value" hackbench x
	usage "fds: always 20 with flavor=ltp" hackbench flavor=ltp fds=3
	usage "cpus: 'none' is no list" pipe cpus=none
	usage "hackbench: takes no words behind --" hackbench groups=1 -- true
	usage "no workload given" --deadline 1ms/2ms/3ms
	usage "no workload given"
	usage "unknown option '--lst'" --lst
	usage "--deadline: '1ms/2ms' is not of the form RUNTIME/DEADLINE/PERIOD" --deadline 1ms/2ms pipe
	usage "--deadline: '3ms/2ms/4ms' is not 1024 ns <= runtime" --deadline 3ms/2ms/4ms pipe
	usage "--deadline: RUNTIME/DEADLINE/PERIOD is missing" --deadline
	expect 0 '^pipe$' '' sh -c '"$0" --list | grep pipe' "$worker"
	expect 0 '^  transport .*socket|pipe|fifo|tcp; default socket' '' sh -c '"$0" --help | grep "^  transport.*fifo"' "$worker"
}

# hackbench's gates are 4 files and its 3 channels 6. Some are open before: the reason says how many. (The leak
# checker needs files as well; it can't be traced, nor run under SCHED_DEADLINE.)
test_fd_limit() {
	for n in $(seq 12 30); do
		ASAN_OPTIONS=detect_leaks=0 sh -c 'ulimit -n "$0"; exec "$@"' "$n" \
			"$worker" hackbench $tiny mode=thread >"$tmp/out" 2>"$tmp/err" && break
		words="hackbench: needs 10 more open files, RLIMIT_NOFILE is at most $n and"
		open=$(sed -n "s/.*$words \([0-9]*\) are open: raise it to .*/\1/p" "$tmp/out")
		grep -q "raise it to $((open + 10)) as root" "$tmp/out" || bad "reason at ulimit -n $n"
	done
	[ "$n" = $((open + 10)) ] || bad "$n open files are enough, not $open + 10"
	# a soft limit is raised
	expect 0 '"status":"ok"' '' sh -c 'ulimit -Sn 8; exec "$@"' sh "$worker" hackbench $tiny mode=thread
}

test_impossible() {
	fails 'none of them is online' "$worker" pipe cpus=8191
	fails 'hackbench: needs 20000000 more tasks' "$worker" hackbench groups=10000 fds=1000
}

children_of() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

count() {
	echo $#
}

# Start a run that would last for hours; it has all its tasks when this returns.
start_endless() {
	tasks=$1
	shift
	"$worker" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for i in $(seq 100); do
		[ "$(count $(children_of $pid))" -ge "$tasks" ] && break
		sleep 0.05
	done
	sleep 0.2
}

# A task that dies ends the run, whether it is a receiver (the first) or a sender (the last).
test_killed_task() {
	for which in 1 4; do
		start_endless 4 hackbench groups=1 fds=2 loops=1000000000
		kill -9 "$(children_of $pid | cut -d' ' -f$which)"
		died 1
	done
	start_endless 1 pipe loops=1000000000000
	kill -9 $(children_of $pid)
	died 1
}

# It ended with the status, within 10 s, and with a reason.
died() {
	for i in $(seq 200); do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	kill -9 $pid 2>/dev/null && bad "still runs after a task was killed"
	wait $pid
	[ $? = "$1" ] || bad "exit status after a task was killed"
	grep -q '"status":"failed","reason":".*\(signal 9\|Broken pipe\|reset by peer\|ended after\|is gone\)' "$tmp/out" ||
		bad "reason after a task was killed"
}

test_killed_worker_leaves_nothing() {
	for args in 'hackbench groups=1 fds=2' 'hackbench groups=1 fds=2 transport=fifo' 'pipe'; do
		start_endless 1 $args loops=1000000000
		left=$(children_of $pid)
		kill -9 $pid
		wait $pid 2>/dev/null
		for i in $(seq 100); do
			alive=
			for child in $left; do
				grep -q '^State:.[^ZX]' "/proc/$child/status" 2>/dev/null && alive=$child
			done
			[ "$alive" ] || break
			sleep 0.05
		done
		[ "$left" ] && [ ! "$alive" ] || bad "$args: '$alive' of '$left' outlives the killed worker"
	done
}

# calls NAME ARGS...: how often all tasks made a system call on pipes and sockets, not on files as those of /proc
calls() {
	name=$1
	shift
	ASAN_OPTIONS=detect_leaks=0 strace -f -y -e trace="$name" -o "$tmp/strace" \
		"$worker" "$@" >"$tmp/out" 2>"$tmp/err" || bad "strace $*" >&2
	grep "$name(" "$tmp/strace" | grep -vc '</'
}

# The difference of two lengths holds messages only: 2 groups x 3 x 3 x (70 - 20) loops are 900, and 90 loops of pipe
# are 180 reads and 180 writes.
test_system_calls_per_message() {
	if ! strace -c true 2>/dev/null >&2; then
		echo "skipped: system calls per message (strace is missing or not allowed)"
		return
	fi
	for mode in process thread; do
		for name in read write; do
			for transport in socket pipe; do
				more=$(calls $name hackbench groups=2 fds=3 loops=70 mode=$mode transport=$transport)
				less=$(calls $name hackbench groups=2 fds=3 loops=20 mode=$mode transport=$transport)
				[ $((more - less)) = 900 ] || bad "hackbench $mode $transport: $more - $less ${name}s are not 900"
			done
			more=$(calls $name pipe loops=100 mode=$mode)
			less=$(calls $name pipe loops=10 mode=$mode)
			[ $((more - less)) = 180 ] || bad "pipe $mode: $more - $less ${name}s are not 180"
		done
	done
}

# Twice the bandwidth of one CPU for each of 20 tasks can't be had; without the right to ask it fails as well.
test_deadline() {
	fails 'SCHED_DEADLINE of 900000000/1000000000/1000000000 ns: ' \
		"$worker" --deadline 900ms/1s/1s hackbench groups=1 fds=$(($(nproc) * 2)) loops=1
	if [ "$(id -u)" = 0 ] && chrt -d -T 1000000 -D 50000000 -P 50000000 0 true 2>/dev/null; then
		expect 0 '"status":"ok"' '' env ASAN_OPTIONS=detect_leaks=0 "$worker" --deadline 1ms/50ms/50ms pipe loops=10
		expect 0 '"status":"ok"' '' env ASAN_OPTIONS=detect_leaks=0 "$worker" --deadline 1ms/50ms/50ms pipe loops=10 mode=thread
	else
		echo "skipped: runs under SCHED_DEADLINE (not allowed here)"
	fi
}

test_closed_stdout() {
	expect 1 '' 'standard output' sh -c '"$0" pipe loops=1 >&-' "$worker"
}

: >"$tmp/out"
: >"$tmp/err"
for t in every_mode sixty_groups pipe_placement large_messages usage fd_limit impossible killed_task killed_worker_leaves_nothing \
	system_calls_per_message deadline closed_stdout; do
	echo "== $t"
	test_$t
done
exit $failed
