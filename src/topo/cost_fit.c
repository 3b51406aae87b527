// SPDX-License-Identifier: GPL-2.0-only
#include "topo/cost_fit.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

/* Means of a group. */
struct group_mean {
	double model_s, seconds, units;
	size_t n;
};

static struct group_mean mean_of(const struct cost_sample *sample, size_t n, unsigned int group)
{
	struct group_mean mean = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (sample[i].group != group)
			continue;
		mean.model_s += sample[i].model_s;
		mean.seconds += sample[i].seconds;
		mean.units = sample[i].units;
		mean.n++;
	}
	if (mean.n) {
		mean.model_s /= (double)mean.n;
		mean.seconds /= (double)mean.n;
	}
	return mean;
}

int cost_fit(struct cost_fit *fit, const struct cost_sample *sample, size_t n, struct error *err)
{
	struct group_mean mean[COST_GROUPS];
	double xx = 0, xy = 0;

	for (unsigned int g = 0; g < COST_GROUPS; g++)
		mean[g] = mean_of(sample, n, g);
	for (size_t i = 0; i < n; i++) {
		const struct group_mean *m = &mean[sample[i].group];
		double x = sample[i].model_s - m->model_s;

		xx += x * x;
		xy += x * (sample[i].seconds - m->seconds);
	}
	if (!(xx > 0))
		return error_set(err, EINVAL, "no two rows differ in their mask operations only");
	*fit = (struct cost_fit){ .scale = xy / xx };
	for (unsigned int g = 0; g < COST_GROUPS; g++)
		if (mean[g].n)
			fit->rest_s[g] =
				(mean[g].seconds - fit->scale * mean[g].model_s) / mean[g].units;
	return 0;
}

double cost_fit_predict(const struct cost_fit *fit, const struct cost_sample *sample)
{
	return fit->scale * sample->model_s + fit->rest_s[sample->group] * sample->units;
}

double growth_exponent(const double *x, const double *y, size_t n)
{
	double sx = 0, sy = 0, sxx = 0, sxy = 0;

	assert(n >= 2);
	for (size_t i = 0; i < n; i++) {
		double lx = log(x[i]), ly = log(y[i]);

		sx += lx;
		sy += ly;
		sxx += lx * lx;
		sxy += lx * ly;
	}
	return ((double)n * sxy - sx * sy) / ((double)n * sxx - sx * sx);
}
