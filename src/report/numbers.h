/* SPDX-License-Identifier: GPL-2.0-only */
/* report/numbers.h - figures as they are read: few digits, one multiple of the unit in a row. */
#ifndef REPORT_NUMBERS_H
#define REPORT_NUMBERS_H

#include "base/metric.h"
#include "stats/verdict.h"

/* Room for any figure with its sign and suffix. */
#define NUMBER_SIZE   40
#define INTERVAL_SIZE (2 * NUMBER_SIZE + 4)

/**
 * struct number_form - how the figures of one row are written
 * @factor:   of the multiple
 * @decimals: behind the point; negative: three digits and an exponent
 * @unit:     to write once for the row ("us", "k/s"), "" if none; static
 * @suffix:   to write behind each figure ("k" of a count), "" if none; static
 */
struct number_form {
	double factor;
	int decimals;
	const char *unit;
	const char *suffix;
};

/** number_fit() - four digits for the larger of two figures, none behind the point for whole counts */
void number_fit(struct number_form *form, enum unit unit, double a, double b);

/** number_print() - "12.31", "12.31k", "0" */
void number_print(char text[NUMBER_SIZE], const struct number_form *form, double value);

/**
 * struct change_form - how effect, interval and mde of one verdict are written
 * @relative: percent, with one decimal, or two where the interval is narrower than half a percent
 * @number:   otherwise, differences in the row's unit
 */
struct change_form {
	bool relative;
	int decimals;
	struct number_form number;
};

/** change_fit() - @unit is the row's; the multiple is that of number_fit() for its medians */
void change_fit(struct change_form *form, const struct verdict *verdict, enum unit unit);

/** change_print() - "-2.0%", "+1230%", "0.0%"; or "+1.25" in the unit of @form */
void change_print(char text[NUMBER_SIZE], const struct change_form *form, double change);

/** interval_print() - "[-2.9,-1.1]", in percent where the change is */
void interval_print(char text[INTERVAL_SIZE], const struct change_form *form,
		    const struct interval *ci);

/** size_print() - "1.8%"; or "1.25 us" */
void size_print(char text[NUMBER_SIZE], const struct change_form *form, double size);

/** p_print() - "0.031", "<.001" */
void p_print(char text[NUMBER_SIZE], double p);

#endif
