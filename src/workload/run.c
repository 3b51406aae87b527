// SPDX-License-Identifier: GPL-2.0-only
#include "workload/run.h"

#include "base/clock.h"
#include "workload/sched_attr.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

void run_start(struct run *run)
{
	run->start_ns = clock_ns(CLOCK_MONOTONIC);
}

void run_stop(struct run *run)
{
	run->stop_ns = clock_ns(CLOCK_MONOTONIC);
}

void run_start_at(struct run *run, uint64_t ns)
{
	run->start_ns = ns;
}

void run_stop_at(struct run *run, uint64_t ns)
{
	run->stop_ns = ns;
}

static void add_figure(struct run *run, const struct metric *row, double value)
{
	if (row->better == BETTER_NONE)
		result_add_counter(&run->result, row->name, row->unit, value, 1);
	else
		result_add_metric(&run->result, row, value);
}

void run_sample(struct run *run, const char *metric, double value)
{
	const struct metric *row = metric_find(run->workload->metrics, metric);

	assert(row && !row->of);
	add_figure(run, row, value);
}

void run_histogram(struct run *run, const char *name, const struct histogram *samples)
{
	const struct metric *row = metric_find(run->workload->histograms, name);

	assert(row);
	result_add_histogram(&run->result, row, samples);
	if (!samples->count)
		return;
	for (const struct metric *m = run->workload->metrics; m->name; m++)
		if (m->of && !strcmp(m->of, name))
			add_figure(run, m, (double)histogram_quantile(samples, m->quantile));
}

void run_note(struct run *run, const char *name, const char *fmt, ...)
{
	struct strbuf text = { 0 };
	va_list ap;

	assert(!result_note(&run->result, name));
	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	result_add_note(&run->result, name, text.s);
	strbuf_release(&text);
}

static int set_deadline(const struct task_deadline *attr, struct error *err)
{
	struct task_attr kernel_attr = {
		.policy = SCHED_DEADLINE,
		.runtime_ns = attr->runtime_ns,
		.deadline_ns = attr->deadline_ns,
		.period_ns = attr->period_ns,
	};

	if (!task_attr_set(&kernel_attr))
		return 0;
	return error_set(err, errno,
			 "SCHED_DEADLINE of %" PRIu64 "/%" PRIu64 "/%" PRIu64 " ns: %s%s",
			 attr->runtime_ns, attr->deadline_ns, attr->period_ns, strerror(errno),
			 errno == EBUSY ? ", the tasks before it took the bandwidth" : "");
}

int run_task_begin(const struct run *run, bool forked, struct error *err)
{
	if (forked) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL))
			return error_set(err, errno, "PR_SET_PDEATHSIG: %s", strerror(errno));
		/* it may have died before the line above, and then nobody sends the signal */
		if (getppid() != run->pid)
			return error_set(err, ESRCH, "the worker is gone");
	}
	return run->attr.deadline ? set_deadline(&run->attr, err) : 0;
}
