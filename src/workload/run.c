// SPDX-License-Identifier: GPL-2.0-only
#include "workload/run.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The kernel's struct sched_attr in its first version; libc has none before glibc 2.41. */
struct attr_v0 {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void run_start(struct run *run)
{
	run->start_ns = now_ns();
}

void run_stop(struct run *run)
{
	run->stop_ns = now_ns();
}

static const struct metric *metric_find(const struct metric *metrics, const char *name)
{
	while (metrics->name && strcmp(metrics->name, name))
		metrics++;
	return metrics->name ? metrics : NULL;
}

void run_sample(struct run *run, const char *metric, double value)
{
	const struct metric *row = metric_find(run->workload->metrics, metric);

	assert(row);
	result_add_metric(&run->result, row, value);
}

static int set_deadline(const struct task_attr *attr, struct error *err)
{
	const struct attr_v0 kernel_attr = {
		.size = sizeof(kernel_attr),
		.policy = SCHED_DEADLINE,
		.runtime_ns = attr->runtime_ns,
		.deadline_ns = attr->deadline_ns,
		.period_ns = attr->period_ns,
	};

	if (!syscall(SYS_sched_setattr, 0, &kernel_attr, 0))
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
