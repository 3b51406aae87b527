// SPDX-License-Identifier: GPL-2.0-only
#include "stats/summary.h"

#include "stats/student.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>

#define MISSED_SIDES 0.4 /* both tails beyond the t that one in five lies below */
#define MANY_UNITS   1000000

static double mean_variance(const struct summary *s)
{
	return s->sd * s->sd / (double)s->n;
}

/* t of the test, and as much again as lies below the estimate four times of five. */
static double t_of_power(double alpha, double df)
{
	return student_critical(alpha, df) + student_critical(MISSED_SIDES, df);
}

/* All ratios r whose b - r a is nearer to 0 than t of its standard errors. */
static bool ratio_interval(struct interval *ci, double a, double var_a, double b, double var_b,
			   double t)
{
	double square = a * a - t * t * var_a, half = a * b, rest = b * b - t * t * var_b;
	double root = half * half - square * rest;

	if (square <= 0 || root < 0)
		return false;
	ci->lo = (half - sqrt(root)) / square - 1;
	ci->hi = (half + sqrt(root)) / square - 1;
	return true;
}

int summary_welch(struct welch *welch, const struct summary *a, const struct summary *b,
		  double alpha)
{
	double var_a, var_b, share, se, df, t;

	if (a->n < 2 || b->n < 2)
		return -ERANGE;
	var_a = mean_variance(a);
	var_b = mean_variance(b);
	if (!(var_a + var_b > 0) || isinf(var_a + var_b))
		return -ERANGE;
	se = sqrt(var_a + var_b);
	/* of shares, as squares of variances may be beyond what a double holds */
	share = var_a / (var_a + var_b);
	df = 1 /
	     (share * share / (double)(a->n - 1) + (1 - share) * (1 - share) / (double)(b->n - 1));
	t = student_critical(alpha, df);
	*welch = (struct welch){
		.relative = a->mean > 0 && b->mean > 0,
		.change = b->mean - a->mean,
		.t = (b->mean - a->mean) / se,
		.df = df,
		.mde = t_of_power(alpha, df) * se,
	};
	welch->p = student_two_sided_p(welch->t, df);
	if (welch->relative) {
		welch->change /= a->mean;
		welch->mde /= a->mean;
		welch->has_ci = ratio_interval(&welch->ci, a->mean, var_a, b->mean, var_b, t);
	} else {
		welch->has_ci = true;
		welch->ci = (struct interval){ welch->change - t * se, welch->change + t * se };
	}
	return 0;
}

double summary_sample_sd(double sd, size_t n)
{
	return sd * sqrt((double)n / (double)(n - 1));
}

/* Standard error of the relative change, for a spread of 1. */
static double unit_error(size_t n_a, size_t n_b)
{
	return sqrt(1 / (double)n_a + 1 / (double)n_b);
}

static bool too_few(size_t n_a, size_t n_b)
{
	return n_a < 1 || n_b < 1 || n_a + n_b < 3;
}

double summary_mde(double cv, size_t n_a, size_t n_b, double alpha)
{
	if (too_few(n_a, n_b))
		return INFINITY;
	return t_of_power(alpha, (double)(n_a + n_b - 2)) * cv * unit_error(n_a, n_b);
}

size_t summary_needed_n(double change, double cv, double alpha)
{
	size_t lo = 1, hi = 2;

	while (hi <= MANY_UNITS && summary_mde(cv, hi, hi, alpha) > change) {
		lo = hi;
		hi *= 2;
	}
	if (hi > MANY_UNITS)
		return SIZE_MAX;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (summary_mde(cv, mid, mid, alpha) > change)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
