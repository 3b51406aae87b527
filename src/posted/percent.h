/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/percent.h - which convention a column of percents follows, found by computing it again. */
#ifndef POSTED_PERCENT_H
#define POSTED_PERCENT_H

#include "posted/posted.h"

#include <stdbool.h>
#include <stddef.h>

/* Forms that posters use; a gain is positive where B is better. */
enum percent_form {
	PERCENT_NONE,	  /* fits none, or nothing was posted */
	PERCENT_GAIN_A,	  /* gain as part of A */
	PERCENT_CHANGE_A, /* (B - A) / A */
	PERCENT_LOSS_A,	  /* gain with the sign turned, as part of A */
	PERCENT_GAIN_B,	  /* gain as part of B: 50 % less time is +100 % */
	PERCENT_CHANGE_B, /* (B - A) / B */
	PERCENT_LOSS_B,
	PERCENT_RATIO,	 /* B / A */
	PERCENT_INVERSE, /* A / B */
	NR_PERCENT_FORMS,
};

/** percent_form_words() - "(B - A) / A", "gain / A" with what plus means; static */
const char *percent_form_words(enum percent_form form);

/**
 * percent_fits() - could the posted percent of side @s be of @form, given the decimals that were printed?
 *
 * Figures may be anything that rounds to what was printed.
 */
bool percent_fits(const struct posted_row *row, size_t s, enum percent_form form);

/** percent_is_cut() - is the posted percent that of @form with digits cut off instead of rounded? */
bool percent_is_cut(const struct posted_row *row, size_t s, enum percent_form form);

/** percent_of() - of that form, from the figures as printed; @row has means of both sides */
double percent_of(const struct posted_row *row, size_t s, enum percent_form form);

/** percent_can_be_checked() - are both figures and a percent there? */
bool percent_can_be_checked(const struct posted_row *row, size_t s);

/** percent_effect() - B / A - 1 from the posted percent alone. Return: false where its sign's meaning is not known */
bool percent_effect(double *effect, const struct posted_row *row, size_t s, enum posted_sign sign);

/**
 * percent_find() - the form that fits most rows of the table
 *
 * Where several fit as many, what the poster said of the sign decides, then the order above.
 */
enum percent_form percent_find(const struct posted_table *table);

#endif
