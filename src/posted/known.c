// SPDX-License-Identifier: GPL-2.0-only
#include "posted/known.h"

#include "base/strbuf.h"
#include "posted/layout.h"
#include "stats/side.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define Z95	  1.96
#define MAX_NAMES 4

static void from_spread(struct known *known, const struct posted_side *side)
{
	double root = known->n ? sqrt((double)known->n) : 0;

	switch (side->spread_kind) {
	case POSTED_SD:
		known->has_sd = true;
		known->by_n = side->by_n && !known->n;
		known->sd = side->by_n && known->n > 1 ? summary_sample_sd(side->spread, known->n)
						       : side->spread;
		break;
	case POSTED_SE:
		known->has_se = true;
		known->se = side->spread;
		known->has_sd = root > 0;
		known->sd = side->spread * root;
		break;
	case POSTED_CI95:
		known->has_se = true;
		known->se = side->spread / Z95;
		break;
	default:
		break;
	}
}

void known_of(struct known *known, const struct posted_side *side, const struct posted_rule *rule)
{
	*known = (struct known){ .n = side->nr_values ? side->nr_values
				      : side->n	      ? side->n
						      : rule->n };
	if (side->nr_values) {
		struct side described = side_describe(side->values, side->nr_values);

		known->has_centre = true;
		known->centre = described.median;
		known->has_sd = described.n > 1;
		known->sd = described.sd;
		return;
	}
	known->has_centre = side->has_mean || side->has_median;
	known->centre = side->has_mean ? side->mean : side->median;
	from_spread(known, side);
}

/* Least and greatest standard deviation of n figures of that range: all others in the middle, or half at each end. */
static bool sd_is_possible(const struct posted_side *side, bool by_n)
{
	double range = side->max - side->min, n = (double)side->n, divisor = by_n ? n : n - 1;

	return side->spread >= 0.99 * range / sqrt(2 * divisor) &&
	       side->spread <= 1.01 * range / 2 * sqrt(n / divisor) + side->step;
}

static bool can_check_sd(const struct posted_side *side)
{
	return side->spread_kind == POSTED_SD && !side->at_most && side->has_range && side->n >= 2;
}

static bool mean_is_possible(const struct posted_side *side)
{
	if (!side->has_mean)
		return true;
	if (side->has_range &&
	    (side->mean < side->min - side->step || side->mean > side->max + side->step))
		return false;
	if (side->nr_values) {
		double mean = side_describe(side->values, side->nr_values).mean;

		return fabs(mean - side->mean) <= 1e-4 * fabs(mean) + side->step;
	}
	return true;
}

static void add_name(struct strbuf *names, size_t *n, const struct posted_table *table, size_t r,
		     size_t s)
{
	const struct posted_row *row = &table->rows[r];

	if (++*n <= MAX_NAMES)
		strbuf_addf(names, "%s%s%s%s (%c)", names->len ? ", " : "", row->label,
			    *row->label && *row->metric ? " " : "", row->metric, (char)('A' + s));
}

static void note_names(struct posted_table *table, const char *what, struct strbuf *names, size_t n)
{
	if (n)
		posted_note(table, "%s: %s%s", what, strbuf_str(names),
			    n > MAX_NAMES ? ", ..." : "");
	strbuf_release(names);
}

/* Names of sides whose figures contradict each other. */
struct doubts {
	struct strbuf means, sds, by_n;
	size_t nr_means, nr_sds, nr_by_n;
};

static void check_side(struct doubts *doubts, struct posted_table *table, size_t r, size_t s)
{
	struct posted_side *side = &table->rows[r].sides[s];

	if (!mean_is_possible(side))
		add_name(&doubts->means, &doubts->nr_means, table, r, s);
	if (!can_check_sd(side) || sd_is_possible(side, false))
		return;
	if (!sd_is_possible(side, true)) {
		add_name(&doubts->sds, &doubts->nr_sds, table, r, s);
		return;
	}
	side->by_n = true;
	add_name(&doubts->by_n, &doubts->nr_by_n, table, r, s);
}

void known_check(struct posted_table *table)
{
	struct doubts doubts = { 0 };

	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 0; s < table->nr_sides; s++)
			check_side(&doubts, table, r, s);
	note_names(table,
		   "MISTAKE in the post: the mean is not that of the other figures of its row",
		   &doubts.means, doubts.nr_means);
	note_names(table,
		   "MISTAKE in the post: no figures of that number, minimum and maximum have that "
		   "standard deviation",
		   &doubts.sds, doubts.nr_sds);
	note_names(table,
		   "Too small for that number, minimum and maximum, unless it was divided by n and "
		   "not "
		   "by n - 1, as is taken for granted here: the standard deviation of",
		   &doubts.by_n, doubts.nr_by_n);
}

static size_t first_word(const char *s)
{
	return strcspn(s, " ");
}

/* Of one benchmark and one unit. */
static bool same_group(const struct posted_row *a, const struct posted_row *b)
{
	size_t n = first_word(a->label);

	return a == b || (n && first_word(b->label) == n && !strncmp(a->label, b->label, n) &&
			  !strcmp(a->unit, b->unit));
}

static double row_step(const struct posted_table *table, size_t r)
{
	double step = 0;

	for (size_t s = 0; s < table->nr_sides; s++) {
		double own = table->rows[r].sides[s].step;

		if (own > 0 && (step == 0 || own < step))
			step = own;
	}
	return step;
}

static double tool_step(const struct posted_table *table, const struct posted_row *row)
{
	if (strcmp(row->unit, "us") != 0)
		return 0;
	if (table->layout->resolution > 0)
		return table->layout->resolution;
	return strcasestr(row->label, "schbench") ? 1 : 0;
}

void known_steps(struct step *steps, const struct posted_table *table)
{
	for (size_t r = 0, end; r < table->nr_rows; r = end) {
		double printed = 0;

		for (end = r;
		     end < table->nr_rows && same_group(&table->rows[r], &table->rows[end]);
		     end++) {
			double own = row_step(table, end);

			if (own > 0 && (printed == 0 || own < printed))
				printed = own;
		}
		for (size_t i = r; i < end; i++) {
			double tool = tool_step(table, &table->rows[i]);

			steps[i] = (struct step){ printed, tool > printed ? tool : printed,
						  tool > printed };
		}
	}
}
