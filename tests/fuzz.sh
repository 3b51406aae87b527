#!/bin/sh
# tests/fuzz.sh BUILD RUNS [SEED [FILE]] - each fuzz target, so many inputs from its corpus; finds are left in BUILD.
# The same seed tries the same inputs, so that a test run is no lottery; another seed looks elsewhere.
set -eu
build=$(cd "$1" && pwd)
runs=$2
seed=${3:-1}
cd "$(dirname "$0")/../fuzz"
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
export build runs seed found

# a target on each CPU
printf '%s\n' ${4:-*_fuzz.c} | xargs -n 1 -P "$(nproc)" sh -c '
	target=${1%.c}
	name=${target%_fuzz}
	# its reader forks for each input, which takes as long as some hundreds of those of another
	[ "$name" != topo_xml ] || runs=$((runs / 30))
	mkdir "$found/$name"
	if "$build/fuzz/$target" -runs="$runs" -seed="$seed" -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 \
		-artifact_prefix="$build/$name-" "$found/$name" "corpus/$name" >"$build/$name.log" 2>&1; then
		echo "$name: $(sed -n "s/^stat::number_of_executed_units: *//p" "$build/$name.log") inputs"
	else
		tail -n 40 "$build/$name.log"
		exit 1
	fi' sh
