/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/pipe.h - what the files of pipe share. */
#ifndef WORKLOAD_PIPE_H
#define WORKLOAD_PIPE_H

#include "base/cpumask.h"
#include "base/strbuf.h"
#include "workload/result.h"
#include "workload/run.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PIPE_PROCESS,
	PIPE_THREAD,
};
enum {
	PROTOCOL_STRICT,
	PROTOCOL_INFLIGHT2,
};

struct pipe_cfg {
	uint64_t loops;
	int mode;
	int protocol;
	char *cpus;
};

/**
 * struct pipe_trail - where a task was when it got the token; in shared memory, each task has its own
 * @last:  CPU at the last token
 * @moves: how often it was on another one than before
 * @same:  how often the other task had handed it over on the same CPU
 * @at:    how often it was on each CPU
 */
struct pipe_trail {
	unsigned int last;
	uint64_t moves;
	uint64_t same;
	uint64_t at[CPUMASK_MAX];
};

/** pipe_trail_add() - the token came to @cpu from @from */
static inline void pipe_trail_add(struct pipe_trail *trail, unsigned int cpu, unsigned int from)
{
	trail->moves += cpu != trail->last;
	trail->last = cpu;
	trail->same += cpu == from;
	if (cpu < CPUMASK_MAX)
		trail->at[cpu]++;
}

/** pipe_report() - what the two trails show: metrics and the note "placement" */
void pipe_report(struct run *run, const struct pipe_trail trails[2], uint64_t loops);

/** pipe_model() - struct workload's */
int pipe_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** pipe_original() - struct workload's, in the lines of perf bench sched pipe */
void pipe_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
