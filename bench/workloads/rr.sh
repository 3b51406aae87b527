# SPDX-License-Identifier: GPL-2.0-only
# rr against netperf's request-response (transactions a second; netperf takes latencies by two more clocks a request, so they
# are of one more run each) and tbench (MB a second of two clients).

netperf_rate() {
	netperf -H 127.0.0.1 -p 22865 -t "$1" -l 2 | awk 'NF == 6 && $6 + 0 > 0 { print $6 }'
}

netperf_latencies() {
	netperf -H 127.0.0.1 -p 22865 -t "$1" -l 2 -- -k P50_LATENCY,P90_LATENCY,P99_LATENCY |
		awk -F= '/LATENCY/ { printf " %s", $2 }'
}

# System calls of both ends a request, ours; of the client, theirs
rr_calls() {
	strace -f -c -e trace=sendto,recvfrom -o "$tmp/strace" "$worker" rr time=1s >"$tmp/run"
	sed -n 's/.*"samples":"9;\([0-9]*\);.*/\1/p' "$tmp/run" | cat - "$tmp/strace" | awk '
		NR == 1 { n = $1 }
		$NF == "sendto" { s = $4 }
		$NF == "recvfrom" { r = $4 }
		END { printf "  ours, both ends: %.3f sendto + %.3f recvfrom a request\n", s / n, r / n }'
}

our_tcp() { metric transactions rr time=2s; }
our_udp() { metric transactions rr time=2s transport=udp; }
their_tcp() { netperf_rate TCP_RR; }
their_udp() { netperf_rate UDP_RR; }
# its run must be long enough for some of its once-a-second figures
our_tbench() { metric payload rr flavor=tbench time=3s pairs=2 | awk '{ print $1 / 1e6 }'; }
their_tbench() { tbench -t 3 -c /usr/share/dbench/client.txt 2 127.0.0.1 | awk '/^Throughput/ { print $2 }'; }

if { wanted 'rr tcp' || wanted 'rr udp'; } && have netperf '(none)' "netperf's request-response"; then
	netserver -D -L 127.0.0.1 -p 22865 >/dev/null &
	server=$!
	sleep 0.5
	rates 'rr tcp' our_tcp their_tcp &&
		echo "  us, p50 p90 p99: ours$(latencies rr time=2s), netperf$(netperf_latencies TCP_RR)"
	rates 'rr udp' our_udp their_udp &&
		echo "  us, p50 p90 p99: ours$(latencies rr time=2s transport=udp), netperf$(netperf_latencies UDP_RR)"
	[ "$strace" ] && rr_calls
	kill $server
fi
if wanted 'rr tbench' && have tbench dbench tbench; then
	tbench_srv >/dev/null &
	server=$!
	sleep 0.5
	rates 'rr tbench' our_tbench their_tbench
	kill $server
fi
