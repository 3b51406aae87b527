/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/figure.h - a figure as tables print it: number, unit, and what stands behind it in brackets. */
#ifndef POSTED_FIGURE_H
#define POSTED_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#define FIGURE_MAX_MARKS 4U

/**
 * struct figure_mark - a number that belongs to the figure before it
 * @open: '(' '[' '*' (mmtests' significant ones) or '+' for "+-"
 */
struct figure_mark {
	char open;
	double value, step;
	bool percent;
};

/**
 * struct figure
 * @value:   with the multiple of its suffix: 1.5k is 1500, 1.7u is 1.7e-6
 * @step:    of its last decimal, on the same scale
 * @signed_: a sign was printed
 * @percent: a % stood behind it
 * @unit:    letters behind it, perhaps with a blank between, that are a unit ("ms", "MB/s"), "" if none
 * @at:      where it begins in its line, set by figures_trailing()
 */
struct figure {
	double value, step;
	bool signed_, percent;
	char unit[12];
	struct figure_mark marks[FIGURE_MAX_MARKS];
	size_t nr_marks;
	size_t at;
};

/**
 * figure_scan() - read the figure at the start of @s, with its marks
 *
 * "1,234.5", "-0.5%", "1.2e+03%", "12ms", "1.72u +- 1%", "0.98 [  2.29]( 3.19)", "315.58 *   2.86%*". What is part
 * of a word, a version, a date or a list is no figure: "6.15.2", "0-3", "2nd", "10:30", "1/20".
 *
 * Return: where it ends, NULL if there is none.
 */
const char *figure_scan(struct figure *figure, const char *s);

/** figure_whole() - is all of @s one figure, but for blanks behind it? Fills @figure then */
bool figure_whole(struct figure *figure, const char *s);

/** unit_factor() - what a figure in @from is to be multiplied by to be one in @to. Return: false if it can't be: ms in MB/s */
bool unit_factor(double *factor, const char *from, const char *to);

/** figure_number() - a bare number with thousands' commas at the start of @s; @step may be NULL. Return: its end or NULL */
const char *figure_number(double *value, double *step, const char *s);

/** figure_mark_find() - first mark opened by @open, or NULL */
const struct figure_mark *figure_mark_find(const struct figure *figure, char open);

/**
 * figures_trailing() - the figures at the end of a line
 * @figures: filled with the last up to @max >= 1 of them
 * @label:   length of @s before the first of these, without the blanks in between
 *
 * Return: how many.
 */
size_t figures_trailing(struct figure *figures, size_t max, const char *s, size_t *label);

/** figure_word() - length of the word at @s, up to a blank or '|' */
size_t figure_word(const char *s);

#endif
