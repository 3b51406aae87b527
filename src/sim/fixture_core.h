/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/fixture_core.h - a core for tests of the simulator: each CPU has its tasks in turn, a tick each; a task that is woken goes to
 * the CPU it was on, or to the first idle one behind that. Nothing is balanced.
 *
 * Knobs: STEPS=n, each settle() is n steps of work; PERF=n, the frequency of all CPUs; SCAN=n, each tick marks n pages; SKIP=1,
 * a CPU that has got a task since its last switch doesn't look at the clock when it switches, as kernels do; FAULT= a word of
 * enum fixture_fault's, which it then does wrong.
 */
#ifndef SIM_FIXTURE_CORE_H
#define SIM_FIXTURE_CORE_H

#include "core/core.h"

/* The tick. */
#define FIXTURE_TICK_NS 1000000

/* Less than it takes to tell another CPU to switch. */
#define FIXTURE_DRIFT_NS 500

enum fixture_fault {
	FIXTURE_RIGHT,
	FIXTURE_LOSE,	/* "lose": the third wake-up is forgotten */
	FIXTURE_STACK,	/* "stack": all go to CPU 0, whoever idles */
	FIXTURE_DOUBLE, /* "double": says that a running task moved */
	FIXTURE_LIE,	/* "lie": runtimes are twice what they were */
	FIXTURE_DRIFT, /* "drift": a task that leaves a CPU is told FIXTURE_DRIFT_NS less than it had */
	FIXTURE_OVERFLOW, /* "overflow": util_avg is 2000 */
	FIXTURE_STARVE,	  /* "starve": who has a CPU keeps it */
	FIXTURE_WARN,	  /* "warn": at the third tick */
	FIXTURE_FAIL,	  /* "fail": at the third tick */
	FIXTURE_BOOT,	  /* "boot": fails while it boots */
};

extern const struct core_ops fixture_core;

/**
 * struct fixture_machine - nodes, each a package, of LLCs of cores of threads; the threads of a core have numbers side by side. The
 * levels are the generic ones: SMT, MC, PKG; all nodes are 20 from each other
 *
 * fixture_machine_init() allocates, fixture_machine_release() frees.
 */
struct fixture_machine {
	struct core_machine machine;
	struct core_level level[3];
	int32_t *set; /* of each level */
	struct core_cpu *cpu;
	bool *online;
	uint32_t *distance;
};

void fixture_machine_init(struct fixture_machine *m, uint32_t nodes, uint32_t llcs, uint32_t cores,
			  uint32_t threads);
void fixture_machine_release(struct fixture_machine *m);

#endif
