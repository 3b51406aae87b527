#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# embed_kit.sh OUT DEPFILE CORE_H KIT - write a C table of all files of the kit, and of core/core.h, for src/kcore/kit.c:
# { "path", "text" }, ...; DEPFILE names the files and folders for ninja, so that a new file is noticed too.
set -eu
out=$1 depfile=$2 core=$3 kit=$4

entry() { # path in the table, file
	printf '{ "%s", ""\n' "$1"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' "$2"
	printf '},\n'
}

files=$(cd "$kit" && find . -type f ! -name README.md ! -name '.*' | LC_ALL=C sort)
{
	entry core/core.h "$core"
	for file in $files; do
		entry "${file#./}" "$kit/$file"
	done
} >"$out"
{
	printf '%s: %s' "$out" "$core"
	find "$kit" ! -name '.*' | sed 's/ /\\ /g' | while read -r path; do
		printf ' %s' "$path"
	done
	echo
} >"$depfile"
