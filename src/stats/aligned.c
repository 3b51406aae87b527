// SPDX-License-Identifier: GPL-2.0-only
#include "stats/aligned.h"

#include "base/mem.h"
#include "stats/normal.h"
#include "stats/order.h"
#include "stats/sums.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PRECISION 1e-10
#define FEW	  16   /* units of a block that are sorted without ado */
#define MANY	  1000 /* units of which one order helps little to find the next */

/**
 * struct aligned - the test at one shift after another
 * @y, @side:  as in the blocks, n each
 * @residual:  residual[n]: value less shift less median of the block
 * @order:     order[n]: units by residual; what one shift leaves is nearly right for the next
 * @ranks:     ranks[n] of the residuals, doubled where ties ask for it
 * @inside, @outside: ranks at a shift that is known to be accepted, and at one known to be refused
 */
struct aligned {
	const struct blocks *blocks;
	const double *y;
	const unsigned char *side;
	size_t n;
	double *residual;
	size_t *order;
	unsigned int *ranks, *inside, *outside;
	struct sums sums;
	bool exact;
};

static bool is_exact(const struct blocks *blocks, size_t n)
{
	double width = 1, cost = 0;

	for (size_t i = 0; i < blocks->nr; i++)
		cost += sums_cost(blocks_size(blocks, i), blocks_size_b(blocks, i), n, &width);
	return cost <= SUMS_MAX_COST;
}

static void aligned_init(struct aligned *t, const struct blocks *blocks)
{
	size_t first = blocks->start[0], n = blocks->start[blocks->nr] - first;

	*t = (struct aligned){
		.blocks = blocks,
		.y = blocks->y + first,
		.side = blocks->side + first,
		.n = n,
		.residual = xcalloc(n, sizeof(*t->residual)),
		.order = xcalloc(n, sizeof(*t->order)),
		.ranks = xcalloc(n, sizeof(*t->ranks)),
		.inside = xcalloc(n, sizeof(*t->inside)),
		.outside = xcalloc(n, sizeof(*t->outside)),
		.exact = is_exact(blocks, n),
	};
	for (size_t i = 0; i < n; i++)
		t->order[i] = i;
}

static void aligned_release(struct aligned *t)
{
	free(t->residual);
	free(t->order);
	free(t->ranks);
	free(t->inside);
	free(t->outside);
	sums_release(&t->sums);
}

static double median_of_few(const double *x, size_t n)
{
	double sorted[FEW];

	assert(n > 0);
	if (n > FEW)
		return median(x, n);
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; k > 0 && sorted[k - 1] > x[i]; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = x[i];
	}
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

static void align(struct aligned *t, double shift)
{
	const struct blocks *blocks = t->blocks;

	for (size_t i = 0; i < t->n; i++)
		t->residual[i] = t->side[i] ? t->y[i] - shift : t->y[i];
	for (size_t b = 0; b < blocks->nr; b++) {
		double *r = t->residual + (blocks->start[b] - blocks->start[0]);
		size_t k = blocks_size(blocks, b);
		double middle = median_of_few(r, k);

		for (size_t i = 0; i < k; i++)
			r[i] -= middle;
	}
}

static void sort_residuals(struct aligned *t)
{
	for (size_t i = 1; i < t->n; i++) {
		size_t moved = t->order[i], k = i;

		for (; k > 0 && t->residual[t->order[k - 1]] > t->residual[moved]; k--)
			t->order[k] = t->order[k - 1];
		t->order[k] = moved;
	}
}

static void rank(struct aligned *t)
{
	unsigned int odd = 0;

	if (t->n > MANY) {
		midranks_doubled(t->ranks, t->residual, t->n);
		return;
	}
	sort_residuals(t);
	for (size_t i = 0, j; i < t->n; i = j) {
		for (j = i + 1; j < t->n && t->residual[t->order[j]] == t->residual[t->order[i]];
		     j++)
			;
		for (size_t k = i; k < j; k++)
			t->ranks[t->order[k]] = (unsigned int)(i + 1 + j);
		odd |= (unsigned int)(i + 1 + j) & 1;
	}
	for (size_t i = 0; !odd && i < t->n; i++)
		t->ranks[i] /= 2;
}

/* Parts of all draws whose sum is at most, and at least, that of B. */
struct tails {
	double low, high;
};

static struct tails tails_exact(struct aligned *t, uint64_t sum)
{
	const struct blocks *blocks = t->blocks;

	sums_clear(&t->sums);
	for (size_t b = 0; b < blocks->nr; b++)
		sums_deal(&t->sums, t->ranks + (blocks->start[b] - blocks->start[0]),
			  blocks_size(blocks, b), blocks_size_b(blocks, b));
	return (struct tails){ sums_at_most(&t->sums, sum), sums_at_least(&t->sums, sum) };
}

/* P(Z >= z) */
static double upper_normal(double z)
{
	double both = normal_two_sided_p(fabs(z));

	return z > 0 ? both / 2 : 1 - both / 2;
}

/* Mean and variance of what m of a block's k ranks sum up to; half a step of continuity. */
static struct tails tails_normal(const struct aligned *t, double sum)
{
	const struct blocks *blocks = t->blocks;
	double mean = 0, variance = 0;

