#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# replay: a recorded trace as a whole and in part, what is chosen, what is refused, tasks that are killed or hang.
# Usage: replay_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

recorded=$(dirname "$0")/../data/replay/schbench.txt
names=schbench,messenger,worker

# What the trace's own lines say of our four tasks: how often one was woken, how often by another, and how many were forked.
count() {
	awk -v what="$1" '
		BEGIN { ours[100] = ours[103] = ours[105] = ours[106] = 1 }
		/sched_waking/ && match($0, / pid=[0-9]+/) {
			if (substr($0, RSTART + 5, RLENGTH - 5) in ours) { woken++; by += $2 in ours }
		}
		/sched_wakeup_new/ { forks++ }
		END { print what == "woken" ? woken : what == "by" ? by : forks }' "$recorded"
}

test_recorded() {
	ok replay file="$recorded" comm=$names
	within tasks 4 4
	within sleeps "$(count woken)" "$(count woken)"
	share=$(awk -v a="$(count by)" -v b="$(count woken)" 'BEGIN { printf "%.12f", a / b }')
	value matched | awk -v x="$share" '{ exit !($1 - x < 1e-9 && x - $1 < 1e-9) }' || bad "matched is not $share"
	within forks "$(count forks)" "$(count forks)"
	# it can't end before the last one was woken by the clock
	within slowdown 0.5 100
	within late-max 0 1e10
	within wakeup-p50 1 1e9
	within recorded-p50 1e3 1e7
	within work-ratio 0.01 1000
	holds out '"name":"trace","text":"4 of [0-9]+ tasks that ran, with [0-9.]+ % of the CPU time; [0-9]+ left out by name'
}

test_choices() {
	ok replay file="$recorded" comm=$names from=30ms to=80ms loops=2 speed=2 work=0.5
	within schedule 2.4e7 2.5e7
	runs=$(value runs)
	ok replay file="$recorded" comm=$names from=30ms to=80ms sleep=for run=time cpus=seen unit=90
	within schedule 4.8e7 5e7
	within work-unit 90 90
	[ "$runs" = $((2 * $(value runs))) ] || bad "$runs runs in two loops, $(value runs) in one"
	ok replay file="$recorded" pids=103,105 skip=worker
	within tasks 1 1
	within matched 0 0
	ok replay file="$recorded" tasks=2 comm=$names
	within tasks 2 2
	holds out ' 2 as others ran longer"'
}

# trace LINE...: into the file $tmp/t.txt
trace() {
	printf '%s\n' "$@" >"$tmp/t.txt"
}

test_priorities() {
	trace "x-1 [000] 1.000: sched_switch: prev_comm=x prev_pid=1 prev_prio=89 prev_state=S ==> next_comm=y next_pid=2 next_prio=125" \
		"y-2 [000] 1.001: sched_switch: prev_comm=y prev_pid=2 prev_prio=125 prev_state=S ==> next_comm=x next_pid=1 next_prio=89" \
		"x-1 [000] 1.002: sched_switch: prev_comm=x prev_pid=1 prev_prio=89 prev_state=S ==> next_comm=y next_pid=2 next_prio=125"
	ok replay file="$tmp/t.txt"
	if chrt -f 10 true 2>/dev/null; then
		ok replay file="$tmp/t.txt" priorities=yes
	else
		fails "t.txt: x:1 had real-time priority 10" replay file="$tmp/t.txt" priorities=yes
	fi
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || return
	chmod 755 "$tmp" && chmod 644 "$tmp/t.txt"
	cp "$worker" "$tmp/worker"
	expect 0 setpriv --reuid 65534 --regid 65534 --clear-groups "$tmp/worker" replay file="$tmp/t.txt"
	expect 1 setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$tmp/worker" replay \
		file="$tmp/t.txt" priorities=yes
	holds out 'x:1 had real-time priority 10'
}

test_limits() {
	usage 'file: is missing' replay
	usage "pids: '5-x' is no list" replay file="$recorded" pids=5-x
	fails '/nowhere.txt: No such file' replay file=/nowhere.txt
	fails 'schbench.txt: none of the [0-9]* tasks that ran is left' replay file="$recorded" comm=nobody
	fails 'schbench.txt: from: the trace ends 0\.[0-9]* s after' replay file="$recorded" from=1h
	trace '# a head' 'a-1 [000] 1.0: sched_switch: prev_comm=a'
	fails "t.txt:2: sched_switch: this is not all of it" replay file="$tmp/t.txt"
}

# One that sleeps for an hour in a trace of one
hour() {
	trace "x-1 [000] 1.0: sched_switch: prev_comm=x prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120" \
		"<idle>-0 [000] 3601.0: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x next_pid=1 next_prio=120" \
		"x-1 [000] 3602.0: sched_switch: prev_comm=x prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120"
}

test_killed() {
	hour
	start 0 replay file="$tmp/t.txt"
	sleep 0.2
	kill -9 $pid
	wait $pid 2>/dev/null
	gone $pid
}

test_hang() {
	hour
	expect 3 "$sp" run --worker "$worker" replay file="$tmp/t.txt" --timeout 1s
	holds out '^  run 1: hang: no result in 1 s'
	holds out '1 x:1 in hrtimer_nanosleep'
}

# From a recording of a machine's own to its replay, where that is allowed.
test_perf() {
	if ! perf sched record -o "$tmp/perf.data" -- "$worker" pipe loops=200 >/dev/null 2>&1; then
		echo 'skipped: perf sched record is missing or not allowed'
		return
	fi
	perf script -i "$tmp/perf.data" >"$tmp/t.txt" 2>/dev/null
	ok replay file="$tmp/t.txt" comm='first,second,schedproof-work'
	within tasks 2 1000
	within matched 0.3 1
	# the original's lines but for their figures; it lists others that our recording has not, and may say more of wakeups
	expect 0 "$sp" run --worker "$worker" replay file="$tmp/t.txt" loops=3 skip= run=time --as original
	form "$tmp/out" >"$tmp/ours"
	perf sched -i "$tmp/perf.data" replay -r 3 2>/dev/null | form >"$tmp/theirs"
	missing=$(grep -vxF -f "$tmp/theirs" "$tmp/ours" || true)
	[ -z "$missing" ] || bad "not in the original: $missing"
	[ "$(grep -c '^#' "$tmp/ours")" = 3 ] || bad 'not 3 rounds'
	grep -q '^task, nr_events: N$' "$tmp/ours" || bad 'no task'
}

# form [FILE]: figures as N, names as they are, blanks in front of figures left out
form() {
	sed -E 's/ *-?[0-9]+(\.[0-9]+)?/ N/g; s/^task N \(.*\)/task/' "$@"
}

tests recorded choices priorities limits killed hang perf
