// SPDX-License-Identifier: GPL-2.0-only
#include "peers.h"
#include "peers_draw.h"

#include "base/mem.h"
#include "stats/order.h"
#include "stats/signed_rank.h"
#include "stats/student.h"
#include "stats/walsh.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ALPHA	0.05
#define RHO_MAX 0.95

void peer_moments(double *mean, double *var, const double *x, size_t n)
{
	double sum = 0, squares = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += x[i];
	*mean = sum / (double)n;
	for (i = 0; i < n; i++)
		squares += (x[i] - *mean) * (x[i] - *mean);
	*var = squares / (double)(n - 1);
}

void peer_data_split(struct peer_data *data, const double *y, const unsigned char *side, size_t n)
{
	size_t a = 0, b = 0;

	assert(n >= 2 && n <= PEERS_MAX_N);
	data->n = n;
	for (size_t t = 0; t < 2 * n; t++)
		if (side[t])
			data->lb[b++] = y[t];
		else
			data->la[a++] = y[t];
	assert(a == n && b == n);
	for (size_t i = 0; i < n; i++) {
		data->a[i] = exp(data->la[i]);
		data->b[i] = exp(data->lb[i]);
	}
	memcpy(data->sorted_a, data->a, n * sizeof(*data->a));
	memcpy(data->sorted_b, data->b, n * sizeof(*data->b));
	sort_values(data->sorted_a, n);
	sort_values(data->sorted_b, n);
	peer_moments(&data->mean_a, &data->var_a, data->a, n);
	peer_moments(&data->mean_b, &data->var_b, data->b, n);
}

static int sign(double x)
{
	return (x > 0) - (x < 0);
}

/* Welch's test of a difference of means with squared standard errors va and vb, n a side. */
static int welch(double difference, double va, double vb, size_t n)
{
	double df = (va + vb) * (va + vb) / (va * va + vb * vb) * (double)(n - 1);

	if (va + vb == 0)
		return sign(difference);
	return student_two_sided_p(difference / sqrt(va + vb), df) < ALPHA ? sign(difference) : 0;
}

static int call_welch(const struct peer_data *data)
{
	double n = (double)data->n;

	return welch(data->mean_b - data->mean_a, data->var_a / n, data->var_b / n, data->n);
}

/* Sum of (x_i - mean) (x_(i - 1) - mean) */
static double neighbour_products(const double *x, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 1; i < n; i++)
		sum += (x[i] - mean) * (x[i - 1] - mean);
	return sum;
}

/*
 * The mean of an AR(1) series varies as that of fewer values. One correlation for both sides, with Kendall's
 * correction for the bias of short series; a negative one is not believed. 2 n - 2 degrees of freedom, as where sides
 * scatter alike: with Welch's, a series that alternates within one side only is called less often than elsewhere.
 */
static int call_hac(const struct peer_data *data)
{
	double mean_a, mean_b, var_a, var_b, products, rho, inflated, se;
	size_t n = data->n;

	peer_moments(&mean_a, &var_a, data->la, n);
	peer_moments(&mean_b, &var_b, data->lb, n);
	products =
		neighbour_products(data->la, n, mean_a) + neighbour_products(data->lb, n, mean_b);
	rho = var_a + var_b > 0 ? products / ((var_a + var_b) * (double)(n - 1)) : 0;
	rho = fmin(RHO_MAX, fmax(0, rho + (1 + 3 * rho) / (double)n));
	inflated = (1 + rho) / (1 - rho) / (double)n;
	se = sqrt((var_a + var_b) * inflated);
	if (se == 0)
		return sign(mean_b - mean_a);
	return student_two_sided_p((mean_b - mean_a) / se, 2 * (double)n - 2) < ALPHA
		       ? sign(mean_b - mean_a)
		       : 0;
}

/* P(U <= u) of n against n without ties: the coefficients of prod (1 - x^(n+i)) / (1 - x^i), divided by their sum. */
static double rank_sum_tail(size_t n, size_t u)
{
	double counts[PEERS_MAX_N * PEERS_MAX_N / 2 + 1] = { 1 }, all = 1, sum = 0;
	size_t i, k;

	for (i = 1; i <= n; i++) {
		for (k = u; k >= n + i; k--)
			counts[k] -= counts[k - n - i];
		for (k = i; k <= u; k++)
			counts[k] += counts[k - i];
		all *= (double)(n + i) / (double)i;
	}
	for (k = 0; k <= u; k++)
		sum += counts[k];
	return sum / all;
}

static int call_mwu(const struct peer_data *data)
{
	size_t n = data->n, above2 = 0, low = 0, high = 0; /* above2: twice the pairs with b > a */
	size_t u2;

	for (size_t i = 0; i < n; i++) {
		while (low < n && data->sorted_a[low] < data->sorted_b[i])
			low++;
		while (high < n && data->sorted_a[high] <= data->sorted_b[i])
			high++;
		above2 += low + high;
	}
	u2 = above2 < 2 * n * n - above2 ? above2 : 2 * n * n - above2;
	if (2 * rank_sum_tail(n, (u2 + 1) / 2) > ALPHA)
		return 0;
	return above2 > n * n ? 1 : -1;
}

