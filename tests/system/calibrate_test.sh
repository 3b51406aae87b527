#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof calibrate: its files are read back, an ordinary user can do it, one CPU is enough, an interrupt leaves nothing.
# Usage: calibrate_test.sh SCHEDPROOF
sp=$(realpath "$1")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# As an ordinary user where we are root; nobody's folder must be his.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

user=$tmp/user
mkdir "$user"
[ "$(id -u)" != 0 ] || chown 65534:65534 "$user"
cp "$sp" "$tmp/schedproof"
sp=$tmp/schedproof

(cd "$user" && as_user "$sp" calibrate --runs 1 >"$tmp/table") || fail "an ordinary user"
grep -q '^syscall_ns  *[1-9][0-9]*  +-' "$tmp/table" || fail "no system call was measured"
grep -q '^switch_ns  *[1-9][0-9]*  +-' "$tmp/table" || fail "no switch was measured"
grep -q '^source.switch_ns = calibrate 20..-..-.., 1 runs' "$user/here.costs" || fail "no source"
"$sp" topo "$user/here.machine" >/dev/null || fail "the machine's file can't be read back"
"$sp" topo live --to machine | grep -v ^name >"$tmp/live"
grep -v ^name "$user/here.machine" | diff - "$tmp/live" >/dev/null || fail "it is another machine"

# One CPU: nothing between two is measured, and it says so.
first=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
"$sp" calibrate --cpus "$first" --runs 1 --machine-out "$tmp/one.machine" --json >"$tmp/json" ||
	fail "one CPU"
python3 - "$tmp/json" <<'END' || fail "JSON of one CPU"
import json
import sys

values = {v["name"]: v for v in json.load(open(sys.argv[1]))["values"]}
assert values["switch_ns"]["measured"] and values["switch_ns"]["value"] > 0
assert not values["ipi_send_ns"]["measured"] and values["ipi_send_ns"]["why"] == "needs two CPUs"
assert not values["wake_ns.llc"]["measured"]
END
[ -f "$tmp/one.costs" ] || fail "the costs are not beside their machine"

# An interrupt: nothing is written, and no process is left.
"$sp" calibrate --runs 1000 --machine-out "$tmp/stop.machine" >/dev/null 2>"$tmp/said" &
pid=$!
sleep 2
# a shell has what runs in the background ignore SIGINT
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "it does not end by the signal"
grep -q "stopped: nothing is written" "$tmp/said" || fail "an interrupt isn't told: $(cat "$tmp/said")"
ls "$tmp"/stop* >/dev/null 2>&1 && fail "an interrupt leaves a file"
sleep 0.2
pgrep -f "$tmp/schedproof" >/dev/null && fail "an interrupt leaves processes: $(pgrep -fa "$tmp/schedproof")"

# What can't be done is told before anything is measured.
"$sp" calibrate --machine-out "$tmp/no/such/folder" 2>/dev/null && fail "a folder that isn't there"
"$sp" calibrate --cpus 8191 --machine-out "$tmp/x.machine" 2>/dev/null && fail "a CPU that isn't there"
"$sp" calibrate --dry-run --machine-out "$tmp/dry.machine" | grep -q '^to be written: .*dry.costs$' || fail "--dry-run"
ls "$tmp"/dry* >/dev/null 2>&1 && fail "--dry-run writes"
exit $failed
