// SPDX-License-Identifier: GPL-2.0-only
#include "stats/judge.h"

#include "base/mem.h"
#include "stats/blocks.h"
#include "stats/changepoint.h"
#include "stats/fisher.h"
#include "stats/trend.h"

#include <math.h>
#include <stdlib.h>

#define STEP_ALPHA  0.01
#define TREND_ALPHA 0.01
#define TREND_MIN_N 8

/**
 * struct series - blocks in the order of time
 * @d:     d[n], B - A, of logarithms where all values are positive
 * @level: level[n], middle of the block on the same scale
 */
struct series {
	double *d, *level;
	size_t n;
};

static bool all_finite(const struct trial *trial)
{
	for (size_t i = 0; i < trial->n; i++)
		if (!isfinite(trial->value[i]))
			return false;
	return true;
}

static bool all_zero(const struct blocks *blocks)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (blocks->value[i] != 0)
			return false;
	return true;
}

static void series_init(struct series *s, const struct blocks *blocks)
{
	s->n = blocks->nr;
	s->d = xcalloc(s->n, sizeof(*s->d));
	s->level = xcalloc(s->n, sizeof(*s->level));
	blocks_differences(blocks, s->d, s->level);
}

static void series_release(struct series *s)
{
	free(s->d);
	free(s->level);
}

static struct side describe(const struct blocks *blocks, unsigned char side)
{
	double *x = xcalloc(blocks->n, sizeof(*x));
	size_t n = blocks_side(blocks, blocks->value, 0, blocks->nr, side, x);
	struct side described = side_describe(x, n);

	free(x);
	return described;
}

static void set_effect(struct verdict *verdict, const struct blocks *blocks, const struct series *s,
		       double alpha)
{
	struct interval ci;

	verdict->has_effect = true;
	verdict->relative = blocks->relative;
	verdict->a = describe(blocks, 0);
	verdict->b = describe(blocks, 1);
	verdict->effect = judge_shown(verdict, hodges_lehmann(s->d, s->n));
	verdict->diagnosis.lag1 = lag1_correlation(s->d, s->n);
	if (all_zero(blocks) || walsh_interval(&ci, s->d, s->n, 1 - alpha))
		return;
	verdict->has_ci = true;
	verdict->ci = (struct interval){ judge_shown(verdict, ci.lo), judge_shown(verdict, ci.hi) };
	verdict->p = verdict->p_adjusted = signed_rank_p(s->d, s->n);
	judge_mde(verdict, alpha, alpha);
}

static void set_drift(struct verdict *verdict, const struct series *s)
{
	double scale = verdict->relative ? 1 : fabs(median(s->level, s->n));
	struct trend trend;

	if (s->n < TREND_MIN_N || scale == 0)
		return;
	trend = trend_find(s->level, s->n);
	if (trend.p < TREND_ALPHA)
		verdict->diagnosis.drift = judge_shown(verdict, trend.change) / scale;
}

/*
 * The judge_*() below return true and set the reason where there is no conclusion.
 * Where runs failed, the figures of the rest may be of another kind than those that are missing.
 */
static bool judge_failures(struct verdict *verdict, const struct trial *trial, double alpha)
{
	size_t failed_a = trial->failed_a, failed_b = trial->failed_b;
	bool many = failed_a * 10 > trial->runs_a || failed_b * 10 > trial->runs_b;

	if (!many && fisher_exact_p(failed_a, trial->runs_a, failed_b, trial->runs_b) > alpha)
		return false;
	judge_reason(verdict, "B failed in %zu of %zu runs, A in %zu of %zu", failed_b,
		     trial->runs_b, failed_a, trial->runs_a);
	return true;
}

static bool judge_values(struct verdict *verdict, const struct trial *trial,
			 const struct blocks *blocks)
{
	if (!all_finite(trial))
		judge_reason(verdict, "a value is not a finite number");
	else if (blocks->nr == 0)
		judge_reason(verdict, "no complete pair");
	else if (all_zero(blocks))
		judge_reason(verdict, "all values are zero");
	else
		return false;
	return true;
}

