#!/bin/sh
# What kernels' own code logs of cpuset partitions is what topo foretells, byte for byte. usage: topo_partition_test.sh SCHEDPROOF
# Needs the cores of tests/kernel_cores.sh; skips without.
set -u
SP=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
guest='-smp 8,sockets=2,cores=2,threads=2 -cpu Icelake-Server -numa node,cpus=0-3 -numa node,cpus=4-7'
done=0

fail() {
	echo "FAIL: $*"
	exit 1
}

for release in 6.1 6.12; do
	"$SP" list cores | grep -q "kernel:debian-$release " || continue
	for machine in "$guest" kunpeng-920-96; do
		for word in 2-3/6-7:isolated 0-5 1:isolated/4,6; do
			arch=x86
			[ "$machine" = "$guest" ] || arch=arm64
			"$SP" topo "$machine" --arch $arch --kernel $release --partition $word --format verbose >"$tmp/foretold" ||
				fail "topo --kernel $release --partition $word"
			"$SP" topo "$machine" --arch $arch --kernel-tree debian-$release --partition $word >"$tmp/logged" ||
				fail "topo --kernel-tree debian-$release --partition $word"
			[ -s "$tmp/logged" ] || fail "debian-$release logs nothing of --partition $word"
			cmp "$tmp/foretold" "$tmp/logged" || fail "$release, $machine: --partition $word"
			done=$((done + 1))
		done
	done
	# cores whose threads are dealt out in turn; text without the width of a record, which differs
	for machine in power10-768 opteron-6272; do
		"$SP" topo $machine --kernel $release --format verbose | tr -d '\n' >"$tmp/foretold"
		"$SP" topo $machine --kernel-tree debian-$release | tr -d '\n' >"$tmp/logged"
		[ -s "$tmp/logged" ] || fail "debian-$release logs nothing of $machine"
		cmp "$tmp/foretold" "$tmp/logged" || fail "$release, $machine"
		done=$((done + 1))
	done
	for refused in "--partition 2-3/3" "--partition 4096" "--partition x" "--hotplug 3" --svg "--format json"; do
		said=$("$SP" topo "$guest" --arch x86 --kernel-tree debian-$release $refused 2>&1)
		status=$?
		[ $status -eq 2 ] && [ "$(echo "$said" | wc -l)" -eq 1 ] || fail "$refused: status $status: $said"
	done
done
[ $done -gt 0 ] || {
	echo "no kernel core of this schedproof: tests/kernel_cores.sh makes them"
	exit 77
}
echo "$done logs are the same"
