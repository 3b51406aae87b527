// SPDX-License-Identifier: GPL-2.0-only
/* workload/pipe_report.c - what a run of pipe says, in our words and in perf's. */
#include "workload/pipe.h"

#include <inttypes.h>

/* CPUs of a task that are told one by one, the most frequent first. */
#define CPUS_TOLD 4

static void add_places(struct strbuf *sb, const struct pipe_trail *trail, uint64_t loops)
{
	uint64_t below = UINT64_MAX, told = 0;
	unsigned int after = 0;

	for (int i = 0; i < CPUS_TOLD && told < loops; i++) {
		unsigned int best = CPUMASK_MAX;

		/* the next in the order of how often and, where equal, of their numbers */
		for (unsigned int cpu = 0; cpu < CPUMASK_MAX; cpu++)
			if (trail->at[cpu] &&
			    (trail->at[cpu] < below || (trail->at[cpu] == below && cpu > after)) &&
			    (best == CPUMASK_MAX || trail->at[cpu] > trail->at[best]))
				best = cpu;
		if (best == CPUMASK_MAX)
			break;
		below = trail->at[best];
		after = best;
		told += below;
		strbuf_addf(sb, "%sCPU %u %.3g %%", i ? ", " : "", best,
			    100 * (double)below / (double)loops);
	}
	if (told < loops)
		strbuf_addstr(sb, ", others");
}

void pipe_report(struct run *run, const struct pipe_trail trails[2], uint64_t loops)
{
	struct strbuf first = { 0 }, second = { 0 };

	run_sample(run, "same-cpu", 50 * (double)(trails[0].same + trails[1].same) / (double)loops);
	run_sample(run, "moves", (double)(trails[0].moves + trails[1].moves));
	add_places(&first, &trails[0], loops);
	add_places(&second, &trails[1], loops);
	run_note(run, "placement", "first task: %s; second task: %s", first.s, second.s);
	strbuf_release(&first);
	strbuf_release(&second);
}

/* perf counts whole microseconds, and prints whole operations a second. */
void pipe_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct pipe_cfg *cfg = cfg_;
	const struct value *loop = result_metric(result, "loop");
	const double loops = (double)cfg->loops;
	uint64_t us = loop ? (uint64_t)(loop->value * loops / 1e3 + 1e-6) : 0;

	strbuf_addf(sb,
		    "# Running 'sched/pipe' benchmark:\n"
		    "# Executed %" PRIu64 " pipe operations between two %s\n\n",
		    cfg->loops, cfg->mode == PIPE_THREAD ? "threads" : "processes");
	strbuf_addf(sb, " %14s: %" PRIu64 ".%03" PRIu64 " [sec]\n\n", "Total time", us / 1000000,
		    us / 1000 % 1000);
	strbuf_addf(sb, " %14f usecs/op\n %14.0f ops/sec\n", (double)us / loops,
		    us ? (double)(uint64_t)(loops / ((double)us / 1e6)) : 0);
}
