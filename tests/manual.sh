#!/bin/sh
# tests/manual.sh PROGRAM PAGE - the manual names every command and option that --help names, and man reads it.
set -eu
program=$1
page=$2
for command in $("$program" help | awk '/^commands:/{on=1;next} /^$/{on=0} on && /^  [a-z]/{print $1}'); do
	echo ".SS schedproof $command"
	"$program" "$command" --help | sed -n '/^  --help/d; s/^  \(--[a-z-]*\).*/.B \1/p'
done | awk '
	!page { wanted[$0] = 1; n++; next }
	{ gsub(/\\-/, "-") }
	match($0, /^(\.SS schedproof|\.B) [a-z-]+/) { delete wanted[substr($0, 1, RLENGTH)] }
	END {
		for (line in wanted) {
			print FILENAME " lacks " line
			lacks = 1
		}
		if (n < 30) {
			print "only " n + 0 " commands and options seen: this test reads --help wrongly"
			lacks = 1
		}
		exit lacks
	}' page=0 - page=1 "$page"
if ! command -v man >/dev/null; then
	echo "skipped: man reads the page (man-db is not installed)"
	exit 0
fi
warnings=$(man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
[ -z "$warnings" ] || { echo "$warnings"; exit 1; }
