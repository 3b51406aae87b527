# SPDX-License-Identifier: GPL-2.0-only
# What the comparisons of bench/workloads.sh share, which sets $worker, $runs, $pattern, $strace and the folder $tmp.

# have PROGRAM PACKAGE WHAT-IS-SKIPPED
have() {
	command -v "$1" >/dev/null && return
	echo "skipped: $3 ($1 is missing; Debian package $2)"
	return 1
}

# wanted NAME: is it asked for?
wanted() {
	case $1 in
	*"$pattern"*) ;;
	*) return 1 ;;
	esac
}

# figures_of FIGURE...: of the run of ours in $tmp/run, if it is a good one, on one line
figures_of() {
	grep -q '"status":"ok"' "$tmp/run" || return
	for figure in "$@"; do
		sed -n "s/.*{\"name\":\"$figure\",\"unit\":\"[^}]*\"value\":\([0-9.e+]*\).*/\1/p" "$tmp/run"
	done | paste -s -d ' '
}

# metric FIGURE WORKLOAD ARGS...: of a good run of ours
metric() {
	name_of=$1
	shift
	"$worker" "$@" >"$tmp/run"
	figures_of "$name_of"
}

# turns NAME OURS THEIRS: functions that each print the figures of a run on a line; into $tmp/runs, ours before theirs
turns() {
	: >"$tmp/runs"
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			a=$($2)
			b=$($3)
		else
			b=$($3)
			a=$($2)
		fi
		[ "$a" ] && [ "$b" ] || { echo "$1: a run failed"; return 1; }
		echo "$a $b" >>"$tmp/runs"
	done
}

# summary I N: of the I-th of N figures: medians and their ratio; the median of the ratios of neighbours with an interval from two
# of them, which holds whatever the distribution: ranks k and n+1-k cover 1 - 2 P(Binomial(n, 1/2) < k) >= 0.95.
summary() {
	awk -v at="$1" -v of="$2" '
	function sort(x, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && x[j - 1] > x[j]; j--) {
				t = x[j]
				x[j] = x[j - 1]
				x[j - 1] = t
			}
	}
	function median(x, n) {
		return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
	}
	{
		# what was cut to 0 was up to 1
		a[NR] = $at > 0 ? $at : 0.5
		b[NR] = $(at + of) > 0 ? $(at + of) : 0.5
		r[NR] = a[NR] / b[NR]
	}
	END {
		sort(a, NR)
		sort(b, NR)
		sort(r, NR)
		p = 0.5 ^ NR
		for (k = 0; 2 * (below + p) <= 0.05; k++) {
			below += p
			p *= (NR - k) / (k + 1)
		}
		range = k ? sprintf("[%.3f, %.3f]", r[k], r[NR + 1 - k]) : "[too few runs]"
		printf "%9.3f %9.3f %7.3f %7.3f %-16s", median(a, NR), median(b, NR),
			median(a, NR) / median(b, NR), median(r, NR), range
	}' "$tmp/runs"
}

# rates NAME OURS THEIRS: of functions that print one figure each. Fails where it isn't wanted or a run failed
rates() {
	wanted "$1" && turns "$@" || return
	printf '%-30s %s\n' "$1" "$(summary 1 1)"
}

# several NAME OURS THEIRS FIGURE...: of functions that print all of these; a line each
several() {
	several_name=$1
	wanted "$1" && turns "$1" "$2" "$3" || return
	shift 3
	i=0
	for figure in "$@"; do
		i=$((i + 1))
		printf '%-30s %s\n' "$several_name $figure" "$(summary $i $#)"
	done
}

# all_calls COMMAND...: system calls of all its tasks; what it prints is in $tmp/run
all_calls() {
	strace -f -c -o "$tmp/strace" "$@" >"$tmp/run" 2>&1
	awk '$NF == "total" { print $(NF - (NF > 5 ? 2 : 1)) }' "$tmp/strace"
}

# calls COMMAND...: "reads writes" of all its tasks on pipes and sockets, not on files as those of /proc
calls() {
	strace -f -y -e trace=read,write -o "$tmp/strace" "$@" >/dev/null 2>&1
	grep -v '</' "$tmp/strace" | awk '/ read\(/ { r++ } / write\(/ { w++ } END { print r + 0, w + 0 }'
}

