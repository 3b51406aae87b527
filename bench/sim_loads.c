// SPDX-License-Identifier: GPL-2.0-only
#include "sim_loads.h"

#include "sim/task.h"

static void sleeper_step(struct sim_task *task, void *data)
{
	bool *slept = data;

	*slept = !*slept;
	if (*slept)
		sim_run(task, 150000 + sim_random_below(task, 300000));
	else
		sim_sleep(task, 350000 + sim_random_below(task, 700000));
}

static void spawn_sleepers(struct sim *sim)
{
	for (uint32_t i = 0; i < sim_machine(sim)->nr_cpus * 25 / 8; i++) {
		const struct sim_task_spec spec = { .name = "sleeper",
						    .step = sleeper_step,
						    .data = sim_alloc(sim, sizeof(bool)) };

		sim_spawn(sim, &spec);
	}
}

/* A piece of hackbench, in which nobody starts or ends: each sender writes to each receiver of its group, for ever. */
struct talker {
	struct sim_pipe **pipes;
	bool reads;
	uint32_t at;
};

static void talker_step(struct sim_task *task, void *data)
{
	struct talker *talker = data;

	if (talker->reads)
		sim_read(task, talker->pipes[talker->at], 100);
	else
		sim_write(task, talker->pipes[talker->at++ % 20], 100);
}

static void spawn_group(struct sim *sim)
{
	struct sim_pipe **pipes = sim_alloc(sim, 20 * sizeof(*pipes));

	for (uint32_t i = 0; i < 40; i++) {
		struct talker *talker = sim_alloc(sim, sizeof(*talker));
		const struct sim_task_spec spec = { .name = "talker",
						    .step = talker_step,
						    .data = talker };

		if (i < 20)
			pipes[i] = sim_pipe_new(sim, SIM_UNIX_STREAM, 27800, false);
		*talker = (struct talker){ pipes, i < 20, i % 20 };
		sim_spawn(sim, &spec);
	}
}

static void spawn_hackbench(struct sim *sim)
{
	for (uint32_t i = 0; i < (sim_machine(sim)->nr_cpus + 7) / 8; i++)
		spawn_group(sim);
}

/* Two that answer each other, for ever: all they do is block and wake. */
static void player_step(struct sim_task *task, void *data)
{
	struct talker *player = data;

	player->reads = !player->reads;
	if (player->reads)
		sim_read(task, player->pipes[player->at], 1);
	else
		sim_write(task, player->pipes[!player->at], 1);
}

static void spawn_pairs(struct sim *sim)
{
	for (uint32_t i = 0; i < 2 * sim_machine(sim)->nr_cpus; i++) {
		struct talker *players = sim_alloc(sim, 2 * sizeof(*players));
		struct sim_pipe **pipes = sim_alloc(sim, 2 * sizeof(*pipes));

		for (uint32_t k = 0; k < 2; k++) {
			const struct sim_task_spec spec = { .name = "player",
							    .step = player_step,
							    .data = &players[k] };

			pipes[k] = sim_pipe_new(sim, SIM_PIPE, 65536, false);
			players[k] = (struct talker){ pipes, k, k };
			sim_spawn(sim, &spec);
		}
	}
}

/* schbench: a message thread and its workers, which ask it for work, are woken by it, wait for some data and compute. */
struct messenger {
	struct sim_futex *asked; /* 0: it sleeps, or is about to */
	struct worker *first;	 /* who asked last */
};

enum worker_state {
	WORKER_ASKS,
	WORKER_WAITS,
	WORKER_FETCHES,
	WORKER_COMPUTES
};

struct worker {
	struct messenger *messenger;
	struct worker *next;
	struct sim_futex *called;
	enum worker_state state;
};

static void messenger_step(struct sim_task *task, void *data)
{
	struct messenger *messenger = data;
	struct worker *worker = messenger->first;

	if (worker) {
		messenger->first = worker->next;
		sim_futex_set(worker->called, 1);
		sim_futex_wake(task, worker->called, 1);
	} else {
		sim_futex_set(messenger->asked, 0);
		sim_futex_wait(task, messenger->asked, 0);
	}
}

/* Return: whether that takes a call, as the messenger sleeps. */
static bool ask(struct sim_task *task, struct worker *worker)
{
	struct messenger *messenger = worker->messenger;
	const bool sleeps = !sim_futex_value(messenger->asked);

	sim_futex_set(worker->called, 0);
	worker->next = messenger->first;
	messenger->first = worker;
	sim_futex_set(messenger->asked, 1);
	if (sleeps)
		sim_futex_wake(task, messenger->asked, 1);
	return sleeps;
}

static void worker_step(struct sim_task *task, void *data)
{
	struct worker *worker = data;

	switch (worker->state) {
	case WORKER_ASKS:
		worker->state = WORKER_WAITS;
		if (ask(task, worker))
			break;
		/* fall through */
	case WORKER_WAITS:
		worker->state = WORKER_FETCHES;
		sim_futex_wait(task, worker->called, 0);
		break;
	case WORKER_FETCHES:
		worker->state = WORKER_COMPUTES;
		sim_sleep(task, 100000);
		break;
	case WORKER_COMPUTES:
		worker->state = WORKER_ASKS;
		sim_run(task, 100000 + sim_random_below(task, 200000));
		break;
	}
}

static void spawn_schbench_group(struct sim *sim, uint32_t workers)
{
	struct messenger *messenger = sim_alloc(sim, sizeof(*messenger));
	const struct sim_task_spec main_thread = { .name = "messenger",
						   .step = messenger_step,
						   .data = messenger };

	messenger->asked = sim_futex_new(sim);
	sim_spawn(sim, &main_thread);
	for (uint32_t i = 0; i < workers; i++) {
		struct worker *worker = sim_alloc(sim, sizeof(*worker));
		const struct sim_task_spec thread = { .name = "worker",
						      .step = worker_step,
						      .data = worker };

		worker->messenger = messenger;
		worker->called = sim_futex_new(sim);
		sim_spawn(sim, &thread);
	}
}

static void spawn_schbench(struct sim *sim)
{
	const uint32_t cpus = sim_machine(sim)->nr_cpus;

	for (uint32_t i = 0; i < cpus; i += 16)
		spawn_schbench_group(sim, cpus < 16 ? cpus : 16);
}

const struct load loads[] = {
	{ "pairs", spawn_pairs },
	{ "hackbench", spawn_hackbench },
	{ "schbench", spawn_schbench },
	{ "sleepers", spawn_sleepers },
	{ NULL, NULL },
};
