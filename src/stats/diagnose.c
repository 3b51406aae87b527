// SPDX-License-Identifier: GPL-2.0-only
#include "stats/diagnose.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/compare.h"
#include "stats/friedman.h"
#include "stats/order.h"
#include "stats/trend.h"
#include "stats/walsh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT_ALPHA 0.01
#define DRIFT_MIN_N 8
#define MODES_MIN_N 12
#define MODES_BIC   10
#define MODES_APART 3
#define MODES_PART  0.1
#define PLACE_MIN   6
#define FLOOR_MIN   4 /* groups of A's */
#define FLOOR_DRAWS 199

/* Units in the order of execution, B's less the effect. */
static double *noise_of(const struct blocks *blocks, double effect)
{
	size_t first = blocks->start[0];
	double *noise = xcalloc(blocks->n, sizeof(*noise));

	for (size_t i = 0; i < blocks->n; i++)
		noise[i] = blocks->y[first + i] - (blocks->side[first + i] ? effect : 0);
	return noise;
}

/* A difference on the scale of @noise as a part of the level. */
static double as_part(const struct blocks *blocks, const double *noise, double difference)
{
	double level;

	if (blocks->relative)
		return expm1(difference);
	level = fabs(median(noise, blocks->n));
	return level > 0 ? difference / level : 0;
}

void diagnose(struct diagnosis *diagnosis, const struct blocks *blocks, double effect)
{
	double *noise = noise_of(blocks, effect);

	diagnosis->lag1 = lag1_correlation(noise, blocks->n);
	diagnosis->drift_p = blocks->n < DRIFT_MIN_N ? 1 : trend_p(noise, blocks->n);
	if (diagnosis->drift_p < DRIFT_ALPHA)
		diagnosis->drift = as_part(blocks, noise, trend_find(noise, blocks->n).change);
	free(noise);
}

/* Sums of x[n] and of its squares. */
static double squares_about_mean(const double *x, size_t n)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return squares;
}

/* Where sorted x[n] falls into two parts with the least squares about their means, both of @least values or more. */
static size_t best_split(const double *x, size_t n, size_t least, double *squares)
{
	size_t best = least;

	*squares = INFINITY;
	for (size_t k = least; k <= n - least; k++) {
		double sum = squares_about_mean(x, k) + squares_about_mean(x + k, n - k);

		if (sum < *squares) {
			*squares = sum;
			best = k;
		}
	}
	return best;
}

/* Twice the logarithm of the likelihood of parts of these sizes, without what is the same for one part and two. */
static double likelihood(double squares, size_t n, size_t k)
{
	double all = (double)n, low = (double)k / all, high = 1 - low;
	double choice = k && k < n ? 2 * all * (low * log(low) + high * log(high)) : 0;

	return -all * log(squares / all) + choice;
}

static void find_modes(struct diagnosis *diagnosis, const struct blocks *blocks,
		       const double *noise)
{
	double *sorted, one, two, gap, width;
	size_t n = blocks->n, split;

	diagnosis->modes = 1;
	if (n < MODES_MIN_N)
		return;
	sorted = sorted_values(noise, n);
	one = squares_about_mean(sorted, n);
	split = best_split(sorted, n, (size_t)ceil(MODES_PART * (double)n), &two);
	gap = median(sorted + split, n - split) - median(sorted, split);
	width = sqrt(two / (double)n);
	/* two parts have a centre and a share more than one */
	if (two > 0 && gap >= MODES_APART * width &&
	    likelihood(two, n, split) - likelihood(one, n, 0) - 2 * log((double)n) >= MODES_BIC) {
		diagnosis->modes = 2;
		diagnosis->mode_gap = as_part(blocks, noise, gap);
	}
	free(sorted);
}

static void find_place(struct diagnosis *diagnosis, const struct blocks *blocks,
		       const double *noise)
{
	size_t k = blocks_size(blocks, 0);
	double *last;

	diagnosis->place_p = 1;
	for (size_t i = 0; i < blocks->nr; i++)
		if (blocks_size(blocks, i) != k)
			return;
	if (blocks->nr < PLACE_MIN)
		return;
	last = xcalloc(blocks->nr, sizeof(*last));
	for (size_t i = 0; i < blocks->nr; i++)
		last[i] = noise[i * k + k - 1] - noise[i * k];
	diagnosis->place = as_part(blocks, noise, hodges_lehmann(last, blocks->nr));
	diagnosis->place_p = friedman_p(noise, blocks->nr, k);
	free(last);
}

