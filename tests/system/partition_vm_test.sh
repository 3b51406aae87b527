#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# cgroup.cpuset.cpus.partition on a real kernel, that of a QEMU guest: CPUs that are the run's alone, and that the others have again
# afterwards, also after kill -9. Emulated, not with KVM: what counts is what happens and not how fast.
# Usage: partition_vm_test.sh SCHEDPROOF WORKER
# Skipped where there is no kernel image to boot, see tests/vm_kernel.sh.
program=$1
worker=$2
skip() {
	echo "skipped: $*"
	exit 77
}

kernel=$("$(dirname "$0")"/../vm_kernel.sh find) || skip "no kernel image; tests/vm_kernel.sh get fetches Debian's"
for needed in qemu-system-x86_64 busybox cpio ldd; do
	command -v $needed >/dev/null || skip "$needed is missing"
done
[ "$(uname -m)" = x86_64 ] || skip "only for x86_64"
readelf -l "$worker" 2>/dev/null | grep -q INTERP && skip "the worker is not static"
"$(dirname "$0")/sanitized.sh" "$program" && skip "not with sanitizers"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/root/bin" "$tmp/root/proc" "$tmp/root/sys" "$tmp/root/dev" "$tmp/root/tmp" "$tmp/root/run"
cp "$(command -v busybox)" "$tmp/root/bin/busybox"
cp "$worker" "$tmp/root/bin/schedproof-worker"
cp "$program" "$tmp/root/bin/schedproof"
ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "$tmp/root$(dirname "$library")"
	cp -L "$library" "$tmp/root$library"
done
ln -s busybox "$tmp/root/bin/sh"
cat >"$tmp/root/init" <<'INIT'
#!/bin/sh
export PATH=/bin HOME=/tmp XDG_DATA_HOME=/tmp
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t devtmpfs dev /dev
busybox mount -t tmpfs run /run
busybox mount -t cgroup2 cgroup2 /sys/fs/cgroup
cd /sys/fs/cgroup

state() {
	echo "$1 OTHERS $(busybox cat cpuset.cpus.effective) GROUPS $(busybox ls -d schedproof-* 2>/dev/null | busybox wc -l)"
}

begin() {
	schedproof run --timeout 60s --set cgroup.cpuset.cpus.partition="$1" --set cgroup.cpuset.cpus=2-3 exec -- busybox sleep 55 \
		>/dev/null 2>&1 </dev/null &
	pid=$!
	# the settings are tried once before: the worker is there when they are made for good
	for i in $(busybox seq 60); do
		busybox pidof schedproof-worker >/dev/null && [ "$(busybox cat cpuset.cpus.effective)" = 0-1 ] && break
		busybox sleep 0.5
	done
}

# the file of others' CPUs is there when the controller is
echo +cpuset >cgroup.subtree_control
state BEFORE
for kind in root isolated; do
	schedproof run cpuload tasks=2 ops=20 --set cgroup.cpuset.cpus.partition=$kind --set cgroup.cpuset.cpus=2-3 >/tmp/out 2>&1 </dev/null
	echo "$kind EXIT $?"
	busybox grep -i -e schedproof: -e failed /tmp/out
	state "$kind AFTER"
done
begin root
state MIDDLE
busybox kill -15 $pid
wait $pid
state "STOPPED $?"
begin root
state MIDDLE2
busybox kill -9 $pid
wait $pid
schedproof run pipe loops=10 >/tmp/out 2>&1 </dev/null
busybox grep "put back" /tmp/out
state KILLED
schedproof run pipe loops=10 --set cgroup.cpuset.cpus.partition=root --set cgroup.cpuset.cpus=0-3 </dev/null 2>&1 | busybox head -n 3
echo "REFUSED"
state AT_END
busybox poweroff -f
INIT
chmod +x "$tmp/root/init"
(cd "$tmp/root" && find . | cpio --quiet -o -H newc | gzip -1) >"$tmp/initrd" || exit 1
timeout 280 qemu-system-x86_64 -accel tcg,thread=single -cpu Nehalem -smp 4 -m 512 -display none -no-reboot -nic none \
	-kernel "$kernel" -initrd "$tmp/initrd" -append "$("$(dirname "$0")"/../vm_kernel.sh words)" \
	-serial file:"$tmp/log" </dev/null
tr -d '\r' <"$tmp/log" >"$tmp/said"
cat "$tmp/said"

failed=0
expect() {
	grep -q -e "$1" "$tmp/said" || {
		echo "FAIL: no line '$1'"
		failed=1
	}
}
expect '^BEFORE OTHERS 0-3 GROUPS 0'
for kind in root isolated; do
	expect "^$kind EXIT 0"
	expect "^$kind AFTER OTHERS 0-3 GROUPS 0"
done
expect '^MIDDLE OTHERS 0-1 GROUPS 1'
expect '^STOPPED 143 OTHERS 0-3 GROUPS 0'
expect '^MIDDLE2 OTHERS 0-1 GROUPS 1'
expect '^KILLED OTHERS 0-3 GROUPS 0'
expect '^AT_END OTHERS 0-3 GROUPS 0'
expect 'cpuset.cpus.partition.*the kernel made'
exit $failed
