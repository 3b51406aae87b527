#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# oltp: the model and PostgreSQL, limits, servers that die or hang, nothing left behind.
# Usage: oltp_test.sh WORKER
# A PostgreSQL cluster of its own is made in a temporary folder; where no server is installed that part is skipped. (The
# package isn't one of tests/needs.sh: it would start a server for good on the machine.)
. "$(dirname "$0")/worker_lib.sh"
server=
end() {
	[ "$server" ] && kill -INT "$server" 2>/dev/null && wait "$server"
	rm -rf "$tmp"
}
trap end EXIT
trap 'exit 130' INT TERM
export ASAN_OPTIONS=detect_leaks=0

# run STATUS PATTERN ARGS...
run() {
	status=$1 pattern=$2
	shift 2
	gives "$status" "$pattern" oltp "$@"
}

# That rows hold what was committed is part of each run.
test_model() {
	run 0 '"status":"ok"' time=200ms
	run 0 '"status":"ok"' time=100ms clients=1 workers=1 checkpoint=0 flush=0
	run 0 '"status":"ok"' time=100ms think=5ms warmup=50ms
	run 0 '"name":"lock-wait-p99"' time=300ms rows=100 skew=3 workers=16 statement=0
	run 0 '"name":"lock-wait-p99"' time=300ms clients=100 workers=50 pause=20ms pause-every=50ms checkpoint-every=50ms skew=3
}

# 200 a second x 0.3 s, and 10,000 x 0.1 s that can't be done: a sample for each
test_open_loop_loses_no_sample() {
	run 0 '"samples":"9;60;' time=300ms rate=200 arrivals=uniform
	run 0 '"samples":"9;1000;' time=100ms rate=10k arrivals=uniform statement=1ms
	grep -q '"name":"unserved","unit":"count","better":"lower","value":[1-9]' "$tmp/out" || bad 'all were served'
}

test_usage() {
	run 2 'warmup: must be shorter than time' time=1s warmup=1s
	run 2 "think: clients of an open loop (rate) don't think" think=1ms rate=1
	run 2 "url: 'mysql:.*is no such URL" url=mysql://a/b
	run 2 "url: .*names no user" url=postgresql:///b
	run 1 'PostgreSQL at .*none, port 5432: No such file' "url=postgresql://a@/b?host=$tmp/none"
	sh -c 'ulimit -n 60; exec "$@"' sh "$worker" oltp clients=100 url=postgresql://a@/b >"$tmp/out" 2>"$tmp/err"
	grep -q 'oltp: needs 102 more open files, RLIMIT_NOFILE is at most 60' "$tmp/out" || bad 'reason at ulimit -n 60'
}

# No transaction can end while the log sleeps.
test_patience() {
	# a failed run leaves its threads to the worker's end (workload.h), which ThreadSanitizer would count
	export TSAN_OPTIONS=exitcode=1
	run 1 'client [0-9]*: no transaction ended within 0.2 s' time=1s flush=10s patience=200ms
	unset TSAN_OPTIONS
}

test_killed_worker_leaves_nothing() {
	"$worker" oltp time=1h >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	sleep 0.3
	kill -9 $pid
	wait $pid 2>/dev/null
	[ -d "/proc/$pid" ] && bad 'it is still there'
}

as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid nobody --regid nogroup --clear-groups "$@"
	else
		"$@"
	fi
}

# Return: whether a server runs, whose socket is in $tmp/pg
start_server() {
	bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -1)")
	[ -x "$bin/postgres" ] || bin=$(dirname "$(command -v initdb)")
	if ! [ -x "$bin/postgres" ]; then
		echo 'skipped: PostgreSQL (no server is installed; Debian package postgresql-15)'
		return 1
	fi
	chmod 755 "$tmp"
	mkdir "$tmp/pg" && { [ "$(id -u)" != 0 ] || chown nobody "$tmp/pg"; }
	if ! (cd "$tmp/pg" && as_user "$bin/initdb" -D data -A trust -N -U tester --no-locale -E UTF8) >"$tmp/initdb" 2>&1; then
		cat "$tmp/initdb"
		bad initdb
		return 1
	fi
	# exec, so that the signal at the end is the server's
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid nobody --regid nogroup --clear-groups "$bin/postgres" -D "$tmp/pg/data" -k "$tmp/pg" -h '' \
			-c fsync=off -c max_connections=30 >"$tmp/server" 2>&1 &
	else
		"$bin/postgres" -D "$tmp/pg/data" -k "$tmp/pg" -h '' -c fsync=off -c max_connections=30 >"$tmp/server" 2>&1 &
	fi
	server=$!
	url="postgresql://tester@/postgres?host=$tmp/pg"
	for i in $(seq 100); do
		[ "$(psql_tables)" = 0 ] && return
		sleep 0.1
	done
	cat "$tmp/server"
	bad 'the server does not answer'
	return 1
}

# How many tables of ours there are
psql_tables() {
	"$bin/psql" -h "$tmp/pg" -U tester -Atc "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'schedproof%'" postgres \
		2>/dev/null
}

no_table_left() {
	for i in $(seq 100); do
		[ "$(psql_tables)" = 0 ] && return
		sleep 0.1
	done
	bad "a table is left: $1"
}

test_postgresql() {
	run 0 '"name":"server","text":"PostgreSQL [0-9]' time=500ms clients=4 rows=1000 "url=$url"
	no_table_left 'a good run'
	run 0 '"samples":"9;10;' time=500ms rate=20 arrivals=uniform clients=2 rows=100 skew=3 "url=$url"
	run 1 'PostgreSQL: FATAL 28000: role .*nobody-here' "url=postgresql://nobody-here@/postgres?host=$tmp/pg"
	run 1 'PostgreSQL: FATAL 53300' clients=40 rows=100 "url=$url"
	no_table_left 'too many clients'
}

# start_endless ARGS...: the process of a client of it in $backend
start_endless() {
	"$worker" oltp time=1h clients=2 rows=100 "url=$url" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	backend=
	for i in $(seq 100); do
		backend=$("$bin/psql" -h "$tmp/pg" -U tester -Atc "SELECT pid FROM pg_stat_activity WHERE
			application_name = 'schedproof' AND query LIKE '%schedproof_oltp_% WHERE id%' LIMIT 1" postgres)
		[ "$backend" ] && return
		sleep 0.1
	done
	bad 'no client is there'
}

test_postgresql_killed() {
	start_endless
	kill -TERM "$backend"
	wait $pid
	grep -q '"status":"failed","reason":"client [0-9]*: PostgreSQL: FATAL 57P01' "$tmp/out" || bad 'reason of a killed server'
	no_table_left 'a killed server'
	start_endless
	kill -9 $pid
	wait $pid 2>/dev/null
	no_table_left 'a killed worker'
}

# It holds locks that the table can't be dropped for until it goes on, and sees that nobody is there.
test_postgresql_stopped() {
	start_endless patience=400ms
	kill -STOP "$backend"
	wait $pid
	grep -q '"status":"failed","reason":"client [0-9]*: PostgreSQL: no answer for 0.4 s' "$tmp/out" || bad 'reason of a stopped server'
	kill -CONT "$backend"
	no_table_left 'a stopped server'
}

: >"$tmp/out"
: >"$tmp/err"
for t in model open_loop_loses_no_sample usage patience killed_worker_leaves_nothing; do
	echo "== $t"
	test_$t
done
if start_server; then
	for t in postgresql postgresql_killed postgresql_stopped; do
		echo "== $t"
		test_$t
	done
fi
exit $failed
