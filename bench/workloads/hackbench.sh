# SPDX-License-Identifier: GPL-2.0-only
# hackbench against rt-tests' and perf's: 10 groups of 20 + 20 tasks, 4,000 messages a loop.

# group_pair NAME LOOPS 'OUR OPTIONS' THEIR-COMMAND...
group_pair() {
	group_name=$1 loops=$2 options=$3
	shift 3
	messages_pair 2 7 20000 "$group_name" "$loops" "hackbench $options loops=" "$@"
}

if have hackbench rt-tests "rt-tests' hackbench"; then
	group_pair 'hackbench process socket' 200 '' hackbench -l
	group_pair 'hackbench process pipe' 600 transport=pipe hackbench -p -l
	group_pair 'hackbench thread socket' 200 mode=thread hackbench -T -l
	group_pair 'hackbench thread pipe' 600 'mode=thread transport=pipe' hackbench -T -p -l
	group_pair 'hackbench process tcp' 200 transport=tcp hackbench -i -l
fi
if have perf linux-perf 'perf bench sched messaging'; then
	messaging='perf bench sched messaging'
	group_pair 'perf messaging process socket' 200 '' $messaging -l
	group_pair 'perf messaging process pipe' 600 transport=pipe $messaging -p -l
	group_pair 'perf messaging thread socket' 200 mode=thread $messaging -t -l
	group_pair 'perf messaging thread pipe' 600 'mode=thread transport=pipe' $messaging -t -p -l
fi
