// SPDX-License-Identifier: GPL-2.0-only
#include "stats/edivisive.h"

#include "base/mem.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 199

/**
 * struct series - split so far
 * @first: first[parts]: where parts begin; first[parts] is @n
 * @sum:   sum[(n + 1) * (n + 1)] for the part at hand: distances of all pairs of its first i and first j values
 */
struct series {
	size_t n;
	size_t *first;
	size_t parts;
	double *sum;
};

struct split {
	double clear;
	size_t at;
};

static void sum_distances(double *sum, const double *x, size_t n)
{
	memset(sum, 0, (n + 1) * sizeof(*sum));
	for (size_t i = 1; i <= n; i++) {
		double row = 0;

		sum[i * (n + 1)] = 0;
		for (size_t j = 1; j <= n; j++) {
			row += fabs(x[i - 1] - x[j - 1]);
			sum[i * (n + 1) + j] = sum[(i - 1) * (n + 1) + j] + row;
		}
	}
}

/* Of values a ... b - 1 and c ... d - 1; sum[] has rows of @width. */
static double between(const double *sum, size_t width, size_t a, size_t b, size_t c, size_t d)
{
	return sum[b * width + d] - sum[a * width + d] - sum[b * width + c] + sum[a * width + c];
}

/* Energy distance between values 0 ... at - 1 and at ... end - 1. */
static double distance(const double *sum, size_t width, size_t at, size_t end)
{
	double n = (double)at, m = (double)(end - at);

	return n * m / (n + m) *
	       (2 * between(sum, width, 0, at, at, end) / (n * m) -
		between(sum, width, 0, at, 0, at) / (n * (n - 1)) -
		between(sum, width, at, end, at, end) / (m * (m - 1)));
}

static struct split clearest_in_part(double *sum, const double *x, size_t n)
{
	struct split best = { .clear = -1 };

	if (n / 2 < EDIVISIVE_MIN_PART)
		return best;
	sum_distances(sum, x, n);
	for (size_t at = EDIVISIVE_MIN_PART; at <= n - EDIVISIVE_MIN_PART; at++)
		for (size_t end = at + EDIVISIVE_MIN_PART; end <= n; end++) {
			double clear = distance(sum, n + 1, at, end);

			if (clear > best.clear)
				best = (struct split){ clear, at };
		}
	return best;
}

static struct split clearest(const struct series *series, const double *x)
{
	struct split best = { .clear = -1 };

	for (size_t i = 0; i < series->parts; i++) {
		size_t first = series->first[i];
		struct split split =
			clearest_in_part(series->sum, x + first, series->first[i + 1] - first);

		if (split.clear > best.clear)
			best = (struct split){ split.clear, first + split.at };
	}
	return best;
}

static void shuffle(struct rng *rng, double *x, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = rng_below(rng, i);
		double other = x[k];

		x[k] = x[i - 1];
		x[i - 1] = other;
	}
}

/* Is a split as clear as that rare where the order within each part means nothing? Shuffles @x. */
static bool is_step(const struct series *series, double *x, double clear, double alpha)
{
	/* equal distances summed in another order differ in their last digits */
	const double as_clear = clear * (1 - 1e-9);
	unsigned int n = 1;
	struct rng rng;

	rng_seed(&rng, 0, "edivisive", series->parts);
	for (unsigned int draw = 0; draw < DRAWS; draw++) {
		for (size_t i = 0; i < series->parts; i++)
			shuffle(&rng, x + series->first[i],
				series->first[i + 1] - series->first[i]);
		n += clearest(series, x).clear >= as_clear;
		if (n > alpha * (DRAWS + 1))
			return false;
	}
	return true;
}

static void add_part(struct series *series, size_t at)
{
	size_t i = series->parts++;

	for (; series->first[i] > at; i--)
		series->first[i + 1] = series->first[i];
	series->first[i + 1] = at;
}

size_t edivisive(size_t *first, const double *x, size_t n, double alpha)
{
	struct series series = { .n = n, .parts = 1 };
	double *shuffled = xcalloc(n, sizeof(*shuffled));
	struct split split;

	assert(n <= EDIVISIVE_MAX);
	series.first = xcalloc(n / EDIVISIVE_MIN_PART + 2, sizeof(*series.first));
	series.first[1] = n;
	series.sum = xcalloc((n + 1) * (n + 1), sizeof(*series.sum));
	for (;;) {
		split = clearest(&series, x);
		memcpy(shuffled, x, n * sizeof(*x));
		/* 0: all values are equal */
		if (split.clear <= 0 || !is_step(&series, shuffled, split.clear, alpha))
			break;
		add_part(&series, split.at);
	}
	memcpy(first, series.first + 1, (series.parts - 1) * sizeof(*first));
	free(shuffled);
	free(series.first);
	free(series.sum);
	return series.parts - 1;
}