/* Means further apart than so many of the sums of both standard deviations. */
static int bars_apart(const struct peer_data *data, double sds)
{
	double difference = data->mean_b - data->mean_a;
	double reach = sds * (sqrt(data->var_a) + sqrt(data->var_b));

	return fabs(difference) > reach ? sign(difference) : 0;
}

static int call_lkp(const struct peer_data *data)
{
	size_t n = data->n, trim = n / 32 < 3 ? n / 32 : 3;
	const double *low = data->sorted_a, *high = data->sorted_b;
	double low_median, high_median, gap;
	int call = 1;

	if (high[0] < low[0]) {
		low = data->sorted_b;
		high = data->sorted_a;
		call = -1;
	}
	low_median = (low[(n - 1) / 2] + low[n / 2]) / 2;
	high_median = (high[(n - 1) / 2] + high[n / 2]) / 2;
	gap = high[trim] - low[n - 1 - trim];
	if (gap <= 0 || gap <= (high_median - low_median) / 2)
		return 0;
	return high_median / low_median > 1.01 ? call : 0;
}

static int call_hf(const struct peer_data *data)
{
	double rel_a = data->var_a / (data->mean_a * data->mean_a);
	double rel_b = data->var_b / (data->mean_b * data->mean_b);
	double ratio = data->mean_b / data->mean_a;

	if (fmax(ratio, 1 / ratio) * (1 - sqrt(rel_a + rel_b)) <= 1)
		return 0;
	return sign(ratio - 1);
}

static int call_wsr(const double *d, size_t n)
{
	if (signed_rank_p(d, n) > ALPHA)
		return 0;
	return sign(hodges_lehmann(d, n));
}

/* Puts x in its place among sorted[n]; returns the median of the n that were there. */
static double median_then_insert(double *sorted, size_t n, double x)
{
	double middle = n ? (sorted[(n - 1) / 2] + sorted[n / 2]) / 2 : 0;
	size_t i;

	for (i = n; i > 0 && sorted[i - 1] > x; i--)
		sorted[i] = sorted[i - 1];
	sorted[i] = x;
	return middle;
}

static int call_ep(const double *d, size_t n)
{
	static const double stakes[] = { 0.1, 0.2, 0.4, 0.8, 1.6, 3.2 };
	double up[ARRAY_SIZE(stakes)], down[ARRAY_SIZE(stakes)], sizes[PEERS_MAX_N];

	for (size_t k = 0; k < ARRAY_SIZE(stakes); k++)
		up[k] = down[k] = 1;
	for (size_t i = 0; i < n; i++) {
		double scale = median_then_insert(sizes, i, fabs(d[i]));
		double z = scale > 0 ? fmax(-2.5, fmin(2.5, d[i] / scale)) : sign(d[i]);
		double e_up = 0, e_down = 0;

		for (size_t k = 0; k < ARRAY_SIZE(stakes); k++) {
			double share = 1 / (1 + exp(-2 * stakes[k] * z));

			e_up += up[k] *= 2 * share;
			e_down += down[k] *= 2 * (1 - share);
		}
		if ((e_up + e_down) / (2 * ARRAY_SIZE(stakes)) >= 1 / ALPHA)
			return e_up > e_down ? 1 : -1;
	}
	return 0;
}

int peer_call(enum peer peer, const struct peer_data *data, struct rng *rng)
{
	double d[PEERS_MAX_N];

	for (size_t i = 0; i < data->n; i++)
		d[i] = data->lb[i] - data->la[i];
	switch (peer) {
	case PEER_WELCH:
		return call_welch(data);
	case PEER_MWU:
		return call_mwu(data);
	case PEER_SE:
		return bars_apart(data, 1 / sqrt((double)data->n));
	case PEER_SD:
		return bars_apart(data, 1);
	case PEER_MMT:
		return bars_apart(data, 1.96);
	case PEER_LKP:
		return call_lkp(data);
	case PEER_HF:
		return call_hf(data);
	case PEER_CRIT:
		return peer_call_crit(data, rng);
	case PEER_BCI:
		return peer_call_bci(data, rng);
	case PEER_PERM:
		return peer_call_perm(data, rng);
	case PEER_HAC:
		return call_hac(data);
	case PEER_FLIP:
		return peer_call_flip(d, data->n, rng);
	case PEER_WSR:
		return call_wsr(d, data->n);
	case PEER_EP:
		return call_ep(d, data->n);
	case PEERS:
		break;
	}
	return 0;
}

const char *peer_name(enum peer peer)
{
	static const char *const names[PEERS] = {
		[PEER_WELCH] = "Welch", [PEER_MWU] = "MWU",   [PEER_SE] = "±SE",
		[PEER_SD] = "±σ",	[PEER_MMT] = "mmt",   [PEER_LKP] = "LKP",
		[PEER_HF] = "hf",	[PEER_CRIT] = "crit", [PEER_BCI] = "bCI",
		[PEER_PERM] = "perm",	[PEER_HAC] = "HAC",   [PEER_FLIP] = "flip",
		[PEER_WSR] = "WSR",	[PEER_EP] = "eP",
	};

	return names[peer];
}