# per_message MESSAGES SHORT LONG: writes + reads a message from the calls of two lengths, in which all else is the same
per_message() {
	messages=$1
	set -- $2 $3
	awk -v m="$messages" -v r="$(($3 - $1))" -v w="$(($4 - $2))" 'BEGIN { printf "%.3f+%.3f", w / m, r / m }'
}

# Time of our workload in s, of our pipe in us; the program has ended before another one starts
ours() {
	"$worker" "$@" >"$tmp/run"
	sed -n 's/.*"status":"ok".*"metrics":\[{[^}]*"value":\([0-9.e+]*\)}.*/\1/p' "$tmp/run" |
		awk -v name="$1" '{ printf "%.6f\n", $1 / (name == "pipe" ? 1e3 : 1e9) }'
}

theirs() {
	"$@" >"$tmp/run" 2>&1
	awk '
		/^Time: / { value = $2 }
		/Total time: / { value = $3 }
		/usecs\/op/ { value = $1 }
		/successful run completed in / { value = $NF + 0 }
		/runtime-max\/thread/ { value = $2 + 0 }
		END { if (value != "") print value }' "$tmp/run"
}

our_turn() { ours $our"$length"; }
their_turn() { theirs $their "$length"; }

# pair NAME LENGTH 'OUR WORDS' THEIR-COMMAND...: both take the length behind what they end in
pair() {
	pair_name=$1 length=$2 our=$3
	shift 3
	their=$*
	rates "$pair_name" our_turn their_turn
}

# messages_pair SHORT LONG MESSAGES PAIR...: and system calls a message: SHORT and LONG are lengths with MESSAGES between them
messages_pair() {
	short=$1 long=$2 between=$3
	shift 3
	pair "$@" && [ "$strace" ] || return
	printf '%31s%s %s\n' '' \
		"$(per_message "$between" "$(calls "$worker" $our"$short")" "$(calls "$worker" $our"$long")")" \
		"$(per_message "$between" "$(calls $their "$short")" "$(calls $their "$long")") writes+reads a message"
}

# length_calls SHORT LONG UNITS WHAT: behind a pair, system calls of both a unit from two lengths with UNITS between them
length_calls() {
	[ "$strace" ] || return
	more=$(($(all_calls "$worker" $our"$2") - $(all_calls "$worker" $our"$1")))
	their_more=$(($(all_calls $their "$2") - $(all_calls $their "$1")))
	awk -v o="$more" -v t="$their_more" -v n="$3" -v what="$4" \
		'BEGIN { printf "%31s%.3f %.3f %s: ours theirs\n", "", o / n, t / n, what }'
}

# latencies WORKLOAD ARGS...: those quantiles that a run of ours has, in us
latencies() {
	"$worker" "$@" >"$tmp/run"
	figures_of latency-p50 latency-p90 latency-p95 latency-p99 |
		awk '{ for (i = 1; i <= NF; i++) printf " %.1f", $i / 1e3 }'
}

# figures_in_us 'FIGURES' WORKLOAD ARGS...: of a run of ours, times in us
figures_in_us() {
	list=$1
	shift
	"$worker" "$@" >"$tmp/run"
	figures_of $list | awk -v list="$list" '{
		split(list, name)
		for (i = 1; i <= NF; i++)
			printf "%s%s", (i > 1 ? " " : ""), (name[i] == "rps" ? $i : $i / 1e3)
	}'
}

# calls_a_sample NAME WORKLOAD ARGS...: system calls of a whole run by its samples, both programs ($their is theirs): ours are in
# "samples":"9;N;, theirs in (N total samples) or C: N
calls_a_sample() {
	name=$1
	shift
	printf '%-30s' "$name"
	for who in ours theirs; do
		[ $who = ours ] && n=$(all_calls "$worker" "$@") || n=$(all_calls $their)
		awk -v n="$n" '
			match($0, /"samples":"9;[0-9]+/) { units = substr($0, RSTART + 13, RLENGTH - 13) }
			match($0, /[(][0-9]+ total samples/) && !units { units = substr($0, RSTART + 1, RLENGTH - 15) }
			match($0, / C: *[0-9]+/) { units += substr($0, RSTART + 3, RLENGTH - 3) }
			END { printf " %.1f", n / (units > 0 ? units : 1) }' "$tmp/run"
	done
	echo ' calls a unit: ours theirs'
}
