// SPDX-License-Identifier: GPL-2.0-only
/* lab/estimate.c - how long a plan will take, from what was run before. */
#include "lab/execute.h"

#include "base/strbuf.h"
#include "lab/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int point_wall_ns(const struct point *point, struct store *store, uint64_t *ns)
{
	struct strbuf params = { 0 };
	int ret;

	point_print_params(point, &params);
	ret = store_typical_wall(store, point->workload->name, strbuf_str(&params), ns, NULL);
	strbuf_release(&params);
	return ret;
}

/* A session warms up each variant that it runs: a boot one, otherwise there is one session with all. */
static uint64_t runs_of_point(const struct experiment *experiment)
{
	const uint64_t units = experiment->blocks * plan_block_units(experiment);

	if (experiment->by_kernel)
		return units * (experiment->runs_per_boot + experiment->warmup);
	return units + experiment->nr_variants * experiment->warmup;
}

/* The same variants at the same points: then a run takes what it took. */
static bool has_same_runs(const struct experiment_row *a, const struct experiment_row *b)
{
	if (a->nr_variants != b->nr_variants || a->nr_points != b->nr_points)
		return false;
	for (size_t v = 0; v < a->nr_variants; v++)
		if (strcmp(a->variants[v].settings, b->variants[v].settings) != 0)
			return false;
	for (size_t p = 0; p < a->nr_points; p++)
		if (strcmp(a->points[p].workload, b->points[p].workload) != 0 ||
		    strcmp(a->points[p].params, b->points[p].params) != 0)
			return false;
	return true;
}

/*
 * From a session's start until its last run was begun to be waited for, which is what a simulated run has for a start: then all
 * before it had ended. Return: how many those are
 */
static size_t session_ns(const struct session_row *session, const struct run_row *runs, size_t n,
			 int64_t *ns)
{
	size_t of_it = 0;

	*ns = 0;
	for (size_t i = 0; i < n; i++) {
		if (runs[i].session != session->id)
			continue;
		of_it++;
		if (runs[i].started_ns - session->started_ns > *ns)
			*ns = runs[i].started_ns - session->started_ns;
	}
	return of_it ? of_it - 1 : 0;
}

static int time_of_runs(struct store *store, int64_t id, uint64_t *ns, size_t *n)
{
	struct session_row *sessions = NULL;
	struct run_row *runs = NULL;
	size_t nr_sessions = 0, nr = 0;
	int ret = store_load_sessions(store, id, &sessions, &nr_sessions, NULL);

	if (!ret)
		ret = store_load_runs(store, id, &runs, &nr, NULL);
	*ns = 0;
	*n = 0;
	for (size_t s = 0; !ret && s < nr_sessions; s++) {
		int64_t took;

		*n += session_ns(&sessions[s], runs, nr, &took);
		*ns += (uint64_t)took;
	}
	for (size_t s = 0; s < nr_sessions; s++)
		session_row_release(&sessions[s]);
	for (size_t i = 0; i < nr; i++)
		run_row_release(&runs[i]);
	free(sessions);
	free(runs);
	return ret ? ret : *n ? 0 : -ENOENT;
}

/* By the newest experiment of its name, if that is of the same runs: they are made beside each other, so the whole counts. */
static int simulated_ns(const struct experiment *experiment, struct store *store, uint64_t *sum)
{
	struct experiment_row stored = { 0 }, own;
	uint64_t ns = 0;
	int64_t id;
	size_t n = 0;
	int ret = store_find_experiment(store, experiment->name, &id, NULL);

	if (!ret)
		ret = store_get_experiment(store, id, &stored, NULL);
	if (ret)
		return -ENOENT;
	experiment_row(experiment, &own);
	ret = has_same_runs(&stored, &own) ? time_of_runs(store, id, &ns, &n) : -ENOENT;
	experiment_row_release(&own);
	experiment_row_release(&stored);
	if (!ret)
		*sum = (uint64_t)((double)ns / (double)n *
				  (double)(runs_of_point(experiment) * experiment->nr_points));
	return ret;
}

/* By stored runs of each workload. */
static int measured_ns(const struct experiment *experiment, struct store *store, uint64_t *sum)
{
	uint64_t wall;

	*sum = 0;
	for (size_t i = 0; i < experiment->nr_points; i++) {
		int ret = point_wall_ns(&experiment->points[i], store, &wall);

		if (ret)
			return ret;
		*sum += wall;
	}
	*sum *= runs_of_point(experiment);
	return 0;
}

int lab_estimate(const struct experiment *experiment, struct store *store, uint64_t *ns)
{
	const uint64_t budget = experiment->budget_ns;
	uint64_t sum;
	int ret;

	if (!experiment->blocks) {
		*ns = budget;
		return 0;
	}
	if (!store)
		return -ENOENT;
	ret = experiment->sim ? simulated_ns(experiment, store, &sum)
			      : measured_ns(experiment, store, &sum);
	if (ret)
		return ret;
	*ns = budget && budget < sum ? budget : sum;
	return 0;
}
