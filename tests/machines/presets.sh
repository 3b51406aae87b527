#!/bin/sh
# tests/machines/presets.sh - every file of machines/ is built in and stands in doc/TOPOLOGY.md, and nothing else does.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
files=$(ls machines | sed -n 's/\.machine$//p')
built=$(sed -n "s|.*machines/\(.*\)\.machine'.*|\1|p" src/topo/meson.build | sort)
told=$(sed -n '/^## Machines built in/,$s/^| `\([^`]*\)` |.*/\1/p' doc/TOPOLOGY.md | sort)
if [ "$files" != "$built" ] || [ "$files" != "$told" ]; then
	echo "machines/:          " $files
	echo "src/topo/meson.build:" $built
	echo "doc/TOPOLOGY.md:    " $told
	exit 1
fi
