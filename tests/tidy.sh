#!/bin/sh
# tests/tidy.sh BUILD - clang-tidy finds nothing in the sources (checks in .clang-tidy); the kit is no part of this build.
set -eu
cd "$(dirname "$0")/.."
find src -name '*.c' ! -name '*_test.c' ! -path 'src/kcore/kit/*' -print0 |
	xargs -0 -n 8 -P "$(nproc)" clang-tidy --quiet --warnings-as-errors='*' -p "$1" 2>/dev/null
