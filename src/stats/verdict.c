// SPDX-License-Identifier: GPL-2.0-only
#include "stats/verdict.h"

#include "base/mem.h"
#include "stats/adjust.h"
#include "stats/changepoint.h"
#include "stats/fisher.h"
#include "stats/normal.h"
#include "stats/trend.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP_ALPHA  0.01
#define TREND_ALPHA 0.01
#define TREND_MIN_N 8
#define Z_POWER_80  0.8416 /* a normal variable lies below it four times of five */

/**
 * struct series - pairs as the statistics see them
 * @d:     d[n], B - A, of logarithms where all values are positive
 * @level: level[n], middle of the pair on the same scale
 */
struct series {
	double *d, *level;
	size_t n;
};

static void __attribute__((format(printf, 2, 3)))
set_reason(struct verdict *verdict, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(verdict->reason, sizeof(verdict->reason), fmt, args);
	va_end(args);
}

static bool all_values(const struct pairs *pairs, bool (*holds)(double))
{
	for (size_t i = 0; i < pairs->n; i++)
		if (!holds(pairs->a[i]) || !holds(pairs->b[i]))
			return false;
	return true;
}

static bool is_finite(double x)
{
	return isfinite(x);
}

static bool is_positive(double x)
{
	return x > 0;
}

static bool is_zero(double x)
{
	return x == 0;
}

static void series_init(struct series *s, const struct pairs *pairs, bool logs)
{
	s->n = pairs->n;
	s->d = xcalloc(s->n, sizeof(*s->d));
	s->level = xcalloc(s->n, sizeof(*s->level));
	for (size_t i = 0; i < s->n; i++) {
		double a = logs ? log(pairs->a[i]) : pairs->a[i];
		double b = logs ? log(pairs->b[i]) : pairs->b[i];

		s->d[i] = b - a;
		s->level[i] = (a + b) / 2;
	}
}

static void series_release(struct series *s)
{
	free(s->d);
	free(s->level);
}

/* From the scale of the differences to that of the verdict, and back. */
static double shown(const struct verdict *verdict, double difference)
{
	return verdict->relative ? expm1(difference) : difference;
}

static double unshown(const struct verdict *verdict, double effect)
{
	return verdict->relative ? log1p(effect) : effect;
}

static bool excludes_zero(const struct interval *ci)
{
	return ci->lo > 0 || ci->hi < 0;
}

/*
 * The interval's half width is z(alpha) standard errors; a test at @alpha_test finds a change of z(alpha_test) +
 * 0.84 of them four times of five. 1.43 half widths where both are 0.05.
 */
static void set_mde(struct verdict *verdict, double alpha, double alpha_test)
{
	double half = (unshown(verdict, verdict->ci.hi) - unshown(verdict, verdict->ci.lo)) / 2;

	verdict->mde = shown(verdict, half * (normal_critical(alpha_test) + Z_POWER_80) /
					      normal_critical(alpha));
}

static bool is_found(const struct verdict *verdict, double alpha)
{
	return verdict->p_adjusted <= alpha && excludes_zero(&verdict->ci);
}

static enum verdict_word word_of(const struct verdict *verdict, enum better better, double alpha)
{
	if (better == BETTER_NONE || !is_found(verdict, alpha))
		return VERDICT_INCONCLUSIVE;
	return (verdict->ci.lo > 0) == (better == BETTER_HIGHER) ? VERDICT_IMPROVED
								 : VERDICT_REGRESSED;
}

static void set_effect(struct verdict *verdict, const struct pairs *pairs, const struct series *s,
		       double alpha)
{
	struct interval ci;

	verdict->has_effect = true;
	verdict->a = side_describe(pairs->a, pairs->n);
	verdict->b = side_describe(pairs->b, pairs->n);
	verdict->effect = shown(verdict, hodges_lehmann(s->d, s->n));
	verdict->diagnosis.lag1 = lag1_correlation(s->d, s->n);
	if (all_values(pairs, is_zero) || walsh_interval(&ci, s->d, s->n, 1 - alpha))
		return;
	verdict->has_ci = true;
	verdict->ci = (struct interval){ shown(verdict, ci.lo), shown(verdict, ci.hi) };
	verdict->p = verdict->p_adjusted = signed_rank_p(s->d, s->n);
	set_mde(verdict, alpha, alpha);
}

