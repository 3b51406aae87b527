// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_rate.c - when requests come, and how many the machine is to be given. */
#include "workload/schbench.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* Of the search for a rate: how near is near enough, and the most that there may be. */
#define NEAR	    2.0
#define RPS_MAX	    10000000
#define STAT_FIELDS 8 /* user nice system idle iowait irq softirq steal: guests are in user */

/* Two thirds of the workers at once: as many batches a second as are needed. */
static void start_batches(struct arrivals *arrivals, const struct schbench_plan *plan, uint64_t rps)
{
	const uint64_t most = 2 * plan->threads / 3;
	const uint64_t batch = most ? most : 1;

	arrivals_start_batches(arrivals, batch, NS_PER_S / ((rps + batch - 1) / batch));
}

void schbench_requests(struct arrivals *arrivals, const struct schbench_plan *plan, size_t nr,
		       uint64_t rps)
{
	if (plan->arrivals == REQUESTS_BATCH)
		start_batches(arrivals, plan, rps);
	else if (plan->arrivals == REQUESTS_BURST)
		arrivals_start_batches(arrivals, rps, NS_PER_S);
	else
		arrivals_start(arrivals,
			       plan->arrivals == REQUESTS_POISSON ? ARRIVALS_POISSON
								  : ARRIVALS_UNIFORM,
			       (double)(rps * plan->messengers), plan->seed, nr, plan->messengers);
}

int schbench_parse_stat(const char *line, uint64_t *busy, uint64_t *all)
{
	uint64_t t[STAT_FIELDS] = { 0 };
	char *end;

	if (!line || strncmp(line, "cpu ", 4) != 0)
		return -EINVAL;
	line += 4;
	*all = 0;
	for (int i = 0; i < STAT_FIELDS; i++, line = end) {
		t[i] = strtoull(line, &end, 10);
		if (end == line)
			return -EINVAL;
		*all += t[i];
	}
	*busy = *all - t[3] - t[4];
	return 0;
}

static int read_stat(uint64_t *busy, uint64_t *all, struct error *err)
{
	char *line = file_read_line(AT_FDCWD, "/proc/stat");
	int ret = schbench_parse_stat(line, busy, all);

	free(line);
	return ret ? error_set(err, -ret, "auto-rps: /proc/stat can't be read") : 0;
}

uint64_t schbench_next_rps(uint64_t rps, double busy, double goal)
{
	double factor = busy > 0 ? goal / busy : 2;
	uint64_t next;

	factor = factor > 2 ? 2 : factor < 0.5 ? 0.5 : factor;
	next = (uint64_t)((double)rps * factor + 0.5);
	if (next == rps) /* a step that rounds to none */
		next = busy < goal ? rps + 1 : rps - 1;
	return next < 1 ? 1 : next > RPS_MAX ? RPS_MAX : next;
}

bool schbench_found_rps(uint64_t *rps, double busy, double goal)
{
	const uint64_t next = schbench_next_rps(*rps, busy, goal);

	if (fabs(busy - goal) <= NEAR || next == *rps)
		return true;
	*rps = next;
	return false;
}

uint64_t schbench_begin(const struct schbench_plan *plan, uint64_t base_ns, uint64_t earliest_ns)
{
	if (!plan->rps || earliest_ns <= base_ns)
		return earliest_ns;
	return earliest_ns + (NS_PER_S - (earliest_ns - base_ns) % NS_PER_S) % NS_PER_S;
}

int schbench_tune(struct schbench *sb, double *busy, struct error *err)
{
	uint64_t busy_before = 0, all_before = 0, busy_now = 0, all_now = 0;
	uint64_t rps = sb->plan.rps;
	int ret = read_stat(&busy_before, &all_before, err);

	for (int i = 0; !ret && i < SCHBENCH_LOOKS_MAX; i++) {
		clock_sleep_until(CLOCK_MONOTONIC, clock_ns(CLOCK_MONOTONIC) + SCHBENCH_LOOK_NS);
		ret = read_stat(&busy_now, &all_now, err);
		if (ret || all_now == all_before)
			continue;
		*busy = 100 * (double)(busy_now - busy_before) / (double)(all_now - all_before);
		if (schbench_found_rps(&rps, *busy, sb->plan.auto_rps))
			break;
		sb->base_ns = clock_ns(CLOCK_MONOTONIC);
		sb->goal_rps = rps;
		busy_before = busy_now;
		all_before = all_now;
	}
	return ret;
}
