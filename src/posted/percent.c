// SPDX-License-Identifier: GPL-2.0-only
#include "posted/percent.h"

#include <math.h>

const char *percent_form_words(enum percent_form form)
{
	static const char *const words[NR_PERCENT_FORMS] = {
		[PERCENT_NONE] = "none that is known",
		[PERCENT_GAIN_A] = "plus is better, part of A",
		[PERCENT_CHANGE_A] = "(B - A) / A",
		[PERCENT_LOSS_A] = "plus is worse, part of A",
		[PERCENT_GAIN_B] = "plus is better, part of B",
		[PERCENT_CHANGE_B] = "(B - A) / B",
		[PERCENT_LOSS_B] = "plus is worse, part of B",
		[PERCENT_RATIO] = "B / A",
		[PERCENT_INVERSE] = "A / B",
	};

	return words[form];
}

static double compute(double a, double b, enum better better, enum percent_form form)
{
	double gain = better == BETTER_HIGHER ? b - a : a - b;

	switch (form) {
	case PERCENT_GAIN_A:
		return 100 * gain / a;
	case PERCENT_CHANGE_A:
		return 100 * (b - a) / a;
	case PERCENT_LOSS_A:
		return -100 * gain / a;
	case PERCENT_GAIN_B:
		return 100 * gain / b;
	case PERCENT_CHANGE_B:
		return 100 * (b - a) / b;
	case PERCENT_LOSS_B:
		return -100 * gain / b;
	case PERCENT_RATIO:
		return 100 * b / a;
	case PERCENT_INVERSE:
		return 100 * a / b;
	default:
		return NAN;
	}
}

static bool needs_better(enum percent_form form)
{
	return form == PERCENT_GAIN_A || form == PERCENT_LOSS_A || form == PERCENT_GAIN_B ||
	       form == PERCENT_LOSS_B;
}

double percent_of(const struct posted_row *row, size_t s, enum percent_form form)
{
	return compute(row->sides[0].mean, row->sides[s].mean, row->better, form);
}

bool percent_can_be_checked(const struct posted_row *row, size_t s)
{
	return row->percents[s].stated && row->sides[0].has_mean && row->sides[s].has_mean &&
	       row->sides[0].mean != 0 && row->sides[s].mean != 0;
}

/* Any of the forms is monotone in both figures: the corners of what rounds to them bound it. */
bool percent_fits(const struct posted_row *row, size_t s, enum percent_form form)
{
	const struct posted_side *a = &row->sides[0], *b = &row->sides[s];
	double lo = INFINITY, hi = -INFINITY, room = row->percents[s].step * 0.501;

	if (form == PERCENT_NONE || (needs_better(form) && row->better == BETTER_NONE))
		return false;
	for (int i = 0; i < 4; i++) {
		double x = a->mean + (i & 1 ? 0.5 : -0.5) * a->step;
		double y = b->mean + (i & 2 ? 0.5 : -0.5) * b->step;
		double percent = compute(x, y, row->better, form);

		lo = fmin(lo, percent);
		hi = fmax(hi, percent);
	}
	return row->percents[s].percent >= lo - room && row->percents[s].percent <= hi + room;
}

bool percent_is_cut(const struct posted_row *row, size_t s, enum percent_form form)
{
	double step = row->percents[s].step, exact = percent_of(row, s, form);

	return fabs(trunc(exact / step) * step - row->percents[s].percent) < 1e-3 * step;
}

static bool sign_agrees(enum posted_sign sign, enum percent_form form)
{
	switch (sign) {
	case POSTED_SIGN_RAW:
		return form == PERCENT_CHANGE_A || form == PERCENT_CHANGE_B;
	case POSTED_SIGN_GAIN:
		return form == PERCENT_GAIN_A || form == PERCENT_GAIN_B;
	case POSTED_SIGN_REGRESSION:
		return form == PERCENT_LOSS_A || form == PERCENT_LOSS_B;
	default:
		return false;
	}
}

static size_t count_fits(const struct posted_table *table, enum percent_form form)
{
	size_t n = 0;

	for (size_t i = 0; i < table->nr_rows; i++)
		for (size_t s = 1; s < table->nr_sides; s++)
			n += percent_can_be_checked(&table->rows[i], s) &&
			     percent_fits(&table->rows[i], s, form);
	return n;
}

enum percent_form percent_find(const struct posted_table *table)
{
	enum percent_form best = PERCENT_NONE;
	size_t most = 0;

	for (int form = PERCENT_NONE + 1; form < NR_PERCENT_FORMS; form++) {
		size_t n = count_fits(table, form);

		if (n > most || (n && n == most && sign_agrees(table->sign, form) &&
				 !sign_agrees(table->sign, best))) {
			most = n;
			best = form;
		}
	}
	return best;
}

bool percent_effect(double *effect, const struct posted_row *row, size_t s, enum posted_sign sign)
{
	double part = row->percents[s].percent / 100;
	bool lower = row->better == BETTER_LOWER;

	*effect = part;
	if (sign == POSTED_SIGN_RAW)
		return true;
	if (sign == POSTED_SIGN_UNKNOWN)
		return false;
	if (row->better == BETTER_NONE)
		return true; /* whatever it is: as posted */
	if ((sign == POSTED_SIGN_GAIN) == lower)
		*effect = -part;
	return true;
}
