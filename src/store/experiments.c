// SPDX-License-Identifier: GPL-2.0-only
/* store/experiments.c - experiments with their variants and points: added, read, found, listed. */
#include "store/db.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "store/row_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void experiment_row_release(struct experiment_row *row)
{
	for (size_t i = 0; i < row->nr_variants; i++) {
		free(row->variants[i].name);
		free(row->variants[i].settings);
		free(row->variants[i].asks);
	}
	for (size_t i = 0; i < row->nr_points; i++) {
		free(row->points[i].label);
		free(row->points[i].workload);
		free(row->points[i].params);
		free(row->points[i].primary);
	}
	free(row->variants);
	free(row->points);
	free(row->name);
	free(row->text);
	free(row->fingerprint);
	free(row->ended);
	*row = (struct experiment_row){ 0 };
}

static const char *const purposes[] = {
	[PURPOSE_AB] = "ab",
	[PURPOSE_AA] = "aa",
	[PURPOSE_PILOT] = "pilot",
};

const char *purpose_name(enum purpose purpose)
{
	return purposes[purpose];
}

int purpose_parse(enum purpose *purpose, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(purposes); i++) {
		if (strcmp(name, purposes[i]) != 0)
			continue;
		*purpose = (enum purpose)i;
		return 0;
	}
	return -EINVAL;
}

static int insert_experiment(struct store *store, const struct experiment_row *row, int64_t *id,
			     struct error *err)
{
	struct query q;
	int ret;

	query_init(&q, store,
		   "INSERT INTO experiment(name, text, fingerprint, seed, blocks, budget_ns, "
		   "runs_per_boot, created_ns, finished, runs_per_block, margin, until, purpose, "
		   "ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		   err);
	query_bind_text(&q, row->name);
	query_bind_text(&q, row->text);
	query_bind_text(&q, row->fingerprint);
	query_bind_int(&q, (int64_t)row->seed);
	query_bind_int(&q, (int64_t)row->blocks);
	query_bind_int(&q, (int64_t)row->budget_ns);
	query_bind_int(&q, (int64_t)row->runs_per_boot);
	query_bind_int(&q, row->created_ns);
	query_bind_int(&q, row->finished);
	query_bind_int(&q, row->runs_per_block ? (int64_t)row->runs_per_block : 1);
	query_bind_double(&q, row->margin);
	query_bind_double(&q, row->until);
	query_bind_text(&q, purpose_name(row->purpose));
	query_bind_text(&q, row->ended);
	ret = query_run(&q);
	*id = sqlite3_last_insert_rowid(store->db);
	return ret;
}

static int insert_variants(struct store *store, const struct experiment_row *row, int64_t id,
			   struct error *err)
{
	struct query q;

	query_init(&q, store, "INSERT INTO variant VALUES (?, ?, ?, ?, ?)", err);
	for (size_t i = 0; i < row->nr_variants; i++) {
		query_reset(&q);
		query_bind_int(&q, id);
		query_bind_int(&q, (int64_t)i);
		query_bind_text(&q, row->variants[i].name);
		query_bind_text(&q, row->variants[i].settings);
		query_bind_text(&q, row->variants[i].asks);
		query_next(&q);
	}
	return query_end(&q);
}

static int insert_points(struct store *store, const struct experiment_row *row, int64_t id,
			 struct error *err)
{
	struct query q;

