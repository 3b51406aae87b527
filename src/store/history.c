// SPDX-License-Identifier: GPL-2.0-only
/* store/history.c - small answers from many runs. */
#include "store/db.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

#define TYPICAL_RUNS 50

static int count_runs(struct store *store, int64_t experiment, struct run_counts *counts,
		      struct error *err)
{
	struct query q;

	query_init(&q, store,
		   "SELECT count(*) FILTER (WHERE status = 'ok'), count(*) FILTER (WHERE status <> "
		   "'ok') "
		   "FROM run WHERE experiment = ? AND block >= 0",
		   err);
	query_bind_int(&q, experiment);
	if (query_next(&q)) {
		counts->ok = (uint64_t)query_int(&q, 0, INT64_MAX);
		counts->failed = (uint64_t)query_int(&q, 0, INT64_MAX);
	}
	return query_end(&q);
}

static int count_blocks(struct store *store, int64_t experiment, struct run_counts *counts,
			struct error *err)
{
	struct query q;

	query_init(&q, store,
		   "SELECT count(*) FROM (SELECT 1 FROM run WHERE experiment = ?1 AND block >= 0 "
		   "GROUP BY block HAVING count(*) >= "
		   "(SELECT count(*) FROM variant WHERE experiment = ?1) * "
		   "(SELECT count(*) FROM point WHERE experiment = ?1) * "
		   "(SELECT runs_per_block * max(runs_per_boot, 1) FROM experiment WHERE id = ?1))",
		   err);
	query_bind_int(&q, experiment);
	if (query_next(&q))
		counts->blocks = (uint64_t)query_int(&q, 0, INT64_MAX);
	return query_end(&q);
}

int store_count_runs(struct store *store, int64_t experiment, struct run_counts *counts,
		     struct error *err)
{
	struct run_counts got = { 0 };
	int ret = db_begin(store, false, err);

	if (ret)
		return ret;
	ret = count_runs(store, experiment, &got, err);
	if (!ret)
		ret = count_blocks(store, experiment, &got, err);
	ret = db_end(store, ret, err);
	if (!ret)
		*counts = got;
	return ret;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int store_typical_wall(struct store *store, const char *workload, const char *params,
		       uint64_t *wall_ns, struct error *err)
{
	double walls[TYPICAL_RUNS], median;
	struct query q;
	size_t n = 0;
	int ret;

	query_init(&q, store,
		   "SELECT value.value FROM point "
		   "JOIN run ON run.experiment = point.experiment AND run.point = point.ordinal "
		   "JOIN value ON value.run = run.id AND kind = 'counter' AND value.name = 'wall' "
		   "WHERE workload = ? AND params = ? AND status = 'ok' AND unit = 'ns' "
		   "ORDER BY started_ns DESC, run.id DESC LIMIT ?",
		   err);
	query_bind_text(&q, workload);
	query_bind_text(&q, params);
	query_bind_int(&q, TYPICAL_RUNS);
	while (n < TYPICAL_RUNS && query_next(&q))
		walls[n++] = query_double(&q);
	ret = query_end(&q);
	if (ret)
		return ret;
	if (!n)
		return error_set(err, ENOENT, "%s: no good run of %s with these parameters yet",
				 store->path, workload);
	qsort(walls, n, sizeof(*walls), compare_doubles);
	median = walls[(n - 1) / 2] / 2 + walls[n / 2] / 2;
	if (median < 0 || median >= 0x1p63)
		return error_set(err, EUCLEAN, "%s: damaged (a wall time of %g ns)", store->path,
				 median);
	*wall_ns = (uint64_t)median;
	return 0;
}

int store_point_history(struct store *store, const char *workload, const char *params, int64_t *ids,
			size_t max, size_t *n, struct error *err)
{
	struct query q;

	*n = 0;
	query_init(&q, store,
		   "SELECT DISTINCT experiment.id FROM point "
		   "JOIN experiment ON experiment.id = point.experiment "
		   "WHERE workload = ? AND params = ? ORDER BY created_ns DESC, experiment.id DESC "
		   "LIMIT ?",
		   err);
	query_bind_text(&q, workload);
	query_bind_text(&q, params);
	query_bind_int(&q, (int64_t)max);
	while (*n < max && query_next(&q))
		ids[(*n)++] = query_int(&q, INT64_MIN, INT64_MAX);
	return query_end(&q);
}
