/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/names.h - what the words of table headings mean. */
#ifndef POSTED_NAMES_H
#define POSTED_NAMES_H

#include "base/metric.h"

#include <stdbool.h>
#include <stddef.h>

/** name_next_word() - length of the next word of text[len] at or behind *@at, which is moved there; 0 behind the last */
size_t name_next_word(const char *text, size_t len, size_t *at);

/** name_word_is() - is text[len] that word, in any case of letters? @word is in small ones */
bool name_word_is(const char *text, size_t len, const char *word);

/** name_has_word() - is @word among the words of text[len]? Words are letters and digits; case does not matter */
bool name_has_word(const char *text, size_t len, const char *word);

/**
 * name_is_side() - may text[len] name a variant?
 *
 * "base", "before", "after", "with", "without", "vanilla", "tip", "patched", "v2", "6.15-rc4", "revert", ...
 */
bool name_is_side(const char *text, size_t len);

/** name_is_base() - one that others are compared to: "before", "base", "without", "vanilla", ... */
bool name_is_base(const char *text, size_t len);

/** name_better() - which way is better for a metric of this name; BETTER_NONE if the name does not tell */
enum better name_better(const char *name);

/**
 * enum column - what a heading says is below it
 * COLUMN_OTHER has no word of statistics in it: a label, or a mean of the side that it names
 */
enum column {
	COLUMN_OTHER,
	COLUMN_MEAN,
	COLUMN_MEDIAN,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_SD,
	COLUMN_SE,
	COLUMN_SPREAD, /* of a kind that the heading leaves open */
	COLUMN_COUNT,
	COLUMN_PERCENT,
	COLUMN_P,
	COLUMN_UNIT,
	COLUMN_BETTER,
	COLUMN_VARIANT, /* names the side */
	COLUMN_RUN,	/* raw value of one run */
	COLUMN_FAILED,
	COLUMN_HUNG,
	COLUMN_FILLER, /* a word of no meaning; no column's */
};

/**
 * struct heading - one column's
 * @side, @side_len: the words that are no word of statistics, borrowed; 0 if there are none
 * @percent: a % or the word is in it
 */
struct heading {
	enum column column;
	const char *side;
	size_t side_len;
	bool percent;
};

void heading_read(struct heading *heading, const char *text, size_t len);

#endif
