#!/bin/sh
# tests/needs.sh build|tests|check - install the Debian packages that are missing; silent and offline when none is.
# build: what schedproof is built with; tests: and its tests, by gcc; check: all that tests/check.sh uses.
set -eu

build="gcc libc6-dev make meson ninja-build pkg-config libcmocka-dev libsqlite3-dev libjansson-dev libinih-dev
       libpfm4-dev libhwloc-dev libelf-dev xz-utils"
tests="$build r-mathlib python3"
check="$tests clang clang-format clang-tidy libclang-rt-14-dev lld strace procps man-db
       qemu-system-x86 busybox-static cpio flex bison bc git"

case "${1:-}" in
build) wanted=$build ;;
tests) wanted=$tests ;;
check) wanted=$check ;;
*)
	echo "usage: $0 build|tests|check" >&2
	exit 2
	;;
esac

missing=
for package in $wanted; do
	status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
	[ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
	echo "schedproof: this is no Debian; install what these packages hold:$missing" >&2
	exit 2
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "schedproof: missing packages, and no sudo; as root: apt-get install$missing" >&2
		exit 2
	fi
	sudo=sudo
	echo "schedproof: sudo is needed to install:$missing" >&2
fi
$sudo apt-get update -q >&2
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends $missing >&2
