/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/schbench_model.h - what the files of schbench's model share; the names are those of schbench.h where it is the same thing. */
#ifndef WORKLOAD_SCHBENCH_MODEL_H
#define WORKLOAD_SCHBENCH_MODEL_H

#include "workload/model_team.h"
#include "workload/schbench.h"

/**
 * struct schbench_sim - all of a run
 * @stop:      everybody is to end
 * @until_ns:  the first who sees that it has come sets @stop
 * @locks:     of each CPU: is held
 * @work_ns:   of WORK_UNITS; @product_ns: a product of matrices
 * @wakeup, @request, @response: of all workers
 */
struct schbench_sim {
	struct schbench_plan plan;
	struct model_team team;
	const uint64_t *message_cpus, *worker_cpus;
	struct sim_messenger *messengers;
	struct sim_worker *workers;
	bool *locks;
	uint64_t work_ns, product_ns;
	struct histogram *wakeup, *request, *response, *rps;
	struct schbench_figures figures;
	bool stop;
	uint64_t until_ns, measure_ns, base_ns, goal_rps;

	int stage; /* of the main task between start and end, and what it needs for that */
	struct sim_futex *nobody;
	size_t woken;
	uint64_t busy_ns, all_ns;
	unsigned int looks;
	uint64_t last_ns, last, next_ns;
};

/**
 * struct sim_messenger - a message thread
 * @blocked: the futex it sleeps on: STATE_BLOCKED or STATE_RUNNING
 * @first:   workers that ask to be woken, the last one first
 * @list:    those it wakes, decided at @wake_ns; @filled: the pipe of the first of them
 * @rps:     since @base_ns
 * @at:      the worker that gets the next request
 */
struct sim_messenger {
	struct schbench_sim *sb;
	size_t nr;
	int state;
	struct sim_futex *blocked;
	struct sim_worker *first, *list;
	uint64_t wake_ns;
	bool filled;
	struct rng rng;
	struct arrivals arrivals;
	uint64_t rps, base_ns, due_ns;
	size_t at;
	uint64_t waited_ns, times; /* before the start */
};

/**
 * struct sim_worker - a worker thread
 * @due_ns:  of the request under way; @request_ns: it began to run
 * @first:   the work under way is that before all requests
 * @lock:    of the CPU; @spins: it waits for that; @held: it has it
 * @target_ns: it watches the clock until then
 * @left:    products
 * @finished: the work was not given up
 */
struct sim_worker {
	struct schbench_sim *sb;
	struct sim_messenger *messenger;
	int state;
	struct sim_futex *blocked;
	struct sim_worker *next;
	struct sim_memory *pipe;
	uint64_t wake_ns;
	uint64_t head, tail;
	uint64_t *due;
	uint64_t due_ns, request_ns;
	bool first, spins, held, finished;
	uint32_t lock;
	uint64_t target_ns;
	uint64_t left;
	uint64_t waited_ns, times;
};

/** schbench_sim_messenger(), schbench_sim_worker() - their steps; @data: a struct sim_messenger, a struct sim_worker */
void schbench_sim_messenger(struct sim_task *task, void *data);
void schbench_sim_worker(struct sim_task *task, void *data);

/** schbench_sim_post() - let who sleeps on @blocked run. Return: whether that is an operation, since it does sleep */
bool schbench_sim_post(struct sim_task *task, struct sim_futex *blocked);

#endif
