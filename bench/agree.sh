#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# bench/agree.sh SCHEDPROOF KERNEL[,KERNEL...] - write doc/AGREEMENT-TABLE.md: the model against kernel cores (schedproof kernel list) on
# a dozen machines. Some minutes of CPU time.
set -eu
schedproof=$(realpath "$1")
cd "$(dirname "$0")/.."
out=doc/AGREEMENT-TABLE.md
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
{
	echo "# Agreement of the model with kernels"
	echo
	echo "Made by \`bench/agree.sh\`; doc/AGREEMENT.md tells what is compared and how it is counted. A field says how many runs"
	echo "came to their end without a difference, of how many, and which kind of difference ended the others."
	"$schedproof" agree --table --kernel "$2" --runs "${RUNS:-4}" --length "${LENGTH:-1000}"
} >"$tmp"
cp "$tmp" "$out"