static bool judge_count(struct verdict *verdict, const struct trial *trial, double alpha)
{
	if (signed_rank_min_p(verdict->n) <= alpha)
		return false;
	judge_reason(verdict, "too few %s: %zu %s can give p >= %.3g; %zu are needed",
		     trial->unit_is_boot ? "boots" : "runs", verdict->n,
		     verdict->n == 1 ? "pair" : "pairs", signed_rank_min_p(verdict->n),
		     signed_rank_min_n(alpha));
	return true;
}

static bool part_excludes_zero(const double *d, size_t n, double alpha)
{
	struct interval ci;

	return walsh_interval(&ci, d, n, 1 - alpha) == 0 && judge_excludes_zero(&ci);
}

static bool parts_disagree(const struct verdict *verdict, const struct series *s, size_t first,
			   double alpha)
{
	const double *after = s->d + first;
	size_t rest = s->n - first;

	if (hodges_lehmann(s->d, first) * hodges_lehmann(after, rest) < 0)
		return true;
	return !(verdict->p <= alpha && judge_excludes_zero(&verdict->ci)) &&
	       part_excludes_zero(s->d, first, alpha) != part_excludes_zero(after, rest, alpha);
}

static bool judge_step(struct verdict *verdict, const struct series *s, double alpha)
{
	struct changepoint step = changepoint_find(s->d, s->n);
	double before, after;

	if (step.p >= STEP_ALPHA || !parts_disagree(verdict, s, step.first, alpha))
		return false;
	before = judge_shown(verdict, hodges_lehmann(s->d, step.first));
	after = judge_shown(verdict, hodges_lehmann(s->d + step.first, s->n - step.first));
	if (verdict->relative)
		judge_reason(verdict, "effect steps at pair %zu: %+.2f %% before, %+.2f %% after",
			     step.first + 1, 100 * before, 100 * after);
	else
		judge_reason(verdict, "effect steps at pair %zu: %+.3g before, %+.3g after",
			     step.first + 1, before, after);
	return true;
}

/* Ties and zeros can part the test from the interval; then neither is believed alone. */
static void remark_ties(struct verdict *verdict, double alpha)
{
	if (!verdict->has_ci || (verdict->p <= alpha) == judge_excludes_zero(&verdict->ci))
		return;
	judge_reason(verdict,
		     verdict->p <= alpha ? "ties: p is %.2g, but the interval reaches 0"
					 : "ties: the interval excludes 0, but p is %.2g",
		     verdict->p);
}

void verdict_judge(struct verdict *verdict, const struct trial *trial, enum better better,
		   const struct verdict_rule *rule)
{
	double alpha = rule->alpha;
	struct blocks blocks;
	struct series s = { 0 };

	blocks_init(&blocks, trial);
	*verdict = (struct verdict){
		.p = 1,
		.p_adjusted = 1,
		.margin = rule->margin,
		.n = blocks.nr,
		.pairs = blocks.pairs,
	};
	if (blocks.nr && all_finite(trial)) {
		series_init(&s, &blocks);
		set_effect(verdict, &blocks, &s, alpha);
		set_drift(verdict, &s);
	}
	judge_word(verdict, better, alpha);
	if (judge_failures(verdict, trial, alpha) || judge_values(verdict, trial, &blocks) ||
	    judge_count(verdict, trial, alpha) || judge_step(verdict, &s, alpha))
		verdict->word = VERDICT_NO_CONCLUSION;
	else
		remark_ties(verdict, alpha);
	series_release(&s);
	blocks_release(&blocks);
}

const char *verdict_word_name(enum verdict_word word)
{
	static const char *const names[] = {
		[VERDICT_IMPROVED] = "improved",
		[VERDICT_REGRESSED] = "regressed",
		[VERDICT_EQUIVALENT] = "equivalent",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_ORDER_CONFOUNDED] = "order-confounded",
		[VERDICT_BELOW_RESOLUTION] = "below resolution",
		[VERDICT_NO_CONCLUSION] = "no conclusion",
	};

	return names[word];
}
