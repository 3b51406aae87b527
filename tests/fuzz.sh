#!/bin/sh
# tests/fuzz.sh BUILD SECONDS - each fuzz target, for so long, from its corpus; finds are left in BUILD.
set -eu
build=$(cd "$1" && pwd)
seconds=$2
cd "$(dirname "$0")/../fuzz"
for source in *_fuzz.c; do
	target=${source%.c}
	name=${target%_fuzz}
	mkdir -p "$build/corpus/$name"
	if ! "$build/fuzz/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
		-artifact_prefix="$build/" "$build/corpus/$name" "corpus/$name" >"$build/$name.log" 2>&1; then
		tail -n 40 "$build/$name.log"
		exit 1
	fi
	echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") inputs"
done
