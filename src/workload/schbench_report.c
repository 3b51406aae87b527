// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_report.c - the figures of a run of schbench, real or simulated. */
#include "workload/schbench.h"

#include <errno.h>

#define NS_PER_S UINT64_C(1000000000)

uint64_t schbench_rate(uint64_t n, uint64_t ns)
{
	return (uint64_t)((double)n * (double)NS_PER_S / (double)ns + 0.5);
}

static void sample_delay(struct run *run, const char *metric, const struct schbench_delay *delay)
{
	if (delay->times)
		run_sample(run, metric, (double)delay->wait_ns / (double)delay->times);
}

static void sample_requests(struct run *run, const struct schbench_figures *f)
{
	run_sample(run, "dropped", (double)f->dropped);
	run_sample(run, "queue-max", (double)f->deepest);
	run_sample(run, "goal-rps", (double)(f->goal_rps * f->plan->messengers));
}

static void sample_work(struct run *run, const struct schbench_figures *f)
{
	if (f->plan->auto_rps > 0)
		run_sample(run, "busy", f->busy);
	if (f->work_ns > 0)
		run_sample(run, "work", f->work_ns);
	if (f->unit_ns > 0)
		run_sample(run, "work-unit", f->unit_ns);
}

/* In the order of their table, which is that of the program's output. */
int schbench_report(struct run *run, const struct schbench_figures *f, struct error *err)
{
	const struct schbench_plan *plan = f->plan;

	if (!f->wakeup->count)
		return error_set(err, ETIME, "no worker was woken in the runtime: make it longer");
	run_histogram(run, "wakeup", f->wakeup);
	if (!plan->pipe_bytes) {
		run_histogram(run, "request", f->request);
		run_histogram(run, "response", f->response);
	}
	run_sample(run, "rps", (double)f->done * (double)NS_PER_S / (double)plan->runtime_ns);
	run_histogram(run, "rps", f->rps);
	sample_delay(run, "message-delay", &f->messages);
	sample_delay(run, "worker-delay", &f->workers);
	if (plan->rps)
		sample_requests(run, f);
	run_sample(run, "unfinished", (double)(f->wakeup->count - f->response->count));
	run_sample(run, "workers", (double)(plan->messengers * plan->threads));
	sample_work(run, f);
	return 0;
}
