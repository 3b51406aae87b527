#!/bin/sh
# tests/headers.sh - every header compiles alone. List files have no guard and are left out; the kit's are a kernel's.
set -eu
cd "$(dirname "$0")/.."
find src -name '*.h' ! -name list.h ! -path 'src/kcore/kit/*' -print0 | xargs -0 -n 1 -P "$(nproc)" sh -c '
	${CC:-cc} -std=c17 -D_GNU_SOURCE -Isrc -Itests -Wall -Wextra -Werror -fsyntax-only -x c "$1" ||
		{ echo "$1 does not compile alone"; exit 1; }' sh
echo "$(find src -name '*.h' ! -name list.h ! -path 'src/kcore/kit/*' | wc -l) headers"
