// SPDX-License-Identifier: GPL-2.0-only
#include "stats/sequential.h"

#include "base/mem.h"
#include "stats/compare.h"
#include "stats/judge.h"
#include "stats/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FUTILE_POWER 0.1
#define LEAST_LEVEL  1e-6

bool sequential_is_look(const struct sequential_rule *rule, size_t blocks)
{
	if (blocks == rule->max_blocks)
		return true;
	return blocks >= rule->first && (blocks - rule->first) % rule->every == 0;
}

/* The trial's units of blocks 0 .. end - 1. */
static struct trial first_blocks(const struct trial *trial, size_t end)
{
	struct trial part = *trial;

	for (part.n = 0; part.n < trial->n && trial->block[part.n] < end; part.n++)
		;
	return part;
}

static bool all_finite(const struct trial *trial)
{
	for (size_t i = 0; i < trial->n; i++)
		if (!isfinite(trial->value[i]))
			return false;
	return true;
}

/**
 * struct race - the re-drawn sequences and the observed one on their way through the looks
 * @distance: distance[draws] at this look; @own: the observed one's
 * @crossed:  crossed[draws]: at an earlier look; @nr_crossed of them
 * @top:      room for the farthest
 */
struct race {
	const struct redraws *redraws;
	double *distance, own;
	bool *crossed;
	size_t nr_crossed;
	double *top;
};

static void race_init(struct race *race, const struct redraws *redraws, double alpha)
{
	*race = (struct race){
		.redraws = redraws,
		.distance = xcalloc(redraws->draws, sizeof(*race->distance)),
		.crossed = xcalloc(redraws->draws, sizeof(*race->crossed)),
		.top = xcalloc((size_t)(alpha * (double)(redraws->draws + 1)) + 2,
			       sizeof(*race->top)),
	};
}

static void race_release(struct race *race)
{
	free(race->distance);
	free(race->crossed);
	free(race->top);
}

/* Keeps the @most greatest in falling order. Return: how many there are. */
static size_t keep(double *top, size_t n, size_t most, double x)
{
	size_t i;

	if (n == most && x <= top[n - 1])
		return n;
	if (n < most)
		n++;
	for (i = n - 1; i > 0 && top[i - 1] < x; i--)
		top[i] = top[i - 1];
	top[i] = x;
	return n;
}

/*
 * The least distance of which at most @budget are left in the race as far; infinite if there is none. Of equals all
 * are within the budget or none.
 */
static double boundary(struct race *race, size_t budget)
{
	size_t n = 0, end;

	if (budget == 0)
		return INFINITY;
	n = keep(race->top, n, budget + 1, race->own);
	for (size_t i = 0; i < race->redraws->draws; i++)
		if (!race->crossed[i])
			n = keep(race->top, n, budget + 1, race->distance[i]);
	if (n <= budget)
		return race->top[n - 1];
	for (end = budget; end > 0 && race->top[end - 1] == race->top[budget]; end--)
		;
	return end ? race->top[end - 1] : INFINITY;
}

/* Sequences as far as @distance: of those left in the race, or of all; the observed one is not counted. */
static size_t count_as_far(const struct race *race, double distance, bool all)
{
	size_t n = 0;

	for (size_t i = 0; i < race->redraws->draws; i++)
		n += (all || !race->crossed[i]) && race->distance[i] >= distance;
	return n;
}

static void cross(struct race *race, double distance)
{
	for (size_t i = 0; i < race->redraws->draws; i++)
		if (!race->crossed[i] && race->distance[i] >= distance) {
			race->crossed[i] = true;
			race->nr_crossed++;
		}
}

/* One look: p, level, and whether the observed sequence crosses. */
static void look(struct sequential *s, struct race *race, double spend)
{
	double all = (double)race->redraws->draws + 1, limit;
	size_t may = (size_t)floor(spend * all + 1e-9);

	limit = boundary(race, may > race->nr_crossed ? may - race->nr_crossed : 0);
	s->p = (double)(race->nr_crossed + count_as_far(race, race->own, false) + 1) / all;
	s->level = isinf(limit)
			   ? 0
			   : (double)(count_as_far(race, limit, true) + (race->own >= limit)) / all;
	s->state = race->own >= limit ? SEQUENTIAL_FOUND : SEQUENTIAL_GO_ON;
	cross(race, limit);
}

/* P(Z <= z) */
static double lower_normal(double z)
{
	double both = normal_two_sided_p(fabs(z));

	return z < 0 ? both / 2 : 1 - both / 2;
}

/*
 * The statistic over the whole plan, in units of its sd at the end, is a random walk with a drift: z sqrt(t) so far.
 * @hoped: z that the change hoped for has at this look, in the mean
 */
