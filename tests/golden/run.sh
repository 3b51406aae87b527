#!/bin/sh
# tests/golden/run.sh PROGRAM WORKER CASE - run the case's cmd in an empty folder and compare what it prints
# (standard output and standard error as they come, then the exit status) with its expect file. GOLDEN=update rewrites it.
set -u
program=$(realpath "$1")
worker=$(realpath "$2")
case=$3
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# what a case may use: $SP, its own store, and the repository's examples
SP=$program
WORKER=$worker
EXPERIMENTS=$here/../../experiments
CASE=$here/$case
XDG_DATA_HOME=$folder/data
XDG_STATE_HOME=$folder/state
export SP WORKER EXPERIMENTS CASE XDG_DATA_HOME XDG_STATE_HOME
LC_ALL=C sh "$here/$case/cmd" >"$folder/.out" 2>&1 </dev/null
echo "exit $?" >>"$folder/.out"
sed "s|$folder|FOLDER|g; s|$here/../../||g; s|$program|schedproof|g" "$folder/.out" >"$folder/.got"
if [ "${GOLDEN:-}" = update ]; then
	cp "$folder/.got" "$here/$case/expect"
	exit 0
fi
diff -u "$here/$case/expect" "$folder/.got"
