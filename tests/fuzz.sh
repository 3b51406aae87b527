#!/bin/sh
# tests/fuzz.sh BUILD RUNS [SEED] - each fuzz target, so many inputs from its corpus; finds are left in BUILD.
# The same seed tries the same inputs, so that a test run is no lottery; another seed looks elsewhere.
set -eu
build=$(cd "$1" && pwd)
runs=$2
seed=${3:-1}
cd "$(dirname "$0")/../fuzz"
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
failed=0
for source in ${4:-*_fuzz.c}; do
	target=${source%.c}
	name=${target%_fuzz}
	inputs=$runs
	# its reader forks for each input, which takes as long as some hundreds of another's
	[ "$name" != topo_xml ] || inputs=$((runs / 30))
	mkdir "$found/$name"
	if "$build/fuzz/$target" -runs="$inputs" -seed="$seed" -rss_limit_mb=4096 -timeout=20 -print_final_stats=1 \
		-artifact_prefix="$build/$name-" "$found/$name" "corpus/$name" >"$build/$name.log" 2>&1; then
		echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") inputs"
	else
		tail -n 40 "$build/$name.log"
		failed=1
	fi
done
exit $failed
