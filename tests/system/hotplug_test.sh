#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# hotplug on a fake sysfs, never on this machine's: each plan, failures, kills in the middle; CPUs are always put back.
# Usage: hotplug_test.sh WORKER SCHEDPROOF
. "$(dirname "$0")/worker_lib.sh"

root=$tmp/root
cpus=$root/sys/devices/system/cpu

# Eight CPUs, of which 0 and 4 share a core and so on; 0 can't be plugged, 3 is offline.
fake_machine() {
	rm -rf "$root"
	mkdir -p "$cpus/smt"
	echo 0-2,4-7 >"$cpus/online"
	echo 0-7 >"$cpus/present"
	echo on >"$cpus/smt/control"
	for cpu in 0 1 2 3 4 5 6 7; do
		mkdir -p "$cpus/cpu$cpu/topology"
		echo $((cpu % 4)),$((cpu % 4 + 4)) >"$cpus/cpu$cpu/topology/thread_siblings_list"
		[ $cpu = 0 ] || echo $((cpu != 3)) >"$cpus/cpu$cpu/online"
	done
}

# The CPUs 1 to 7, and the switch
state() {
	cat "$cpus"/cpu[1-7]/online "$cpus/smt/control" | tr -d '\n'
}

unchanged() {
	[ "$(state)" = 1101111on ] || bad "CPUs are left as $(state): $*"
}

good() {
	ok hotplug root="$root" "$@"
	unchanged "$@"
}

test_plans() {
	fake_machine
	good plan=half
	within transitions 8 8
	holds out '"name":"offline","unit":"ns","better":"lower","samples":"9;20;'
	holds out '"name":"off-pass","unit":"ns","better":"lower","samples":"9;5;'
	holds out '"name":"cpus","text":"0-2,4-7 online, 4-7 moved"'
	good plan=all passes=2 discard=0
	within transitions 12 12
	holds out '"name":"online","unit":"ns","better":"lower","samples":"9;12;'
	good plan=each cpus=5-6
	within transitions 4 4
	good plan=random steps=50 seed=3
	good plan=smt
	within transitions 2 2
	holds out 'those of the switch for threads moved'
	good plan=smt way=cpus
	holds out '4-6 moved|4,5,6 moved|4-7 moved'
	good plan=half load=2 pause=10ms passes=2
}

test_refusals() {
	fake_machine
	usage "smt: 'on' is neither off nor 1 .. 64" hotplug root="$root" smt=on
	usage 'cpus: ' hotplug root="$root" cpus=x
	fails 'hotplug: cpus: CPU 3 is not online' hotplug root="$root" cpus=3
	fails 'hotplug: cpus: CPU 0 is the first one online' hotplug root="$root" cpus=0
	fails 'hotplug: root: /nowhere: No such file' hotplug root=/nowhere
	fails 'no core has more than 2 threads online' hotplug root="$root" plan=smt smt=2
	echo notsupported >"$cpus/smt/control"
	fails "says 'notsupported', so there is nothing" hotplug root="$root" plan=smt
	echo on >"$cpus/smt/control"
	rm "$cpus"/cpu[1-7]/online
	fails "doesn't plug CPUs" hotplug root="$root"
	fake_machine
	if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
		chmod 755 "$tmp"
		cp "$worker" "$tmp/worker" && chmod 755 "$tmp/worker"
		expect 1 setpriv --reuid 65534 --clear-groups "$tmp/worker" hotplug root="$root"
		holds out 'cpu4/online: Permission denied: ask root'
	fi
	unchanged refusals
}

# One that takes no value fails the run, which names it; those before it come back.
test_failed_transition() {
	fake_machine
	rm "$cpus/cpu6/online"
	ln -s /dev/full "$cpus/cpu6/online"
	fails "cpu6/online: writing '0': No space left" hotplug root="$root"
	[ "$(cat "$cpus/cpu4/online" "$cpus/cpu5/online" "$cpus/cpu7/online" | tr -d '\n')" = 111 ] || bad "CPUs are left offline"
}

# In the pause before they come back, CPUs 4-7 are offline.
wait_offline() {
	for i in $(seq 100); do
		[ "$(cat "$cpus/cpu7/online")" = 0 ] && return
		sleep 0.05
	done
	bad "no CPU went offline"
}

comes_back() {
	for i in $(seq 100); do
		[ "$(cat "$cpus/cpu7/online")" = 1 ] && break
		sleep 0.05
	done
	sleep 0.1
	unchanged "$@"
}

test_killed_worker() {
	for signal in KILL TERM INT; do
		fake_machine
		# a background job of a script ignores SIGINT, which is inherited
		env --default-signal=INT "$worker" hotplug root="$root" pause=300ms load=1 >"$tmp/out" 2>"$tmp/err" &
		pid=$!
		wait_offline
		left=$(children_of $pid)
		kill -$signal $pid
		wait $pid 2>/dev/null
		comes_back $signal
		gone $left
	done
}

test_killed_task() {
	fake_machine
	start 2 hotplug root="$root" load=1 passes=1000000 pause=20ms
	kill -9 $(pgrep -P $pid compute)
	died 'signal 9'
	unchanged
}

# The time limit kills the worker; the guard is waited for before the next run.
test_hang() {
	fake_machine
	expect 3 "$sp" run --worker "$worker" hotplug root="$root" pause=1s discard=0 --timeout 1500ms
	holds out '^  run 1: hang: no result in 1.5 s'
	unchanged
}

test_original() {
	fake_machine
	expect 0 "$sp" run --worker "$worker" hotplug root="$root" plan=smt --as original
	tr '\t' ' ' <"$tmp/out" | sed 's/[0-9][0-9]*m[0-9.]*s/9/' | tr '\n' ';' >"$tmp/form"
	[ "$(cat "$tmp/form")" = ';real 9;user 9;sys 9;;real 9;user 9;sys 9;' ] || bad "not of bash's form"
	unchanged
}

tests plans refusals failed_transition killed_worker killed_task hang original
