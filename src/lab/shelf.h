/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/shelf.h - the machines and workloads that a change is tried on where nobody says otherwise. One table each; how much a
 * workload has to do follows from the machine's size, so that a run takes about a second of this computer's time at most.
 */
#ifndef LAB_SHELF_H
#define LAB_SHELF_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct shelf_machine - one of them
 * @name:   in tables, and by which it is asked for
 * @source: as schedproof topo takes it
 */
struct shelf_machine {
	const char *name;
	const char *source;
	bool big;
};

/**
 * struct shelf_pick - what was chosen; heap, shelf_release()
 * @machines:  machines[nr_machines], their texts are the pick's
 * @workloads: workloads[nr_workloads], names
 * @left_out:  standard workloads without a model, "" if there are none
 */
struct shelf_pick {
	struct shelf_machine *machines;
	size_t nr_machines;
	char **workloads;
	size_t nr_workloads;
	char *left_out;
};

/**
 * shelf_choose() - by what a user wrote
 * @machines:  "small", "big", "all", or names with commas between: of the shelf, or of machines/
 * @workloads: names with commas between; NULL: all standard workloads that have a model
 *
 * Return: 0; -EINVAL with what there is; pick is filled on success.
 */
int shelf_choose(struct shelf_pick *pick, const char *machines, const char *workloads,
		 struct error *err);
void shelf_release(struct shelf_pick *pick);

/** shelf_cpus() - how many the machine has. Return: 0, or what the reader of machines says */
int shelf_cpus(const char *source, uint32_t *cpus, struct error *err);

/**
 * struct shelf_trial - what is compared
 * @before, @after: cores, as lab/sim_core.h names them
 */
struct shelf_trial {
	const char *before;
	const char *after;
	uint64_t runs;
	uint64_t seed;
};

/** shelf_experiment() - append the experiment file of the workloads on machine @i, which has @cpus CPUs */
void shelf_experiment(const struct shelf_pick *pick, size_t i, uint32_t cpus,
		      const struct shelf_trial *trial, struct strbuf *sb);

#endif
