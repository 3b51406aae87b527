#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Our workloads against the programs they are modelled on, at the same parameters, in turn.
# Usage: bench/workloads.sh [-n RUNS] [-w WORKER] [-p] [PATTERN]
#   -n  runs of each program of a pair (15)
#   -w  schedproof-worker (build/src/worker/schedproof-worker)
#   -p  give this session's autogroup the weight of nice -20, against other load (root)
# Needs hackbench and cyclictest (Debian package rt-tests), perf (linux-perf), stress-ng, tbench (dbench), sysbench and strace, and on
# PATH UnixBench's pgms, netperf, schbench (generation D), schbench-old (commit e4aa540) and autonuma-benchmark's programs,
# which Debian lacks; what is missing is skipped.
# PATTERN: only pairs with it in their name, as 'hackbench process'
# The figure of hackbench and messaging is the program's own Time in s, that of pipe usecs/op, that of stress-ng the time in s
# that it completed in, that of UnixBench loops a second. schbench and cyclictest have several figures, in us or a second,
# each a line of its own.

runs=15
worker=$(dirname "$0")/../build/src/worker/schedproof-worker
urgent=
while getopts n:w:p opt; do
	case $opt in
	n) runs=$OPTARG ;;
	w) worker=$OPTARG ;;
	p) urgent=1 ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
pattern=$*
[ -x "$worker" ] || { echo "no worker at $worker: build first, or use -w" >&2 && exit 2; }
if [ "$urgent" ] && [ ! "$WORKLOADS_SH_SESSION" ]; then
	WORKLOADS_SH_SESSION=1 exec setsid -w "$0" -n "$runs" -w "$worker" -p "$@"
fi
[ ! "$urgent" ] || echo -20 >/proc/self/autogroup || exit 1

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# have PROGRAM PACKAGE WHAT-IS-SKIPPED
have() {
	command -v "$1" >/dev/null && return
	echo "skipped: $3 ($1 is missing; Debian package $2)"
	return 1
}

# Time of our hackbench in s, of our pipe in us; the program has ended before another one starts
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

# summary FILE: medians and their ratio; the median of the ratios of neighbours with an interval from two of them,
# which holds whatever the distribution: ranks k and n+1-k cover 1 - 2 P(Binomial(n, 1/2) < k) >= 0.95.
summary() {
	awk '
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
		a[NR] = $1
		b[NR] = $2
		r[NR] = $1 / $2
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
	}' "$1"
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

# pair NAME SHORT LONG MESSAGES LENGTH OUR-COMMAND -- THEIR-COMMAND: both commands take the length behind what they end
# in; SHORT and LONG are lengths to count system calls at, MESSAGES lie between them
pair() {
	name=$1 short=$2 long=$3 messages=$4 length=$5
	shift 5
	mine=
	while [ "$1" != -- ]; do
		mine="$mine $1"
		shift
	done
	shift
	case $name in
	*"$pattern"*) ;;
	*) return ;;
	esac
	: >"$tmp/runs"
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			a=$(ours $mine"$length")
			b=$(theirs "$@" "$length")
		else
			b=$(theirs "$@" "$length")
			a=$(ours $mine"$length")
		fi
		[ "$a" ] && [ "$b" ] || { echo "$name: a run failed: $mine$length against $* $length" && return; }
		echo "$a $b" >>"$tmp/runs"
	done
	printf '%-30s %s' "$name" "$(summary "$tmp/runs")"
	if [ "$strace" ]; then
		printf ' %s %s' \
			"$(per_message "$messages" "$(calls "$worker" $mine"$short")" "$(calls "$worker" $mine"$long")")" \
			"$(per_message "$messages" "$(calls "$@" "$short")" "$(calls "$@" "$long")")"
	fi
	echo
}

# 10 groups of 20 + 20 tasks: 4,000 messages a loop.
hackbench_pairs() {
	have hackbench rt-tests "rt-tests' hackbench" || return
	pair 'hackbench process socket' 2 7 20000 200 hackbench loops= -- hackbench -l
	pair 'hackbench process pipe' 2 7 20000 600 hackbench transport=pipe loops= -- hackbench -p -l
	pair 'hackbench thread socket' 2 7 20000 200 hackbench mode=thread loops= -- hackbench -T -l
	pair 'hackbench thread pipe' 2 7 20000 600 hackbench mode=thread transport=pipe loops= -- hackbench -T -p -l
	pair 'hackbench process tcp' 2 7 20000 200 hackbench transport=tcp loops= -- hackbench -i -l
}

