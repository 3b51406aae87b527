// SPDX-License-Identifier: GPL-2.0-only
#include "stats/judge.h"

#include "base/mem.h"
#include "stats/blocks.h"
#include "stats/changepoint.h"
#include "stats/compare.h"
#include "stats/fisher.h"
#include "stats/mean.h"
#include "stats/ranksum.h"
#include "stats/resolution.h"

#include <math.h>
#include <stdlib.h>

#define STEP_ALPHA 0.01

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

static struct side describe(const struct blocks *blocks, unsigned char side)
{
	double *x = xcalloc(blocks->n, sizeof(*x));
	size_t n = blocks_side(blocks, blocks->value, 0, blocks->nr, side, x);
	struct side described = side_describe(x, n);

	free(x);
	return described;
}

static struct interval shown_interval(const struct verdict *verdict, struct interval ci)
{
	return (struct interval){ judge_shown(verdict, ci.lo), judge_shown(verdict, ci.hi) };
}

/* By more than rounding. */
static bool is_outside(double x, const struct interval *ci)
{
	double slack = 1e-9 * (1 + fabs(x));

	return x < ci->lo - slack || x > ci->hi + slack;
}

static void set_mean(struct verdict *verdict, const struct blocks *blocks, double alpha)
{
	verdict->has_mean = !mean_compare(&verdict->mean_effect, &verdict->mean_ci, blocks, alpha);
	if (!verdict->has_mean || !verdict->has_ci)
		return;
	if (is_outside(verdict->mean_effect, &verdict->ci) &&
	    is_outside(verdict->effect, &verdict->mean_ci))
		judge_remark(verdict, "mean and median disagree: distribution changed, see tails");
}

static void set_effect(struct verdict *verdict, const struct trial *trial,
		       const struct blocks *blocks, double alpha)
{
	struct comparison c;

	compare(&c, blocks, alpha);
	verdict->has_effect = true;
	verdict->relative = blocks->relative;
	verdict->a = describe(blocks, 0);
	verdict->b = describe(blocks, 1);
	verdict->effect = judge_shown(verdict, c.effect);
	diagnose(&verdict->diagnosis, blocks, c.effect);
	if (!trial->exact)
		verdict->step = resolution_step(blocks->value, blocks->n);
	if (c.has_ci && !all_zero(blocks)) {
		verdict->has_ci = true;
		verdict->ci = shown_interval(verdict, c.ci);
		verdict->p = verdict->p_adjusted = c.p;
		judge_mde(verdict, alpha, alpha);
	}
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

static size_t needed_a_side(double alpha)
{
	size_t n = 1;

	while (ranksum_min_p(n, n) > alpha)
		n++;
	return n;
}

static bool judge_count(struct verdict *verdict, const struct trial *trial, double alpha)
{
	const char *units = trial->unit_is_boot ? "boots" : "runs";

	if (verdict->min_p <= alpha)
		return false;
	if (trial->order != TRIAL_RANDOM)
		judge_reason(
			verdict, "too few %s: %zu + %zu can give p >= %.3g; %zu a side are needed",
			units, verdict->a.n, verdict->b.n, verdict->min_p, needed_a_side(alpha));
	else
		judge_reason(verdict, "too few %s: %zu %s%s can give p >= %.3g; %zu are needed",
			     units, verdict->n, verdict->pairs ? "pair" : "block",
			     verdict->n == 1 ? "" : "s", verdict->min_p,
			     compare_needed(verdict->min_p, verdict->n, alpha));
	return true;
}

/* The parts before and after a step. */
struct parts {
	struct blocks blocks[2];
	struct comparison c[2];
};

static bool parts_disagree(struct parts *parts, bool found, double alpha)
{
	for (int i = 0; i < 2; i++)
		compare(&parts->c[i], &parts->blocks[i], alpha);
	if (parts->c[0].effect * parts->c[1].effect < 0)
		return true;
	return !found && (parts->c[0].has_ci && judge_excludes_zero(&parts->c[0].ci)) !=
				 (parts->c[1].has_ci && judge_excludes_zero(&parts->c[1].ci));
}

static struct changepoint find_step(const struct blocks *blocks)
{
	double *d = xcalloc(blocks->nr, sizeof(*d));
	struct changepoint step;

	blocks_differences(blocks, d);
	step = changepoint_find(d, blocks->nr);
	free(d);
	return step;
}

static bool judge_step(struct verdict *verdict, const struct blocks *blocks, double alpha)
{
	struct changepoint step = find_step(blocks);
	struct parts parts;
	double before, after;

	if (step.p >= STEP_ALPHA)
		return false;
	parts.blocks[0] = blocks_part(blocks, 0, step.first);
	parts.blocks[1] = blocks_part(blocks, step.first, blocks->nr);
	if (!parts_disagree(&parts, judge_found(verdict, alpha), alpha))
		return false;
	before = judge_shown(verdict, parts.c[0].effect);
	after = judge_shown(verdict, parts.c[1].effect);
	if (verdict->relative)
		judge_reason(verdict, "effect steps at %s %zu: %+.2f %% before, %+.2f %% after",
			     verdict->pairs ? "pair" : "block", step.first + 1, 100 * before,
			     100 * after);
	else
		judge_reason(verdict, "effect steps at %s %zu: %+.3g before, %+.3g after",
			     verdict->pairs ? "pair" : "block", step.first + 1, before, after);
	return true;
}

/* Ties and zeros can part the test from the interval; then neither is believed alone. */
static void remark_ties(struct verdict *verdict, double alpha)
{
	if (!verdict->has_ci || (verdict->p <= alpha) == judge_excludes_zero(&verdict->ci))
		return;
	judge_remark(verdict,
		     verdict->p <= alpha ? "ties: p is %.2g, but the interval reaches 0"
					 : "ties: the interval excludes 0, but p is %.2g",
		     verdict->p);
}

void verdict_judge(struct verdict *verdict, const struct trial *trial, enum better better,
		   const struct verdict_rule *rule)
{
	double alpha = rule->alpha;
	struct blocks blocks;

	blocks_init(&blocks, trial);
	*verdict = (struct verdict){
		.p = 1,
		.p_adjusted = 1,
		.min_p = compare_min_p(&blocks),
		.margin = rule->margin,
		.order = trial->order,
		.n = blocks.nr,
		.pairs = blocks.pairs,
	};
	if (blocks.nr && all_finite(trial))
		set_effect(verdict, trial, &blocks, alpha);
	if (judge_failures(verdict, trial, alpha) || judge_values(verdict, trial, &blocks) ||
	    judge_count(verdict, trial, alpha) || judge_step(verdict, &blocks, alpha)) {
		verdict->word = VERDICT_NO_CONCLUSION;
	} else {
		set_mean(verdict, &blocks, alpha);
		remark_ties(verdict, alpha);
		judge_word(verdict, better, alpha);
	}
	blocks_release(&blocks);
}

void verdict_diagnose(struct verdict *verdict, const struct trial *trial,
		      const struct verdict_rule *rule)
{
	struct blocks blocks;

	if (!verdict->has_effect)
		return;
	blocks_init(&blocks, trial);
	diagnose_more(&verdict->diagnosis, &blocks, judge_unshown(verdict, verdict->effect),
		      rule->alpha);
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
