// SPDX-License-Identifier: GPL-2.0-only
#include "posted/names.h"

#include "base/mem.h"
#include "posted/figure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t name_next_word(const char *text, size_t len, size_t *at)
{
	size_t n = 0;

	while (*at < len && !isalnum((unsigned char)text[*at]))
		++*at;
	while (*at + n < len && isalnum((unsigned char)text[*at + n]))
		n++;
	return n;
}

bool name_word_is(const char *text, size_t len, const char *word)
{
	return len && (*text | 0x20) == *word && strlen(word) == len &&
	       !strncasecmp(text, word, len);
}

bool name_has_word(const char *text, size_t len, const char *word)
{
	size_t at = 0, n;

	for (; (n = name_next_word(text, len, &at)); at += n)
		if (name_word_is(text + at, n, word))
			return true;
	return false;
}

/* How many numbers with dots between them begin at @s: 3 for "6.5.13". *end: behind them. */
static size_t dotted_numbers(const char *s, const char *limit, const char **end)
{
	size_t n = 0;

	while (s < limit && isdigit((unsigned char)*s)) {
		while (s < limit && isdigit((unsigned char)*s))
			s++;
		n++;
		*end = s;
		if (s + 1 >= limit || *s != '.')
			break;
		s++;
	}
	return n;
}

/* "v6.1", "v2", "6.15-rc4", "6.5.13" anywhere; "6.9" only alone or behind "kernel" or "Linux" */
static bool has_version(const char *text, size_t len)
{
	const char *limit = text + len, *end = text;
	bool named = false;
	size_t at = 0, n;

	for (; (n = name_next_word(text, len, &at)); at += n) {
		const char *s = text + at;
		size_t numbers = dotted_numbers(s, limit, &end);

		if (n > 1 && strchr("vV", *s) && isdigit((unsigned char)s[1]))
			return true;
		if (n > 2 && !strncasecmp(s, "rc", 2) && isdigit((unsigned char)s[2]))
			return true;
		if (numbers >= 3 || (numbers == 2 && (named || (at == 0 && end == limit))))
			return true;
		named = name_word_is(s, n, "kernel") || name_word_is(s, n, "linux");
	}
	return false;
}

/* Words that name variants; @base: what others are compared with. */
static const struct side_word {
	const char *word;
	unsigned char len;
	bool base;
} side_words[] = {
#define WORD(word, base)                                                                           \
	{                                                                                          \
		word, sizeof(word) - 1, base                                                       \
	}
	WORD("base", true),	 WORD("baseline", true), WORD("before", true),
	WORD("without", true),	 WORD("vanilla", true),	 WORD("mainline", true),
	WORD("stock", true),	 WORD("control", true),	 WORD("tip", true),
	WORD("unpatched", true), WORD("old", true),	 WORD("orig", true),
	WORD("original", true),	 WORD("master", true),	 WORD("after", false),
	WORD("with", false),	 WORD("patched", false), WORD("patch", false),
	WORD("patches", false),	 WORD("new", false),	 WORD("revert", false),
	WORD("reverted", false), WORD("fixed", false),	 WORD("fix", false),
	WORD("default", false),	 WORD("eevdf", false),	 WORD("cfs", false),
	WORD("scx", false),	 WORD("enabled", false), WORD("disabled", false),
	WORD("good", false),	 WORD("bad", false),	 WORD("test", false),
#undef WORD
};

static const struct side_word *side_word(const char *s, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(side_words); i++)
		if (side_words[i].len == n && (*s | 0x20) == *side_words[i].word &&
		    !strncasecmp(s, side_words[i].word, n))
			return &side_words[i];
	return NULL;
}

bool name_is_base(const char *text, size_t len)
{
	const struct side_word *word;
	size_t at = 0, n;

	for (; (n = name_next_word(text, len, &at)); at += n) {
		word = side_word(text + at, n);
		if (word && word->base)
			return true;
	}
	return name_word_is(text, len, "a");
}