perf_messaging_pairs() {
	pair 'perf messaging process socket' 2 7 20000 200 hackbench loops= -- perf bench sched messaging -l
	pair 'perf messaging process pipe' 2 7 20000 600 hackbench transport=pipe loops= -- perf bench sched messaging -p -l
	pair 'perf messaging thread socket' 2 7 20000 200 hackbench mode=thread loops= -- perf bench sched messaging -t -l
	pair 'perf messaging thread pipe' 2 7 20000 600 hackbench mode=thread transport=pipe loops= -- \
		perf bench sched messaging -t -p -l
}

# From 6.15 on both tasks of perf write first, which makes half as many switches.
perf_protocol() {
	perf version | awk '{ split($3, v, "."); print v[1] < 6 || (v[1] == 6 && v[2] < 15) ? "strict" : "inflight2" }'
}

perf_pipe_pairs() {
	protocol=$(perf_protocol)
	pair 'perf pipe process' 10 110 100 100000 pipe protocol=$protocol loops= -- perf bench sched pipe -l
	pair 'perf pipe thread' 10 110 100 100000 pipe protocol=$protocol mode=thread loops= -- perf bench sched pipe -T -l
	pair 'perf pipe process, one CPU' 10 110 100 100000 pipe protocol=$protocol cpus=0 loops= -- taskset -c 0 perf bench sched pipe -l
	pair 'perf pipe thread, one CPU' 10 110 100 100000 pipe protocol=$protocol cpus=0 mode=thread loops= -- \
		taskset -c 0 perf bench sched pipe -T -l
}

# The work of an operation isn't the same (doc/workloads/cpuload.md), so the ratio is only to stay what it is.
stress_ng_pairs() {
	have stress-ng stress-ng 'stress-ng --cpu' || return
	pair 'stress-ng --cpu 2' 100 200 100 2000 cpuload tasks=2 ops= -- stress-ng --cpu 2 --cpu-ops
	pair 'stress-ng --cpu 8' 100 200 100 2000 cpuload tasks=8 ops= -- stress-ng --cpu 8 --cpu-ops
	pair 'stress-ng --cpu 2 --cpu-load 50' 100 200 100 1000 cpuload tasks=2 load=50 ops= -- \
		stress-ng --cpu 2 --cpu-load 50 --cpu-ops
}

# our_score TEST ARGS...: loops a second
our_score() {
	test=$1
	shift
	"$worker" unixbench test="$test" time="${seconds}s" "$@" |
		sed -n 's/.*"status":"ok".*{"name":"'"$test"'",[^}]*"value":\([0-9.e+]*\)}.*/\1/p'
}

# Loops a second of UnixBench's program by the time that it really took, as its driver reckons
their_score() {
	from=$(date +%s.%N)
	"$@" 2>&1 >/dev/null | awk -F'|' -v from="$from" '
		/^COUNT/ { count = $2 }
		END { "date +%s.%N" | getline to; if (count) print count / (to - from) }'
}

# all_calls COMMAND...: system calls of all its tasks
all_calls() {
	strace -f -c -o "$tmp/strace" "$@" >"$tmp/run" 2>&1
	awk '$NF == "total" { print $(NF - (NF > 5 ? 2 : 1)) }' "$tmp/strace"
}