	query_init(&q, store, "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?)", err);
	for (size_t i = 0; i < row->nr_points; i++) {
		query_reset(&q);
		query_bind_int(&q, id);
		query_bind_int(&q, (int64_t)i);
		query_bind_text(&q, row->points[i].label);
		query_bind_text(&q, row->points[i].workload);
		query_bind_text(&q, row->points[i].params);
		query_bind_text(&q, row->points[i].primary);
		query_next(&q);
	}
	return query_end(&q);
}

int store_add_experiment(struct store *store, struct experiment_row *row, struct error *err)
{
	const char *wrong = check_experiment(row);
	int64_t id = 0;
	int ret;

	if (wrong)
		return error_set(err, EINVAL, "%s: can't be stored: %s", store->path, wrong);
	ret = db_begin(store, true, err);
	if (ret)
		return ret;
	ret = insert_experiment(store, row, &id, err);
	if (!ret)
		ret = insert_variants(store, row, id, err);
	if (!ret)
		ret = insert_points(store, row, id, err);
	if (ret == -EEXIST)
		ret = error_set(err, EINVAL,
				"%s: can't be stored: two variants or two workloads have one name",
				store->path);
	ret = db_end(store, ret, err);
	if (!ret)
		row->id = id;
	return ret;
}

static int no_experiment(struct store *store, int64_t id, struct error *err)
{
	return error_set(err, ENOENT, "%s: no experiment %lld: schedproof list results names all",
			 store->path, (long long)id);
}

int store_finish_experiment(struct store *store, int64_t id, const char *ended, struct error *err)
{
	struct query q;
	int ret;

	query_init(&q, store, "UPDATE experiment SET finished = 1, ended = ? WHERE id = ?", err);
	query_bind_text(&q, ended);
	query_bind_int(&q, id);
	ret = query_run(&q);
	if (!ret && !sqlite3_changes(store->db))
		ret = no_experiment(store, id, err);
	return ret;
}

static void read_variants(struct query *q, struct experiment_row *row)
{
	int64_t n = 0;

	query_bind_int(q, row->id);
	while (query_next(q)) {
		struct variant_row *variant;

		query_int(q, n, n < STORE_MAX_VARIANTS ? n : -1); /* counted from 0 without gaps */
		row->variants = xreallocarray(row->variants, (size_t)n + 1, sizeof(*row->variants));
		variant = &row->variants[n++];
		variant->name = query_str(q);
		variant->settings = query_str(q);
		variant->asks = query_str(q);
		row->nr_variants = (size_t)n;
	}
}

static void read_points(struct query *q, struct experiment_row *row)
{
	int64_t n = 0;

	query_bind_int(q, row->id);
	while (query_next(q)) {
		struct point_row *point;

		query_int(q, n, n < STORE_MAX_POINTS ? n : -1);
		row->points = xreallocarray(row->points, (size_t)n + 1, sizeof(*row->points));
		point = &row->points[n++];
		point->label = query_str(q);
		point->workload = query_str(q);
		point->params = query_str(q);
		point->primary = query_str(q);
		row->nr_points = (size_t)n;
	}
}

static int read_parts(struct store *store, struct experiment_row *row, struct error *err)
{
	struct query variants, points;
	int ret;

	query_init(&variants, store,
		   "SELECT ordinal, name, settings, asks FROM variant WHERE experiment = ? "
		   "ORDER BY ordinal",
		   err);
	read_variants(&variants, row);
	ret = query_end(&variants);
	if (ret)
		return ret;
	query_init(&points, store,
		   "SELECT ordinal, label, workload, params, primary_metric FROM point "
		   "WHERE experiment = ? ORDER BY ordinal",
		   err);
	read_points(&points, row);
	return query_end(&points);
}

#define EXPERIMENT_COLUMNS                                                                         \
	"id, name, text, fingerprint, seed, blocks, budget_ns, runs_per_boot, created_ns, "        \
	"finished, runs_per_block, margin, until, purpose, ended"

/* The row that @q stands on, with its parts. */
static void read_experiment(struct query *q, struct experiment_row *row)
{
	const char *wrong;

	row->id = query_int(q, INT64_MIN, INT64_MAX);
	row->name = query_str(q);
	row->text = query_str(q);
	row->fingerprint = query_str(q);
	row->seed = (uint64_t)query_int(q, INT64_MIN, INT64_MAX);
	row->blocks = (uint64_t)query_int(q, 0, INT64_MAX);
	row->budget_ns = (uint64_t)query_int(q, 0, INT64_MAX);
	row->runs_per_boot = (uint64_t)query_int(q, 0, INT64_MAX);
	row->created_ns = query_int(q, 0, INT64_MAX);
	row->finished = query_int(q, 0, 1);
	row->runs_per_block = (uint64_t)query_int(q, 1, INT64_MAX);
	row->margin = query_double(q);
	row->until = query_double(q);
	READ_WORD(q, purpose_parse, &row->purpose);
	row->ended = query_str(q);
	if (!q->ret)
		q->ret = read_parts(q->store, row, q->err);
	wrong = q->ret ? NULL : check_experiment(row);
	if (wrong)
		query_damaged(q, wrong);
}

int store_get_experiment(struct store *store, int64_t id, struct experiment_row *row,
			 struct error *err)
{
	struct experiment_row got = { 0 };
	bool found = false;
	struct query q;
	int ret = db_begin(store, false, err);

