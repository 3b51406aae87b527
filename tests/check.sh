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

# clang-tidy runs in the CPUs' idle time beside other parts: system tests mostly wait, and most run alone.
begin_tidy() {
	tidy_log=$(mktemp)
	setsid chrt --idle 0 tests/tidy.sh build-fuzz >"$tidy_log" 2>&1 &
	tidy=$!
	trap 'kill -- "-$tidy" 2>/dev/null || true; rm -f "$tidy_log"' EXIT
	trap 'exit 130' INT TERM
}
end_tidy() {
	ret=0
	wait "$tidy" || ret=$?
	cat "$tidy_log"
	return $ret
}

run "a kernel to boot in VMs" sh -c \
	'tests/vm_kernel.sh get || echo "none could be fetched: tests in VMs are skipped"'
setup build-gcc
run "gcc: build" ninja -C build-gcc --quiet
run "kernel cores" tests/kernel_cores.sh build-gcc/src/cmd/schedproof
(
	export CC=clang
	setup build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
)
run "clang, address and undefined sanitizers, with fuzz targets: build" ninja -C build-fuzz --quiet

begin_tidy
run "gcc: tests" meson test -C build-gcc --no-rebuild --print-errorlogs --verbose
run "clang, address and undefined sanitizers: tests" \
	meson test -C build-fuzz --no-rebuild --print-errorlogs --timeout-multiplier 4 \
	--no-suite vm --no-suite score --no-suite cores
setup build-tsan -Db_sanitize=thread
run "gcc, thread sanitizer: build" ninja -C build-tsan --quiet src/worker/schedproof-worker \
	src/lab/lab_sim_threads_test
run "gcc, thread sanitizer: worker, simulated runs in threads" meson test -C build-tsan --no-rebuild \
	--print-errorlogs --timeout-multiplier 4 --suite worker --suite threads

run "fuzz" tests/fuzz.sh build-fuzz 3000
run "headers compile alone" tests/headers.sh
run "libraries have no writable globals" tests/globals.sh build-gcc
run "format" tests/format.sh
run "every workload has a page" tests/pages.sh build-gcc
run "verdict: V1 ... V12" build-gcc/bench/verdict tests/data/traces
run "clang-tidy" end_tidy
echo "all parts passed"