# unixbench_pair NAME TEST SECONDS PROGRAM ARGS...: system calls are those of a run of a second by its loops, set-up and all
unixbench_pair() {
	name=$1 test=$2 seconds=$3
	shift 3
	case "unixbench $name" in
	*"$pattern"*) ;;
	*) return ;;
	esac
	: >"$tmp/runs"
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			a=$(our_score "$test")
			b=$(cd "$testdir" && their_score "$@")
		else
			b=$(cd "$testdir" && their_score "$@")
			a=$(our_score "$test")
		fi
		[ "$a" ] && [ "$b" ] || { echo "unixbench $name: a run failed" && return; }
		echo "$a $b" >>"$tmp/runs"
	done
	printf '%-30s %s' "unixbench $name" "$(summary "$tmp/runs")"
	if [ "$strace" ]; then
		mine=$(all_calls "$worker" unixbench test="$test" time=1s)
		# a little more than a second of them, when the last copy was done
		loops=$(sed -n 's/.*{"name":"'"$test"'",[^}]*"value":\([0-9.e+]*\)}.*{"name":"'"$test"'-time",[^}]*"value":\([0-9.e+]*\),.*/\1 \2/p' \
			"$tmp/run" | awk '{ print int($1 * $2 / 1e9 + 0.02) }')
		theirs=$(cd "$testdir" && all_calls "$@")
		awk -v a="$mine" -v n="$loops" -v b="$theirs" -v m="$(sed -n 's/^COUNT|\([0-9]*\)|.*/\1/p' "$tmp/run" | tail -n 1)" \
			'BEGIN { printf " %.1f %.1f calls a loop", a / n, b / m }'
	fi
	echo
}

# Its programs take whole seconds, and execl's first and last one are cut: hence some of them.
unixbench_pairs() {
	have context1 'none; github.com/kdlucas/byte-unixbench' UnixBench || return
	UB_BINDIR=$(dirname "$(command -v context1)")
	export UB_BINDIR
	testdir=$UB_BINDIR/../testdir
	unixbench_pair execl execl 5 "$UB_BINDIR/execl" 5
	unixbench_pair pipe pipe 3 "$UB_BINDIR/pipe" 3
	unixbench_pair context1 context1 3 "$UB_BINDIR/context1" 3
	unixbench_pair spawn spawn 3 "$UB_BINDIR/spawn" 3
	unixbench_pair shell1 shell1 3 "$UB_BINDIR/looper" 3 "$UB_BINDIR/multi.sh" 1
	unixbench_pair shell8 shell8 3 "$UB_BINDIR/looper" 3 "$UB_BINDIR/multi.sh" 8
}

# metric NAME WORKLOAD ARGS...: of a good run of ours
metric() {
	name=$1
	shift
	"$worker" "$@" >"$tmp/run"
	sed -n "s/.*\"status\":\"ok\".*{\"name\":\"$name\",[^}]*\"value\":\([0-9.e+]*\)}.*/\1/p" "$tmp/run"
}

# rates NAME OUR-FUNCTION THEIR-FUNCTION: functions that each print a figure of one run
rates() {
	case $1 in
	*"$pattern"*) ;;
	*) return ;;
	esac
	: >"$tmp/runs"
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			a=$($2)
			b=$($3)
		else
			b=$($3)
			a=$($2)
		fi
		[ "$a" ] && [ "$b" ] || { echo "$1: a run failed" && return; }
		echo "$a $b" >>"$tmp/runs"
	done
	printf '%-30s %s\n' "$1" "$(summary "$tmp/runs")"
}

# System calls of both ends a request, ours; of the client, theirs
rr_calls() {
	[ "$strace" ] || return
	strace -f -c -e trace=sendto,recvfrom -o "$tmp/strace" "$worker" rr time=1s "$@" >"$tmp/run"
	sed -n 's/.*"samples":"9;\([0-9]*\);.*/\1/p' "$tmp/run" | cat - "$tmp/strace" | awk '
		NR == 1 { n = $1 }
		$NF == "sendto" { s = $4 }
		$NF == "recvfrom" { r = $4 }
		END { printf "  ours, both ends: %.3f sendto + %.3f recvfrom a request\n", s / n, r / n }'
}

netperf_rate() {
	netperf -H 127.0.0.1 -p 22865 -t "$1" -l 2 | awk 'NF == 6 && $6 + 0 > 0 { print $6 }'
}

netperf_latencies() {
	netperf -H 127.0.0.1 -p 22865 -t "$1" -l 2 -- -k P50_LATENCY,P90_LATENCY,P99_LATENCY |
		awk -F= '/LATENCY/ { printf " %s", $2 }'
}

our_latencies() {
	metric transactions "$@" >"$tmp/none"
	for p in p50 p90 p95 p99; do
		sed -n "s/.*\"name\":\"latency-$p\"[^}]*\"value\":\([0-9.e+]*\)}.*/\1/p" "$tmp/run" |
			awk '{ printf " %.1f", $1 / 1e3 }'
	done
}

