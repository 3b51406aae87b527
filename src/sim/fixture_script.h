/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/fixture_script.h - tasks of tests: a list of operations, and when each of them began. */
#ifndef SIM_FIXTURE_SCRIPT_H
#define SIM_FIXTURE_SCRIPT_H

#include "sim/fixture_core.h"
#include "sim/task.h"

enum script_kind {
	DO_EXIT, /* a list ends with it */
	DO_RUN,
	DO_RUN_UNTIL,
	DO_SLEEP,
	DO_SLEEP_UNTIL,
	DO_IO, /* 1024 bytes; the device takes @value */
	DO_YIELD,
	DO_FORK,   /* @object: a script; a process */
	DO_THREAD, /* the same, a thread */
	DO_EXEC,   /* @object: a script */
	DO_WAIT,
	DO_READ, /* @object: a pipe */
	DO_WRITE,
	DO_POLL,
	DO_FUTEX_WAIT,
	DO_FUTEX_WAKE,
	DO_FUTEX_SET, /* takes no time */
	DO_LOCK,
	DO_UNLOCK,
	DO_BARRIER,
	DO_TOUCH,
	DO_AFFINITY, /* @value: CPUs 0 .. 63 */
	DO_NICE,
	DO_UP,
	DO_DOWN,
	DO_STOP,
	DO_AGAIN, /* from the begin, @value times in all */
};

struct script_op {
	enum script_kind kind;
	void *object;
	uint64_t value;
};

#define SCRIPT_TIMES 32

/**
 * struct script - what a task does; { .op = list } to begin with
 * @at_ns, @cpu: [i]: when and where operation i began the last time, after the sim's boot
 */
struct script {
	const struct script_op *op;
	size_t next;
	uint64_t rounds;
	uint64_t at_ns[SCRIPT_TIMES];
	uint32_t cpu[SCRIPT_TIMES];
	uint64_t runtime_ns; /* at its end */
	int result;	     /* of the last operation that has one */
};

/** script_step() - a sim_step; @data: a struct script */
void script_step(struct sim_task *task, void *data);

/** script_spawn() - a task that does @script; @cpus: affinity, CPUs 0 .. 63; 0: anywhere */
struct sim_task *script_spawn(struct sim *sim, const char *name, struct script *script,
			      uint64_t cpus);

/**
 * struct script_world - a sim on a fixture machine, all costs 0 and no bandwidth short until the test sets some; script_boot() after that
 */
struct script_world {
	struct fixture_machine machine;
	struct costs costs;
	struct sim_setup setup;
	struct sim *sim;
};

void script_world_init(struct script_world *world, uint32_t nodes, uint32_t llcs, uint32_t cores,
		       uint32_t threads);
void script_boot(struct script_world *world);
void script_world_release(struct script_world *world);

/** script_now() - after the sim's boot */
uint64_t script_now(const struct sim *sim);

#endif
