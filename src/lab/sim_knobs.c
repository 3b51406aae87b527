// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_knobs.h"

#include "lab/sim_ground.h"
#include "sim/sim.h"

#define TWO_CPUS "package:1 l3cache:1 core:2 pu:1"

static int boot(struct sim **sim, const struct sim_ground *ground, struct error *err)
{
	const struct sim_setup setup = {
		.core = ground->core.ops,
		.machine = &ground->shape.of,
		.costs = &ground->costs,
		.knobs = (const char *const *)ground->knobs,
		.nr_knobs = ground->nr_knobs,
	};

	return sim_new(sim, &setup, err);
}

int sim_knobs(const char *core, struct strbuf *names, struct error *err)
{
	struct sim_ground *ground = NULL;
	struct sim *sim = NULL;
	const char *name;
	int ret = sim_ground_plain(&ground, TWO_CPUS, core, err);

	if (!ret)
		ret = boot(&sim, ground, err);
	for (uint32_t i = 0; !ret && (name = sim_core_ops(sim)->knob_at(sim_core(sim), i)); i++)
		strbuf_addf(names, "%s\n", name);
	sim_free(sim);
	sim_ground_free(ground);
	return ret;
}
