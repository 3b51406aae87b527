# SPDX-License-Identifier: GPL-2.0-only
# Read by the tests of single workloads: runs of the worker, and of schedproof run, and what they must print.
# $1 WORKER, $2 SCHEDPROOF of the script that reads it
worker=$1
sp=$2
tmp=$(mktemp -d) || exit 1
export XDG_STATE_HOME="$tmp/state" XDG_DATA_HOME="$tmp/data"
trap 'rm -rf "$tmp"' EXIT
failed=0
: >"$tmp/out"
: >"$tmp/err"

bad() {
	echo "FAILED: $*"
	cut -c1-2000 "$tmp/out" | sed 's/^/    out: /'
	cut -c1-2000 "$tmp/err" | sed 's/^/    err: /'
	failed=1
}

# expect STATUS COMMAND...: it exits so
expect() {
	status=$1
	shift
	timeout 300 "$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = "$status" ] || bad "exit $got, not $status: $*"
}

# holds FILE PATTERN: a line of it matches
holds() {
	grep -Eq -- "$2" "$tmp/$1" || bad "standard $1 lacks '$2'"
}

# ok ARGS...: a good run of the worker, with a figure and nothing on standard error
ok() {
	expect 0 "$worker" "$@"
	holds out "^\{\"schema\":2,\"workload\":\"$1\",\"status\":\"ok\",\"reason\":null,\"metrics\":\[.*\"value\":[0-9.e+]+"
	[ -s "$tmp/err" ] && bad "standard error: $*"
}

# fails REASON ARGS...: a failed run of the worker
fails() {
	reason=$1
	shift
	expect 1 "$worker" "$@"
	holds out "\"status\":\"failed\",\"reason\":\"[^\"]*$reason.*\"metrics\":\[\],"
}

# usage REASON ARGS...: no run at all
usage() {
	reason=$1
	shift
	expect 2 "$worker" "$@"
	holds err "^schedproof-worker: .*$reason"
}

# gives STATUS PATTERN ARGS...: the worker exits so, and PATTERN is in what it prints
gives() {
	status=$1 pattern=$2
	shift 2
	expect "$status" "$worker" "$@"
	cat "$tmp/out" "$tmp/err" | grep -q -- "$pattern" || bad "no '$pattern': $*"
}

# value NAME: of a figure of the last run
value() {
	sed -n "s/.*{\"name\":\"$1\",\"unit\":\"[^}]*\"value\":\([-0-9.e+]*\).*/\1/p" "$tmp/out"
}

# within NAME LEAST MOST
within() {
	value "$1" | awk -v a="$2" -v b="$3" '{ found = $1 >= a && $1 <= b } END { exit !found }' ||
		bad "$1 is $(value "$1"), not $2 .. $3"
}

children_of() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# start N ARGS...: a run of the worker in the background, as $pid, which has N children when this returns
start() {
	n=$1
	shift
	"$worker" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	for i in $(seq 100); do
		[ "$(children_of $pid | wc -w)" -ge "$n" ] && break
		sleep 0.05
	done
	sleep 0.1
}

# gone PID...: within 5 s none of them runs any longer
gone() {
	for i in $(seq 100); do
		alive=
		for p in "$@"; do
			grep -q '^State:.[^ZX]' "/proc/$p/status" 2>/dev/null && alive=$p
		done
		[ "$alive" ] || return 0
		sleep 0.05
	done
	bad "process $alive ($(cat "/proc/$alive/comm")) is left"
}

# died REASON: the run $pid fails with it
died() {
	gone "$pid"
	wait "$pid"
	[ $? = 1 ] || bad "exit status of a run of which a task was killed"
	holds out "\"status\":\"failed\",\"reason\":\"[^\"]*$1"
}

# form FILE: with each figure written as 9
form() {
	sed 's/[0-9][0-9.]*/9/g; s/  */ /g' "$1"
}

# same_form NAME PROGRAM ARGS...: what the original prints is what was printed, but for the figures
same_form() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null || ! "$@" >"$tmp/original" 2>&1; then
		echo "skipped: form of $name ($1 is missing or does not run)"
		return
	fi
	form "$tmp/original" >"$tmp/a"
	form "$tmp/out" >"$tmp/b"
	cmp -s "$tmp/a" "$tmp/b" || { diff "$tmp/a" "$tmp/b"; bad "not of the form of $name"; }
}

# tests NAME...: run them all
tests() {
	for t in "$@"; do
		echo "== $t"
		"test_$t"
	done
	exit $failed
}
