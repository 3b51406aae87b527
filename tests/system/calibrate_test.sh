#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof calibrate: its files are read back and are whole ones however it ends, an ordinary user can do it, one CPU is enough.
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
grep -q '^syscall_ns  *[1-9][0-9]*   *-  *1  ' "$tmp/table" || fail "no system call was measured"
grep -q '^switch_ns  *[1-9][0-9]*   *-  *1  ' "$tmp/table" || fail "no switch was measured"
grep -q '^source.switch_ns = calibrate 20..-..-.., 1 run' "$user/here.costs" || fail "no source"
# Who may not have real-time priority is told so once, and so is each value.
if [ "$(id -u)" = 0 ]; then
	[ "$(grep -c '^no real-time priority here' "$tmp/table")" = 1 ] || fail "a user isn't told what is missing"
	grep -q '^source.switch_ns = .*, 1 run, no priority: ' "$user/here.costs" || fail "nor is who reads the file"
fi
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
assert values["memory_ns_kib.node"]["measured"]
assert "spread" not in values["switch_ns"]
END
[ -f "$tmp/one.costs" ] || fail "the costs are not beside their machine"

# Memory's bandwidth is that of all CPUs of a node: fewer measure none, and say so.
if [ "$(nproc)" -gt 1 ] && [ "$(nproc)" = "$(getconf _NPROCESSORS_ONLN)" ] && ! [ -e /sys/devices/system/node/node1 ]; then
	grep -q '^source.memory_mib_s.node = default: .*(needs all CPUs of a node' "$tmp/one.costs" || fail "bandwidth of one CPU"
	grep -q '^source.memory_mib_s.node = calibrate ' "$user/here.costs" || fail "no bandwidth of all CPUs"
	grep -q -e '->' "$user/here.costs" && fail "pairs of nodes where there is one node"
fi

# Two at once, into the same files: both end well, and the files are whole ones, of one of them each.
"$sp" calibrate --runs 1 --machine-out "$tmp/both.machine" >"$tmp/first" 2>&1 &
pid=$!
"$sp" calibrate --runs 1 --machine-out "$tmp/both.machine" >"$tmp/second" 2>&1 || fail "the second of two at once: $(cat "$tmp/second")"
wait $pid || fail "the first of two at once: $(cat "$tmp/first")"
cmp -s "$tmp/both.machine" "$tmp/one.machine" || fail "two at once write another machine"
[ "$(grep -c = "$tmp/both.costs")" = "$(grep -c = "$tmp/one.costs")" ] || fail "two at once leave half a file"
"$sp" run pipe loops=10 --machine "$tmp/both.machine" >/dev/null || fail "what two wrote can't be read"
ls "$tmp"/both*.new >/dev/null 2>&1 && fail "two at once leave $(ls "$tmp"/both*.new)"

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

# Killed in the middle: what was there stays as it was, and nothing of it goes on.
cp "$tmp/one.machine" "$tmp/old.machine"
cp "$tmp/one.costs" "$tmp/old.costs"
"$sp" calibrate --runs 1000 --machine-out "$tmp/old.machine" >/dev/null 2>&1 &
pid=$!
sleep 2
kill -KILL $pid
wait $pid
cmp -s "$tmp/one.costs" "$tmp/old.costs" && cmp -s "$tmp/one.machine" "$tmp/old.machine" || fail "a kill changes the files"
sleep 0.5
pgrep -f "$tmp/schedproof" >/dev/null && fail "a kill leaves processes: $(pgrep -fa "$tmp/schedproof")"

# What is there is replaced in the end, as the help says, where it may be.
"$sp" calibrate --runs 1 --machine-out "$tmp/old.machine" >/dev/null || fail "again into the same file"
cmp -s "$tmp/one.costs" "$tmp/old.costs" && fail "the old costs were kept"
mkdir "$tmp/shared" "$tmp/shared/folder.machine"
chmod 1777 "$tmp/shared"
"$sp" calibrate --machine-out "$tmp/shared/folder.machine" 2>"$tmp/said" && fail "a folder as its file"
grep -q 'folder.machine. is no file: name another one' "$tmp/said" || fail "a folder as its file: $(cat "$tmp/said")"
if [ "$(id -u)" = 0 ]; then
	touch "$tmp/shared/here.machine"
	as_user "$sp" calibrate --machine-out "$tmp/shared/here.machine" 2>"$tmp/said"
	[ $? = 2 ] || fail "another user's file: $?"
	grep -q "here.machine: is another user's, and .*/shared lets nobody replace it" "$tmp/said" || fail "another user's file: $(cat "$tmp/said")"
fi

# What can't be done is told before anything is measured.
"$sp" calibrate --machine-out "$tmp/no/such/folder" 2>/dev/null && fail "a folder that isn't there"
"$sp" calibrate --cpus 8191 --machine-out "$tmp/x.machine" 2>/dev/null && fail "a CPU that isn't there"
"$sp" calibrate --dry-run --machine-out "$tmp/dry.machine" | grep -q '^to be written: .*dry.costs$' || fail "--dry-run"
ls "$tmp"/dry* >/dev/null 2>&1 && fail "--dry-run writes"
exit $failed