our_tcp() { metric transactions rr time=2s; }
our_udp() { metric transactions rr time=2s transport=udp; }
their_tcp() { netperf_rate TCP_RR; }
their_udp() { netperf_rate UDP_RR; }
our_tbench() { metric payload rr flavor=tbench time=3s pairs=2 | awk '{ print $1 / 1e6 }'; }
their_tbench() { tbench -t 3 -c "$load" 2 127.0.0.1 | awk '/^Throughput/ { print $2 }'; }

# Transactions a second; the latencies of one more run each. (netperf takes them by two more clocks a request.)
netperf_pairs() {
	have netperf '(none)' "netperf's request-response" || return
	netserver -D -L 127.0.0.1 -p 22865 >/dev/null &
	server=$!
	sleep 0.5
	rates 'rr tcp' our_tcp their_tcp
	rates 'rr udp' our_udp their_udp
	echo "  us, p50 p90 p99, tcp: ours$(our_latencies rr time=2s), netperf$(netperf_latencies TCP_RR)"
	echo "  us, p50 p90 p99, udp: ours$(our_latencies rr time=2s transport=udp), netperf$(netperf_latencies UDP_RR)"
	rr_calls
	kill $server
}

# MB a second of two clients; its run must be long enough for some of its once-a-second figures
tbench_pairs() {
	load=/usr/share/dbench/client.txt
	have tbench dbench tbench || return
	tbench_srv >/dev/null &
	server=$!
	sleep 0.5
	rates 'rr tbench' our_tbench their_tbench
	kill $server
}

our_oltp() { metric transactions oltp clients=4 skew=0 time=3s "url=postgresql://$PGUSER@/postgres?host=$SYSBENCH_PGHOST"; }
their_oltp() {
	sysbench oltp_read_write $sysbench_options --threads=4 --time=3 run | sed -n 's/.*transactions: .*(\([0-9.]*\) per.*/\1/p'
}

# Transactions a second on the server whose socket is in SYSBENCH_PGHOST; PGUSER may come in there and make tables
oltp_pairs() {
	have sysbench sysbench 'sysbench oltp_read_write' || return
	if ! [ "$SYSBENCH_PGHOST" ]; then
		echo 'skipped: sysbench oltp_read_write (SYSBENCH_PGHOST and PGUSER name no PostgreSQL server)'
		return
	fi
	sysbench_options="--db-driver=pgsql --pgsql-host=$SYSBENCH_PGHOST --pgsql-user=$PGUSER --pgsql-db=postgres"
	sysbench_options="$sysbench_options --db-ps-mode=disable --rand-type=uniform --table-size=10000"
	sysbench oltp_read_write $sysbench_options cleanup >"$tmp/none" 2>&1
	sysbench oltp_read_write $sysbench_options prepare >"$tmp/none" || return
	rates 'oltp postgresql' our_oltp their_oltp
	echo "  us, p50 p95 p99: ours$(our_latencies oltp clients=4 skew=0 time=3s \
		"url=postgresql://$PGUSER@/postgres?host=$SYSBENCH_PGHOST"), sysbench p95$(
		sysbench oltp_read_write $sysbench_options --threads=4 --time=3 run |
			awk '/95th/ { printf " %.1f", $3 * 1000 }')"
	sysbench oltp_read_write $sysbench_options cleanup >"$tmp/none"
}

# all_calls COMMAND...: system calls of whatever kind of all its tasks
all_calls() {
	strace -f -o "$tmp/strace" "$@" >/dev/null 2>&1
	grep -c '(' "$tmp/strace"
}

# numa_pair NAME LENGTH OUR-COMMAND -- THEIR-COMMAND: as pair; then system calls of any kind a round of both, of 2 tasks
numa_pair() {
	numa_name=$1 length=$2
	shift 2
	case $numa_name in
	*"$pattern"*) ;;
	*) return ;;
	esac
	strace_was=$strace strace=
	pair "$numa_name" 0 0 0 "$length" "$@"
	strace=$strace_was
	[ "$strace" ] || return
	mine=
	while [ "$1" != -- ]; do
		mine="$mine $1"
		shift
	done
	shift
	more=$(($(all_calls "$worker" $mine"110") - $(all_calls "$worker" $mine"10")))
	more_theirs=$(($(all_calls "$@" 110) - $(all_calls "$@" 10)))
	awk -v o="$more" -v t="$more_theirs" 'BEGIN { printf "%31ssystem calls a round: ours %.3f theirs %.3f\n", "", o / 200, t / 200 }'
}

