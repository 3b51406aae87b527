#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof calibrate on a machine of three NUMA nodes, one of them of memory alone, which is a QEMU guest: memory of each pair of nodes is measured, the
# files say so, and the simulator takes them. Emulated: the figures mean nothing.
# Usage: calibrate_vm_test.sh SCHEDPROOF
# Skipped where there is no kernel image to boot, see tests/vm_kernel.sh.
program=$1
skip() {
	echo "skipped: $*"
	exit 77
}

kernel=$("$(dirname "$0")"/../vm_kernel.sh find) || skip "no kernel image; tests/vm_kernel.sh get fetches Debian's"
for needed in qemu-system-x86_64 busybox cpio ldd; do
	command -v $needed >/dev/null || skip "$needed is missing"
done
[ "$(uname -m)" = x86_64 ] || skip "only for x86_64"
"$(dirname "$0")/sanitized.sh" "$program" && skip "not with sanitizers"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/root/bin" "$tmp/root/proc" "$tmp/root/sys" "$tmp/root/dev" "$tmp/root/tmp"
cp "$(command -v busybox)" "$tmp/root/bin/busybox"
cp "$program" "$tmp/root/bin/schedproof"
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "$tmp/root$(dirname "$library")"
	cp -L "$library" "$tmp/root$library"
done
ln -s busybox "$tmp/root/bin/sh"
ln -s busybox "$tmp/root/bin/true"
cat >"$tmp/root/init" <<'INIT'
#!/bin/sh
export PATH=/bin HOME=/tmp XDG_DATA_HOME=/tmp
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs dev /dev
exec >/dev/ttyS1 2>&1
cd /tmp
echo "FILE plan"
schedproof calibrate --runs 1 --cpus 1 --machine-out vm.machine --dry-run
# where others have the host's CPUs, readers may come too late
for i in 1 2 3; do
	echo "FILE table"
	schedproof calibrate --runs 1 --machine-out vm.machine
	busybox grep -q '^; ' vm.costs || break
done
echo "FILE json"
busybox taskset 1 schedproof calibrate --runs 1 --machine-out one.machine --json 2>/dev/null
for file in vm.machine vm.costs one.costs; do
	echo "FILE $file"
	busybox cat $file
done
echo "FILE end"
busybox poweroff -f
INIT
chmod +x "$tmp/root/init"
(cd "$tmp/root" && find . | cpio --quiet -o -H newc | gzip -1) >"$tmp/initrd" || exit 1
timeout 280 qemu-system-x86_64 -M q35 -accel tcg -cpu Icelake-Server -nodefaults -no-user-config -display none -no-reboot \
	-smp 2,sockets=2 -m 1984 -object memory-backend-ram,id=m0,size=704M -object memory-backend-ram,id=m1,size=640M \
	-object memory-backend-ram,id=m2,size=640M -numa node,nodeid=0,cpus=0,memdev=m0 -numa node,nodeid=1,cpus=1,memdev=m1 \
	-numa node,nodeid=2,memdev=m2 -serial file:"$tmp/log" -serial file:"$tmp/out" -kernel "$kernel" -initrd "$tmp/initrd" \
	-append "$("$(dirname "$0")"/../vm_kernel.sh words)" </dev/null 2>/dev/null
tr -d '\r' <"$tmp/out" >"$tmp/said"
cat "$tmp/said"
grep -q '^FILE end' "$tmp/said" || tail -n 20 "$tmp/log"
for file in plan table json vm.machine vm.costs one.costs; do
	# the last one of that name
	awk -v name="$file" '/^FILE / { here = $2 == name; if (here) text = "" ; next } here { text = text $0 "\n" } END { printf "%s", text }' \
		"$tmp/said" >"$tmp/$file"
done

failed=0
fail() {
	echo "FAILED: $*"
	failed=1
}
# expect FILE PATTERN
expect() {
	grep -q -e "$2" "$tmp/$1" || fail "no line '$2' of $1"
}
# both nodes with CPUs read all three; the third has a controller only
for pair in '0->0' '0->1' '0->2' '1->0' '1->1' '1->2'; do
	for value in memory_ns_kib memory_mib_s; do
		expect vm.costs "^$value\\.$pair = [1-9]"
		expect vm.costs "^source\\.$value\\.$pair = calibrate 20..-..-.., 1 run: "
	done
done
expect vm.costs '^source\.memory_mib_s\.2->2 = calibrate .*the most that a node'
grep -q '^memory_ns_kib\.2->' "$tmp/vm.costs" && fail "a node without CPUs reads"
grep -q 'not measured, as its distance' "$tmp/vm.costs" && fail "a pair was not measured"
expect vm.costs '^source\.memory_ns_kib\.remote = calibrate .*median of pairs of nodes'
expect table '^memory_ns_kib: CPUs of the row'
expect table '^1  *[1-9][0-9]*  *[1-9][0-9]*  *[1-9][0-9]*$'
expect table '^2  *-  *-  *-$'
expect plan '^memory: 3 of 7 pairs of nodes, 3 a run, each in 1 of 1$'

# Of CPU 0 alone: node 1 reads nothing, and both say so.
expect one.costs '^memory_ns_kib\.0->1 = [1-9]'
expect one.costs '^; memory_mib_s of 1->0 1->1 1->2 not measured, as its distance has it: none of the node.s CPUs is measured on$'
grep -q '^memory_ns_kib\.1->' "$tmp/one.costs" && fail "a CPU that isn't allowed was measured on"
if command -v python3 >/dev/null; then
	python3 - "$tmp/json" <<'END' || fail "JSON of pairs"
import json
import sys

pairs = {(p["from"], p["to"]): p for p in json.load(open(sys.argv[1]))["pairs"]}
assert sorted(pairs) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 2)], sorted(pairs)
assert pairs[0, 2]["memory_ns_kib"]["measured"] and pairs[0, 2]["memory_mib_s"]["value"] > 0
assert pairs[1, 2]["memory_ns_kib"]["why"] == "none of the node's CPUs is measured on"
assert "memory_ns_kib" not in pairs[2, 2] and pairs[2, 2]["memory_mib_s"]["measured"]
END
fi

# The simulator takes both files, and not for another machine.
numa="numa test=perf global-size=4MiB threads=1 rounds=10 first=2 --machine"
"$program" run $numa "$tmp/vm.machine" >"$tmp/run" || fail "the simulator: $(cat "$tmp/run")"
tr -s ' \n' ' ' <"$tmp/run" | grep -q "costs: $tmp/vm.costs" || fail "the simulator takes other costs: $(cat "$tmp/run")"
"$program" run $numa x86-8s-320 --costs "$tmp/vm.costs" >/dev/null || fail "another machine of as many nodes"
sed 's/^\(memory_ns_kib\.0->\)2/\17/' "$tmp/vm.costs" >"$tmp/far.costs"
"$program" run $numa "$tmp/vm.machine" --costs "$tmp/far.costs" 2>"$tmp/err" && fail "a node that isn't there"
grep -q "^schedproof: costs: $tmp/far.costs:[0-9]*: memory_ns_kib.0->7: the machine has no node 7$" "$tmp/err" || fail "what it says: $(cat "$tmp/err")"
exit $failed
