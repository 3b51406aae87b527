// SPDX-License-Identifier: GPL-2.0-only
#include "stats/mean.h"

#include "base/mem.h"
#include "stats/side.h"
#include "stats/student.h"
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Means over the blocks' means of both sides, with the variances and covariance of these. */
struct moments {
	double a, b;
	double var_a, var_b, cov;
};

static double block_mean(const struct blocks *blocks, size_t i, unsigned char side)
{
	double sum = 0, n = 0;

	for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++)
		if (blocks->side[k] == side) {
			sum += blocks->value[k];
			n++;
		}
	return sum / n;
}

static struct moments moments_of(const struct blocks *blocks)
{
	double n = (double)blocks->nr, scale = n * (n - 1);
	struct moments m = { 0 };

	for (size_t i = 0; i < blocks->nr; i++) {
		m.a += block_mean(blocks, i, 0) / n;
		m.b += block_mean(blocks, i, 1) / n;
	}
	for (size_t i = 0; i < blocks->nr; i++) {
		double a = block_mean(blocks, i, 0) - m.a, b = block_mean(blocks, i, 1) - m.b;

		m.var_a += a * a / scale;
		m.var_b += b * b / scale;
		m.cov += a * b / scale;
	}
	return m;
}

/* All ratios r whose b - r a is at most t of its standard errors from 0. */
static int ratio_interval(struct interval *ci, const struct moments *m, double t)
{
	double square = m->a * m->a - t * t * m->var_a;
	double half = m->a * m->b - t * t * m->cov;
	double rest = m->b * m->b - t * t * m->var_b;
	double root = fmax(0, half * half - square * rest);

	if (square <= 0)
		return -ERANGE;
	ci->lo = (half - sqrt(root)) / square - 1;
	ci->hi = (half + sqrt(root)) / square - 1;
	return 0;
}

static struct summary summary_of(const struct blocks *blocks, unsigned char side)
{
	double *x = xcalloc(blocks->n, sizeof(*x));
	size_t n = blocks_side(blocks, blocks->value, 0, blocks->nr, side, x);
	struct side described = side_describe(x, n);

	free(x);
	return (struct summary){ described.mean, described.sd, n };
}

static int compare_one_block(double *effect, struct interval *ci, const struct blocks *blocks,
			     double alpha)
{
	struct summary a = summary_of(blocks, 0), b = summary_of(blocks, 1);
	struct welch welch;

	*effect = blocks->relative ? b.mean / a.mean - 1 : b.mean - a.mean;
	if (summary_welch(&welch, &a, &b, alpha) || !welch.has_ci ||
	    welch.relative != blocks->relative)
		return -ERANGE;
	*ci = welch.ci;
	return 0;
}

int mean_compare(double *effect, struct interval *ci, const struct blocks *blocks, double alpha)
{
	struct moments m;
	double t, half;

	if (blocks->nr == 1)
		return compare_one_block(effect, ci, blocks, alpha);
	m = moments_of(blocks);
	t = student_critical(alpha, (double)blocks->nr - 1);
	*effect = blocks->relative ? m.b / m.a - 1 : m.b - m.a;
	if (blocks->relative)
		return ratio_interval(ci, &m, t);
	half = t * sqrt(fmax(0, m.var_a + m.var_b - 2 * m.cov));
	*ci = (struct interval){ *effect - half, *effect + half };
	return 0;
}
