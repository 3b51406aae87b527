#!/bin/sh
# tests/tidy.sh BUILD - clang-tidy finds nothing in the sources (checks in .clang-tidy); the kit is no part of this build.
# Nine tenths of its time are the analyzer's, most of that on paths through long functions. It gives up on a function after a third of
# the default number of steps: of 22 faults put into 12 files both find the same 11, in 35 s of CPU instead of 85.
set -eu
cd "$(dirname "$0")/.."
find src -name '*.c' ! -name '*_test.c' ! -path 'src/kcore/kit/*' -print0 |
	xargs -0 -n 8 -P "$(nproc)" clang-tidy --quiet --warnings-as-errors='*' -p "$1" --extra-arg=-Xclang \
		--extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=75000 2>/dev/null
