#!/bin/sh
# tests/score.sh BUILD [--make] - bench/verdict misses none of its marks V1 ... V12.
# It says the same each time and takes minutes of CPUs. So it isn't repeated where all that it is made of is what doc/SCORE.md was made of,
# whose last line is the hash of that; the suite "score" tests a thirtieth in any case. --make: writes doc/SCORE.md anew.
set -eu
cd "$(dirname "$0")/.."
verdict=$1/bench/verdict
score=doc/SCORE.md
series=tests/data/traces

# its own files, and what they include of src/base
sources() {
	set -- $(find src/stats bench/between* bench/peers* bench/score* bench/spec_rows* bench/verdict* tests/noise.[ch] \
		tests/traces.[ch] $series -type f ! -name '*_test.c')
	for base in $(grep -ho '"base/[a-z_]*' "$@" | sort -u); do
		set -- "$@" "src/${base#?}".[ch]
	done
	printf '%s\n' "$@" | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d ' ' -f 1
}
sum="Sources: $(sources)"
made=$(mktemp)
trap 'rm -f "$made"' EXIT

case "${2:-}" in
'')
	if [ "$(tail -n 1 $score)" = "$sum" ]; then
		echo "skipped: $score is of these sources, the whole would say the same again"
		exit 0
	fi
	"$verdict" $series >"$made"
	tail -n 1 "$made"
	echo "$score is of other sources: tests/score.sh $1 --make"
	;;
--make)
	{ "$verdict" $series && "$verdict" --peers 5 $series && printf '\n%s\n' "$sum"; } >"$made"
	cat "$made" >$score
	;;
*)
	echo "usage: $0 BUILD [--make]" >&2
	exit 2
	;;
esac