# Two tasks, as processes and as threads; without the first megabyte that perf takes by itself, without time limit.
numa_pairs() {
	mem='perf bench numa mem -G 0 -T 0 -s 0 --no-data_rand_walk'
	our_numa='numa test=perf sample=0 size=64MiB order=forward access=zero'
	numa_pair 'perf numa 2 processes, zero' 50 $our_numa processes=2 rounds= -- $mem -p 2 -t 1 -P 64 -Z -l
	numa_pair 'perf numa 2 threads, zero' 50 $our_numa threads=2 rounds= -- $mem -p 1 -t 2 -P 64 -Z -l
	our_numa='numa test=perf sample=0 size=64MiB order=both'
	numa_pair 'perf numa 2 processes, update' 20 $our_numa processes=2 rounds= -- $mem -p 2 -t 1 -P 64 -l
	numa_pair 'perf numa 2 processes, read' 20 $our_numa processes=2 access=read rounds= -- $mem --no-data_writes -p 2 -t 1 -P 64 -l
}

# Minutes, and 6 GiB: one run each unless asked for by name.
autonuma_pairs() {
	for program in numa01 numa01_THREAD_ALLOC numa02; do
		have $program 'none; autonuma-benchmark, built' $program || continue
		case $program in
		*"$pattern"*) [ "$pattern" ] || continue ;;
		*) continue ;;
		esac
		test=$(echo $program | sed 's/_THREAD_ALLOC/-thread-local/')
		printf '%-30s ours %s s, ' $program "$(ours numa test=$test)"
		begin=$(date +%s%N)
		$program >/dev/null 2>&1
		echo "theirs $((($(date +%s%N) - begin) / 10000000)) hundredths of a second"
	done
}

# ours_of ARGS...: every figure of the result as "name value", times in us
ours_of() {
	"$worker" "$@" | tr '{' '\n' |
		sed -n 's/^"name":"\([^"]*\)","unit":"\([^"]*\)".*"value":\([0-9.e+]*\).*/\1 \2 \3/p' |
		awk '{ print $1, $2 == "ns" ? $3 / 1e3 : $3 }'
}

# schbench_of COMMAND...: the same of what a schbench prints; the last table of a name counts
schbench_of() {
	"$@" 2>&1 | awk '
		/percentiles/ { table = /Request/ ? "request" : /RPS/ ? "rps" : "wakeup" }
		/th: / {
			p = $1
			v = $2
			if (p == "*") {
				p = $2
				v = $3
			}
			gsub(/[*:]|th|[.]0th/, "", p)
			x[table "-p" p] = v
		}
		/min=/ { split($0, a, "max="); x[table "-max"] = a[2] }
		/average rps/ { x["rps"] = $NF }
		END { for (name in x) print name, x[name] }'
}

# cyclictest_of COMMAND...: of one thread; percentiles are from its histogram of whole us
cyclictest_of() {
	"$@" -h 100000 2>/dev/null | awk '
		/^[0-9]+ [0-9]+$/ && $2 { n += $2; us[++k] = $1; upto[k] = n }
		/^# Min/ { print "wakeup-min", $NF + 0 }
		/^# Avg/ { print "wakeup-mean", $NF + 0 }
		/^# Max/ { print "late-max", $NF + 0 }
		END {
			split("0.5 0.9 0.99 0.999", q, " ")
			for (i = 1; i <= 4; i++) {
				for (j = 1; j < k && upto[j] < q[i] * n; j++)
					;
				print "late-p" 100 * q[i], us[j]
			}
		}'
}

# unit_calls DIVISOR COMMAND...: system calls of a whole run by what DIVISOR, an awk program, makes of its output
unit_calls() {
	divisor=$1
	shift
	strace -f -c -o "$tmp/strace" "$@" >"$tmp/run" 2>&1
	awk -v n="$(awk "$divisor" "$tmp/run")" \
		'$NF == "total" { printf "%.1f", $(NF - (NF > 5 ? 2 : 1)) / (n > 0 ? n : 1) }' "$tmp/strace"
}

