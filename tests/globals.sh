#!/bin/sh
# tests/globals.sh BUILD - the libraries hold no writable data: state is passed down, tables are const.
set -eu
find "$1/src" -name '*.a' -print0 | xargs -0 size -A |
	awk '/:$/ || / :$/ { file = $1 } ($1 ~ /^\.(data|bss|tdata|tbss)(\.[^r].*)?$/) && $2 > 0 {
		print "writable globals in " file " of " $1; bad = 1 } END { exit bad }'
