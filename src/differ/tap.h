/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * differ/tap.h - a scheduler core that stands before another one and writes down what is done to it. Whoever drives it can't
 * tell the difference.
 */
#ifndef DIFFER_TAP_H
#define DIFFER_TAP_H

#include "core/core.h"
#include "differ/script.h"

/** struct tap_task - @core: NULL: it is gone */
struct tap_task {
	struct core_task *core;
	void *cookie;
	char comm[SCRIPT_COMM];
};

/**
 * struct tap - a core and its one instance; initialise with tap_init(). Its memory goes with the process of a play (differ/apart.h)
 * @ops:     to be driven by
 * @machine: to be booted with: it is how boot() finds the tap
 * @inner, @core: the one behind it, and its instance
 * @script:  where it is written down; NULL: it isn't
 * @settles: that follow from the last call, on @cpu, and are not written down
 * @task:    task[nr_tasks]; the script's t1 is the first
 */
struct tap {
	struct core_ops ops;
	struct core_machine machine;
	const struct core_ops *inner;
	struct core *core;
	const uint64_t *now_ns;
	struct script *script;
	struct tap_task *task;
	uint32_t nr_tasks;
	bool settles;
	uint32_t cpu;
};

void tap_init(struct tap *tap, const struct core_ops *inner, const struct core_machine *machine,
	      struct script *script);

/** tap_task() - number of a task, 0: none, by its cookie */
uint32_t tap_task(const struct tap *tap, const void *cookie);

#endif