bool name_is_side(const char *text, size_t len)
{
	size_t at = 0, n;

	for (; (n = name_next_word(text, len, &at)); at += n)
		if (side_word(text + at, n))
			return true;
	return name_word_is(text, len, "a") || name_word_is(text, len, "b") ||
	       has_version(text, len);
}

/* "MB/s", "ops/s)": a second below the line, not "cores/socket" */
static bool is_rate(const char *name)
{
	for (const char *s = strstr(name, "/s"); s; s = strstr(s + 1, "/s"))
		if (!isalnum((unsigned char)s[2]))
			return true;
	return false;
}

enum better name_better(const char *name)
{
	static const struct {
		const char *part;
		enum better better;
	} parts[] = {
		{ "latenc", BETTER_LOWER },	   { "sec/op", BETTER_LOWER },
		{ "secs/op", BETTER_LOWER },	   { "ns/op", BETTER_LOWER },
		{ "per_sec", BETTER_HIGHER },	   { "per sec", BETTER_HIGHER },
		{ "_ops", BETTER_HIGHER },	   { "throughput", BETTER_HIGHER },
		{ "score", BETTER_HIGHER },	   { "rps", BETTER_HIGHER },
		{ "tps", BETTER_HIGHER },	   { "qps", BETTER_HIGHER },
		{ "iops", BETTER_HIGHER },	   { "bandwidth", BETTER_HIGHER },
		{ "transactions", BETTER_HIGHER }, { "specjbb", BETTER_HIGHER },
		{ "stream copy", BETTER_HIGHER },  { "stream scale", BETTER_HIGHER },
		{ "stream add", BETTER_HIGHER },   { "stream triad", BETTER_HIGHER },
		{ "unixbench", BETTER_HIGHER },	   { "tbench", BETTER_HIGHER },
		{ "netperf", BETTER_HIGHER },	   { "hackbench", BETTER_LOWER },
		{ "schbench", BETTER_LOWER },	   { "elapsed", BETTER_LOWER },
		{ "seconds", BETTER_LOWER },	   { "elsp", BETTER_LOWER },
		{ "time", BETTER_LOWER },	   { "usec", BETTER_LOWER },
		{ "msec", BETTER_LOWER },	   { "(us)", BETTER_LOWER },
		{ "(ms)", BETTER_LOWER },	   { "(s)", BETTER_LOWER },
		{ "(sec", BETTER_LOWER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strcasestr(name, parts[i].part))
			return parts[i].better;
	return is_rate(name) ? BETTER_HIGHER : BETTER_NONE;
}

static const struct column_word {
	const char *word;
	unsigned char len;
	enum column column;
} column_words[] = {
#define WORD(word, column)                                                                         \
	{                                                                                          \
		word, sizeof(word) - 1, column                                                     \
	}
	/* words that say no more than that a figure is there */
	WORD("standard", COLUMN_FILLER),
	WORD("dev", COLUMN_FILLER),
	WORD("percent", COLUMN_FILLER),
	WORD("pct", COLUMN_FILLER),
	WORD("relative", COLUMN_FILLER),
	WORD("value", COLUMN_FILLER),
	WORD("mean", COLUMN_MEAN),
	WORD("avg", COLUMN_MEAN),
	WORD("average", COLUMN_MEAN),
	WORD("amean", COLUMN_MEAN),
	WORD("hmean", COLUMN_MEAN),
	WORD("median", COLUMN_MEDIAN),
	WORD("min", COLUMN_MIN),
	WORD("minimum", COLUMN_MIN),
	WORD("max", COLUMN_MAX),
	WORD("maximum", COLUMN_MAX),
	WORD("sd", COLUMN_SD),
	WORD("std", COLUMN_SD),
	WORD("stddev", COLUMN_SD),
	WORD("stdev", COLUMN_SD),
	WORD("deviation", COLUMN_SD),
	WORD("cv", COLUMN_SD),
	WORD("se", COLUMN_SE),
	WORD("sem", COLUMN_SE),
	WORD("stderr", COLUMN_SE),
	WORD("error", COLUMN_SE),
	WORD("spread", COLUMN_SPREAD),
	WORD("n", COLUMN_COUNT),
	WORD("runs", COLUMN_COUNT),
	WORD("iterations", COLUMN_COUNT),
	WORD("repeats", COLUMN_COUNT),
	WORD("p", COLUMN_P),
	WORD("pvalue", COLUMN_P),
	WORD("unit", COLUMN_UNIT),
	WORD("units", COLUMN_UNIT),
	WORD("better", COLUMN_BETTER),
	WORD("variant", COLUMN_VARIANT),
	WORD("side", COLUMN_VARIANT),
	WORD("kernel", COLUMN_VARIANT),
	WORD("version", COLUMN_VARIANT),
	WORD("hangs", COLUMN_HUNG),
	WORD("hang", COLUMN_HUNG),
	WORD("hung", COLUMN_HUNG),
	WORD("failed", COLUMN_FAILED),
	WORD("failures", COLUMN_FAILED),
	WORD("fails", COLUMN_FAILED),
	WORD("gain", COLUMN_PERCENT),
	WORD("change", COLUMN_PERCENT),
	WORD("diff", COLUMN_PERCENT),
	WORD("delta", COLUMN_PERCENT),
	WORD("improvement", COLUMN_PERCENT),
	WORD("imp", COLUMN_PERCENT),
	WORD("regression", COLUMN_PERCENT),
	WORD("speedup", COLUMN_PERCENT),
#undef WORD
};

/* "r1", "run3", "iter2", "1" behind '_' or '#' */
static bool is_run_word(const char *text, size_t at, size_t n)
{
	size_t letters = 0;

	while (letters < n && isalpha((unsigned char)text[at + letters]))
		letters++;
	for (size_t i = letters; i < n; i++)
		if (!isdigit((unsigned char)text[at + i]))
			return false;
	if (letters == n)
		return false;
	if (!letters)
		return at > 0 && (text[at - 1] == '_' || text[at - 1] == '#');
	return name_word_is(text + at, letters, "r") || name_word_is(text + at, letters, "run") ||
	       name_word_is(text + at, letters, "iter") ||
	       name_word_is(text + at, letters, "sample");
}

static enum column column_of(const char *text, size_t at, size_t n)
{
	char first = (char)(text[at] | 0x20);

