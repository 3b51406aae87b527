// SPDX-License-Identifier: GPL-2.0-only
/* store/add.c - sessions and runs into the store. */
#include "store/db.h"

#include "base/mem.h"
#include "base/rng.h"
#include "store/row_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int find_facts(struct store *store, const char *text, int64_t hash, int64_t *id,
		      struct error *err)
{
	struct query q;

	*id = 0;
	query_init(&q, store, "SELECT id FROM facts WHERE hash = ? AND text = ?", err);
	query_bind_int(&q, hash);
	query_bind_text(&q, text);
	if (query_next(&q))
		*id = query_int(&q, 1, INT64_MAX);
	return query_end(&q);
}

/* The row of facts with that text, an old one if there is one. */
static int intern_facts(struct store *store, const char *facts, int64_t *id, struct error *err)
{
	char *text = facts_canonical(facts);
	struct query q;
	int64_t hash;
	int ret;

	if (!text)
		return error_set(err, EINVAL,
				 "%s: can't be stored: the facts are no JSON object, or too long",
				 store->path);
	hash = (int64_t)hash64(HASH64_INIT, text, strlen(text));
	ret = find_facts(store, text, hash, id, err);
	if (!ret && !*id) {
		query_init(&q, store, "INSERT INTO facts(hash, text) VALUES (?, ?)", err);
		query_bind_int(&q, hash);
		query_bind_text(&q, text);
		ret = query_run(&q);
		*id = sqlite3_last_insert_rowid(store->db);
	}
	free(text);
	return ret;
}

static int insert_session(struct store *store, const struct session_row *row, int64_t *id,
			  struct error *err)
{
	struct query q;
	int64_t facts = 0;
	int ret = intern_facts(store, row->facts, &facts, err);

	if (ret)
		return ret;
	query_init(&q, store,
		   "INSERT INTO session(experiment, boot_id, facts, notes, started_ns) "
		   "VALUES (?, ?, ?, ?, ?)",
		   err);
	query_bind_int(&q, row->experiment);
	query_bind_text(&q, row->boot_id);
	query_bind_int(&q, facts);
	query_bind_text(&q, row->notes);
	query_bind_int(&q, row->started_ns);
	ret = query_run(&q);
	*id = sqlite3_last_insert_rowid(store->db);
	if (ret == -ENOENT)
		ret = error_set(err, ENOENT, "%s: a session of experiment %lld, which isn't stored",
				store->path, (long long)row->experiment);
	return ret;
}

int store_add_session(struct store *store, struct session_row *row, struct error *err)
{
	const char *wrong = check_session(row);
	int64_t id = 0;
	int ret;

	if (wrong)
		return error_set(err, EINVAL, "%s: can't be stored: %s", store->path, wrong);
	ret = db_begin(store, true, err);
	if (ret)
		return ret;
	ret = db_end(store, insert_session(store, row, &id, err), err);
	if (!ret)
		row->id = id;
	return ret;
}

/* The store keeps a run's workload with its point, so they must be the same. */
static int check_workload(struct store *store, const struct run_row *row, struct error *err)
{
	char *workload = NULL;
	struct query q;
	int ret;

	query_init(&q, store, "SELECT workload FROM point WHERE experiment = ? AND ordinal = ?",
		   err);
	query_bind_int(&q, row->experiment);
	query_bind_int(&q, (int64_t)row->point);
	if (query_next(&q))
		workload = query_str(&q);
	ret = query_end(&q);
	if (!ret && workload && row->result.workload && strcmp(workload, row->result.workload) != 0)
		ret = error_set(err, EINVAL,
				"%s: can't be stored: a result of '%s' at a point of '%s'",
				store->path, row->result.workload, workload);
	free(workload);
	return ret;
}

static int insert_run(struct store *store, const struct run_row *row, int64_t *id,
		      struct error *err)
{
	struct query q;
	int64_t facts = 0;
	int ret = intern_facts(store, row->facts, &facts, err);

