// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_probe.h"

#include "base/clock.h"
#include "lab/plan.h"
#include "lab/sim_crew.h"
#include "lab/sim_ground.h"

static int probe_point(const struct experiment *experiment, size_t point, struct sim_crew *crew,
		       const struct sim_ground *ground, const volatile sig_atomic_t *stop,
		       struct error *err)
{
	const struct sim_job job = {
		.ground = ground,
		.workload = experiment->points[point].workload,
		.cfg = experiment->points[point].cfg,
		.seed = plan_seed(experiment, 0, point),
		.timeout_ns = experiment->points[point].timeout_ns,
	};
	struct result result = { 0 };
	int ret = sim_crew_start(crew, &job, err);

	if (!ret)
		ret = sim_crew_take(crew, stop, &result, NULL, err);
	result_release(&result);
	return ret;
}

int sim_probe(const struct experiment *experiment, const volatile sig_atomic_t *stop, uint64_t *ns,
	      struct error *err)
{
	const struct variant *variant = &experiment->variants[experiment->nr_variants - 1];
	struct sim_ground *ground = NULL;
	struct sim_crew *crew = sim_crew_new();
	uint64_t start_ns;
	int ret = sim_ground_open(&ground, variant->settings, err);

	start_ns = clock_ns(CLOCK_MONOTONIC);
	for (size_t i = 0; !ret && i < experiment->nr_points; i++)
		ret = probe_point(experiment, i, crew, ground, stop, err);
	if (!ret)
		*ns = (clock_ns(CLOCK_MONOTONIC) - start_ns) * experiment->nr_variants *
		      experiment->blocks / sim_crew_jobs(crew);
	sim_crew_free(crew);
	sim_ground_free(ground);
	return ret;
}
