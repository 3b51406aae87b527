// SPDX-License-Identifier: GPL-2.0-only
/* workload/hotplug_report.c - what transitions took, of real CPUs and of simulated ones. */
#include "workload/hotplug.h"

#include "base/mem.h"

#include <stdlib.h>

#define NS_PER_S UINT64_C(1000000000)

void plug_phases_init(struct plug_phase phases[2])
{
	for (int i = 0; i < 2; i++) {
		phases[i].each = xcalloc(1, sizeof(struct histogram));
		phases[i].passes = xcalloc(1, sizeof(struct histogram));
		histogram_touch(phases[i].each, NS_PER_S);
	}
}

void plug_phases_release(struct plug_phase phases[2])
{
	for (int i = 0; i < 2; i++) {
		free(phases[i].each);
		free(phases[i].passes);
	}
}

void plug_phases_end_pass(struct plug_phase phases[2])
{
	for (int i = 0; i < 2; i++) {
		histogram_add(phases[i].passes, phases[i].sum_ns);
		phases[i].sum_ns = 0;
	}
}

static double mean(const struct histogram *h)
{
	return h->count ? (double)h->sum / (double)h->count : 0;
}

void plug_report(struct run *run, const struct plug_phase phases[2], uint64_t passes,
		 size_t transitions)
{
	const struct plug_phase *off = &phases[0], *on = &phases[1];
	const double n = (double)passes;

	run_sample(run, "time", mean(off->passes) + mean(on->passes));
	run_sample(run, "off-time", mean(off->passes));
	run_sample(run, "on-time", mean(on->passes));
	run_histogram(run, "off-pass", off->passes);
	run_histogram(run, "on-pass", on->passes);
	run_histogram(run, "offline", off->each);
	run_histogram(run, "online", on->each);
	run_sample(run, "transitions", (double)transitions);
	run_sample(run, "off-user", (double)off->user_ns / n);
	run_sample(run, "off-sys", (double)off->sys_ns / n);
	run_sample(run, "on-user", (double)on->user_ns / n);
	run_sample(run, "on-sys", (double)on->sys_ns / n);
}

/* Files that the plan writes to, each once: CPUs 4-7, or the switch. */
void plug_note_moved(struct run *run, const struct cpumask *online, const struct plug_plan *plan)
{
	struct cpumask moved = { 0 };
	struct strbuf before = { 0 }, list = { 0 };

	cpumask_print(online, &before);
	for (size_t i = 0; i < plan->n; i++)
		if (!plan->steps[i].all)
			cpumask_set(&moved, plan->steps[i].cpu);
	cpumask_print(&moved, &list);
	run_note(run, "cpus", "%s online, %s moved", before.s,
		 list.len ? list.s : "those of the switch for threads");
	cpumask_release(&moved);
	strbuf_release(&before);
	strbuf_release(&list);
}
