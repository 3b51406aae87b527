#!/bin/sh
# tests/check.sh [--install | --list | PART...] - everything that must hold, in turn; ends at the first part that fails.
# --install: packages that are missing are installed while gcc builds, which wants none of them (tests/needs.sh); as root.
# --list:    the parts. Those that are named are run in that order, each with the build that it tests.
set -eu
cd "$(dirname "$0")/.."

parts() {
	cat <<\END
install     packages that are missing
fetch       kernels to boot in VMs and to make cores of
build       gcc: build
cores       kernel cores
san-build   clang, address and undefined sanitizers, with fuzz targets: build
tsan-build  gcc, thread sanitizer: build of worker and simulated runs in threads
test        gcc: tests
san-test    clang, address and undefined sanitizers: tests
tsan-test   gcc, thread sanitizer: worker, simulated runs in threads
fuzz        fuzz targets
headers     headers compile alone
globals     libraries have no writable globals
format      format
pages       every workload has a page
verdict     verdict: V1 ... V12
tidy        clang-tidy
END
}

# Hundreds of tests are linked, each with all that lies below it: another linker takes half of GNU ld's time.
setup() { # linker, folder, meson arguments
	! command -v "ld.$1" >/dev/null || export CC_LD="$1"
	dir=$2
	shift 2
	[ -f "$dir/build.ninja" ] || meson setup "$dir" -Dwerror=true "$@" >/dev/null ||
		{ cat "$dir/meson-logs/meson-log.txt"; exit 1; }
}

tests() { # folder, meson arguments. Time is no test: a machine may be slow, and others may use it
	dir=$1
	shift
	meson test -C "$dir" --no-rebuild --print-errorlogs --timeout-multiplier 4 "$@"
}

part() {
	case $1 in
	install) tests/needs.sh check ;;
	fetch)
		tests/vm_kernel.sh get || echo "none to boot could be fetched: tests in VMs are skipped"
		tests/kernel_cores.sh get
		;;
	build)
		setup gold build-gcc
		ninja -C build-gcc --quiet
		;;
	cores)
		part build
		tests/kernel_cores.sh build build-gcc/src/cmd/schedproof
		;;
	san-build)
		# gold warns of what clang's sanitizers export
		(
			unset CC_LD
			export CC=clang
			setup lld build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
		)
		ninja -C build-fuzz --quiet
		;;
	tsan-build)
		setup gold build-tsan -Db_sanitize=thread
		ninja -C build-tsan --quiet src/worker/schedproof-worker src/lab/lab_sim_threads_test
		;;
	test)
		part build
		tests build-gcc --verbose
		;;
	san-test)
		part san-build
		# a process that looks for leaks as it ends takes twice as long; commands of the golden tests do
		ASAN_OPTIONS=detect_leaks=0 tests build-fuzz --suite system --no-suite vm --no-suite cores
		tests build-fuzz --no-suite system --no-suite score --no-suite cores
		;;
	tsan-test)
		part tsan-build
		tests build-tsan --suite worker --suite threads
		;;
	fuzz)
		part san-build
		tests/fuzz.sh build-fuzz 3000
		;;
	headers) tests/headers.sh ;;
	globals)
		part build
		tests/globals.sh build-gcc
		;;
	format) tests/format.sh ;;
	pages)
		part build
		tests/pages.sh build-gcc
		;;
	verdict)
		part build
		tests/score.sh build-gcc
		;;
	tidy)
		# beside others, which build there
		[ "${CHECK_BESIDE:-}" ] || part san-build
		tests/tidy.sh build-fuzz
		;;
	esac
}

title() {
	parts | awk -v name="$1" '$1 == name { sub(/^[^ ]+ +/, ""); print }'
}
count_cpus() { # sets cpus: seconds of all that was waited for. Not by $(): a subshell has waited for nothing.
	times >"$work/times"
	cpus=$(awk 'NR == 2 { split($0, t, /[ms] */); printf "%.0f\n", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$work/times")
}
row() { # title, when it began, seconds of CPUs then
	count_cpus
	printf '%6d %6d  %s\n' $(($(date +%s) - $2)) $((cpus - $3)) "$1" >>"$CHECK_ROWS"
}
run() { # parts
	for name; do
		title=$(title "$name") start=$(date +%s)
		count_cpus
		before=$cpus
		echo "== $title"
		part "$name"
		row "$title${CHECK_BESIDE:-}" "$start" "$before"
	done
}

# Some parts at a time run beside others; what they have printed follows where they are awaited. Downloads wait for the network, and
# system tests mostly wait and most run alone: long parts take the CPUs' idle time meanwhile.
beside() { # command
	CHECK_BESIDE=", beside others" setsid "$@" >"$work/log" 2>&1 &
	beside=$!
}
await() {
	ret=0
	wait "$beside" || ret=$?
	beside=
	cat "$work/log"
	return $ret
}

all() { # parts that go on while gcc builds
	beside tests/check.sh "$@"
	run build
	await
	beside chrt --idle 0 tests/check.sh san-build tsan-build
	run cores test
	await
	beside chrt --idle 0 tests/check.sh tidy
	run san-test tsan-test fuzz headers globals format pages verdict
	await
	row "all, on $(nproc) CPUs" "$began" 0
	echo "== seconds: of the clock, of CPUs"
	cat "$CHECK_ROWS"
	echo "all parts passed"
}

usage() {
	echo "usage: $0 [--install | --list | PART...]" >&2
	exit 2
}

work=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
began=$(date +%s)
# parts that run beside others add their rows too
export CHECK_ROWS="${CHECK_ROWS:-$work/rows}"
case "$*" in
'') all fetch ;;
--install) all install fetch ;;
--list) parts ;;
*)
	for name; do
		[ "${name#-}" = "$name" ] && [ "$(title "$name")" ] || usage
	done
	run "$@"
	;;
esac
