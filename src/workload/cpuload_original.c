// SPDX-License-Identifier: GPL-2.0-only
/* workload/cpuload_original.c - a result in the lines of stress-ng 0.15 with --metrics-brief. */
#include "workload/cpuload.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

static double figure(const struct result *result, const char *name)
{
	const struct value *value = result_metric(result, name);

	value = value ? value : result_counter(result, name);
	return value ? value->value : 0;
}

/* stress-ng's real time is the mean over its processes. */
static double mean_finish(const struct result *result)
{
	struct histogram *finish = xcalloc(1, sizeof(*finish));
	double mean = 0;

	if (result_histogram(result, "finish", finish) && finish->count)
		mean = (double)finish->sum / (double)finish->count;
	free(finish);
	return mean;
}

static double rate(double ops, double s)
{
	return s > 0 ? ops / s : 0;
}

static void add_head(struct strbuf *sb, const char *kind, const char *pid)
{
	strbuf_addf(sb, "stress-ng: %s [%s] ", kind, pid);
}

void cpuload_original(const struct result *result, const void *cfg, struct strbuf *sb)
{
	const char *note = result_note(result, "pid"), *pid = note ? note : "0";
	const double user = figure(result, "task-user") / 1e9;
	const double sys = figure(result, "task-sys") / 1e9;
	const double ops = figure(result, "ops"), real = mean_finish(result) / 1e9;

	add_head(sb, "info: ", pid);
	strbuf_addstr(sb, "defaulting to a 86400 second (1 day, 0.00 secs) run per stressor\n");
	add_head(sb, "info: ", pid);
	strbuf_addf(sb, "dispatching hogs: %" PRIu64 " cpu\n", cpuload_tasks(cfg));
	add_head(sb, "metrc:", pid);
	strbuf_addf(sb, "%-13s %9s %9s %9s %9s %12s %14s\n", "stressor", "bogo ops", "real time",
		    "usr time", "sys time", "bogo ops/s", "bogo ops/s");
	add_head(sb, "metrc:", pid);
	strbuf_addf(sb, "%-13s %9s %9s %9s %9s %12s %14s\n", "", "", "(secs) ", "(secs) ",
		    "(secs) ", "(real time)", "(usr+sys time)");
	add_head(sb, "metrc:", pid);
	strbuf_addf(sb, "%-13s %9.0f %9.2f %9.2f %9.2f %12.2f %14.2f\n", "cpu", ops, real, user,
		    sys, rate(ops, real), rate(ops, user + sys));
	add_head(sb, "info: ", pid);
	strbuf_addf(sb, "successful run completed in %.2fs\n",
		    (figure(result, "setup") + figure(result, "time")) / 1e9);
}
