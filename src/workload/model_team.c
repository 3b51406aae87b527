// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model_team.h"

enum stage {
	STAGE_BEGIN,
	STAGE_MAKE,
	STAGE_FILL,
	STAGE_BETWEEN,
	STAGE_WAIT,
};

static void open_gate(struct model_team *team, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task));

	team->setup_ns = now_ns - team->made_ns;
	team->stage = team->between ? STAGE_BETWEEN : STAGE_WAIT;
	team->counted = 0;
	run_start_at(team->run, now_ns);
	if (team->open)
		team->open(team, task);
	model_gate_open(&team->gate, task);
}

static bool wait_for_all(struct model_team *team, struct sim_task *task)
{
	if (team->counted++ < team->size) {
		sim_wait(task);
		return true;
	}
	if (!team->between)
		run_stop_at(team->run, sim_now(sim_of(task)));
	return false;
}

bool model_team_step(struct model_team *team, struct sim_task *task)
{
	switch ((enum stage)team->stage) {
	case STAGE_BEGIN:
		model_gate_init(&team->gate, sim_of(task));
		team->made_ns = sim_now(sim_of(task));
		team->stage = STAGE_MAKE;
		/* fall through */
	case STAGE_MAKE:
		if (team->counted < team->size) {
			team->make(team, task, team->counted++);
			return true;
		}
		team->stage = STAGE_FILL;
		/* fall through */
	case STAGE_FILL:
		if (model_gate_is_full(&team->gate, task,
				       team->arrivals ? team->arrivals : team->size))
			open_gate(team, task);
		return true;
	case STAGE_BETWEEN:
		if (team->between(team, task))
			return true;
		team->stage = STAGE_WAIT;
		/* fall through */
	case STAGE_WAIT:
		return wait_for_all(team, task);
	}
	return false;
}

/* A sim_step of a main task that does nothing else; @data: a struct model_team. */
static void model_team_main(struct sim_task *task, void *data)
{
	if (!model_team_step(data, task))
		sim_exit(task);
}

int model_team_play(struct model_team *team, struct sim *sim, struct error *err)
{
	const struct sim_task_spec spec = { .name = team->run->workload->name,
					    .step = model_team_main,
					    .data = team };

	sim_spawn(sim, &spec);
	return model_go(team->run, sim, err);
}
