#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# exec: time and figures of commands, failures that tell why, nothing left behind.
# Usage: exec_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

test_time() {
	ok exec -- sleep 0.2
	within time 2e8 5e9
	within task-user 0 1e9
	ok exec command="sh -c 'exit 3'" status=3
}

test_figures() {
	ok exec seconds='took ([0-9.]+)' unit=ms rate='^([0-9,]+)/s' higher='score ([0-9]+)' lower='p99=([0-9]+)' -- \
		printf 'took 1.5 ms\n12,000/s\nscore 7\np99=30 p99=40\n'
	within figure-time 1.5e6 1.5e6
	within figure-rate 12000 12000
	within figure-higher 7 7
	within figure-lower 40 40
	ok exec lower='p99=([0-9]+)' match=first -- printf 'p99=30 p99=40\n'
	within figure-lower 30 30
	ok exec lower='([0-9]+)' output=both match=sum -- sh -c 'echo 1; echo 2 >&2; echo 3'
	within figure-lower 6 6
	ok exec higher='b ([0-9]+)' -- printf 'a\0b 5\n'
	within figure-higher 5 5
}

# More than any pipe holds, and nobody reads it meanwhile.
test_large_output() {
	ok exec higher='^end ([0-9]+)' -- sh -c 'head -c 20000000 /dev/zero | tr "\0" "\n"; echo end 9'
	within figure-higher 9 9
}

test_failures() {
	fails 'false: exit status 1"' exec -- false
	fails 'sh: exit status 4: it broke"' exec -- sh -c 'echo it broke; exit 4'
	fails 'sh was killed by signal 11' exec -- sh -c 'kill -SEGV $$'
	fails "pattern '.*' finds nothing in 6 bytes of output, which end in 'other'" exec rate='x([0-9])' -- echo other
	fails "the pattern finds 'abc', which is no number" exec rate='(abc)' -- echo abc
	fails 'exec: nosuchprogram: no such program in PATH' exec -- nosuchprogram
	fails 'exec: /etc: no such program"' exec -- /etc
	usage 'command: is missing' exec
	usage "command: a ' without its end" exec command="echo 'a"
	usage "pattern '\(': " exec rate='(' -- true
}

# What the user set is what the command finds: files that may be open, SIGPIPE.
test_environment() {
	expect 0 sh -c 'ulimit -Sn 100; exec "$0" exec higher="([0-9]+)" -- sh -c "ulimit -Sn"' "$worker"
	within figure-higher 100 100
	ok exec higher='([0-9]+)' -- sh -c '{ (yes; echo $? >&3) | head -n 1 >/dev/null; } 3>&1'
	within figure-higher 141 141
	ok exec higher='([0-9]+)' -- sh -c 'ls /proc/self/fd | wc -l'
	n=$(sh -c 'ls /proc/self/fd | wc -l')
	within figure-higher $n $n
}

test_background_is_killed() {
	ok exec -- sh -c 'sleep 98.76 & setsid sleep 98.76 & (setsid sleep 98.76 &) & sleep 0.3'
	within left 3 4
	pgrep -f '^sleep 98[.]76' >/dev/null && bad "something is left"
}

test_killed() {
	start 1 exec -- sleep 97.53
	kill -9 $(children_of $pid)
	died 'sleep was killed by signal 9'
	start 1 exec -- sleep 97.53
	left=$(children_of $pid)
	kill -9 $pid
	wait $pid 2>/dev/null
	gone $left
}

test_hang() {
	expect 3 "$sp" run --worker "$worker" exec --timeout 1s -- sh -c 'sleep 96.42 | setsid sleep 96.42 | sleep 96.42'
	holds out '^  run 1: hang: no result in 1 s; .*sleep'
	for i in $(seq 50); do
		pgrep -f '^sleep 96[.]42' >/dev/null || return
		sleep 0.1
	done
	bad "something is left"
}

test_original() {
	expect 2 "$sp" run --worker "$worker" exec --as original -- true
}

tests time figures large_output failures environment background_is_killed killed hang original