static void set_drift(struct verdict *verdict, const struct series *s)
{
	double scale = verdict->relative ? 1 : fabs(median(s->level, s->n));
	struct trend trend;

	if (s->n < TREND_MIN_N || scale == 0)
		return;
	trend = trend_find(s->level, s->n);
	if (trend.p < TREND_ALPHA)
		verdict->diagnosis.drift = shown(verdict, trend.change) / scale;
}

/*
 * The judge_*() below return true and set the reason where there is no conclusion.
 * Where runs failed, the figures of the rest may be of another kind than those that are missing.
 */
static bool judge_failures(struct verdict *verdict, const struct pairs *pairs, double alpha)
{
	size_t failed_a = pairs->failed_a, failed_b = pairs->failed_b;
	bool many = failed_a * 10 > pairs->runs_a || failed_b * 10 > pairs->runs_b;

	if (!many && fisher_exact_p(failed_a, pairs->runs_a, failed_b, pairs->runs_b) > alpha)
		return false;
	set_reason(verdict, "B failed in %zu of %zu runs, A in %zu of %zu", failed_b, pairs->runs_b,
		   failed_a, pairs->runs_a);
	return true;
}

static bool judge_values(struct verdict *verdict, const struct pairs *pairs)
{
	if (pairs->n == 0)
		set_reason(verdict, "no complete pair");
	else if (!all_values(pairs, is_finite))
		set_reason(verdict, "a value is not a finite number");
	else if (all_values(pairs, is_zero))
		set_reason(verdict, "all values are zero");
	else
		return false;
	return true;
}

static bool judge_count(struct verdict *verdict, const struct pairs *pairs, double alpha)
{
	if (signed_rank_min_p(pairs->n) <= alpha)
		return false;
	set_reason(verdict, "too few %s: %zu %s can give p >= %.3g; %zu are needed",
		   pairs->unit_is_boot ? "boots" : "runs", pairs->n,
		   pairs->n == 1 ? "pair" : "pairs", signed_rank_min_p(pairs->n),
		   signed_rank_min_n(alpha));
	return true;
}

static bool part_excludes_zero(const double *d, size_t n, double alpha)
{
	struct interval ci;

	return walsh_interval(&ci, d, n, 1 - alpha) == 0 && excludes_zero(&ci);
}

static bool parts_disagree(const struct verdict *verdict, const struct series *s, size_t first,
			   double alpha)
{
	const double *after = s->d + first;
	size_t rest = s->n - first;

	if (hodges_lehmann(s->d, first) * hodges_lehmann(after, rest) < 0)
		return true;
	return !is_found(verdict, alpha) &&
	       part_excludes_zero(s->d, first, alpha) != part_excludes_zero(after, rest, alpha);
}

static bool judge_step(struct verdict *verdict, const struct series *s, double alpha)
{
	struct changepoint step = changepoint_find(s->d, s->n);
	double before, after;

	if (step.p >= STEP_ALPHA || !parts_disagree(verdict, s, step.first, alpha))
		return false;
	before = shown(verdict, hodges_lehmann(s->d, step.first));
	after = shown(verdict, hodges_lehmann(s->d + step.first, s->n - step.first));
	if (verdict->relative)
		set_reason(verdict, "effect steps at pair %zu: %+.2f %% before, %+.2f %% after",
			   step.first + 1, 100 * before, 100 * after);
	else
		set_reason(verdict, "effect steps at pair %zu: %+.3g before, %+.3g after",
			   step.first + 1, before, after);
	return true;
}

