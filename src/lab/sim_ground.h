/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/sim_ground.h - what simulated runs stand on: a machine, its costs, a core and how that is set. Made from a variant's
 * settings:
 *
 *   machine = kunpeng-920-96   as schedproof topo takes it; "live", this computer's shape, where it is not given
 *   core = model               lab/sim_core.h
 *   costs = FILE               else NAME.costs beside the machine file, else those built in with the machine, else defaults
 *   features = NO_TTWU_QUEUE, wake.cluster=off    knobs of the core; preset=k6.12 is core = model:k6.12
 *   sched.base_slice_ns = ..., sysctl.kernel.NAME = ...    also knobs, without what stands before the name
 *   spread = 1%                sim_spread.h
 *   cgroup.cpuset.cpus = 0-3 ...  sim_groups.h
 *   seed = 1                   added to the block's: other random numbers than the variants without it
 *   check = yes                look after the invariants of sim/checks.h
 */
#ifndef LAB_SIM_GROUND_H
#define LAB_SIM_GROUND_H

#include "base/error.h"
#include "host/settings.h"
#include "lab/sim_core.h"
#include "lab/sim_groups.h"
#include "sim/costs.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stddef.h>

/* The boot that sessions of simulated runs are of. */
#define SIM_BOOT_ID "simulated"

/**
 * struct sim_ground - heap, sim_ground_free()
 * @pairs: of @costs, joined with the machine
 * @about_machine, @about_costs: a line each
 * @knobs: knobs[nr_knobs], "NAME=VALUE"; the core's own is the first
 * @spread_ppm: of sim_spread()
 * @seed: added to that of a run's block
 * @facts: JSON object, what a figure depends on: "sim.machine", "sim.core", "sim.costs", "sim.knobs"
 */
struct sim_ground {
	struct sim_core core;
	struct machine *machine;
	struct sim_machine shape;
	struct costs costs;
	struct costs_pairs pairs;
	struct sim_groups groups;
	char *about_machine;
	char *about_costs;
	char **knobs;
	uint32_t nr_knobs;
	uint64_t spread_ppm;
	uint64_t seed;
	bool check;
	char *facts;
};

/**
 * sim_ground_open() - find all of it
 *
 * Whether the core takes machine and knobs is known when it has booted, see sim_check() of sim_crew.h.
 *
 * Return: 0; -EINVAL, -ENOENT ... with which of the settings it is about.
 */
int sim_ground_open(struct sim_ground **out, const struct settings *settings, struct error *err);

/** sim_ground_plain() - that of a machine and a core, all else as it is by default. Return: as sim_ground_open() */
int sim_ground_plain(struct sim_ground **out, const char *machine, const char *core,
		     struct error *err);
void sim_ground_free(struct sim_ground *ground);

/** sim_ground_tell_knobs() - to an empty @sb, what is set of the core and of groups, "NAME=VALUE" with spaces between; nothing if nothing is */
void sim_ground_tell_knobs(const struct sim_ground *ground, struct strbuf *sb);

/** sim_fact_asked() - does a variant with @settings itself ask to be different in @fact? */
bool sim_fact_asked(const struct settings *settings, const char *fact);

/** sim_fact_at() - name of the @i-th, NULL behind the last */
const char *sim_fact_at(size_t i);

#endif
