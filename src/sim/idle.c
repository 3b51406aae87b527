// SPDX-License-Identifier: GPL-2.0-only
#include "sim/idle.h"

void sim_limit_idle(struct sim *sim, uint64_t ns)
{
	sim->idle_limit_ns = ns;
}

uint64_t sim_idle_exit(const struct sim_cpu *cpu)
{
	const struct sim *sim = cpu->sim;
	const uint64_t since =
		cpu->busy_until > cpu->idle_since ? cpu->busy_until : cpu->idle_since;

	return costs_idle_exit(sim->costs, sim->now > since ? sim->now - since : 0,
			       sim->idle_limit_ns);
}