# figures_pair NAME PARSER 'FIGURE...' DIVISOR OUR-COMMAND -- THEIR-COMMAND: PARSER reads what they print; of a strace run
# of each DIVISOR finds the units of work in "samples":"9;N; or (N total samples)
figures_pair() {
	name=$1 parser=$2 figures=$3 divisor=$4
	shift 4
	mine=
	while [ "$1" != -- ]; do
		mine="$mine $1"
		shift
	done
	shift
	case $name in
	*"$pattern"*) ;;
	*) return ;;
	esac
	for figure in $figures; do
		: >"$tmp/runs.$figure"
	done
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			ours_of $mine >"$tmp/a"
			"$parser" "$@" >"$tmp/b"
		else
			"$parser" "$@" >"$tmp/b"
			ours_of $mine >"$tmp/a"
		fi
		for figure in $figures; do
			a=$(sed -n "s/^$figure //p" "$tmp/a")
			b=$(sed -n "s/^$figure //p" "$tmp/b")
			[ "$a" ] && [ "$b" ] || { echo "$name: a run lacks $figure:$mine against $*" && return; }
			# what was cut to 0 us was up to 1
			echo "$a $b" | awk '{ print ($1 > 0 ? $1 : 0.5), ($2 > 0 ? $2 : 0.5) }' >>"$tmp/runs.$figure"
		done
	done
	for figure in $figures; do
		printf '%-30s %s\n' "$name $figure" "$(summary "$tmp/runs.$figure")"
	done
	if [ "$strace" ]; then
		printf '%-30s %s %s calls a unit: ours theirs\n' "$name" \
			"$(unit_calls "$divisor" "$worker" $mine)" "$(unit_calls "$divisor" "$@")"
	fi
}

