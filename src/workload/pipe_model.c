// SPDX-License-Identifier: GPL-2.0-only
/* workload/pipe_model.c - pipe.c's two tasks on a simulated machine. */
#include "workload/pipe.h"

#include "base/mem.h"
#include "workload/model.h"

#include <stdlib.h>

/**
 * struct side - one of the two tasks
 * @token:  of the pipe it reads, @other_token: of that it writes: the CPU that it comes from
 * @calls:  made of the loop under way
 * @read:   the last one was a read
 */
struct side {
	bool starts;
	bool begun;
	bool read;
	unsigned int calls;
	uint64_t left;
	struct sim_pipe *in, *out;
	unsigned int *token, *other_token;
	struct pipe_trail *trail;
	struct histogram *loops;
	uint64_t before_ns;
};

/* struct pipe_sim - @made: tasks that the main task has made; @waited: for that many */
struct pipe_sim {
	struct run *run;
	const struct pipe_cfg *cfg;
	const uint64_t *place[2];
	struct side sides[2];
	unsigned int tokens[2];
	unsigned int made;
	unsigned int waited;
};

static void end_loop(struct side *side, uint64_t now_ns)
{
	side->calls = 0;
	side->left--;
	if (side->loops)
		histogram_add(side->loops, now_ns - side->before_ns);
	side->before_ns = now_ns;
}

/* Looks at what the last call brought and makes the next one; false: there is none. */
static bool side_turn(struct side *side, struct sim_task *task)
{
	const uint32_t cpu = sim_task_cpu(task);

	if (!side->begun) {
		side->begun = true;
		side->trail->last = cpu;
		side->before_ns = sim_now(sim_of(task));
	}
	if (side->read)
		pipe_trail_add(side->trail, cpu, *side->token);
	if (side->calls == 2)
		end_loop(side, sim_now(sim_of(task)));
	if (!side->left) {
		side->read = false;
		return false;
	}
	side->read = side->starts == (side->calls++ > 0);
	if (side->read) {
		sim_read(task, side->in, sizeof(*side->token));
	} else {
		*side->other_token = side->trail->last;
		sim_write(task, side->out, sizeof(*side->token));
	}
	return true;
}

static void side_step(struct sim_task *task, void *data)
{
	if (!side_turn(data, task))
		sim_exit(task);
}

static void make_side(struct sim_task *task, struct pipe_sim *pipe, unsigned int i)
{
	const struct sim_task_spec spec = {
		.name = i ? "second" : "first",
		.step = side_step,
		.data = &pipe->sides[i],
		.affinity = pipe->place[i],
		.thread = pipe->cfg->mode == PIPE_THREAD,
	};

	sim_fork(task, &spec);
}

/* A process is the second task itself, threads are two more. */
static void main_step(struct sim_task *task, void *data)
{
	struct pipe_sim *pipe = data;
	const bool threads = pipe->cfg->mode == PIPE_THREAD;
	const unsigned int others = threads ? 2 : 1;

	if (!pipe->made)
		run_start_at(pipe->run, sim_now(sim_of(task)));
	if (pipe->made < others) {
		make_side(task, pipe, pipe->made++);
	} else if (!threads && side_turn(&pipe->sides[1], task)) {
		return;
	} else if (pipe->waited < others) {
		pipe->waited++;
		sim_wait(task);
	} else {
		run_stop_at(pipe->run, sim_now(sim_of(task)));
		sim_exit(task);
	}
}

static void set_up(struct pipe_sim *pipe, struct sim *sim, struct pipe_trail *trails,
		   struct histogram *loops)
{
	const struct pipe_cfg *cfg = pipe->cfg;
	const uint64_t capacity = model_capacity(SIM_PIPE, sizeof(*pipe->tokens));
	struct sim_pipe *pipes[2] = { sim_pipe_new(sim, SIM_PIPE, capacity, false),
				      sim_pipe_new(sim, SIM_PIPE, capacity, false) };

	for (int i = 0; i < 2; i++)
		pipe->sides[i] = (struct side){ .starts = i || cfg->protocol == PROTOCOL_INFLIGHT2,
						.left = cfg->loops,
						.in = pipes[i],
						.out = pipes[!i],
						.token = &pipe->tokens[i],
						.other_token = &pipe->tokens[!i],
						.trail = &trails[i],
						.loops = i ? loops : NULL };
}

static void sample(struct run *run, uint64_t nr_loops, const struct pipe_trail *trails,
		   const struct histogram *loops)
{
	run_sample(run, "loop", (double)(run->stop_ns - run->start_ns) / (double)nr_loops);
	run_histogram(run, "loop", loops);
	pipe_report(run, trails, nr_loops);
}

int pipe_model(struct run *run, struct sim *sim, const void *arg, struct error *err)
{
	const struct pipe_cfg *cfg = arg;
	struct pipe_sim *pipe = sim_alloc(sim, sizeof(*pipe));
	struct sim_task_spec spec = { .name = "second", .step = main_step, .data = pipe };
	struct pipe_trail *trails = xcalloc(2, sizeof(*trails));
	struct histogram *loops = xcalloc(1, sizeof(*loops));
	int ret;

	pipe->run = run;
	pipe->cfg = cfg;
	ret = model_places(pipe->place, cfg->cpus, sim, err);
	if (!ret) {
		set_up(pipe, sim, trails, loops);
		spec.affinity = pipe->place[1];
		sim_spawn(sim, &spec);
		ret = model_go(run, sim, err);
	}
	if (!ret)
		sample(run, cfg->loops, trails, loops);
	free(loops);
	free(trails);
	return ret;
}
