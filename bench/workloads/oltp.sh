# SPDX-License-Identifier: GPL-2.0-only
# oltp against sysbench, transactions a second on the server whose socket is in SYSBENCH_PGHOST; PGUSER may come in there and make
# tables.

url="url=postgresql://$PGUSER@/postgres?host=$SYSBENCH_PGHOST"
options="--db-driver=pgsql --pgsql-host=$SYSBENCH_PGHOST --pgsql-user=$PGUSER --pgsql-db=postgres"
options="$options --db-ps-mode=disable --rand-type=uniform --table-size=10000"

our_oltp() { metric transactions oltp clients=4 skew=0 time=3s "$url"; }
their_oltp() {
	sysbench oltp_read_write $options --threads=4 --time=3 run | sed -n 's/.*transactions: .*(\([0-9.]*\) per.*/\1/p'
}

their_p95() {
	sysbench oltp_read_write $options --threads=4 --time=3 run | awk '/95th/ { printf " %.1f", $3 * 1000 }'
}

if ! wanted 'oltp postgresql' || ! have sysbench sysbench 'sysbench oltp_read_write'; then
	:
elif ! [ "$SYSBENCH_PGHOST" ]; then
	echo 'skipped: sysbench oltp_read_write (SYSBENCH_PGHOST and PGUSER name no PostgreSQL server)'
else
	sysbench oltp_read_write $options cleanup >"$tmp/none" 2>&1
	if sysbench oltp_read_write $options prepare >"$tmp/none"; then
		rates 'oltp postgresql' our_oltp their_oltp &&
			echo "  us, p50 p95 p99: ours$(latencies oltp clients=4 skew=0 time=3s "$url"), sysbench p95$(their_p95)"
		sysbench oltp_read_write $options cleanup >"$tmp/none"
	fi
fi