	if (ret)
		return ret;
	query_init(&q, store, "SELECT " EXPERIMENT_COLUMNS " FROM experiment WHERE id = ?", err);
	query_bind_int(&q, id);
	if (query_next(&q)) {
		found = true;
		read_experiment(&q, &got);
	}
	ret = query_end(&q);
	if (!ret && !found)
		ret = no_experiment(store, id, err);
	ret = db_end(store, ret, err);
	if (ret) {
		experiment_row_release(&got);
		return ret;
	}
	*row = got;
	return 0;
}

int store_list_experiments(struct store *store, struct experiment_row **rows, size_t *n,
			   struct error *err)
{
	struct experiment_row *got = NULL;
	size_t count = 0;
	struct query q;
	int ret = db_begin(store, false, err);

	if (ret)
		return ret;
	query_init(&q, store,
		   "SELECT " EXPERIMENT_COLUMNS " FROM experiment ORDER BY created_ns, id", err);
	while (query_next(&q)) {
		got = xreallocarray(got, count + 1, sizeof(*got));
		got[count] = (struct experiment_row){ 0 };
		read_experiment(&q, &got[count++]);
	}
	ret = db_end(store, query_end(&q), err);
	if (ret) {
		while (count)
			experiment_row_release(&got[--count]);
		free(got);
		return ret;
	}
	*rows = got;
	*n = count;
	return 0;
}

static int no_name(struct store *store, const char *name, struct error *err)
{
	struct nearest nearest;
	char *best = NULL;
	struct query q;
	int ret;

	nearest_init(&nearest, name);
	query_init(&q, store, "SELECT DISTINCT name FROM experiment ORDER BY name", err);
	while (query_next(&q)) {
		char *known = query_str(&q);

		nearest_offer(&nearest, known);
		if (nearest.best == known) {
			free(best);
			best = known;
		} else {
			free(known);
		}
	}
	ret = query_end(&q);
	if (!ret && best)
		ret = error_set(err, ENOENT, "%s: no experiment '%s': did you mean '%s'?",
				store->path, name, best);
	else if (!ret)
		ret = error_set(err, ENOENT,
				"%s: no experiment '%s': schedproof list results names all",
				store->path, name);
	free(best);
	return ret;
}

int store_find_experiment(struct store *store, const char *name, int64_t *id, struct error *err)
{
	int64_t found = 0;
	bool any = false;
	struct query q;
	int ret;

	query_init(&q, store,
		   "SELECT id FROM experiment WHERE ?1 IS NULL OR name = ?1 "
		   "ORDER BY created_ns DESC, id DESC LIMIT 1",
		   err);
	query_bind_str(&q, name);
	if (query_next(&q)) {
		found = query_int(&q, INT64_MIN, INT64_MAX);
		any = true;
	}
	ret = query_end(&q);
	if (ret)
		return ret;
	if (any) {
		*id = found;
		return 0;
	}
	if (name)
		return no_name(store, name, err);
	return error_set(err, ENOENT, "%s: nothing is stored there yet", store->path);
}