/* All blocks but one: the trial's units are copied, since parts of it have no gaps. */
static void leave_out(struct blocks *rest, const struct blocks *blocks, size_t left_out)
{
	size_t n = 0;

	rest->nr = 0;
	rest->pairs = true;
	for (size_t i = 0; i < blocks->nr; i++) {
		size_t k = blocks_size(blocks, i), first = blocks->start[i];

		if (i == left_out)
			continue;
		memcpy(rest->y + n, blocks->y + first, k * sizeof(*rest->y));
		memcpy(rest->side + n, blocks->side + first, k);
		n += k;
		rest->pairs &= k == 2;
		rest->start[++rest->nr] = n;
	}
	rest->n = n;
}

static void find_influence(struct diagnosis *diagnosis, const struct blocks *blocks,
			   const double *noise, double effect, double alpha)
{
	struct blocks rest = {
		.y = xcalloc(blocks->n, sizeof(*rest.y)),
		.side = xcalloc(blocks->n, sizeof(*rest.side)),
		.start = xcalloc(blocks->nr + 1, sizeof(*rest.start)),
	};
	bool found = compare_p(blocks) <= alpha;

	for (size_t i = 0; blocks->nr >= 3 && i < blocks->nr; i++) {
		double without, change;

		leave_out(&rest, blocks, i);
		without = compare_effect(&rest);
		change = as_part(blocks, noise, without - effect);
		if (fabs(change) > fabs(diagnosis->influence)) {
			diagnosis->influence = change;
			diagnosis->influential = i;
		}
		diagnosis->overturns |=
			(compare_p(&rest) <= alpha) != found || (found && without * effect < 0);
	}
	blocks_release(&rest);
}

/* A's noise, in groups of two or more: a block's, or two blocks' where one has a single A. */
struct groups {
	double *y;
	size_t *start, nr;
};

static void group_a(struct groups *groups, const struct blocks *blocks, const double *noise)
{
	size_t n = 0;

	*groups = (struct groups){
		.y = xcalloc(blocks->n, sizeof(*groups->y)),
		.start = xcalloc(blocks->nr + 1, sizeof(*groups->start)),
	};
	for (size_t i = 0; i < blocks->nr; i++) {
		for (size_t u = blocks->start[i]; u < blocks->start[i + 1]; u++)
			if (!blocks->side[u])
				groups->y[n++] = noise[u - blocks->start[0]];
		if (n - groups->start[groups->nr] >= 2)
			groups->start[++groups->nr] = n;
	}
}

static double mean_of(const double *x, size_t n)
{
	double mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	return mean;
}

/* Shuffles each group, and calls the first half of it A and the rest B. */
static double false_effect(const struct groups *groups, double *d, struct rng *rng)
{
	for (size_t g = 0; g < groups->nr; g++) {
		double *y = groups->y + groups->start[g], swap;
		size_t n = groups->start[g + 1] - groups->start[g], half = n / 2;

		for (size_t i = n; i > 1; i--) {
			size_t k = rng_below(rng, i);

			swap = y[i - 1];
			y[i - 1] = y[k];
			y[k] = swap;
		}
		d[g] = mean_of(y + half, n - half) - mean_of(y, half);
	}
	return fabs(hodges_lehmann(d, groups->nr));
}

static void find_floor(struct diagnosis *diagnosis, const struct blocks *blocks,
		       const double *noise)
{
	double effect[FLOOR_DRAWS], *d;
	struct groups groups;
	struct rng rng;

	group_a(&groups, blocks, noise);
	if (groups.nr >= FLOOR_MIN) {
		d = xcalloc(groups.nr, sizeof(*d));
		rng_seed(&rng, 0, "floor", 0);
		for (size_t i = 0; i < FLOOR_DRAWS; i++)
			effect[i] = false_effect(&groups, d, &rng);
		sort_values(effect, FLOOR_DRAWS);
		diagnosis->floor = as_part(blocks, noise, effect[(size_t)(0.95 * FLOOR_DRAWS)]);
		free(d);
	}
	free(groups.y);
	free(groups.start);
}

void diagnose_more(struct diagnosis *diagnosis, const struct blocks *blocks, double effect,
		   double alpha)
{
	double *noise = noise_of(blocks, effect);

	find_modes(diagnosis, blocks, noise);
	if (blocks->nr > 1) {
		find_place(diagnosis, blocks, noise);
		find_influence(diagnosis, blocks, noise, effect, alpha);
		find_floor(diagnosis, blocks, noise);
	}
	free(noise);
}
