#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# schedproof topo live against what the running kernel shows of its domains: debugfs, or else /proc/schedstat.
# Usage: topo_live_test.sh SCHEDPROOF. Exit 77 with the reason where the kernel shows neither.
sp=$1
tmp=$(mktemp -d) || exit 1
mounted=
cleanup() {
	[ -z "$mounted" ] || umount "$tmp/debug"
	rm -rf "$tmp"
}
trap cleanup EXIT
why=

# The folder with cpu0, cpu1 ... in it, or nothing, and then the reason in $why.
find_domains() {
	domains=/sys/kernel/debug/sched/domains
	[ -r $domains/cpu0 ] && return
	domains=
	if [ "$(id -u)" != 0 ]; then
		why="debugfs is for root only"
		return
	fi
	mkdir "$tmp/debug"
	if ! why=$(mount -t debugfs none "$tmp/debug" 2>&1); then
		why="debugfs can't be mounted: $why"
		return
	fi
	mounted=1
	if [ ! -r "$tmp/debug/sched/domains/cpu0" ]; then
		why="debugfs has no sched/domains (they need the boot option sched_verbose)"
		return
	fi
	domains=$tmp/debug/sched/domains
}

# One "cpu0/domain0/name: MC" a file, as --format debugfs-files has them. max_newidle_lb_cost is measured.
kernel_files() {
	(cd "$1" && find . -type f ! -name max_newidle_lb_cost | LC_ALL=C sort | while read -r file; do
		printf '%s: %s\n' "${file#./}" "$(tr -s ' \n' ' ' <"$file")" | sed 's/ *$//'
	done)
}

compare() { # what
	if diff -u "$tmp/kernel" "$tmp/topo"; then
		echo "$1: $(wc -l <"$tmp/topo") of $(wc -l <"$tmp/kernel") lines agree"
	else
		echo "FAILED: $1 of this kernel ($(uname -r)) differ"
		exit 1
	fi
}

find_domains
if [ "$domains" ]; then
	kernel_files "$domains" >"$tmp/kernel"
	"$sp" topo live --format debugfs-files | sed 's/ *$//' | LC_ALL=C sort >"$tmp/topo" || exit 1
	compare "debugfs values"
fi
# domain lines without their counters, each CPU's behind its own line
if [ -r /proc/schedstat ]; then
	grep -v -e ^timestamp /proc/schedstat | sed -E 's/^(cpu[0-9]+) .*/\1/; s/^(domain[0-9]+( [A-Z]+)? [0-9a-f,]+) .*/\1/' >"$tmp/kernel"
	"$sp" topo live --format schedstat >"$tmp/topo" || exit 1
	compare "schedstat's domains"
elif [ ! "$domains" ]; then
	echo "skipped: $why, and there is no /proc/schedstat"
	exit 77
else
	echo "schedstat: this kernel has none"
fi
