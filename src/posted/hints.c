// SPDX-License-Identifier: GPL-2.0-only
#include "posted/hints.h"

#include "base/mem.h"
#include "posted/names.h"

#include <stdlib.h>
#include <string.h>

#define LINES_ABOVE 12

static bool says(const char *s, const char *part)
{
	return strcasestr(s, part) != NULL;
}

static void hint_better(struct hints *hints, const char *s)
{
	if (says(s, "lower is better") || says(s, "smaller is better") ||
	    says(s, "less is better") || says(s, "lower the better"))
		hints->better = BETTER_LOWER;
	if (says(s, "higher is better") || says(s, "bigger is better") ||
	    says(s, "more is better") || says(s, "larger is better") ||
	    says(s, "higher the better"))
		hints->better = BETTER_HIGHER;
}

static void hint_spread(struct hints *hints, const char *s)
{
	if (says(s, "standard error") || says(s, "std err") || says(s, "stderr"))
		hints->spread = POSTED_SE;
	else if (says(s, "standard deviation") || says(s, "stddev") || says(s, "std dev") ||
		 says(s, "coefficient of variation"))
		hints->spread = POSTED_SD;
}

static void hint_sign(struct hints *hints, const char *s)
{
	if (!says(s, "positive") && !says(s, "+ is") && !says(s, "plus"))
		return;
	if (says(s, "improve") || says(s, "better") || says(s, "gain"))
		hints->sign = POSTED_SIGN_GAIN;
	else if (says(s, "regress") || says(s, "worse"))
		hints->sign = POSTED_SIGN_REGRESSION;
}

static void hint_order(struct hints *hints, const char *s)
{
	if (says(s, "random order") || says(s, "randomised order") || says(s, "randomized order"))
		hints->order = TRIAL_RANDOM;
}

static void hint_unit(struct hints *hints, const char *s)
{
	const char *unit = strcasestr(s, "unit:");
	size_t n;

	if (!unit)
		return;
	unit += strlen("unit:");
	unit += strspn(unit, " \t");
	n = strcspn(unit, " \t;,.");
	if (n && n < sizeof(hints->unit)) {
		memcpy(hints->unit, unit, n);
		hints->unit[n] = '\0';
	}
}

static bool is_count(const char *s, size_t len, uint64_t *n)
{
	static const char *const words[] = { "one", "two",   "three", "four", "five",
					     "six", "seven", "eight", "nine", "ten" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (name_word_is(s, len, words[i])) {
			*n = i + 1;
			return true;
		}
	if (!len || len > 5 || strspn(s, "0123456789") < len)
		return false;
	*n = strtoul(s, NULL, 10);
	return *n > 0;
}

/* "n = 5", "10 runs", "10 raw runs", "iterations 4" */
static void hint_n(struct hints *hints, const char *s)
{
	size_t len = strlen(s), at = 0, n, since = 9;
	uint64_t number = 0, count;
	bool name = false; /* the word before was "n" or "iterations" */

	for (; (n = name_next_word(s, len, &at)); at += n, since++) {
		const char *word = s + at;
		bool whole = at == 0 || !strchr(".,-/", s[at - 1]);

		if (whole && is_count(word, n, &count) && !strchr(".%/", word[n] ? word[n] : ' ')) {
			if (name)
				hints->n = count;
			number = count;
			since = 0;
		} else if (since <= 2 &&
			   (name_word_is(word, n, "run") || name_word_is(word, n, "runs") ||
			    name_word_is(word, n, "iterations") ||
			    name_word_is(word, n, "repetitions"))) {
			hints->n = number;
		}
		name = name_word_is(word, n, "n") || name_word_is(word, n, "iterations") ||
		       name_word_is(word, n, "repeat");
	}
}

void hints_line(struct hints *hints, const char *s)
{
	hint_better(hints, s);
	hint_spread(hints, s);
	hint_sign(hints, s);
	hint_order(hints, s);
	hint_unit(hints, s);
	hint_n(hints, s);
}

void hints_above(struct hints *hints, const struct reading *reading, size_t at)
{
	size_t from = at > reading->done + LINES_ABOVE ? at - LINES_ABOVE : reading->done;

	for (size_t i = from; i < at; i++)
		hints_line(hints, reading_line(reading, i));
}

static void apply_to_side(const struct hints *hints, struct posted_side *side)
{
	if (side->line && !side->n && !side->nr_values)
		side->n = hints->n;
}

void hints_apply(const struct hints *hints, struct posted_table *table)
{
	if (table->sign == POSTED_SIGN_UNKNOWN)
		table->sign = hints->sign;
	if (hints->order == TRIAL_RANDOM)
		table->order = TRIAL_RANDOM;
	for (size_t i = 0; i < table->nr_rows; i++) {
		struct posted_row *row = &table->rows[i];

		if (row->primary && row->better == BETTER_NONE)
			row->better = hints->better;
		if (!*row->unit)
			posted_row_set_unit(row, hints->unit, strlen(hints->unit));
		for (size_t s = 0; s < table->nr_sides; s++)
			apply_to_side(hints, &row->sides[s]);
	}
}
