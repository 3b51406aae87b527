// SPDX-License-Identifier: GPL-2.0-only
#include "lab/deadline.h"

#include "base/file.h"
#include "host/attr.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Share of one CPU that realtime and deadline tasks may have; sched(7). */
static double rt_share(const struct host *host)
{
	char *runtime = file_read_line(host->root_fd, "proc/sys/kernel/sched_rt_runtime_us");
	char *period = file_read_line(host->root_fd, "proc/sys/kernel/sched_rt_period_us");
	double share = 0.95;

	if (runtime && period && strtod(period, NULL) > 0)
		share = strtod(runtime, NULL) / strtod(period, NULL);
	free(runtime);
	free(period);
	return share < 0 ? 1 : share; /* -1: no limit but the CPU itself */
}

static int check_point(const struct variant *variant, const struct point *point,
		       const struct host *host, struct error *err)
{
	uint64_t runtime_ns, deadline_ns, period_ns, tasks;
	struct needs needs = { 0 };
	double asked, offered;

	if (!settings_deadline(variant->settings, &runtime_ns, &deadline_ns, &period_ns))
		return 0;
	point->workload->needs(point->cfg, &needs);
	if (needs.binds)
		return error_set(err, EINVAL,
				 "variant %s: policy = deadline does not go with %s, which binds "
				 "its tasks: the "
				 "kernel takes deadline tasks only where they may run on every CPU",
				 variant->name, point->label);
	/* the worker's own task may not be one of them */
	tasks = needs.tasks - 1;
	asked = (double)tasks * (double)runtime_ns / (double)period_ns;
	offered = cpumask_weight(&host->online) * rt_share(host);
	if (!cpumask_weight(&host->online) || asked <= offered)
		return 0;
	return error_set(err, EBUSY,
			 "variant %s: %" PRIu64
			 " deadline tasks of %s ask for %.1f CPUs, %.2f are offered: "
			 "take a smaller runtime or fewer tasks",
			 variant->name, tasks, point->label, asked, offered);
}

int deadline_check(const struct experiment *experiment, const struct host *host, struct error *err)
{
	int ret = 0;

	for (size_t v = 0; !ret && v < experiment->nr_variants; v++)
		for (size_t p = 0; !ret && p < experiment->nr_points; p++)
			ret = check_point(&experiment->variants[v], &experiment->points[p], host,
					  err);
	return ret;
}
