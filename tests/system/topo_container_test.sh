#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof topo live where a container hides parts of /sys and /proc: one clear line for each, never a crash.
# Usage: topo_container_test.sh SCHEDPROOF. Exit 77 where mount namespaces are not to be had.
sp=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
cpu=/sys/devices/system/cpu
# as root, or as root of a user namespace of one's own
inside="unshare -m"
$inside true 2>/dev/null || inside="unshare -rm"
if ! why=$($inside mount -t tmpfs none /sys 2>&1); then
	echo "skipped: $why"
	exit 77
fi

# expect STATUS LINE COMMANDS: what stands on standard error has that line, '' for nothing; a tree is printed if it is 0
expect() {
	$inside sh -c "$3"'; exec "$0" topo live --kernel 6.12 --arch x86' "$sp" >"$tmp/out" 2>"$tmp/err"
	got=$?
	if [ $got != "$1" ]; then
		echo "FAILED: exit $got, not $1: $3"
	elif [ "$2" ] && ! grep -qx -- "$2" "$tmp/err"; then
		echo "FAILED: no line '$2': $3"
	elif [ "$got" = 0 ] && ! grep -q '^live: x86, .* CPUs' "$tmp/out"; then
		echo "FAILED: no machine: $3"
	else
		return
	fi
	cat "$tmp/err" "$tmp/out"
	failed=1
}

hide() {
	echo "mount -t tmpfs none $1"
}

expect 0 '' 'mount -o remount,ro,bind /sys'
expect 0 'no NUMA nodes are told: one is assumed' "$(hide /sys/devices/system/node)"
expect 0 'no list of online CPUs: those with a topology are taken' "mount --bind /dev/null $cpu/online"
expect 0 'CPUs 0 tell no siblings: each is taken for a core' "$(hide $cpu/cpu0/topology)"
expect 0 '\(no caches are told: \(no last level is shared\|a die shares the last level.*\)\|CPUs 0 tell no caches: they share none\)' \
	"$(hide $cpu/cpu0/cache)"
expect 2 'schedproof: no CPU below sys/devices/system/cpu' "$(hide $cpu); $(hide /sys/devices/system/node)"
expect 2 'schedproof: there is no /sys to read this computer from' "$(hide /sys)"
# a leak checker can't do without /proc, nor be told so then
if $inside sh -c "$(hide /proc)"'; exec "$0" --version' "$sp" >/dev/null 2>&1; then
	expect 0 'there is no proc/cpuinfo: the vendor is not known' "$(hide /proc)"
	expect 2 'schedproof: there is no /sys to read this computer from' "$(hide /sys); $(hide /proc)"
else
	echo "skipped: a hidden /proc, which this build itself needs"
fi
[ $failed = 0 ] && echo "all as expected"
exit $failed