	for (size_t i = 0; i < ARRAY_SIZE(column_words); i++)
		if (column_words[i].len == n && first == *column_words[i].word &&
		    !strncasecmp(text + at, column_words[i].word, n))
			return column_words[i].column;
	return is_run_word(text, at, n) ? COLUMN_RUN : COLUMN_OTHER;
}

/* Of several words of statistics the last counts, but a spread of something is a spread. */
static void add_word(struct heading *heading, enum column column)
{
	bool spread = heading->column >= COLUMN_SD && heading->column <= COLUMN_SPREAD;

	if (column != COLUMN_FILLER && !spread)
		heading->column = column;
}

void heading_read(struct heading *heading, const char *text, size_t len)
{
	size_t at = 0, n, begin = len, end = 0;

	*heading = (struct heading){ .percent = memchr(text, '%', len) != NULL };
	for (; (n = name_next_word(text, len, &at)); at += n) {
		enum column column = column_of(text, at, n);

		if (column == COLUMN_OTHER) {
			begin = begin < at ? begin : at;
			end = at + n;
			continue;
		}
		heading->percent |=
			name_word_is(text + at, n, "percent") || name_word_is(text + at, n, "pct");
		add_word(heading, column);
	}
	if (heading->column == COLUMN_OTHER && heading->percent)
		heading->column = COLUMN_PERCENT;
	if (begin < end) {
		/* "pin+patch", "6.15-rc4": signs inside belong to the name */
		heading->side = text + begin;
		heading->side_len = end - begin;
	}
}
