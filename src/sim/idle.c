// SPDX-License-Identifier: GPL-2.0-only
#include "sim/idle.h"

void sim_limit_idle(struct sim *sim, uint64_t ns)
{
	sim->idle_limit_ns = ns;
}

/* The deeper of the two that is allowed; a CPU that may use none polls. */
static uint64_t exit_of(const struct sim *sim, bool deep)
{
	const uint64_t shallow = sim->costs->idle_exit_ns;
	const uint64_t all = shallow + (deep ? sim->costs->idle_deep_ns : 0);

	if (all <= sim->idle_limit_ns)
		return all;
	return shallow <= sim->idle_limit_ns ? shallow : 0;
}

uint64_t sim_idle_exit(const struct sim_cpu *cpu)
{
	const struct sim *sim = cpu->sim;
	const uint64_t since =
		cpu->busy_until > cpu->idle_since ? cpu->busy_until : cpu->idle_since;

	return exit_of(sim, sim->now >= since + sim->costs->idle_deep_after_ns);
}
