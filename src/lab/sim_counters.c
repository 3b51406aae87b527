// SPDX-License-Identifier: GPL-2.0-only
/* lab/sim_counters.c - what happened on a simulated machine, as counters of a result. */
#include "lab/sim_run.h"

#include "base/mem.h"
#include "sim/sim.h"
#include "trace/trace.h"

#include <stdlib.h>

static const char *const ipi_names[NR_CORE_IPIS] = {
	[CORE_IPI_RESCHED] = "ipis-resched",
	[CORE_IPI_CALL] = "ipis-call",
	[CORE_IPI_WORK] = "ipis-work",
};

static void add(struct result *result, const char *name, enum unit unit, uint64_t value)
{
	result_add_counter(result, name, unit, (double)value, 1);
}

static void add_named(struct result *result, const char *name, uint64_t value)
{
	char *whole = xasprintf("migrations-%s", name);

	add(result, whole, UNIT_COUNT, value);
	free(whole);
}

/* By reason, and by distance; to the same CPU there are none. */
static void add_migrations(struct result *result, const struct sim_counts *counts)
{
	uint64_t far[NR_SIM_DISTANCES] = { 0 }, why[NR_CORE_REASONS] = { 0 }, all = 0;

	for (int r = 0; r < NR_CORE_REASONS; r++) {
		for (int d = 0; d < NR_SIM_DISTANCES; d++) {
			far[d] += counts->migrations[r][d];
			why[r] += counts->migrations[r][d];
			all += counts->migrations[r][d];
		}
	}
	add(result, "migrations", UNIT_COUNT, all);
	for (int r = 0; r < NR_CORE_REASONS; r++)
		add_named(result, trace_reason_name((enum core_reason)r), why[r]);
	for (int d = SIM_SMT; d < NR_SIM_DISTANCES; d++)
		add_named(result, sim_distance_name((enum sim_distance)d), far[d]);
}

void sim_add_counters(struct result *result, const struct sim *sim, bool waiting)
{
	struct sim_counts counts;

	sim_counts(sim, &counts);
	add(result, "simulated-time", UNIT_NS, sim_now(sim));
	add(result, "switches", UNIT_COUNT, counts.switches);
	add(result, "wakeups", UNIT_COUNT, counts.wakeups);
	add_migrations(result, &counts);
	add(result, "busy-time", UNIT_NS, counts.busy_ns);
	add(result, "idle-time", UNIT_NS, counts.idle_ns);
	add(result, "overhead-time", UNIT_NS, counts.overhead_ns);
	add(result, "waited-time", UNIT_NS, counts.waited_ns);
	if (waiting)
		add(result, "waited-idle-time", UNIT_NS, counts.waited_idle_ns);
	add(result, "memory-wait-time", UNIT_NS, counts.memory_wait_ns);
	add(result, "ticks", UNIT_COUNT, counts.ticks);
	for (int i = 0; i < NR_CORE_IPIS; i++)
		add(result, ipi_names[i], UNIT_COUNT, counts.ipis[i]);
	add(result, "timers", UNIT_COUNT, counts.timers);
	add(result, "forked", UNIT_COUNT, counts.forks);
	add(result, "core-steps", UNIT_COUNT, counts.core_steps);
	add(result, "events", UNIT_COUNT, counts.events);
}
