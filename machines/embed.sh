#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Writes a C table of the machine files named, for src/topo/preset.c: { "name", "text" }, ...
for file; do
	printf '{ "%s",\n' "$(basename "$file" .machine)"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' "$file"
	printf '},\n'
done
