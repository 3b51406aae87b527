/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * differ/sims.h - the first decision in which two cores differ in one simulated run: the same machine, workload, costs and
 * seed, so that up to there both runs are one and the same.
 *
 * Compared are switches, wake-ups, new tasks and migrations as they follow each other, with their times. Ticks, timers and
 * interrupts are not: they show when a decision does.
 */
#ifndef DIFFER_SIMS_H
#define DIFFER_SIMS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "differ/script.h"
#include "lab/sim_run.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct sims - what is compared; borrowed
 * @job:   for each side: the same but for its ground
 * @names: of the sides, for the words: "before", "after"
 * @limit_ns: of this computer's time for each run
 */
struct sims {
	struct sim_job job[2];
	const char *names[2];
	uint64_t limit_ns;
	const volatile sig_atomic_t *stop;
};

/**
 * struct sims_found - the outcome
 * @differs:   false: all decisions are the same
 * @decisions: that are the same, before the first that isn't
 * @time_ns:   of it, on the first side
 * @text:      appended: what each chose, and the states of both
 * @script:    appended: the calls that the first side's core got up to there; its machine and names are the caller's to set
 */
struct sims_found {
	bool differs;
	uint64_t decisions;
	uint64_t time_ns;
	struct strbuf *text;
	struct script *script;
};

/** sims_compare() - find it; three runs, each in a process of its own. Return: 0; -EINTR, -ETIME, -EFAULT; -errno */
int sims_compare(struct sims_found *found, const struct sims *sims, struct error *err);

#endif