samples='match($0, /"samples":"9;[0-9]+/) { n = substr($0, RSTART + 13, RLENGTH - 13) }
	match($0, /[(][0-9]+ total samples/) && !n { n = substr($0, RSTART + 1, RLENGTH - 15) }
	/ C: *[0-9]+/ && match($0, /C: *[0-9]+/) { n += substr($0, RSTART + 2, RLENGTH - 2) }
	END { print n }'

schbench_pairs() {
	new='wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p50 request-p90 request-p99 request-p99.9 rps'
	old='wakeup-p50 wakeup-p75 wakeup-p90 wakeup-p95 wakeup-p99 wakeup-p99.5 wakeup-p99.9'
	if have schbench 'none; github.com/masoncl/schbench' 'schbench, generation D'; then
		figures_pair 'schbench D' schbench_of "$new" "$samples" schbench threads=2 runtime=5s -- schbench -m 1 -t 2 -r 5
		figures_pair 'schbench D, no work' schbench_of 'wakeup-p50 wakeup-p90 wakeup-p99 rps' "$samples" \
			schbench threads=2 runtime=5s work=none nap=0s lock=no -- schbench -m 1 -t 2 -r 5 -n 0 -s 0 -L
	fi
	if have schbench-old 'none; github.com/masoncl/schbench at e4aa540' 'schbench, generation B'; then
		for threads in 1 16; do
			figures_pair "schbench B -t $threads" schbench_of "$old" "$samples" \
				schbench gen=B threads=$threads warmup=0s runtime=5s -- schbench-old -m 2 -t $threads -w 0 -r 5
		done
	fi
}

cyclictest_pairs() {
	have cyclictest rt-tests "rt-tests' cyclictest" || return
	lates='late-p50 late-p90 late-p99 late-p99.9 late-max wakeup-min wakeup-mean'
	figures_pair cyclictest cyclictest_of "$lates" "$samples" schedlat runtime=3s -- cyclictest -q --default-system -D 3
	[ "$(id -u)" = 0 ] || return
	figures_pair 'cyclictest -p 80' cyclictest_of "$lates" "$samples" schedlat runtime=3s prio=80 -- \
		cyclictest -q --default-system -p 80 -D 3
}

# rtapp_run worker|rt-app LOOPS: median and 99th percentile of the wakeup latency, and median of the work, all in us
rtapp_run() {
	cat >"$tmp/p.json" <<-END
		{ "tasks": { "t": { "loop": 1, "phases": { "p": { "loop": $2, "run": 500,
			"timer": { "ref": "tick", "period": 5000 } } } } },
		  "global": { "duration": -1, "default_policy": "SCHED_OTHER", "calibration": $rtapp_loop_ns,
			      "logdir": "$tmp", "log_basename": "p" } }
	END
	if [ "$1" = worker ]; then
		$trace "$worker" rtapp file="$tmp/p.json" >"$tmp/run"
		for name in wakeup-p50 wakeup-p99 work-p50; do
			sed -n 's/.*{"name":"'$name'",[^}]*"value":\([0-9.e+]*\)}.*/\1/p' "$tmp/run"
		done | awk '{ printf "%s%.3f", (NR > 1 ? " " : ""), $1 / 1e3 }'
	else
		$trace rt-app "$tmp/p.json" >/dev/null 2>&1
		# columns 3 (run), 11 (wu_lat); a timer that was missed has no wakeup
		awk '$1 == "0" && $8 > 0 { print $11 }' "$tmp/p-t-0.log" | sort -n >"$tmp/latency"
		awk '$1 == "0" { print $3 }' "$tmp/p-t-0.log" | sort -n >"$tmp/work"
		awk 'FILENAME ~ /latency/ { l[++n] = $1 } FILENAME ~ /work/ { w[++m] = $1 }
			END { print l[int((n + 1) / 2)], l[int(0.99 * n + 0.999)], w[int((m + 1) / 2)] }' \
			"$tmp/latency" "$tmp/work"
	fi
}

# System calls of 100 times more through the phase: set-up and end cancel.
rtapp_calls() {
	for loops in 20 120; do
		trace="strace -f -c -o $tmp/strace" rtapp_run "$1" $loops >/dev/null
		awk '$NF == "total" { print $(NF - (NF > 5 ? 2 : 1)) }' "$tmp/strace"
	done | awk 'NR == 1 { a = $1 } END { printf "%.2f", ($1 - a) / 100 }'
}

# rt-app's loop of a known length, else it calibrates for seconds.
rtapp_pair() {
	case rtapp in
	*"$pattern"*) ;;
	*) return ;;
	esac
	have rt-app rt-app rt-app || return
	trace=
	rtapp_loop_ns=100
	# 500 us at 100 ns a loop take so many: what a loop really takes
	set -- $(rtapp_run rt-app 200)
	rtapp_loop_ns=$(awk -v us="$3" 'BEGIN { printf "%.0f", us < 5 ? 1 : us / 5 }')
	: >"$tmp/rtapp"
	for i in $(seq "$runs"); do
		if [ $((i % 2)) = 1 ]; then
			a=$(rtapp_run worker 200)
			b=$(rtapp_run rt-app 200)
		else
			b=$(rtapp_run rt-app 200)
			a=$(rtapp_run worker 200)
		fi
		echo "$a $b" >>"$tmp/rtapp"
	done
	i=1
	for name in 'wakeup p50 us' 'wakeup p99 us' 'work p50 us'; do
		awk -v i=$i '{ print $i, $(i + 3) }' "$tmp/rtapp" >"$tmp/runs"
		printf '%-30s %s' "rtapp $name" "$(summary "$tmp/runs")"
		if [ "$strace" ] && [ $i = 1 ]; then
			printf ' %s %s calls a phase' "$(rtapp_calls worker)" "$(rtapp_calls rt-app)"
		fi
		echo
		i=$((i + 1))
	done
}

strace=
have strace strace 'system calls per message' && strace=1
echo "$(uname -sr), $(nproc) CPUs, load $(cut -d' ' -f1-3 /proc/loadavg), $runs runs each in turn, $(date -u +%F)"
printf '%-30s %9s %9s %7s %7s %-16s %s\n' pair ours theirs ratio 'of pair' '95 %' 'write+read a message: ours theirs'
hackbench_pairs
if have perf linux-perf 'perf bench sched'; then
	perf_messaging_pairs
	perf_pipe_pairs
	numa_pairs
fi
stress_ng_pairs
unixbench_pairs
case 'oltp postgresql' in *"$pattern"*) oltp_pairs ;; esac
case 'rr tcp rr udp rr tbench' in *"$pattern"*)
	netperf_pairs
	tbench_pairs
	;;
esac
autonuma_pairs
schbench_pairs
cyclictest_pairs
rtapp_pair
echo "load $(cut -d' ' -f1-3 /proc/loadavg)"
