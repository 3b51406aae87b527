// SPDX-License-Identifier: GPL-2.0-only
/* agree/passes.c - balancing as /proc/schedstat counts it: a line a domain, as it grew since the warm-up. */
#include "agree/parts.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void put(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

static char *stat_of(const struct agree_side *side)
{
	struct strbuf sb = { 0 };

	side->ops->schedstat(side->core, put, &sb);
	return strbuf_take(&sb);
}

void agree_passes_begin(struct agree_pair *pair)
{
	for (int i = 0; i < 2; i++)
		pair->side[i].passes = stat_of(&pair->side[i]);
}

/* struct lines - four texts in step: of each side, as it was and as it is; @words: before the numbers of its domains' lines */
struct lines {
	const char *was[2], *is[2];
	int words[2];
};

/* From version 17 on a domain has a name, beside its number and its mask. */
static int words_of(const char *text)
{
	return strncmp(text, "version ", 8) != 0 || strtoul(text + 8, NULL, 10) < 17 ? 2 : 3;
}

/* The next line, or the end of the text. */
static const char *next_line(const char *text)
{
	text += strcspn(text, "\n");
	return text + (*text == '\n');
}

/* Behind the words of a domain's line, none of which has a blank. */
static const char *numbers_of(const char *line, int words)
{
	for (int word = 0; word < words; word++) {
		line += strcspn(line, " \n");
		line += *line == ' ';
	}
	return line;
}

static bool end_of_line(const char *text)
{
	return !*text || *text == '\n';
}

/* Each number as it grew. */
static bool same_growth(const struct lines *lines)
{
	const char *was[2], *is[2];

	for (int i = 0; i < 2; i++) {
		was[i] = numbers_of(lines->was[i], lines->words[i]);
		is[i] = numbers_of(lines->is[i], lines->words[i]);
	}
	while (!end_of_line(is[0]) && !end_of_line(is[1])) {
		uint32_t grown[2];

		for (int i = 0; i < 2; i++) {
			char *end;

			grown[i] = (uint32_t)strtoul(is[i], &end, 10);
			if (end == is[i])
				return false; /* no number, so not what both are taken for */
			is[i] = end + (*end == ' ');
			grown[i] -= (uint32_t)strtoul(was[i], &end, 10);
			was[i] = end + (*end == ' ');
		}
		if (grown[0] != grown[1])
			return false;
	}
	return end_of_line(is[0]) && end_of_line(is[1]);
}

static void tell_line(struct strbuf *sb, const char *who, const char *was, const char *is)
{
	strbuf_addf(sb, "\n  %s, as it was and as it is:\n    %.*s\n    %.*s", who,
		    (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

static void compare_line(struct agree_pair *pair, const struct lines *lines, uint32_t cpu)
{
	const bool same = same_growth(lines);

	agree_judge(pair, AGREE_PASSES, same, "%.*s of CPU %u", (int)strcspn(lines->is[0], " "),
		    lines->is[0], cpu);
	if (same)
		return;
	tell_line(&pair->words, "the first", lines->was[0], lines->is[0]);
	tell_line(&pair->words, "the second", lines->was[1], lines->is[1]);
}

static void step(struct lines *lines)
{
	for (int i = 0; i < 2; i++) {
		lines->was[i] = next_line(lines->was[i]);
		lines->is[i] = next_line(lines->is[i]);
	}
}

static bool all_are(const struct lines *lines, const char *word)
{
	const size_t n = strlen(word);

	return !strncmp(lines->was[0], word, n) && !strncmp(lines->was[1], word, n) &&
	       !strncmp(lines->is[0], word, n) && !strncmp(lines->is[1], word, n);
}

void agree_compare_passes(struct agree_pair *pair)
{
	char *is[2] = { stat_of(&pair->side[0]), stat_of(&pair->side[1]) };
	struct lines lines = { { pair->side[0].passes, pair->side[1].passes },
			       { is[0], is[1] },
			       { words_of(is[0]), words_of(is[1]) } };
	uint32_t cpu = 0;

	for (; *lines.is[0] && !agree_pair_over(pair); step(&lines))
		if (all_are(&lines, "domain"))
			compare_line(pair, &lines, cpu);
		else if (all_are(&lines, "cpu"))
			cpu = (uint32_t)strtoul(lines.is[0] + 3, NULL, 10);
	free(is[0]);
	free(is[1]);
}
