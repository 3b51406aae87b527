// SPDX-License-Identifier: GPL-2.0-only
/* lab/estimate.c - how long a plan will take, from what was run before. */
#include "lab/execute.h"

#include "base/strbuf.h"
#include "lab/plan.h"

#include <errno.h>

static int point_wall_ns(const struct point *point, struct store *store, uint64_t *ns)
{
	struct strbuf params = { 0 };
	int ret;

	point_print_params(point, &params);
	ret = store_typical_wall(store, point->workload->name, strbuf_str(&params), ns, NULL);
	strbuf_release(&params);
	return ret;
}

/* A session warms up each variant that it runs: a boot one, otherwise there is one session with all. */
static uint64_t runs_of_point(const struct experiment *experiment)
{
	const uint64_t units = experiment->blocks * plan_block_units(experiment);

	if (experiment->by_kernel)
		return units * (experiment->runs_per_boot + experiment->warmup);
	return units + experiment->nr_variants * experiment->warmup;
}

int lab_estimate(const struct experiment *experiment, struct store *store, uint64_t *ns)
{
	const uint64_t budget = experiment->budget_ns;
	uint64_t sum = 0, wall;
	int ret;

	if (!experiment->blocks) {
		*ns = budget;
		return 0;
	}
	/* nothing that is stored of a simulated run says how long it took here */
	if (!store || experiment->sim)
		return -ENOENT;
	for (size_t i = 0; i < experiment->nr_points; i++) {
		ret = point_wall_ns(&experiment->points[i], store, &wall);
		if (ret)
			return ret;
		sum += wall;
	}
	sum *= runs_of_point(experiment);
	*ns = budget && budget < sum ? budget : sum;
	return 0;
}