/* Ties and zeros can part the test from the interval; then neither is believed alone. */
static void remark_ties(struct verdict *verdict, double alpha)
{
	if (!verdict->has_ci || (verdict->p <= alpha) == excludes_zero(&verdict->ci))
		return;
	set_reason(verdict,
		   verdict->p <= alpha ? "ties: p is %.2g, but the interval reaches 0"
				       : "ties: the interval excludes 0, but p is %.2g",
		   verdict->p);
}

void verdict_judge(struct verdict *verdict, const struct pairs *pairs, enum better better,
		   const struct verdict_rule *rule)
{
	bool usable = pairs->n > 0 && all_values(pairs, is_finite);
	double alpha = rule->alpha;
	struct series s;

	*verdict = (struct verdict){ .p = 1, .p_adjusted = 1, .n = pairs->n };
	verdict->relative = usable && all_values(pairs, is_positive);
	series_init(&s, pairs, verdict->relative);
	if (usable) {
		set_effect(verdict, pairs, &s, alpha);
		set_drift(verdict, &s);
	}
	verdict->word = word_of(verdict, better, alpha);
	if (judge_failures(verdict, pairs, alpha) || judge_values(verdict, pairs) ||
	    judge_count(verdict, pairs, alpha) || judge_step(verdict, &s, alpha))
		verdict->word = VERDICT_NO_CONCLUSION;
	else
		remark_ties(verdict, alpha);
	series_release(&s);
}

/* p_adjusted of all that have a p by @adjust. Return: how many have one. */
static size_t adjust_rows(struct verdict *const *verdicts, size_t n,
			  void (*adjust)(double *adjusted, const double *p, size_t n))
{
	double *p = xcalloc(n, sizeof(*p));
	size_t i, rows = 0;

	for (i = 0; i < n; i++)
		if (verdicts[i]->has_ci)
			p[rows++] = verdicts[i]->p;
	adjust(p, p, rows);
	for (i = 0, rows = 0; i < n; i++)
		if (verdicts[i]->has_ci)
			verdicts[i]->p_adjusted = p[rows++];
	free(p);
	return rows;
}

/* @left: rows that are not found; the least of their p has to pass alpha / left. */
static void judge_again(struct verdict *verdict, enum better better, size_t rows, size_t left,
			double alpha)
{
	double pass = alpha / (double)left;

	set_mde(verdict, alpha, pass);
	if (verdict->word == VERDICT_NO_CONCLUSION)
		return;
	verdict->word = word_of(verdict, better, alpha);
	if (verdict->word != VERDICT_INCONCLUSIVE || better == BETTER_NONE)
		return;
	if (signed_rank_min_p(verdict->n) > pass) {
		verdict->word = VERDICT_NO_CONCLUSION;
		set_reason(
			verdict,
			"too few pairs for %zu rows: %zu can give p >= %.2g where %.2g is asked; "
			"%zu are needed",
			rows, verdict->n, signed_rank_min_p(verdict->n), pass,
			signed_rank_min_n(pass));
	} else if (verdict->p <= alpha && verdict->p_adjusted > alpha) {
		set_reason(verdict, "p is %.2g alone, but %.2g among %zu rows", verdict->p,
			   verdict->p_adjusted, rows);
	}
}

void verdict_adjust(struct verdict *const *verdicts, const enum better *better, size_t n,
		    const struct verdict_rule *rule)
{
	size_t rows = adjust_rows(verdicts, n, adjust_holm), left = rows, i;

	for (i = 0; i < n; i++)
		left -= verdicts[i]->has_ci && verdicts[i]->p_adjusted <= rule->alpha;
	for (i = 0; i < n; i++)
		if (verdicts[i]->has_ci)
			judge_again(verdicts[i], better[i], rows, left ? left : 1, rule->alpha);
}

void verdict_fdr(struct verdict *const *verdicts, size_t n)
{
	adjust_rows(verdicts, n, adjust_fdr);
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
