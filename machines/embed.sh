#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Writes a C table of the machine files named, for src/topo/preset.c: { "name", "text", "costs" }, ...
# Costs are of NAME.costs, where that is among the files too; else NULL.
text() {
	sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' "$1"
}
for file; do
	case $file in
	*.costs) continue ;;
	esac
	printf '{ "%s",\n' "$(basename "$file" .machine)"
	text "$file"
	case " $* " in
	*" ${file%.machine}.costs "*)
		printf ',\n'
		text "${file%.machine}.costs"
		;;
	*) printf ',\nNULL\n' ;;
	esac
	printf '},\n'
done
