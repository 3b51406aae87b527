#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# hotplug on a real kernel's CPUs, those of a QEMU guest: each plan, and kill -9 in the middle. Emulated, not with KVM: what
# counts is what happens and not how fast, and where we are a guest ourselves KVM may not work.
# Usage: hotplug_vm_test.sh WORKER
# Skipped where there is no kernel image to boot, see tests/vm_kernel.sh.
worker=$1
skip() {
	echo "skipped: $*"
	exit 77
}

kernel=$("$(dirname "$0")"/../vm_kernel.sh find) || skip "no kernel image; tests/vm_kernel.sh get fetches Debian's"
for program in qemu-system-x86_64 busybox cpio; do
	command -v $program >/dev/null || skip "$program is missing"
done
[ "$(uname -m)" = x86_64 ] || skip "only for x86_64"
if readelf -l "$worker" 2>/dev/null | grep -q INTERP; then
	skip "the worker is not static"
fi

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/root/bin" "$tmp/root/proc" "$tmp/root/sys" "$tmp/root/dev" "$tmp/root/tmp"
cp "$(command -v busybox)" "$tmp/root/bin/busybox"
cp "$worker" "$tmp/root/bin/worker"
ln -s busybox "$tmp/root/bin/sh"
cat >"$tmp/root/init" <<'INIT'
#!/bin/sh
export PATH=/bin
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs dev /dev
cpus=/sys/devices/system/cpu

run() {
	echo "RUN $*"
	worker hotplug "$@" </dev/null
	echo "EXIT $? ONLINE $(busybox cat $cpus/online) SMT $(busybox cat $cpus/smt/control)"
}

run plan=half passes=1
run plan=all passes=1 discard=0 load=2
run plan=each passes=1 discard=0
run plan=random steps=6 passes=1 discard=0
run plan=smt passes=1 discard=0
run plan=smt way=cpus passes=1 discard=0

# killed while the upper half is offline
worker hotplug plan=half pause=2s discard=0 >/dev/null </dev/null &
pid=$!
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
	[ "$(busybox cat $cpus/online)" = 0-1 ] && break
	busybox sleep 0.2
done
echo "MIDDLE ONLINE $(busybox cat $cpus/online)"
kill -9 $pid
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
	[ "$(busybox cat $cpus/online)" = 0-3 ] && break
	busybox sleep 1
done
echo "KILLED ONLINE $(busybox cat $cpus/online)"
worker unixbench test=shell1 tools=own time=100ms </dev/null
echo END
busybox poweroff -f
INIT
chmod 755 "$tmp/root/init"
(cd "$tmp/root" && find . | cpio -o -H newc --quiet) >"$tmp/initrd" || exit 1

timeout 280 qemu-system-x86_64 -accel tcg -cpu Nehalem -smp 4,sockets=1,cores=2,threads=2 -m 512 -nographic -no-reboot \
	-kernel "$kernel" -initrd "$tmp/initrd" -append "$("$(dirname "$0")"/../vm_kernel.sh words)" </dev/null >"$tmp/out" 2>&1
tr -d '\r' <"$tmp/out" >"$tmp/lines"

failed=0
holds() {
	n=$(grep -Ec -- "$2" "$tmp/lines")
	[ "$n" = "$1" ] && return
	echo "FAILED: $n lines, not $1, match '$2'"
	failed=1
}

grep -q '^RUN' "$tmp/lines" || skip "the guest doesn't boot: $(tail -n 3 "$tmp/lines")"
holds 1 '^END'
holds 6 '^EXIT 0 ONLINE 0-3 SMT on$'
holds 6 '^\{"schema":2,"workload":"hotplug","status":"ok"'
holds 1 '^MIDDLE ONLINE 0-1$'
holds 1 '^KILLED ONLINE 0-3$'
holds 1 '^\{"schema":2,"workload":"unixbench","status":"ok"'
grep -o '^RUN.*\|"name":"o[nf]f*line-p50"[^}]*\|^[A-Z]* ONLINE.*' "$tmp/lines"
[ $failed = 0 ] || cut -c 1-300 "$tmp/lines"
exit $failed
