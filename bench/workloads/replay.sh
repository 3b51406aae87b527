# SPDX-License-Identifier: GPL-2.0-only
# replay against perf sched replay: the recording of one run of pipe's, ms a round. Where recording is allowed. In perf's replay all tasks
# of the machine take part and no time passes in which nothing runs; ours is told to come near to that (doc/workloads/replay.md).

our_replay() {
	metric duration replay file="$tmp/trace.txt" skip= run=time speed=1000 loops=5 | awk '{ print $1 / 1e6 }'
}
their_replay() {
	perf sched replay -i "$tmp/perf.data" -r 5 2>/dev/null |
		awk '/^#[0-9]/ { gsub(",", ""); sum += $3; n++ } END { if (n) print sum / n }'
}

if wanted replay && have perf linux-perf 'perf sched replay'; then
	if perf sched record -o "$tmp/perf.data" -- "$worker" pipe loops=1000 >/dev/null 2>&1; then
		perf script -i "$tmp/perf.data" >"$tmp/trace.txt" 2>/dev/null
		rates replay our_replay their_replay
	else
		echo 'skipped: perf sched replay (recording is not allowed)'
	fi
fi
