// SPDX-License-Identifier: GPL-2.0-only
#include "stats/max_t.h"

#include "base/mem.h"
#include "stats/compare.h"
#include "stats/order.h"
#include "stats/redraws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct statistic - one row's
 * @own, @reach: as it is, and at most, in standard deviations; 0 where all scores are equal
 * @stream:      of its draws: the first row with the same sides and blocks
 */
struct statistic {
	struct max_t *row;
	struct blocks blocks;
	unsigned int *scores;
	double sd, own, reach;
	size_t stream;
};

static bool same_plan(const struct trial *a, const struct trial *b)
{
	return a->n == b->n && a->order == b->order && !memcmp(a->side, b->side, a->n) &&
	       (a->order != TRIAL_RANDOM || !memcmp(a->block, b->block, a->n * sizeof(*a->block)));
}

static size_t stream_of(const struct max_t *rows, size_t i)
{
	size_t k = 0;

	while (!same_plan(rows[k].trial, rows[i].trial))
		k++;
	return k;
}

static double own_distance(const struct blocks *blocks, const unsigned int *scores)
{
	struct redraws none = { .draws = 0 };
	double no_distance;

	return redraws_distances(&none, &no_distance, blocks, scores);
}

static void statistic_init(struct statistic *s, struct max_t *rows, size_t i)
{
	*s = (struct statistic){ .row = &rows[i], .stream = stream_of(rows, i) };
	blocks_init(&s->blocks, rows[i].trial);
	s->scores = xcalloc(s->blocks.n, sizeof(*s->scores));
	compare_scores(s->scores, &s->blocks);
	s->sd = redraws_sd(&s->blocks, s->scores);
	if (s->sd > 0) {
		s->own = own_distance(&s->blocks, s->scores) / s->sd;
		s->reach = redraws_reach(&s->blocks, s->scores) / s->sd;
	}
}

static void statistic_release(struct statistic *s)
{
	blocks_release(&s->blocks);
	free(s->scores);
}

static int by_own(const void *a, const void *b)
{
	const struct statistic *x = a, *y = b;

	return (x->own > y->own) - (x->own < y->own);
}

/**
 * struct step - the way from the least statistic up
 * @most:     most[MAX_T_DRAWS]: largest statistic of the rows so far, by draw
 * @last:     the same at the last row that did not pass
 * @distance: room for one row's
 * @redraws:  of @stream
 */
struct step {
	double *most, *last, *distance;
	struct redraws redraws;
	size_t stream;
};

static void draw(struct step *step, const struct statistic *s)
{
	if (step->redraws.draws && step->stream == s->stream)
		return;
	redraws_release(&step->redraws);
	redraws_init(&step->redraws, MAX_T_DRAWS, s->blocks.nr, s->stream);
	step->stream = s->stream;
}

static void step_init(struct step *step)
{
	*step = (struct step){
		.most = xcalloc(MAX_T_DRAWS, sizeof(*step->most)),
		.last = xcalloc(MAX_T_DRAWS, sizeof(*step->last)),
		.distance = xcalloc(MAX_T_DRAWS, sizeof(*step->distance)),
	};
}

static void step_release(struct step *step)
{
	redraws_release(&step->redraws);
	free(step->distance);
	free(step->last);
	free(step->most);
}

static void add_row(struct step *step, const struct statistic *s)
{
	if (!(s->sd > 0))
		return;
	draw(step, s);
	redraws_distances(&step->redraws, step->distance, &s->blocks, s->scores);
	for (size_t i = 0; i < MAX_T_DRAWS; i++)
		step->most[i] = fmax(step->most[i], step->distance[i] / s->sd);
}

/* What is exceeded in alpha of the draws, of which the observed one is one more; sorts them. */
static double critical_of(double *most, double alpha)
{
	sort_values(most, MAX_T_DRAWS);
	return most[(size_t)((1 - alpha) * MAX_T_DRAWS)];
}

static double part_as_far(const double *most, double own)
{
	size_t n = 1;

	for (size_t i = 0; i < MAX_T_DRAWS; i++)
		n += most[i] >= own;
	return (double)n / (MAX_T_DRAWS + 1);
}

/* Each row meets the largest of its own and all lesser rows' draws. Return: what the last to fail had to reach. */
static double step_up(struct statistic *statistics, size_t n, double alpha)
{
	struct step step;
	double critical;

	step_init(&step);
	for (size_t i = 0; i < n; i++) {
		struct max_t *row = statistics[i].row;

		add_row(&step, &statistics[i]);
		row->p = part_as_far(step.most, statistics[i].own);
		if (row->p > alpha)
			memcpy(step.last, step.most, MAX_T_DRAWS * sizeof(*step.last));
	}
	for (size_t i = 0; i < n; i++)
		statistics[i].row->reach_p = part_as_far(step.last, statistics[i].reach);
	critical = critical_of(step.last, alpha);
	step_release(&step);
	return critical;
}

double max_t_adjust(struct max_t *rows, size_t n, double alpha)
{
	struct statistic *statistics = xcalloc(n, sizeof(*statistics));
	double critical;

	for (size_t i = 0; i < n; i++)
		statistic_init(&statistics[i], rows, i);
	if (n)
		qsort(statistics, n, sizeof(*statistics), by_own);
	critical = step_up(statistics, n, alpha);
	for (size_t i = n; i-- > 1;)
		statistics[i - 1].row->p = fmax(statistics[i - 1].row->p, statistics[i].row->p);
	for (size_t i = 0; i < n; i++)
		statistic_release(&statistics[i]);
	free(statistics);
	return critical;
}

void max_t_levels(struct max_t *rows, size_t n, double alpha)
{
	struct step step;
	double critical;

	step_init(&step);
	for (size_t i = 0; i < n; i++) {
		struct statistic s;

		statistic_init(&s, rows, i);
		add_row(&step, &s);
		statistic_release(&s);
	}
	critical = critical_of(step.most, alpha);
	for (size_t i = 0; i < n; i++) {
		struct statistic s;

		statistic_init(&s, rows, i);
		memset(step.most, 0, MAX_T_DRAWS * sizeof(*step.most));
		add_row(&step, &s);
		rows[i].level =
			s.reach < critical ? 0 : fmin(alpha, part_as_far(step.most, critical));
		statistic_release(&s);
	}
	step_release(&step);
}
