// SPDX-License-Identifier: GPL-2.0-only
#include "posted/judge_row.h"

#include "base/mem.h"
#include "posted/failures.h"
#include "posted/layout.h"
#include "posted/quantiles.h"
#include "stats/normal.h"
#include "stats/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NEEDED 1000U

const char outcome_in_sequence[] =
	"taken one side after the other: the change may be that of the machine over time";

void outcome_say(struct posted_outcome *outcome, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	free(outcome->why);
	outcome->why = xstrdup(text);
}

/* Change of the centres, relative where both are positive. */
static void set_effect(struct posted_outcome *outcome, double a, double b)
{
	struct verdict *verdict = &outcome->verdict;

	outcome->has_centres = true;
	outcome->a = a;
	outcome->b = b;
	verdict->has_effect = true;
	verdict->relative = a > 0 && b > 0;
	verdict->effect = verdict->relative ? b / a - 1 : b - a;
	verdict->a.mean = verdict->a.median = a;
	verdict->b.mean = verdict->b.median = b;
}

/* The steps of the figures hide a change that is no larger. */
static bool is_hidden(const struct judging *judging)
{
	double step = judging->step.step;

	return step > 0 && fabs(judging->b.centre - judging->a.centre) <= step * (1 + 1e-6);
}

static void say_hidden(struct posted_outcome *outcome, const struct judging *judging)
{
	outcome->verdict.word = VERDICT_BELOW_RESOLUTION;
	if (judging->step.tool)
		outcome_say(outcome, "%s prints whole %s, and the sides are at most one apart",
			    judging->table->layout->resolution > 0 ? judging->table->layout->name
								   : "schbench",
			    judging->row->unit);
	else
		outcome_say(outcome,
			    "printed in steps of %g, and the sides are at most one step apart",
			    judging->step.step);
}

/* What the runs could have shown, if their spread was as in other posts or as the user says. */
static void set_can_show(struct posted_outcome *outcome, const struct judging *judging)
{
	bool tail = strcasestr(judging->row->label, "schbench") != NULL;
	double low = tail ? POSTED_SPREAD_TAIL_LOW : POSTED_SPREAD_LOW;
	double high = tail ? POSTED_SPREAD_TAIL_HIGH : POSTED_SPREAD_HIGH;
	double alpha = judging->rule->alpha;

	if (judging->rule->spread > 0)
		low = high = judging->rule->spread;
	if (judging->a.n + judging->b.n < 3 || !judging->a.n || !judging->b.n)
		return;
	outcome->can_show = true;
	outcome->show_low = summary_mde(low, judging->a.n, judging->b.n, alpha);
	outcome->show_high = summary_mde(high, judging->a.n, judging->b.n, alpha);
	if (!isfinite(outcome->show_high))
		outcome->can_show = false;
}

/* Rounding of both figures may be a step of the change. */
static void set_sure(struct posted_outcome *outcome)
{
	double step = outcome->has_centres ? outcome->step : 0;

	if (outcome->verdict.relative && outcome->has_centres)
		step /= outcome->a;
	outcome->sure = fmax(0, fabs(outcome->verdict.effect) - step);
}

static void say_can_show(struct posted_outcome *outcome, const char *missing)
{
	double size = outcome->sure;

	if (!outcome->can_show)
		outcome_say(outcome, "%s", missing);
	else if (size >= outcome->show_high)
		outcome_say(outcome, "%s; the change exceeds what the runs could show", missing);
	else if (size > outcome->show_low)
		outcome_say(outcome,
			    "%s; the runs could show such a change only at the smaller spread",
			    missing);
	else
		outcome_say(outcome, "%s; the change is smaller than what the runs could show",
			    missing);
}

/* All of one side, then all of the other: no block has both. */
static void judge_runs(struct posted_outcome *outcome, const struct judging *judging)
{
	const struct posted_side *a = &judging->row->sides[0],
				 *b = &judging->row->sides[judging->s];
	size_t n = a->nr_values + b->nr_values;
	double *value = xcalloc(n, sizeof(*value));
	unsigned char *side = xcalloc(n, sizeof(*side));
	unsigned int *block = xcalloc(n, sizeof(*block));
	struct verdict_rule rule = { .alpha = judging->rule->alpha };
	struct trial trial = {
		.value = value,
		.side = side,
		.block = block,
		.n = n,
		.order = judging->order == TRIAL_RANDOM ? TRIAL_RANDOM : TRIAL_SEQUENCE,
		.runs_a = a->nr_values,
		.runs_b = b->nr_values,
	};

	memcpy(value, a->values, a->nr_values * sizeof(*value));
	memcpy(value + a->nr_values, b->values, b->nr_values * sizeof(*value));
	memset(side + a->nr_values, 1, b->nr_values);
	outcome->basis = POSTED_BY_RUNS;
	verdict_judge(&outcome->verdict, &trial, judging->better, &rule);
	outcome->has_centres = outcome->verdict.has_effect;
	outcome->a = outcome->verdict.a.median;
	outcome->b = outcome->verdict.b.median;
	free(value);
	free(side);
	free(block);
	if (outcome->verdict.word == VERDICT_ORDER_CONFOUNDED)
		outcome_say(outcome, "%s",
			    judging->order == TRIAL_SEQUENCE
				    ? outcome_in_sequence
				    : "listed one side after the other without a "
				      "word on the order: taken for "
				      "one sequence each, and then the change may "
				      "be that of the machine over time");
	else if (*outcome->verdict.reason)
		outcome_say(outcome, "%s", outcome->verdict.reason);
}

