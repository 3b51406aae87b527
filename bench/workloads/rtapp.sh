# SPDX-License-Identifier: GPL-2.0-only
# rtapp against rt-app: one task, 500 us of work and a timer of 5 ms; us.

# write_file LOOPS
write_file() {
	cat >"$tmp/p.json" <<-END
		{ "tasks": { "t": { "loop": 1, "phases": { "p": { "loop": $1, "run": 500,
			"timer": { "ref": "tick", "period": 5000 } } } } },
		  "global": { "duration": -1, "default_policy": "SCHED_OTHER", "calibration": $loop_ns,
			      "logdir": "$tmp", "log_basename": "p" } }
	END
}

our_rtapp() {
	write_file 200
	figures_in_us 'wakeup-p50 wakeup-p99 work-p50' rtapp file="$tmp/p.json"
}

# Columns 3 (run) and 11 (wu_lat) of its log; a timer that was missed has no wakeup
their_rtapp() {
	write_file 200
	rt-app "$tmp/p.json" >/dev/null 2>&1
	awk '$1 == "0" && $8 > 0 { print $11 }' "$tmp/p-t-0.log" | sort -n >"$tmp/latency"
	awk '$1 == "0" { print $3 }' "$tmp/p-t-0.log" | sort -n >"$tmp/work"
	awk 'FILENAME ~ /latency/ { l[++n] = $1 } FILENAME ~ /work/ { w[++m] = $1 }
		END { print l[int((n + 1) / 2)], l[int(0.99 * n + 0.999)], w[int((m + 1) / 2)] }' \
		"$tmp/latency" "$tmp/work"
}

# phase_calls COMMAND...: system calls of 100 times more through the phase, so that set-up and end cancel
phase_calls() {
	write_file 20
	few=$(all_calls "$@")
	write_file 120
	awk -v a="$few" -v b="$(all_calls "$@")" 'BEGIN { printf "%.2f", (b - a) / 100 }'
}

# rt-app's loop gets a known length, else it calibrates for seconds: at 100 ns a loop it takes 500 us for so many, which tells what
# one really takes.
if wanted rtapp && have rt-app rt-app rt-app; then
	loop_ns=100
	set -- $(their_rtapp)
	loop_ns=$(awk -v us="$3" 'BEGIN { printf "%.0f", us < 5 ? 1 : us / 5 }')
	several rtapp our_rtapp their_rtapp 'wakeup p50' 'wakeup p99' 'work p50' && [ "$strace" ] && printf '%31s%s %s calls a phase: ours theirs\n' '' \
		"$(phase_calls "$worker" rtapp file="$tmp/p.json")" "$(phase_calls rt-app "$tmp/p.json")"
fi
