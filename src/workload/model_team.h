/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/model_team.h - the main task of most models: it makes the others, waits until they are at the gate, opens that and
 * waits for their ends, as workload/team.h and workload/gate.h do of real ones.
 */
#ifndef WORKLOAD_MODEL_TEAM_H
#define WORKLOAD_MODEL_TEAM_H

#include "workload/model.h"

/**
 * struct model_team - in the caller's memory; initialise with { .run, .size, .make, ... }
 * @size:    tasks
 * @arrivals: at the gate; 0: as many as tasks
 * @make:    sim_fork() of the @i-th, which is to pass the gate
 * @open:    the gate will be opened now, run_start_at() has been called; may be NULL
 * @between: operations between that and waiting for the ends: starts one, or returns false. It calls run_stop_at(); NULL: there are none,
 *           and the stop is when all have ended
 * @setup_ns: from the first's creation until all were there
 */
struct model_team {
	struct run *run;
	uint64_t size;
	uint64_t arrivals;
	void (*make)(struct model_team *team, struct sim_task *task, uint64_t i);
	void (*open)(struct model_team *team, struct sim_task *task);
	bool (*between)(struct model_team *team, struct sim_task *task);
	void *data;
	struct model_gate gate;
	uint64_t setup_ns;
	uint64_t made_ns;
	uint64_t counted;
	int stage;
};

/** model_team_step() - of the main task: it starts the next operation. Return: false if there is none, all is over */
bool model_team_step(struct model_team *team, struct sim_task *task);

/** model_team_play() - a simulation of that main task and its team. Return: as model_go() */
int model_team_play(struct model_team *team, struct sim *sim, struct error *err);

#endif
