# SPDX-License-Identifier: GPL-2.0-only
# unixbench against UnixBench's programs: loops a second. They take whole seconds, and execl's first and last one are cut: hence
# some of them.

our_score() {
	metric "$test" unixbench test="$test" time="${seconds}s"
}

# By the time that it really took, as its driver reckons
their_score() {
	(
		cd "$testdir" || exit
		from=$(date +%s.%N)
		$their 2>&1 >/dev/null | awk -F'|' -v from="$from" '
			/^COUNT/ { count = $2 }
			END { "date +%s.%N" | getline to; if (count) print count / (to - from) }'
	)
}

# Those of a run of a second by its loops, set-up and all; of ours a little more than a second of them, when the last copy was done
calls_a_loop() {
	mine=$(all_calls "$worker" unixbench test="$test" time=1s)
	loops=$(figures_of "$test" "$test-time" | awk '{ print int($1 * $2 / 1e9 + 0.02) }')
	theirs=$(cd "$testdir" && all_calls $their)
	awk -v a="$mine" -v n="$loops" -v b="$theirs" -v m="$(sed -n 's/^COUNT|\([0-9]*\)|.*/\1/p' "$tmp/run" | tail -n 1)" \
		'BEGIN { printf "%31s%.1f %.1f calls a loop: ours theirs\n", "", a / n, b / m }'
}

# score TEST SECONDS PROGRAM ARGS...
score() {
	test=$1 seconds=$2
	shift 2
	their=$*
	rates "unixbench $test" our_score their_score && [ "$strace" ] && calls_a_loop
}

if have context1 'none; github.com/kdlucas/byte-unixbench' UnixBench; then
	UB_BINDIR=$(dirname "$(command -v context1)")
	export UB_BINDIR
	testdir=$UB_BINDIR/../testdir
	score execl 5 "$UB_BINDIR/execl" 5
	score pipe 3 "$UB_BINDIR/pipe" 3
	score context1 3 "$UB_BINDIR/context1" 3
	score spawn 3 "$UB_BINDIR/spawn" 3
	score shell1 3 "$UB_BINDIR/looper" 3 "$UB_BINDIR/multi.sh" 1
	score shell8 3 "$UB_BINDIR/looper" 3 "$UB_BINDIR/multi.sh" 8
fi
