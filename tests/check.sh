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

# One part at a time runs beside others; what it has printed follows where it is awaited. Downloads wait for the network, and
# system tests mostly wait and most run alone: long parts take the CPUs' idle time meanwhile.
aside_log=$(mktemp)
aside=
trap '[ -z "$aside" ] || kill -- "-$aside" 2>/dev/null || true; rm -f "$aside_log"' EXIT
trap 'exit 130' INT TERM
aside() { # command
	setsid "$@" >"$aside_log" 2>&1 &
	aside=$!
}
await() {
	ret=0
	wait "$aside" || ret=$?
	aside=
	cat "$aside_log"
	return $ret
}

setup build-gcc
setup build-tsan -Db_sanitize=thread
(
	export CC=clang
	setup build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
)
aside sh -c 'tests/vm_kernel.sh get || echo "none to boot could be fetched: tests in VMs are skipped"
	tests/kernel_cores.sh get'
run "gcc: build" ninja -C build-gcc --quiet
run "kernels to boot in VMs and to make cores of" await
run "kernel cores" tests/kernel_cores.sh build build-gcc/src/cmd/schedproof

aside chrt --idle 0 sh -c 'ninja -C build-fuzz --quiet &&
	ninja -C build-tsan --quiet src/worker/schedproof-worker src/lab/lab_sim_threads_test'
run "gcc: tests" meson test -C build-gcc --no-rebuild --print-errorlogs --verbose
run "sanitizers: build; clang, address and undefined, with fuzz targets; gcc, thread" await

aside chrt --idle 0 tests/tidy.sh build-fuzz
run "clang, address and undefined sanitizers: tests" \
	meson test -C build-fuzz --no-rebuild --print-errorlogs --timeout-multiplier 4 \
	--no-suite vm --no-suite score --no-suite cores
run "gcc, thread sanitizer: worker, simulated runs in threads" meson test -C build-tsan --no-rebuild \
	--print-errorlogs --timeout-multiplier 4 --suite worker --suite threads

run "fuzz" tests/fuzz.sh build-fuzz 3000
run "headers compile alone" tests/headers.sh
run "libraries have no writable globals" tests/globals.sh build-gcc
run "format" tests/format.sh
run "every workload has a page" tests/pages.sh build-gcc
run "verdict: V1 ... V12" build-gcc/bench/verdict tests/data/traces
run "clang-tidy" await
echo "all parts passed"