static double conditional_power(double z, double hoped, double t, double alpha)
{
	double so_far = z * sqrt(t), to_come = hoped / sqrt(t) * (1 - t);

	if (t >= 1)
		return z >= normal_critical(alpha);
	return lower_normal((so_far + to_come - normal_critical(alpha)) / sqrt(1 - t));
}

static double margin_of(const struct blocks *blocks, double margin)
{
	double level = 0;

	if (blocks->relative)
		return log1p(margin);
	for (size_t i = 0; i < blocks->n; i++)
		level += fabs(blocks->value[i]) / (double)blocks->n;
	return margin * level;
}

static bool is_within(const struct blocks *blocks, double margin, double level)
{
	struct comparison c;

	if (compare_min_p(blocks) > level)
		return false;
	compare(&c, blocks, level);
	return c.has_ci && c.ci.lo >= -margin && c.ci.hi <= margin;
}

/* What the margin would be in standard errors of the effect; without one, as far as chance may hide. */
static double hoped_z(const struct blocks *blocks, double z, const struct sequential_rule *rule)
{
	struct comparison c;

	if (rule->margin <= 0)
		return z + normal_critical(rule->alpha);
	compare(&c, blocks, rule->alpha);
	if (!c.has_ci || c.ci.hi <= c.ci.lo)
		return z + normal_critical(rule->alpha);
	return fmax(z, margin_of(blocks, rule->margin) * 2 * normal_critical(rule->alpha) /
			       (c.ci.hi - c.ci.lo));
}

static void judge_hope(struct sequential *s, const struct blocks *blocks, double z, double t,
		       const struct sequential_rule *rule)
{
	s->power = conditional_power(z, hoped_z(blocks, z, rule), t, rule->alpha);
	if (s->state == SEQUENTIAL_FOUND)
		return;
	if (rule->margin > 0 && is_within(blocks, margin_of(blocks, rule->margin), s->level))
		s->state = SEQUENTIAL_EQUIVALENT;
	else if (t >= 1)
		s->state = SEQUENTIAL_EXHAUSTED;
	else if (s->power < FUTILE_POWER)
		s->state = SEQUENTIAL_FUTILE;
}

static void look_at(struct sequential *s, struct race *race, const struct blocks *blocks, double t,
		    const struct sequential_rule *rule)
{
	unsigned int *scores = xcalloc(blocks->n, sizeof(*scores));
	double sd;

	compare_scores(scores, blocks);
	race->own = redraws_distances(race->redraws, race->distance, blocks, scores);
	look(s, race, rule->alpha * pow(t, 1.5));
	sd = redraws_sd(blocks, scores);
	judge_hope(s, blocks, sd > 0 ? race->own / sd : 0, t, rule);
	free(scores);
}

void sequential_look(struct sequential *sequential, const struct trial *trial, size_t done,
		     const struct redraws *redraws, const struct sequential_rule *rule)
{
	struct race race;

	*sequential = (struct sequential){ .p = 1 };
	race_init(&race, redraws, rule->alpha);
	for (size_t b = 1; b <= done && sequential->state == SEQUENTIAL_GO_ON; b++) {
		struct trial part = first_blocks(trial, b);
		struct blocks blocks;

		if (!sequential_is_look(rule, b) || !all_finite(&part))
			continue;
		blocks_init(&blocks, &part);
		sequential->blocks = b;
		if (blocks.nr)
			look_at(sequential, &race, &blocks, (double)b / (double)rule->max_blocks,
				rule);
		blocks_release(&blocks);
	}
	race_release(&race);
}

/* The looks have the say, even so near the boundary that exact p and the part of the draws differ. */
static double level_of(const struct sequential *s, const struct trial *part)
{
	double level = fmax(s->level, LEAST_LEVEL), p;
	struct blocks blocks;

	if (!all_finite(part))
		return level;
	blocks_init(&blocks, part);
	p = blocks.nr ? compare_p(&blocks) : 1;
	blocks_release(&blocks);
	if (s->state == SEQUENTIAL_FOUND)
		return fmax(level, p);
	return fmin(level, p * (1 - 1e-9));
}

void sequential_verdict(struct verdict *verdict, const struct trial *trial, enum better better,
			const struct sequential_rule *rule, const struct sequential *sequential)
{
	struct trial part = first_blocks(trial, sequential->blocks);
	struct verdict_rule at_look = { level_of(sequential, &part), rule->margin };

	verdict_judge(verdict, &part, better, &at_look);
	verdict->p_adjusted = sequential->p;
	if (sequential->state == SEQUENTIAL_FUTILE)
		judge_remark(verdict,
			     "stopped: going on would have found it with a chance of %.0f %%",
			     100 * sequential->power);
}
