// SPDX-License-Identifier: GPL-2.0-only
#include "peers_draw.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define DRAWS 999
#define TAIL                                                                                       \
	24 /* a two-sided test at 0.05 keeps so many of the draws beyond each end: 0.025 * 999 */

static int sign(double x)
{
	return (x > 0) - (x < 0);
}

/* 0 .. n - 1 from 32 of 64 random bits: uneven by n / 2^32 */
static size_t pick(uint64_t bits, size_t n)
{
	return (size_t)((bits >> 32) * n >> 32);
}

/* The bootstrap: n of pool[m] with replacement. */
static void resample(double *out, size_t n, const double *pool, size_t m, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		out[i] = pool[pick(rng_next(rng), m)];
}

static double t_of(const double *a, const double *b, size_t n)
{
	double mean_a, mean_b, var_a, var_b;

	peer_moments(&mean_a, &var_a, a, n);
	peer_moments(&mean_b, &var_b, b, n);
	return (mean_b - mean_a) / sqrt((var_a + var_b) / (double)n);
}

/* Does t lie beyond the central 95 % of what resampling from both sides together gives? */
static bool pooled_t_differs(const struct peer_data *data, struct rng *rng)
{
	double pool[2 * PEERS_MAX_N], a[PEERS_MAX_N], b[PEERS_MAX_N];
	double t = t_of(data->a, data->b, data->n);
	size_t n = data->n, below = 0, above = 0;

	memcpy(pool, data->a, n * sizeof(*pool));
	memcpy(pool + n, data->b, n * sizeof(*pool));
	for (int i = 0; i < DRAWS && (below <= TAIL || above <= TAIL); i++) {
		resample(a, n, pool, 2 * n, rng);
		resample(b, n, pool, 2 * n, rng);
		if (t_of(a, b, n) < t)
			below++;
		else
			above++;
	}
	return below <= TAIL || above <= TAIL;
}

static double mean_of_resample(const double *x, size_t n, struct rng *rng)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[pick(rng_next(rng), n)];
	return sum / (double)n;
}

int peer_call_crit(const struct peer_data *data, struct rng *rng)
{
	size_t n = data->n, not_up = 0, not_down = 0;

	if (!pooled_t_differs(data, rng))
		return 0;
	for (int i = 0; i < DRAWS && (not_up <= TAIL || not_down <= TAIL); i++) {
		double a = mean_of_resample(data->a, n, rng);
		double ratio = mean_of_resample(data->b, n, rng) / a;

		not_up += ratio <= 1.01;
		not_down += ratio >= 0.99;
	}
	return not_up <= TAIL ? 1 : not_down <= TAIL ? -1 : 0;
}

/* The k-th and the next of the sorted resample are found by counting how often each of the sorted values was drawn. */
static double median_of_resample(const double *sorted, size_t n, struct rng *rng)
{
	unsigned int counts[PEERS_MAX_N] = { 0 };
	size_t seen = 0, i, low;

	for (i = 0; i < n; i++)
		counts[pick(rng_next(rng), n)]++;
	for (i = 0; seen + counts[i] <= (n - 1) / 2; i++)
		seen += counts[i];
	low = i;
	for (; seen + counts[i] <= n / 2; i++)
		seen += counts[i];
	return (sorted[low] + sorted[i]) / 2;
}

int peer_call_bci(const struct peer_data *data, struct rng *rng)
{
	size_t n = data->n, not_up = 0, not_down = 0;

	for (int i = 0; i < DRAWS && (not_up <= TAIL || not_down <= TAIL); i++) {
		double a = median_of_resample(data->sorted_a, n, rng);
		double b = median_of_resample(data->sorted_b, n, rng);

		not_up += b <= a;
		not_down += b >= a;
	}
	return not_up <= TAIL ? 1 : not_down <= TAIL ? -1 : 0;
}

/* p = (1 + draws as far) / (1 + draws); more than this many as far is p > 0.05 */
#define AS_FAR_MAX 49

int peer_call_perm(const struct peer_data *data, struct rng *rng)
{
	double pool[2 * PEERS_MAX_N], sum_a = 0, sum = 0, far;
	size_t n = data->n, as_far = 0;

	for (size_t i = 0; i < n; i++) {
		sum_a += pool[i] = data->la[i];
		sum += pool[n + i] = data->lb[i];
	}
	sum += sum_a;
	far = fabs(2 * sum_a - sum) * (1 - 1e-12);
	for (int draw = 0; draw < DRAWS && as_far <= AS_FAR_MAX; draw++) {
		double drawn = 0;

		for (size_t i = 0; i < n; i++) {
			size_t j = i + pick(rng_next(rng), 2 * n - i);
			double swap = pool[i];

			pool[i] = pool[j];
			pool[j] = swap;
			drawn += pool[i];
		}
		as_far += fabs(2 * drawn - sum) >= far;
	}
	return as_far > AS_FAR_MAX ? 0 : sign(sum - 2 * sum_a);
}

int peer_call_flip(const double *d, size_t n, struct rng *rng)
{
	double sum = 0, far;
	size_t as_far = 0;

	for (size_t i = 0; i < n; i++)
		sum += d[i];
	far = fabs(sum) * (1 - 1e-12);
	for (int draw = 0; draw < DRAWS && as_far <= AS_FAR_MAX; draw++) {
		uint64_t bits = rng_next(rng);
		double drawn = 0;

		for (size_t i = 0; i < n; i++)
			drawn += bits >> i & 1 ? d[i] : -d[i];
		as_far += fabs(drawn) >= far;
	}
	return as_far > AS_FAR_MAX ? 0 : sign(sum);
}