	for (size_t b = 0; b < blocks->nr; b++) {
		const unsigned int *ranks = t->ranks + (blocks->start[b] - blocks->start[0]);
		double k = (double)blocks_size(blocks, b), m = (double)blocks_size_b(blocks, b);
		double middle = 0, squares = 0;

		for (size_t i = 0; i < blocks_size(blocks, b); i++)
			middle += ranks[i] / k;
		for (size_t i = 0; i < blocks_size(blocks, b); i++)
			squares += (ranks[i] - middle) * (ranks[i] - middle);
		mean += m * middle;
		variance += m * (k - m) / (k * (k - 1)) * squares;
	}
	if (variance <= 0)
		return (struct tails){ 1, 1 };
	return (struct tails){ upper_normal((mean - sum - 0.5) / sqrt(variance)),
			       upper_normal((sum - mean - 0.5) / sqrt(variance)) };
}

/* Of the ranks as they are. */
static struct tails find_tails(struct aligned *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += t->side[i] ? t->ranks[i] : 0;
	return t->exact ? tails_exact(t, sum) : tails_normal(t, (double)sum);
}

static double two_sided(struct tails tails)
{
	return fmin(1, 2 * fmin(tails.low, tails.high));
}

double aligned_p(const struct blocks *blocks)
{
	struct aligned t;
	double p;

	aligned_init(&t, blocks);
	align(&t, 0);
	rank(&t);
	p = two_sided(find_tails(&t));
	aligned_release(&t);
	return p;
}

void aligned_ranks(unsigned int *ranks, const struct blocks *blocks)
{
	struct aligned t;

	aligned_init(&t, blocks);
	align(&t, 0);
	rank(&t);
	memcpy(ranks, t.ranks, t.n * sizeof(*ranks));
	aligned_release(&t);
}

/* Is @shift within the interval's end on that side? Notes the ranks on either side of the end. */
static bool is_inside(struct aligned *t, double shift, bool upper, double alpha)
{
	size_t bytes = t->n * sizeof(*t->ranks);
	struct tails tails;
	bool inside;

	align(t, shift);
	rank(t);
	if (!memcmp(t->ranks, t->inside, bytes))
		return true;
	if (!memcmp(t->ranks, t->outside, bytes))
		return false;
	tails = find_tails(t);
	inside = 2 * (upper ? tails.low : tails.high) > alpha;
	memcpy(inside ? t->inside : t->outside, t->ranks, bytes);
	return inside;
}

/*
 * The end between @outside, a shift beyond it, and @inside. 0 comes first, so that the interval excludes it just
 * when the test of the values as they are refuses.
 */
static double find_end(struct aligned *t, double outside, double inside, double alpha)
{
	double least = PRECISION * fabs(inside - outside), shift = 0;
	bool upper = outside > inside;

	memset(t->inside, 0, t->n * sizeof(*t->inside));
	memset(t->outside, 0, t->n * sizeof(*t->outside));
	if ((outside < 0) == (inside < 0))
		shift = (outside + inside) / 2;
	while (fabs(inside - outside) > least && shift != inside && shift != outside) {
		if (is_inside(t, shift, upper, alpha))
			inside = shift;
		else
			outside = shift;
		shift = (outside + inside) / 2;
	}
	return inside;
}

/* The least and the greatest difference within a block. */
static void range_of(const struct aligned *t, double *lo, double *hi)
{
	const struct blocks *blocks = t->blocks;

	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t b = 0; b < blocks->nr; b++) {
		double lo_of[2] = { INFINITY, INFINITY }, hi_of[2] = { -INFINITY, -INFINITY };

		for (size_t i = blocks->start[b]; i < blocks->start[b + 1]; i++) {
			int side = blocks->side[i];

			lo_of[side] = fmin(lo_of[side], blocks->y[i]);
			hi_of[side] = fmax(hi_of[side], blocks->y[i]);
		}
		*lo = fmin(*lo, lo_of[1] - hi_of[0]);
		*hi = fmax(*hi, hi_of[1] - lo_of[0]);
	}
}

static double arrangements(const struct blocks *blocks)
{
	double all = 1;

	for (size_t b = 0; b < blocks->nr && all < 1e300; b++) {
		size_t k = blocks_size(blocks, b), m = blocks_size_b(blocks, b);

		for (size_t i = 0; i < m && all < 1e300; i++)
			all *= (double)(k - i) / (double)(i + 1);
	}
	return round(all);
}

double aligned_min_p(const struct blocks *blocks)
{
	return fmin(1, 2 / arrangements(blocks));
}

int aligned_interval(double *p, struct interval *ci, const struct blocks *blocks, double alpha)
{
	double lo, hi, beyond;
	struct aligned t;

	aligned_init(&t, blocks);
	align(&t, 0);
	rank(&t);
	*p = two_sided(find_tails(&t));
	if (aligned_min_p(blocks) <= alpha) {
		range_of(&t, &lo, &hi);
		/* beyond all differences every draw but one, or all, are on one side */
		beyond = fmax(hi - lo, fmax(fabs(lo), fabs(hi)) * 1e-12);
		ci->lo = find_end(&t, lo - beyond, hi + beyond, alpha);
		ci->hi = find_end(&t, hi + beyond, lo - beyond, alpha);
	}
	aligned_release(&t);
	return aligned_min_p(blocks) <= alpha ? 0 : -ERANGE;
}
