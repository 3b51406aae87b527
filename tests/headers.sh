#!/bin/sh
# tests/headers.sh - every header compiles alone. List files have no guard and are left out; the kit's are a kernel's.
set -eu
cd "$(dirname "$0")/.."
n=0
for header in $(find src -name '*.h' ! -name list.h ! -path 'src/kcore/kit/*' | sort); do
	${CC:-cc} -std=c17 -D_GNU_SOURCE -Isrc -Wall -Wextra -Werror -fsyntax-only -x c "$header" ||
		{ echo "$header does not compile alone"; exit 1; }
	n=$((n + 1))
done
echo "$n headers"