static void fill_from_welch(struct posted_outcome *outcome, const struct judging *judging,
			    const struct welch *welch)
{
	struct verdict *verdict = &outcome->verdict;

	verdict->word = VERDICT_INCONCLUSIVE; /* until all rows are read together */
	verdict->has_ci = welch->has_ci;
	verdict->relative = welch->relative;
	verdict->effect = welch->change;
	verdict->ci = welch->ci;
	verdict->p = verdict->p_adjusted = welch->p;
	verdict->mde = welch->mde;
	verdict->step = judging->step.step;
	/* the table's head speaks of an order that nobody told; a sequence caps each row */
	verdict->order = judging->order == TRIAL_SEQUENCE ? TRIAL_SEQUENCE : TRIAL_RANDOM;
}

static void judge_summary(struct posted_outcome *outcome, const struct judging *judging)
{
	struct summary a = { judging->a.centre, judging->a.sd, judging->a.n };
	struct summary b = { judging->b.centre, judging->b.sd, judging->b.n };
	struct welch welch;

	outcome->basis = POSTED_BY_SUMMARY;
	if (summary_welch(&welch, &a, &b, judging->rule->alpha)) {
		outcome->verdict.word = VERDICT_NO_CONCLUSION;
		outcome_say(outcome,
			    a.n < 2 || b.n < 2
				    ? "n = 1: one run a side can't tell a change from noise"
				    : "the posted spread of both sides is 0: one figure, not runs");
		return;
	}
	fill_from_welch(outcome, judging, &welch);
	outcome->verdict.a.n = a.n;
	outcome->verdict.b.n = b.n;
	if (!welch.has_ci) {
		outcome->verdict.word = VERDICT_NO_CONCLUSION;
		outcome_say(outcome, "the spread is as large as the figures themselves");
	}
}

/* Medians with half an interval each, and the poster's own test: their logarithms' errors add in squares. */
static void judge_posted_p(struct posted_outcome *outcome, const struct judging *judging)
{
	struct verdict *verdict = &outcome->verdict;

	outcome->basis = POSTED_BY_P;
	verdict->word = VERDICT_INCONCLUSIVE;
	/* p of 0.000 is anything below half of its last digit */
	verdict->p = verdict->p_adjusted = fmax(judging->row->p, 0.0005);
	verdict->order = judging->order == TRIAL_SEQUENCE ? TRIAL_SEQUENCE : TRIAL_RANDOM;
	verdict->step = judging->step.step;
	if (!verdict->relative || !judging->a.has_se || !judging->b.has_se)
		return;
	verdict->has_ci = true;
	{
		double ea = judging->a.se / judging->a.centre,
		       eb = judging->b.se / judging->b.centre;
		double half = normal_critical(judging->rule->alpha) * sqrt(ea * ea + eb * eb);
		double log_ratio = log1p(verdict->effect);

		verdict->ci.lo = expm1(log_ratio - half);
		verdict->ci.hi = expm1(log_ratio + half);
	}
}

/* As if @n were the number of runs. */
static struct summary assume_n(const struct known *known, size_t n)
{
	double sd = known->has_sd ? known->sd : known->se * sqrt((double)n);

	return (struct summary){ known->centre, known->by_n ? summary_sample_sd(sd, n) : sd, n };
}

/* Least runs a side for which the figures would differ, alone; 0: not even MOST_NEEDED. */
static size_t needed_runs(const struct judging *judging)
{
	for (size_t n = 2; n <= MOST_NEEDED; n += n < 50 ? 1 : n / 10) {
		struct summary a = assume_n(&judging->a, n), b = assume_n(&judging->b, n);
		struct welch welch;

		if (!summary_welch(&welch, &a, &b, judging->rule->alpha) &&
		    welch.p <= judging->rule->alpha)
			return n;
	}
	return 0;
}

static void judge_spread(struct posted_outcome *outcome, const struct judging *judging)
{
	outcome->basis = POSTED_BY_SPREAD;
	outcome->verdict.word = VERDICT_NO_CONCLUSION;
	outcome->needs = needed_runs(judging);
	if (outcome->needs)
		outcome_say(outcome, "the number of runs is not told (--n); with as many a side as "
				     "the table names "
				     "the row alone would be a change");
	else
		outcome_say(outcome,
			    "the number of runs is not told (--n); not even %u a side would make "
			    "the row "
			    "a change",
			    MOST_NEEDED);
}

