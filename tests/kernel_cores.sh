#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tests/kernel_cores.sh get|build SCHEDPROOF [RELEASE | ARCHIVE]... - the kernel cores debian-6.1 and debian-6.12 that tests want, from
# Debian's packages linux-source-6.1 and -6.12. Sources are kept in ~/.cache/schedproof/trees, and a second time costs next to nothing.
# get:   fetch the sources and unpack what is needed of them.
# build: that too, build the cores, and check what they do (tests/kcore).
# Where there is git, 6.12's is built of the one commit of a repository in its folder, on top of which tests commit faults
# (tests/system/seeded.py): of each only what differs is compiled. 6.1's is built of the folder.
# Others by RELEASE, as 7.3, where a configured package source has them, or by the path of such a package's archive, as
# /usr/src/linux-source-7.3.tar.xz. What can't be had is said; tests that want it are skipped then.
set -eu

step=$1
schedproof=${2:-}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 6.1 6.12
trees=${XDG_CACHE_HOME:-$HOME/.cache}/schedproof/trees
cores=${XDG_CACHE_HOME:-$HOME/.cache}/schedproof/cores
tests=${schedproof%/*}/../../tests/kcore

check() { # core
	for test in exact cpuset hotplug; do
		if [ ! -x "$tests/kcore_$test" ]; then
			echo "$1: not checked: $tests/kcore_$test is not built"
		elif ! "$tests/kcore_$test" "$1"; then
			return 1
		fi
	done
}

# What the build reads: no drivers but cpufreq's, no file systems' or protocols' folders, no other architectures; all Kconfig files.
unpack() { # archive, folder
	rm -rf "$2.new"
	mkdir -p "$2.new"
	top=$(basename "$2")
	tar -xJf "$1" -C "$2.new" --strip-components=1 --anchored --wildcards-match-slash \
		--exclude "$top/drivers/[abd-z]*.[chS]" --exclude "$top/drivers/c[a-oq-z]*.[chS]" \
		--exclude "$top/fs/*/*.[chS]" --exclude "$top/net/*.[chS]" \
		--exclude "$top/sound/*.[chS]" --exclude "$top/arch/*.[chS]" \
		--exclude "$top/arch/*.dts*" --exclude "$top/Documentation/*.*" \
		--exclude "$top/tools/perf" --exclude "$top/tools/testing"
	mv "$2.new" "$2"
}

# The package's archive: the one that was named, where it is installed, else fetched.
archive_of() { # package, folder for it
	if [ -n "$archive" ]; then
		echo "$archive"
		return
	fi
	if [ -r "/usr/src/$1.tar.xz" ]; then
		echo "/usr/src/$1.tar.xz"
		return
	fi
	(cd "$2" && apt-get download -q "$1" >&2)
	dpkg-deb --fsys-tarfile "$2/$1"_*.deb | tar -x -C "$2" "./usr/src/$1.tar.xz"
	echo "$2/usr/src/$1.tar.xz"
}

have_tree() { # package
	[ ! -f "$trees/$1/Makefile" ] || return 0
	tmp=$(mktemp -d)
	if found=$(archive_of "$1" "$tmp"); then
		unpack "$found" "$trees/$1"
		done=0
	else
		done=1
	fi
	rm -rf "$tmp"
	return $done
}

make_repository() ( # tree
	[ ! -d "$1/.git" ] || exit 0
	rm -rf "$1.git"
	git init --quiet "$1.git"
	export GIT_DIR="$1.git/.git" GIT_WORK_TREE="$1" GIT_CONFIG_GLOBAL=/dev/null
	export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org
	# --force: the tree's own .gitignore hides nothing that it was published with
	git -C "$1" -c core.compression=1 add --force .
	git -c gc.auto=0 commit --quiet -m "as it is"
	mv "$1.git/.git" "$1"
	rmdir "$1.git"
)

for wanted; do
	archive=
	package=linux-source-$wanted
	case $wanted in
	*/*)
		archive=$wanted
		package=$(basename "$wanted" .tar.xz)
		;;
	esac
	release=${package#linux-source-}
	if ! have_tree "$package"; then
		echo "kernel core debian-$release: skipped: $package can't be fetched"
		continue
	fi
	revision=
	if [ "$release" = 6.12 ] && command -v git >/dev/null; then
		make_repository "$trees/$package"
		revision="--rev HEAD"
	fi
	[ "$step" = build ] || continue
	# shellcheck disable=SC2086 # two words or none
	if ! "$schedproof" kernel build "$trees/$package" $revision --name "debian-$release"; then
		echo "kernel core debian-$release: failed"
		exit 1
	elif ! check "$cores/debian-$release/core.so"; then
		echo "kernel core debian-$release: doesn't do what it has to"
		exit 1
	fi
done