	if (ret)
		return ret;
	query_init(
		&q, store,
		"INSERT INTO run(experiment, session, block, position, variant, point, "
		"started_ns, load, facts, status, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		err);
	query_bind_int(&q, row->experiment);
	query_bind_int(&q, row->session);
	query_bind_int(&q, row->block);
	query_bind_int(&q, row->position);
	query_bind_int(&q, (int64_t)row->variant);
	query_bind_int(&q, (int64_t)row->point);
	query_bind_int(&q, row->started_ns);
	query_bind_double(&q, row->load);
	query_bind_int(&q, facts);
	query_bind_text(&q, run_status_name(row->result.status));
	query_bind_str(&q, row->result.reason);
	ret = query_run(&q);
	*id = sqlite3_last_insert_rowid(store->db);
	if (ret == -EEXIST)
		ret = error_set(err, EEXIST,
				"%s: run %lld of experiment %lld is stored already: is another "
				"schedproof at work on it?",
				store->path, (long long)row->position, (long long)row->experiment);
	return ret;
}

static int insert_values(struct store *store, int64_t run, const char *kind,
			 const struct value *values, size_t n, struct error *err)
{
	struct query q;

	query_init(&q, store, "INSERT INTO value VALUES (?, ?, ?, ?, ?, ?, ?, ?)", err);
	for (size_t i = 0; i < n; i++) {
		query_reset(&q);
		query_bind_int(&q, run);
		query_bind_text(&q, kind);
		query_bind_int(&q, (int64_t)i);
		query_bind_text(&q, values[i].name);
		query_bind_text(&q, unit_name(values[i].unit));
		query_bind_text(&q, better_name(values[i].better));
		query_bind_double(&q, values[i].value);
		query_bind_double(&q, values[i].counted);
		query_next(&q);
	}
	return query_end(&q);
}

static int insert_histograms(struct store *store, int64_t run, const struct result *result,
			     struct error *err)
{
	struct query q;

	query_init(&q, store,
		   "INSERT INTO histogram(run, name, unit, better, samples) VALUES (?, ?, ?, ?, ?)",
		   err);
	for (size_t i = 0; i < result->nr_histograms; i++) {
		const struct samples_text *histogram = &result->histograms[i];

		query_reset(&q);
		query_bind_int(&q, run);
		query_bind_text(&q, histogram->name);
		query_bind_text(&q, unit_name(histogram->unit));
		query_bind_text(&q, better_name(histogram->better));
		query_bind_text(&q, histogram->text);
		query_next(&q);
	}
	return query_end(&q);
}

static int insert_notes(struct store *store, int64_t run, const struct result *result,
			struct error *err)
{
	struct query q;

	query_init(&q, store, "INSERT INTO note VALUES (?, ?, ?, ?)", err);
	for (size_t i = 0; i < result->nr_notes; i++) {
		query_reset(&q);
		query_bind_int(&q, run);
		query_bind_int(&q, (int64_t)i);
		query_bind_text(&q, result->notes[i].name);
		query_bind_text(&q, result->notes[i].text);
		query_next(&q);
	}
	return query_end(&q);
}

int store_add_run(struct store *store, struct run_row *row, struct error *err)
{
	const struct result *result = &row->result;
	const char *wrong = check_run(row);
	int64_t id = 0;
	int ret;

	if (wrong)
		return error_set(err, EINVAL, "%s: can't be stored: %s", store->path, wrong);
	ret = db_begin(store, true, err);
	if (ret)
		return ret;
	ret = check_workload(store, row, err);
	if (!ret)
		ret = insert_run(store, row, &id, err);
	if (!ret)
		ret = insert_values(store, id, "metric", result->metrics, result->nr_metrics, err);
	if (!ret)
		ret = insert_values(store, id, "counter", result->counters, result->nr_counters,
				    err);
	if (!ret)
		ret = insert_histograms(store, id, result, err);
	if (!ret)
		ret = insert_notes(store, id, result, err);
	ret = db_end(store, ret, err);
	if (!ret)
		row->id = id;
	return ret;
}
