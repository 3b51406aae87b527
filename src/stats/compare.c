// SPDX-License-Identifier: GPL-2.0-only
#include "stats/compare.h"

#include "base/mem.h"
#include "stats/aligned.h"
#include "stats/order.h"
#include "stats/ranksum.h"
#include "stats/shift.h"
#include "stats/signed_rank.h"

#include <math.h>
#include <stdlib.h>

/* Each block's units, sides apart and sorted. */
struct sorted {
	struct shift_group *groups;
	double *y;
};

static void sorted_init(struct sorted *sorted, const struct blocks *blocks)
{
	double *room;

	sorted->groups = xcalloc(blocks->nr, sizeof(*sorted->groups));
	room = sorted->y = xcalloc(blocks->n, sizeof(*sorted->y));
	for (size_t i = 0; i < blocks->nr; i++) {
		size_t n_a = blocks_side(blocks, blocks->y, i, i + 1, 0, room);
		size_t n_b = blocks_side(blocks, blocks->y, i, i + 1, 1, room + n_a);

		sort_values(room, n_a);
		sort_values(room + n_a, n_b);
		sorted->groups[i] = (struct shift_group){ room, room + n_a, n_a, n_b };
		room += n_a + n_b;
	}
}

static void sorted_release(struct sorted *sorted)
{
	free(sorted->groups);
	free(sorted->y);
}

static double *differences(const struct blocks *blocks)
{
	double *d = xcalloc(blocks->nr, sizeof(*d));

	for (size_t i = 0; i < blocks->nr; i++) {
		size_t first = blocks->start[i], b = blocks->side[first] ? first : first + 1;

		d[i] = blocks->y[b] - blocks->y[first + (b == first)];
	}
	return d;
}

static void compare_pairs(struct comparison *c, const struct blocks *blocks, double alpha)
{
	double *d = differences(blocks);

	c->effect = hodges_lehmann(d, blocks->nr);
	c->p = signed_rank_p(d, blocks->nr);
	c->has_ci = !walsh_interval(&c->ci, d, blocks->nr, 1 - alpha);
	free(d);
}

static void compare_one_block(struct comparison *c, const struct blocks *blocks, double alpha)
{
	struct sorted sorted;
	const struct shift_group *g;

	sorted_init(&sorted, blocks);
	g = sorted.groups;
	c->effect = shift_middle(g, 1);
	c->p = ranksum_p(g->a, g->n_a, g->b, g->n_b);
	c->has_ci = !ranksum_interval(&c->ci, g->a, g->n_a, g->b, g->n_b, 1 - alpha);
	sorted_release(&sorted);
}

static void compare_blocks(struct comparison *c, const struct blocks *blocks, double alpha)
{
	c->effect = compare_effect(blocks);
	c->has_ci = !aligned_interval(&c->p, &c->ci, blocks, alpha);
}

void compare(struct comparison *comparison, const struct blocks *blocks, double alpha)
{
	*comparison = (struct comparison){ 0 };
	if (blocks->pairs)
		compare_pairs(comparison, blocks, alpha);
	else if (blocks->nr == 1)
		compare_one_block(comparison, blocks, alpha);
	else
		compare_blocks(comparison, blocks, alpha);
}

double compare_effect(const struct blocks *blocks)
{
	struct sorted sorted;
	double effect, *d;

	if (blocks->pairs) {
		d = differences(blocks);
		effect = hodges_lehmann(d, blocks->nr);
		free(d);
		return effect;
	}
	sorted_init(&sorted, blocks);
	effect = shift_middle(sorted.groups, blocks->nr);
	sorted_release(&sorted);
	return effect;
}

double compare_p(const struct blocks *blocks)
{
	double *d, p;

	if (!blocks->pairs)
		return aligned_p(blocks); /* of one block, the rank-sum test */
	d = differences(blocks);
	p = signed_rank_p(d, blocks->nr);
	free(d);
	return p;
}

/* Of a pair the greater unit has the rank of the difference, the other 0: B's sum is that of the positive ranks. */
static void score_pairs(unsigned int *scores, const struct blocks *blocks)
{
	unsigned int *ranks2 = xcalloc(blocks->nr, sizeof(*ranks2));
	const double *y = blocks->y + blocks->start[0];
	double *d = differences(blocks);

	signed_rank_scores(ranks2, d, blocks->nr);
	for (size_t i = 0; i < blocks->nr; i++) {
		bool second = y[2 * i + 1] > y[2 * i];

		scores[2 * i + second] = ranks2[i];
		scores[2 * i + !second] = 0;
	}
	free(d);
	free(ranks2);
}

void compare_scores(unsigned int *scores, const struct blocks *blocks)
{
	if (blocks->pairs)
		score_pairs(scores, blocks);
	else
		aligned_ranks(scores, blocks);
}

double compare_min_p(const struct blocks *blocks)
{
	return aligned_min_p(blocks); /* the draws are the same for all three */
}

size_t compare_needed(double min_p, size_t nr, double alpha)
{
	double per_block = log(2 / min_p) / (double)nr;

	return (size_t)ceil(log(2 / alpha) / per_block - 1e-9);
}
