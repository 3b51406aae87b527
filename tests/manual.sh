#!/bin/sh
# tests/manual.sh PROGRAM PAGE - the manual names every command and option that --help names, and man reads it.
set -eu
program=$1
page=$2
plain=$(sed 's/\\-/-/g' "$page")
n=0
for command in $("$program" help | awk '/^commands:/{on=1;next} /^$/{on=0} on && /^  [a-z]/{print $1}'); do
	echo "$plain" | grep -q "^.SS schedproof $command" || { echo "$page lacks the command $command"; exit 1; }
	for option in $("$program" "$command" --help | grep -oE '^  --[a-z-]+' | grep -v -- --help); do
		echo "$plain" | grep -q -- "^.B $option" || { echo "$page lacks $command $option"; exit 1; }
		n=$((n + 1))
	done
done
[ "$n" -gt 10 ] || { echo "only $n options seen: this test reads --help wrongly"; exit 1; }
if ! command -v man >/dev/null; then
	echo "skipped: man reads the page (man-db is not installed)"
	exit 0
fi
warnings=$(man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
[ -z "$warnings" ] || { echo "$warnings"; exit 1; }
