/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/replay_original.h - the lines of perf sched replay: what a run tells for them, and they themselves. */
#ifndef WORKLOAD_REPLAY_ORIGINAL_H
#define WORKLOAD_REPLAY_ORIGINAL_H

#include "workload/run.h"
#include "workload/task_exec.h"

/* Rounds that are told; later ones are not. */
#define REPLAY_ROUNDS 1000

/** replay_tell_clocks() - before the start: what perf measures there, in some 3 ms */
void replay_tell_clocks(struct run *run);

/** replay_tell() - the tasks, and @nr rounds of @loops, as notes */
void replay_tell(struct run *run, const struct task_program *program,
		 const struct task_round *rounds, size_t nr, uint64_t loops);

void replay_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
