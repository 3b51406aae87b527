#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# rtapp: files as people have them, each event, what is refused, the end of the time, tasks that are killed or hang.
# Usage: rtapp_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

# program TEXT: into the file $tmp/p.json
program() {
	printf '%s\n' "$1" >"$tmp/p.json"
}

test_timer() {
	program '{ /* ten times */ "tasks": { "t": { "instance": 2, "loop": 10, "run": 100,
		"timer": { "ref": "unique", "period": 5000 }, } } }'
	ok rtapp file="$tmp/p.json"
	within phases 20 20
	within runs 20 20
	# the tenth timer is due after 50 ms
	within duration 5e7 5e9
	within work-ratio 0.1 1000
	within period-p50 1e5 1e9
	holds out '"name":"phases","text":"t 20"'
	[ "$(value overruns)" = 20 ] || within wakeup-max 1 1e9
}

# Each wakes the other; what is lost while nobody waits, is lost in rt-app as well: hence the barrier and the duration.
test_events() {
	program '{ "tasks": {
		"a": { "loop": 3, "lock": "m", "run": 10, "unlock": "m", "barrier": "b", "sleep": 100, "yield": "" },
		"b": { "loop": 3, "delay": 1000, "cpus": [0], "runtime": 10, "barrier": "b", "broad": "c", "signal": "c" },
		"c": { "loop": 3, "lock": "m", "wait": { "ref": "c", "mutex": "m" }, "unlock": "m" },
		"d": { "suspend", "resume": "e" },
		"e": { "sync": { "ref": "c", "mutex": "m" }, "suspend": "e", "resume": "d" } },
	"global": { "duration": 1, "default_policy": "SCHED_OTHER", "calibration": "CPU0" } }'
	ok rtapp file="$tmp/p.json" duration=100ms
	within duration 1e8 2e9
	holds out '"text":"a 3, b 3, c [0-3], d 0, e 0"'
}

# A post while nobody waits is not lost.
test_semaphores() {
	program '{ "tasks": {
		"a": { "loop": 3, "sem_post": "s", "run": 10 },
		"b": { "loop": 3, "delay": 2000, "sem_wait": "s", "sem_post": "t" },
		"c": { "loop": 3, "sem_wait": "t" } } }'
	ok rtapp file="$tmp/p.json"
	holds out '"text":"a 3, b 3, c 3"'
}

# Two tasks hand the turn to and fro: neither is lost, for the mutex is held from the signal to the wait.
test_ping_pong() {
	program '{ "tasks": {
		"a": { "instance": 2, "loop": 100, "sync": { "ref": "c", "mutex": "m" } } } }'
	"$worker" rtapp file="$tmp/p.json" duration=200ms >"$tmp/out" 2>"$tmp/err" || bad "ping pong"
	# the last one to wait is left alone
	within phases 198 199
}

# The end of the time ends all of it: work, sleep, waits; work within a millisecond of CPU time.
test_end_of_time() {
	for events in '"run": 60000000' '"runtime": 60000000' '"sleep": 60000000' '"suspend"' '"barrier": "b", "yield": ""' \
		'"lock": "m", "wait": { "ref": "c", "mutex": "m" }' '"timer": { "ref": "t", "period": 60000000 }'; do
		program "{ \"tasks\": { \"t\": { \"instance\": 2, $events } }, \"global\": { \"duration\": 3600 } }"
		ok rtapp file="$tmp/p.json" duration=50ms
		within duration 5e7 3e9
	done
	program '{ "tasks": { "t": { "delay": 60000000, "run": 1 } } }'
	ok rtapp file="$tmp/p.json" duration=50ms
	within phases 0 0
}

test_forks() {
	program '{ "tasks": { "a": { "instance": 2, "loop": 3, "fork": "b", "sleep": 100 }, "b": { "loop": 2, "run": 10 },
		"c": { "instance": 0, "loop": 1, "fork": "b" } } }'
	ok rtapp file="$tmp/p.json"
	holds out '"text":"a 6, b 2, c 0, b \(forked\) 12"'
}

# The log's form is that of the real one, where that is installed: its two head lines, and lines of the same columns.
test_original() {
	program '{ "tasks": { "a": { "loop": 3, "run": 100, "timer": { "ref": "t", "period": 2000 } }, "b": { "loop": 2, "sleep": 100 } },
		"global": { "duration": 1, "calibration": 100, "logdir": "'"$tmp"'", "log_basename": "rt-app" } }'
	expect 0 "$sp" run --worker "$worker" rtapp file="$tmp/p.json" duration=0 --as original
	[ "$(grep -cE '^   [01]( +-?[0-9]+){10}$' "$tmp/out")" = 5 ] || bad 'not 5 lines'
	holds out '^==> rt-app-b-1.log <==$'
	cp "$tmp/out" "$tmp/ours"
	if ! command -v rt-app >/dev/null; then
		echo 'skipped: rt-app is not installed'
		return
	fi
	rt-app "$tmp/p.json" >/dev/null 2>&1
	tail -n +1 "$tmp"/rt-app-a-0.log "$tmp"/rt-app-b-1.log >"$tmp/theirs"
	# figures of the same widths, whatever they are
	for f in ours theirs; do
		sed -E 's/^(   [01]).*/\1/; s|^==> .*/|==> |' "$tmp/$f" | uniq >"$tmp/$f.form"
		awk '/^   [01]/ { print length }' "$tmp/$f" | sort -u >"$tmp/$f.width"
	done
	cmp -s "$tmp/ours.form" "$tmp/theirs.form" && cmp -s "$tmp/ours.width" "$tmp/theirs.width" ||
		bad "$(diff "$tmp/ours.form" "$tmp/theirs.form")"
}

