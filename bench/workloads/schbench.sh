# SPDX-License-Identifier: GPL-2.0-only
# schbench against its generations D and B: latencies in us, requests a second.

# What a schbench prints, as "name value"; the last table of a name counts
schbench_names() {
	awk '
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

our_schbench() { figures_in_us "$figures" schbench $our; }
their_schbench() {
	$their 2>&1 | schbench_names >"$tmp/names"
	for figure in $figures; do
		sed -n "s/^$figure //p" "$tmp/names"
	done | paste -s -d ' '
}

# schbench_pair NAME 'FIGURES' 'OUR OPTIONS' THEIR-COMMAND...
schbench_pair() {
	schbench_name=$1 figures=$2 our=$3
	shift 3
	their=$*
	several "$schbench_name" our_schbench their_schbench $figures && [ "$strace" ] &&
		calls_a_sample "$schbench_name" schbench $our
}

if have schbench 'none; github.com/masoncl/schbench' 'schbench, generation D'; then
	schbench_pair 'schbench D' 'wakeup-p50 wakeup-p90 wakeup-p99 wakeup-p99.9 request-p50 request-p90 request-p99 request-p99.9 rps' \
		'threads=2 runtime=5s' schbench -m 1 -t 2 -r 5
	schbench_pair 'schbench D, no work' 'wakeup-p50 wakeup-p90 wakeup-p99 rps' \
		'threads=2 runtime=5s work=none nap=0s lock=no' schbench -m 1 -t 2 -r 5 -n 0 -s 0 -L
fi
if have schbench-old 'none; github.com/masoncl/schbench at e4aa540' 'schbench, generation B'; then
	for threads in 1 16; do
		schbench_pair "schbench B -t $threads" \
			'wakeup-p50 wakeup-p75 wakeup-p90 wakeup-p95 wakeup-p99 wakeup-p99.5 wakeup-p99.9' \
			"gen=B threads=$threads warmup=0s runtime=5s" schbench-old -m 2 -t $threads -w 0 -r 5
	done
fi
