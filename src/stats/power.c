// SPDX-License-Identifier: GPL-2.0-only
#include "stats/power.h"

#include "stats/compare.h"
#include "stats/side.h"
#include "stats/summary.h"

#include <math.h>
#include <stdint.h>

#define MANY 1e6

size_t power_needed_blocks(const struct verdict *pilot, double change, double alpha)
{
	double mde = pilot->relative ? log1p(pilot->mde) : pilot->mde;
	double wanted = pilot->relative ? log1p(change) : change;
	double blocks = (double)pilot->n * pow(mde / wanted, 2);
	size_t least = compare_needed(pilot->min_p, pilot->n, alpha);

	if (blocks > MANY)
		return SIZE_MAX;
	return blocks > (double)least ? (size_t)ceil(blocks) : least;
}

struct components power_components(const double *y, size_t boots, size_t runs)
{
	double grand = 0, within = 0, between = 0, r = (double)runs;

	for (size_t i = 0; i < boots; i++)
		grand += side_describe(y + i * runs, runs).mean / (double)boots;
	for (size_t i = 0; i < boots; i++) {
		struct side boot = side_describe(y + i * runs, runs);

		within += boot.sd * boot.sd / (double)boots;
		between += r * (boot.mean - grand) * (boot.mean - grand) / (double)(boots - 1);
	}
	return (struct components){ within, fmax(0, (between - within) / r) };
}

size_t power_runs_per_boot(const struct components *components, double cost_boot, double cost_run,
			   size_t most)
{
	double r;

	if (components->boot <= 0)
		return most;
	r = round(sqrt(cost_boot / cost_run * components->run / components->boot));
	if (r >= (double)most)
		return most;
	return r < 1 ? 1 : (size_t)r;
}

size_t power_needed_boots(const struct components *components, size_t runs, double change,
			  double alpha)
{
	double variance = components->boot + components->run / (double)runs;

	return summary_needed_n(change, sqrt(variance), alpha);
}
