# SPDX-License-Identifier: GPL-2.0-only
# numa against perf bench numa mem: two tasks, as processes and as threads, without the first megabyte that perf takes by itself,
# without time limit. And against autonuma-benchmark's programs: minutes, and 6 GiB, so one run each and only when asked for.

# numa_pair NAME ROUNDS 'OUR OPTIONS' THEIR-COMMAND...: and system calls a round, of 2 tasks
numa_pair() {
	numa_name=$1 rounds=$2 options=$3
	shift 3
	pair "$numa_name" "$rounds" "numa test=perf sample=0 size=64MiB $options rounds=" "$@" &&
		length_calls 10 110 200 "calls a round"
}

if have perf linux-perf 'perf bench numa'; then
	mem='perf bench numa mem -G 0 -T 0 -s 0 --no-data_rand_walk'
	zero='order=forward access=zero'
	numa_pair 'perf numa 2 processes, zero' 50 "$zero processes=2" $mem -p 2 -t 1 -P 64 -Z -l
	numa_pair 'perf numa 2 threads, zero' 50 "$zero threads=2" $mem -p 1 -t 2 -P 64 -Z -l
	numa_pair 'perf numa 2 processes, update' 20 'order=both processes=2' $mem -p 2 -t 1 -P 64 -l
	numa_pair 'perf numa 2 processes, read' 20 'order=both processes=2 access=read' \
		$mem --no-data_writes -p 2 -t 1 -P 64 -l
fi
for program in numa01 numa01_THREAD_ALLOC numa02; do
	[ "$pattern" ] && wanted $program && have $program 'none; autonuma-benchmark, built' $program || continue
	test=$(echo $program | sed 's/_THREAD_ALLOC/-thread-local/')
	printf '%-30s ours %s s, ' $program "$(ours numa test="$test")"
	begin=$(date +%s%N)
	$program >/dev/null 2>&1
	echo "theirs $((($(date +%s%N) - begin) / 10000000)) hundredths of a second"
done
