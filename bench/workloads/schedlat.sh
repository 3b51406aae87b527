# SPDX-License-Identifier: GPL-2.0-only
# schedlat against cyclictest: us. Its percentiles are from its histogram of whole us, of one thread.

figures='late-p50 late-p90 late-p99 late-p99.9 late-max wakeup-min wakeup-mean'

our_cyclictest() { figures_in_us "$figures" schedlat runtime=3s $our; }
their_cyclictest() {
	$their -h 100000 2>/dev/null | awk '
		/^[0-9]+ [0-9]+$/ && $2 { n += $2; us[++k] = $1; upto[k] = n }
		/^# Min/ { least = $NF + 0 }
		/^# Avg/ { mean = $NF + 0 }
		/^# Max/ { most = $NF + 0 }
		END {
			split("0.5 0.9 0.99 0.999", q, " ")
			for (i = 1; i <= 4; i++) {
				for (j = 1; j < k && upto[j] < q[i] * n; j++)
					;
				printf "%s ", us[j]
			}
			print most, least, mean
		}'
}

# cyclictest_pair NAME 'OUR OPTIONS' THEIR-OPTIONS...
cyclictest_pair() {
	cyclictest_name=$1 our=$2
	shift 2
	their="cyclictest -q --default-system -D 3 $*"
	several "$cyclictest_name" our_cyclictest their_cyclictest $figures && [ "$strace" ] &&
		calls_a_sample "$cyclictest_name" schedlat runtime=3s $our
}

if have cyclictest rt-tests "rt-tests' cyclictest"; then
	cyclictest_pair cyclictest ''
	[ "$(id -u)" != 0 ] || cyclictest_pair 'cyclictest -p 80' prio=80 -p 80
fi