# Memory and a file: what is written is there, a disk is never written to.
test_memory() {
	program "{ \"tasks\": { \"t\": { \"instance\": 2, \"loop\": 3, \"mem\": 1000000, \"iorun\": 2500,
		\"memrun\": { \"type\": \"chase\", \"size\": 65536, \"count\": 10000 },
		\"memrun1\": { \"type\": \"read\", \"size\": 4096, \"count\": 10000, \"ref\": \"shared\" } } },
		\"global\": { \"mem_buffer_size\": 1000, \"io_device\": \"$tmp/io\" } }"
	ok rtapp file="$tmp/p.json"
	within phases 6 6
	[ "$(wc -c <"$tmp/io")" = 15000 ] || bad "$(wc -c <"$tmp/io") bytes in the file"
	disk=$(find /dev -type b 2>/dev/null | head -n 1)
	if [ -n "$disk" ]; then
		program "{ \"tasks\": { \"t\": { \"loop\": 1, \"iorun\": 1 } }, \"global\": { \"io_device\": \"$disk\" } }"
		fails "$disk: is a disk" rtapp file="$tmp/p.json"
	fi
	program '{ "tasks": { "t": { "loop": 1, "iorun": 1 } }, "global": { "io_device": "/dev/full" } }'
	fails "task 't': iorun: /dev/full: No space left" rtapp file="$tmp/p.json"
	program '{ "tasks": { "t": { "loop": 1, "mem": 2000000000 } }, "global": { "duration": 3600 } }'
	ok rtapp file="$tmp/p.json" duration=50ms
	within duration 1e4 3e9
}

# Memory on nodes and clamps, as far as this kernel has them.
test_nodes_and_clamps() {
	program '{ "tasks": { "t": { "loop": 1, "nodes_membind": [0], "mem": 5000 } } }'
	if "$worker" rtapp file="$tmp/p.json" 2>&1 | grep -q 'set_mempolicy'; then
		fails "task 't': nodes_membind: set_mempolicy" rtapp file="$tmp/p.json"
	else
		ok rtapp file="$tmp/p.json"
	fi
	program '{ "tasks": { "t": { "loop": 1, "nodes_membind": [1023], "mem": 5000 } } }'
	fails "task 't': nodes_membind: set_mempolicy" rtapp file="$tmp/p.json"
	program '{ "tasks": { "t": { "loop": 1, "util_min": 0, "util_max": 512, "run": 5 } } }'
	if "$worker" rtapp file="$tmp/p.json" 2>&1 | grep -q 'util_max'; then
		fails "task 't': util_min and util_max: .*" rtapp file="$tmp/p.json"
	else
		ok rtapp file="$tmp/p.json"
	fi
}

test_policies() {
	program '{ "tasks": { "t": { "loop": 2, "phases": { "p": { "priority": 5, "run": 10 },
		"q": { "policy": "SCHED_IDLE", "run": 10 } } } } }'
	ok rtapp file="$tmp/p.json"
	within phases 4 4
	program '{ "tasks": { "t": { "loop": 1, "policy": "SCHED_FIFO", "run": 10 } } }'
	if chrt -f 10 true 2>/dev/null; then
		ok rtapp file="$tmp/p.json"
	else
		fails "task 't': SCHED_FIFO, priority 10: Operation not permitted" rtapp file="$tmp/p.json"
	fi
}

test_limits() {
	usage 'rtapp: .*file: is missing|file: is missing' rtapp
	fails 'rtapp: .*/nowhere.json: No such file' rtapp file=/nowhere.json
	program '{ "tasks": { "t": { "run": 1 } } }'
	fails "task 't' has no end and global no duration: give a duration" rtapp file="$tmp/p.json"
	program '{ "tasks": { "t": { "loop": 1,
		"taskgroup": "/g", "run": 1 } } }'
	fails "p.json:2: task 't': 'taskgroup': '/g' is not supported: rt-app's groups" rtapp file="$tmp/p.json"
	program '{ "tasks": { "t": { "loop": 1, "cpus": [8191], "run": 1 } } }'
	fails "task 't': CPUs 8191" rtapp file="$tmp/p.json"
	program '{ "tasks": { "t": { "loop": 1, "lock": "m", "lock": "m" } } }'
	fails "task 't': lock 'm': the task holds it already" rtapp file="$tmp/p.json"
	# one that fails ends the run, whoever waits
	program '{ "tasks": { "s": { "suspend" }, "t": { "loop": 1, "delay": 1000, "unlock": "m" } } }'
	fails "task 't': unlock 'm': the task does not hold it" rtapp file="$tmp/p.json" duration=1h
}

# They are threads: a signal to one is for all of them.
test_killed() {
	program '{ "tasks": { "t": { "instance": 3, "suspend" } } }'
	start 0 rtapp file="$tmp/p.json" duration=1h
	sleep 0.2
	kill -9 $pid
	wait $pid 2>/dev/null
	gone $pid
}

# Each waits for the mutex of the other, which no end of a time ends.
test_hang() {
	program '{ "tasks": { "one": { "loop": 1, "lock": "m", "barrier": "b", "lock": "n" },
		"two": { "loop": 1, "lock": "n", "barrier": "b", "lock": "m" } } }'
	expect 3 "$sp" run --worker "$worker" rtapp file="$tmp/p.json" duration=100ms --timeout 1s
	holds out '^  run 1: hang: no result in 1 s; .*(one|two) in futex'
}

tests timer events semaphores ping_pong end_of_time forks original memory nodes_and_clamps policies limits killed hang
