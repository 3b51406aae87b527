#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof run: figures in our form, as JSON and as the originals print them; failures, limits, a hang, Ctrl-C.
# Usage: run_test.sh SCHEDPROOF WORKER
sp=$1
worker=$2
tmp=$(mktemp -d) || exit 1
export XDG_STATE_HOME="$tmp/state" XDG_DATA_HOME="$tmp/data"
trap 'rm -rf "$tmp"' EXIT
failed=0

bad() {
	echo "FAILED: $*"
	sed 's/^/    out: /' "$tmp/out"
	sed 's/^/    err: /' "$tmp/err"
	failed=1
}

# run STATUS ARGS...: schedproof run ARGS ends with that status
run() {
	status=$1
	shift
	timeout 300 "$sp" run --worker "$worker" "$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = "$status" ] || bad "exit $got, not $status: run $*"
}

# holds FILE PATTERN: a line of it matches
holds() {
	grep -Eq -- "$2" "$tmp/$1" || bad "standard $1 lacks '$2'"
}

# form FILE: with each figure written as 9
form() {
	sed 's/[0-9][0-9.]*/9/g; s/  */ /g' "$1"
}

# same_form NAME PROGRAM ARGS...: what the original prints is what was printed, but for the figures
same_form() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null || ! "$@" >"$tmp/original" 2>"$tmp/err"; then
		echo "skipped: form of $name ($1 is missing or does not run)"
		return
	fi
	form "$tmp/original" >"$tmp/a"
	form "$tmp/out" >"$tmp/b"
	cmp -s "$tmp/a" "$tmp/b" || { diff "$tmp/a" "$tmp/b"; bad "not of the form of $name"; }
}

test_originals() {
	run 0 hackbench groups=1 loops=5 --as original
	same_form hackbench hackbench -g 1 -l 5
	run 0 hackbench groups=1 loops=5 mode=thread --as original
	same_form hackbench hackbench -T -g 1 -l 5
	run 0 hackbench flavor=perf groups=1 loops=5 --as original
	same_form 'perf bench sched messaging' perf bench sched messaging -g 1 -l 5
	run 0 hackbench flavor=perf groups=1 loops=5 mode=thread --as original
	same_form 'perf bench sched messaging' perf bench sched messaging -t -g 1 -l 5
	run 0 pipe loops=1000 --as original
	same_form 'perf bench sched pipe' perf bench sched pipe -l 1000
	run 0 pipe loops=1000 mode=thread --as original
	same_form 'perf bench sched pipe' perf bench sched pipe -T -l 1000
}

test_figures() {
	run 0 pipe loops=200 --repeat 3
	holds out '^pipe loops=200 mode=process protocol=strict '
	holds out '^3 runs, 3 good$'
	holds out '^  loop \(lower\) +us +[0-9.]+ +[0-9.]+ +[0-9.]+$'
	[ -s "$tmp/err" ] && bad "standard error where nothing went wrong"
	run 0 pipe loops=200 --all
	holds out '^  wall +ms '
	holds out '^  switches-voluntary '
}

test_json() {
	run 0 pipe loops=200 --json --repeat 2
	[ "$(grep -c '^{"schema":2,"workload":"pipe","status":"ok"' "$tmp/out")" = 2 ] || bad "not two lines of results"
}

test_settings() {
	run 0 pipe loops=200 --set cpus=0 --set nice=5
	run 2 pipe loops=200 --set cpus=8191
	holds err 'cpus: 8191 are not all online'
	run 2 pipe loops=200 --set nice
	holds err "'nice' is not of the form KEY=VALUE"
	run 2 pipe loops=200 --set 'kernel=6.*'
	holds err 'is for experiments'
}

test_usage() {
	run 2 pip
	holds err "unknown workload 'pip', did you mean 'pipe'"
	run 2 pipe loop=1
	holds err "pipe: unknown key 'loop', did you mean 'loops'"
	run 2 pipe x
	holds err "'x' is not of the form key=value"
	run 2 pipe -- true
	holds err 'takes no words behind --'
	run 2 pipe --as original --json
	holds err 'exclude each other'
	run 2 hackbench groups=10000 fds=1000
	holds err 'needs 20000000 more tasks'
	run 0 pipe --help
	holds out '^  -> loop '
	run 0 --help
	holds out '^usage: schedproof run '
}

# Both reasons are in the report, and in the exit status.
test_hang() {
	run 3 pipe loops=1000000000 --timeout 1s
	holds out '^  run 1: hang: no result in 1 s; 2 tasks left: .*first'
}

test_failed_worker() {
	printf '#!/bin/sh\necho broken >&2\nexit 7\n' >"$tmp/worker"
	chmod +x "$tmp/worker"
	run 3 pipe --worker "$tmp/worker" --as original
	[ -s "$tmp/out" ] && bad "a figure of a failed run"
	holds err 'run 1: failed: exit code 7: broken'
	run 3 pipe --worker "$tmp/worker"
	holds out '^  run 1: failed: exit code 7: broken$'
	run 2 pipe --worker /nowhere/worker
}

test_stop() {
	"$sp" run --worker "$worker" pipe loops=1000000000 >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for i in $(seq 100); do
		[ -n "$(cat /proc/$pid/task/$pid/children)" ] && break
		sleep 0.05
	done
	sleep 0.2
	children=$(cat /proc/$pid/task/$pid/children)
	kill -TERM $pid
	wait $pid
	[ $? = 143 ] || bad "exit status of a run that was stopped"
	[ -n "$children" ] || bad "no worker was seen"
	for child in $children; do
		kill -0 "$child" 2>/dev/null && bad "the worker outlives a stopped run"
	done
}

test_store() {
	run 0 pipe loops=200 --repeat 2 --store --store-file "$tmp/r.sqlite"
	holds err '^stored as run-pipe, result 1$'
	"$sp" list --store "$tmp/r.sqlite" >"$tmp/out" 2>"$tmp/err" || bad "list"
	holds out 'run-pipe'
}

: >"$tmp/out"
: >"$tmp/err"
for t in figures originals json settings usage hang failed_worker stop store; do
	echo "== $t"
	test_$t
done
exit $failed
