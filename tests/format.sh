#!/bin/sh
# tests/format.sh - the sources are as clang-format leaves them.
set -eu
cd "$(dirname "$0")/.."
find src fuzz tests -name '*.[ch]' ! -name list.h -print0 | xargs -0 clang-format --dry-run -Werror
