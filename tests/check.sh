#!/bin/sh
# tests/check.sh - everything that must hold, in turn; ends at the first part that fails.
set -eu
cd "$(dirname "$0")/.."

setup() { # folder, meson arguments
	dir=$1
	shift
	[ -f "$dir/build.ninja" ] || meson setup "$dir" -Dwerror=true "$@" >/dev/null ||
		{ cat "$dir/meson-logs/meson-log.txt"; exit 1; }
}
run() { # title, command
	echo "== $1"
	shift
	"$@"
}

run "a kernel to boot in VMs" sh -c \
	'tests/vm_kernel.sh get || echo "none could be fetched: tests in VMs are skipped"'
setup build-gcc
run "gcc: build" ninja -C build-gcc --quiet
run "kernel cores" tests/kernel_cores.sh build-gcc/src/cmd/schedproof
run "gcc: tests" meson test -C build-gcc --no-rebuild --print-errorlogs --verbose
run "verdict: V1 ... V12" build-gcc/bench/verdict tests/data/traces

run "headers compile alone" tests/headers.sh
run "libraries have no writable globals" tests/globals.sh build-gcc
run "format" tests/format.sh
run "every workload has a page" tests/pages.sh build-gcc

setup build-asan -Db_sanitize=address,undefined
run "gcc, address and undefined sanitizers: build" ninja -C build-asan --quiet
run "gcc, address and undefined sanitizers: tests" \
	meson test -C build-asan --no-rebuild --print-errorlogs --timeout-multiplier 4 --no-suite vm

setup build-tsan -Db_sanitize=thread
run "gcc, thread sanitizer: build" ninja -C build-tsan --quiet src/worker/schedproof-worker
run "gcc, thread sanitizer: worker" meson test -C build-tsan --no-rebuild --print-errorlogs \
	--timeout-multiplier 4 --suite worker

export CC=clang
setup build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
run "clang: build with fuzz targets" ninja -C build-fuzz --quiet
run "fuzz" tests/fuzz.sh build-fuzz 3000
run "clang-tidy" tests/tidy.sh build-fuzz
echo "all parts passed"
