#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tests/vm_kernel.sh find|get|words - print the path of a Debian kernel image that tests may boot in QEMU.
# find: the newest that is installed, or that "get" has fetched; fails quietly if there is none.
# get:  as find, else fetch Debian's current package and keep its image alone, below ~/.cache; nothing is installed.
# words: what its command line begins with: console, end at a panic, no self-tests and no waiting for an emulated machine's clocks.
set -eu

cache=${XDG_CACHE_HOME:-$HOME/.cache}/schedproof/kernel

find_image() {
	for image in /boot/vmlinuz-*-amd64 "$cache"/vmlinuz-*-amd64; do
		[ -r "$image" ] && echo "$image"
	done | sort -V | tail -n 1
}

fetch() {
	package=$(apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-.*-amd64\)$/\1/p' | head -n 1)
	[ "$package" ] || return 1
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	(cd "$tmp" && apt-get download -q "$package" >&2)
	mkdir -p "$cache"
	dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -x -C "$tmp" --wildcards './boot/vmlinuz-*'
	mv "$tmp"/boot/vmlinuz-* "$cache"
}

if [ "${1:-}" = words ]; then
	echo "console=ttyS0 quiet panic=-1 nowatchdog tsc=reliable no_timer_check mitigations=off lpj=4000000 nokaslr no5lvl audit=0" \
		"apparmor=0 cryptomgr.notests raid=noautodetect"
	exit
fi
image=$(find_image)
if [ ! "$image" ] && [ "${1:-find}" = get ] && [ "$(uname -m)" = x86_64 ]; then
	fetch
	image=$(find_image)
fi
[ "$image" ] && echo "$image"