static void judge_means(struct posted_outcome *outcome, const struct judging *judging)
{
	outcome->basis = POSTED_BY_MEANS;
	outcome->verdict.word = VERDICT_NO_CONCLUSION;
	set_can_show(outcome, judging);
	set_sure(outcome);
	if (is_hidden(judging))
		say_hidden(outcome, judging);
	else if (judging->a.n == 1 && judging->b.n == 1)
		outcome_say(outcome, "n = 1: one run a side can't tell a change from noise");
	else
		say_can_show(outcome, judging->a.n ? "no spread is told"
						   : "neither spread nor number of runs is told");
}

static void judge_percent(struct posted_outcome *outcome, const struct judging *judging)
{
	const struct posted_row *row = judging->row;
	struct posted_row known = *row;
	bool told;

	outcome->basis = POSTED_BY_PERCENT;
	outcome->verdict.word = VERDICT_NO_CONCLUSION;
	known.better = judging->better;
	outcome->verdict.relative = true;
	outcome->verdict.has_effect = true;
	told = percent_effect(&outcome->verdict.effect, &known, judging->s, judging->table->sign);
	set_can_show(outcome, judging);
	set_sure(outcome);
	if (!told) {
		outcome_say(outcome, "a percent alone, and what its sign means is not told");
		return;
	}
	say_can_show(outcome,
		     judging->a.n ? "a percent alone: neither figures nor spread are told"
				  : "a percent alone: neither figures, spread nor runs are told");
}

static void judge_one_run(struct posted_outcome *outcome, const struct judging *judging)
{
	const struct posted_row *row = judging->row;

	outcome->basis = POSTED_BY_ONE_RUN;
	outcome->verdict.word = VERDICT_NO_CONCLUSION;
	if (row->is_quantile && quantiles_differ(judging->table, row->label, judging->s,
						 &outcome->verdict.word, judging->better)) {
		outcome->basis = POSTED_BY_QUANTILES;
		outcome_say(outcome, "n=1 boot: the posted quantiles of the two runs don't "
				     "overlap, so these runs "
				     "differ; what another boot would give is not known");
	} else if (row->is_quantile && is_hidden(judging)) {
		say_hidden(outcome, judging);
	} else {
		outcome_say(outcome, "n = 1: one run a side can't tell a change from noise");
	}
}

static void judge_counts(struct posted_outcome *outcome)
{
	outcome->basis = POSTED_BY_COUNTS;
	outcome->verdict.word = VERDICT_NO_CONCLUSION;
	outcome->word = POSTED_WORD_NONE;
}

/* A spread of 0 on both sides is a figure that was repeated, not one of runs. */
static bool has_spread(const struct judging *judging)
{
	const struct known *a = &judging->a, *b = &judging->b;

	return (a->has_sd || a->has_se) && (b->has_sd || b->has_se) &&
	       a->sd + a->se + b->sd + b->se > 0;
}

static bool is_summary(const struct judging *judging)
{
	return has_spread(judging) && judging->a.has_sd && judging->b.has_sd && judging->a.n &&
	       judging->b.n;
}

static void judge_figures(struct posted_outcome *outcome, const struct judging *judging)
{
	const struct posted_side *a = &judging->row->sides[0],
				 *b = &judging->row->sides[judging->s];

	set_effect(outcome, judging->a.centre, judging->b.centre);
	if (judging->table->layout->counts)
		judge_counts(outcome);
	else if (a->nr_values == 1 && b->nr_values == 1)
		judge_one_run(outcome, judging);
	else if (a->nr_values && b->nr_values)
		judge_runs(outcome, judging);
	else if (judging->row->has_p && judging->s == 1)
		judge_posted_p(outcome, judging);
	else if (is_summary(judging))
		judge_summary(outcome, judging);
	else if (has_spread(judging))
		judge_spread(outcome, judging);
	else
		judge_means(outcome, judging);
}

static bool has_failures(const struct posted_side *side)
{
	return side->failed || side->hung;
}

void judge_side(struct posted_outcome *outcome, const struct judging *judging)
{
	const struct posted_side *a = &judging->row->sides[0],
				 *b = &judging->row->sides[judging->s];
	bool failures = has_failures(a) || has_failures(b) ||
			(a->runs && b->runs && !judging->a.has_centre);

	outcome->verdict =
		(struct verdict){ .word = VERDICT_NO_CONCLUSION, .p = 1, .p_adjusted = 1 };
	outcome->percent_ok = true;
	if (judging->a.has_centre && judging->b.has_centre)
		judge_figures(outcome, judging);
	else if (judging->row->percents[judging->s].stated)
		judge_percent(outcome, judging);
	else if (!failures)
		outcome_say(outcome, "one of the sides has no figure");
	if (failures) {
		char text[300];

		outcome->basis = POSTED_BY_FAILURES;
		if (failures_judge(&outcome->verdict, a, b, judging->rule->alpha, text,
				   sizeof(text)))
			outcome->word = POSTED_WORD_HANG;
		outcome_say(outcome, "%s", text);
	}
}
