// SPDX-License-Identifier: GPL-2.0-only
/* store/load.c - sessions and runs out of the store. */
#include "store/db.h"

#include "base/mem.h"
#include "store/row_check.h"

#include <errno.h>
#include <stdlib.h>

void session_row_release(struct session_row *row)
{
	free(row->boot_id);
	free(row->facts);
	free(row->notes);
	*row = (struct session_row){ 0 };
}

void run_row_release(struct run_row *row)
{
	free(row->facts);
	result_release(&row->result);
	*row = (struct run_row){ 0 };
}

/* Facts as they are stored by this program; an edited database may hold others. */
static char *read_facts(struct query *q)
{
	char *text = query_str(q);
	char *facts = facts_canonical(text);

	free(text);
	if (!facts && !q->ret)
		query_damaged(q, "facts that are no JSON object, or too long");
	return facts ? facts : xstrdup("{}");
}

static void read_session(struct query *q, struct session_row *row)
{
	const char *wrong;

	row->id = query_int(q, INT64_MIN, INT64_MAX);
	row->experiment = query_int(q, INT64_MIN, INT64_MAX);
	row->boot_id = query_str(q);
	row->facts = read_facts(q);
	row->notes = query_str(q);
	row->started_ns = query_int(q, 0, INT64_MAX);
	wrong = q->ret ? NULL : check_session(row);
	if (wrong)
		query_damaged(q, wrong);
}

int store_load_sessions(struct store *store, int64_t experiment, struct session_row **rows,
			size_t *n, struct error *err)
{
	struct session_row *got = NULL;
	size_t count = 0;
	struct query q;
	int ret;

	query_init(&q, store,
		   "SELECT session.id, experiment, boot_id, facts.text, notes, started_ns "
		   "FROM session LEFT JOIN facts ON facts.id = session.facts "
		   "WHERE experiment = ? ORDER BY session.id",
		   err);
	query_bind_int(&q, experiment);
	while (query_next(&q)) {
		got = xreallocarray(got, count + 1, sizeof(*got));
		got[count] = (struct session_row){ 0 };
		read_session(&q, &got[count++]);
	}
	ret = query_end(&q);
	if (ret) {
		while (count)
			session_row_release(&got[--count]);
		free(got);
		return ret;
	}
	*rows = got;
	*n = count;
	return 0;
}

static void read_values(struct query *q, int64_t run, const char *kind, struct value **values,
			size_t *n)
{
	query_reset(q);
	query_bind_int(q, run);
	query_bind_text(q, kind);
	while (query_next(q)) {
		struct value *value;

		*values = xreallocarray(*values, *n + 1, sizeof(**values));
		value = &(*values)[(*n)++];
		*value = (struct value){ .name = query_str(q) };
		READ_WORD(q, unit_parse, &value->unit);
		READ_WORD(q, better_parse, &value->better);
		value->value = query_double(q);
		value->counted = query_double(q);
	}
}

static void read_notes(struct query *q, int64_t run, struct result *result)
{
	query_reset(q);
	query_bind_int(q, run);
	while (query_next(q)) {
		struct note *note;

		result->notes =
			xreallocarray(result->notes, result->nr_notes + 1, sizeof(*result->notes));
		note = &result->notes[result->nr_notes++];
		note->name = query_str(q);
		note->text = query_str(q);
	}
}

/* What belongs to each run, asked for again for every one. */
struct parts {
	struct query values, notes;
};

static void read_run(struct query *q, struct parts *parts, struct run_row *row)
{
	struct result *result = &row->result;
	const char *wrong;

	row->id = query_int(q, INT64_MIN, INT64_MAX);
	row->experiment = query_int(q, INT64_MIN, INT64_MAX);
	row->session = query_int(q, INT64_MIN, INT64_MAX);
	row->block = query_int(q, INT64_MIN, INT64_MAX);
	row->warmup = row->block < 0;
	row->position = query_int(q, 0, INT64_MAX);
	row->variant = (size_t)query_int(q, 0, STORE_MAX_VARIANTS - 1);
	row->point = (size_t)query_int(q, 0, STORE_MAX_POINTS - 1);
	row->started_ns = query_int(q, 0, INT64_MAX);
	row->load = query_double(q);
	row->facts = read_facts(q);
	READ_WORD(q, run_status_parse, &result->status);
	result->reason = query_str_or_null(q);
	result->workload = query_str(q);
	if (q->ret)
		return;
	read_values(&parts->values, row->id, "metric", &result->metrics, &result->nr_metrics);
	read_values(&parts->values, row->id, "counter", &result->counters, &result->nr_counters);
	read_notes(&parts->notes, row->id, result);
	q->ret = parts->values.ret ? parts->values.ret : parts->notes.ret;
	wrong = q->ret ? NULL : check_run(row);
	if (wrong)
		query_damaged(q, wrong);
}

static int read_runs(struct store *store, int64_t experiment, struct run_row **rows, size_t *n,
		     struct error *err)
{
	size_t room = 0;
	struct parts parts;
	struct query q;
	int ret;

	/* Joins that leave NULL where a variant, point or session is missing, which reading then refuses. */
	query_init(
		&q, store,
		"SELECT run.id, run.experiment, session.id, block, position, variant.ordinal, "
		"point.ordinal, run.started_ns, load, facts.text, status, reason, workload FROM "
		"run "
		"LEFT JOIN session ON session.id = session AND session.experiment = run.experiment "
		"LEFT JOIN variant ON variant.experiment = run.experiment AND variant.ordinal = "
		"variant "
		"LEFT JOIN point ON point.experiment = run.experiment AND point.ordinal = point "
		"LEFT JOIN facts ON facts.id = run.facts "
		"WHERE run.experiment = ? ORDER BY position",
		err);
	query_init(
		&parts.values, store,
		"SELECT name, unit, better, value, counted FROM value WHERE run = ? AND kind = ? "
		"ORDER BY ordinal",
		err);
	query_init(&parts.notes, store,
		   "SELECT name, text FROM note WHERE run = ? ORDER BY ordinal", err);
	query_bind_int(&q, experiment);
	while (query_next(&q)) {
		if (*n == room) {
			room = room ? 2 * room : 64;
			*rows = xreallocarray(*rows, room, sizeof(**rows));
		}
		(*rows)[*n] = (struct run_row){ 0 };
		read_run(&q, &parts, &(*rows)[(*n)++]);
	}
	query_end(&parts.notes);
	ret = query_end(&parts.values);
	return query_end(&q) ? q.ret : ret;
}

static void read_histogram(struct query *q, struct samples_text *histogram)
{
	struct error err = { 0 };

	histogram->name = query_str(q);
	READ_WORD(q, unit_parse, &histogram->unit);
	READ_WORD(q, better_parse, &histogram->better);
	histogram->text = query_str(q);
	if (!q->ret && histogram_read(NULL, histogram->text, &err))
		query_damaged(q, err.text);
}

int store_load_histograms(struct store *store, struct run_row *row, struct error *err)
{
	struct samples_text *got = NULL;
	size_t n = 0;
	struct query q;
	int ret;

	query_init(&q, store,
		   "SELECT name, unit, better, samples FROM histogram WHERE run = ? ORDER BY id",
		   err);
	query_bind_int(&q, row->id);
	while (query_next(&q)) {
		got = xreallocarray(got, n + 1, sizeof(*got));
		got[n] = (struct samples_text){ 0 };
		read_histogram(&q, &got[n++]);
	}
	ret = query_end(&q);
	if (!ret) {
		row->result.histograms = got;
		row->result.nr_histograms = n;
		return 0;
	}
	while (n) {
		free(got[--n].name);
		free(got[n].text);
	}
	free(got);
	return ret;
}

int store_load_runs(struct store *store, int64_t experiment, struct run_row **rows, size_t *n,
		    struct error *err)
{
	struct run_row *got = NULL;
	size_t count = 0;
	int ret = db_begin(store, false, err);

	if (ret)
		return ret;
	ret = db_end(store, read_runs(store, experiment, &got, &count, err), err);
	if (ret) {
		while (count)
			run_row_release(&got[--count]);
		free(got);
		return ret;
	}
	*rows = got;
	*n = count;
	return 0;
}

void sample_counts_free(struct sample_count *counts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(counts[i].name);
	free(counts);
}

/* The text begins "9;COUNT": SQLite reads the number and stops at what follows. */
int store_load_sample_counts(struct store *store, int64_t experiment, struct sample_count **counts,
			     size_t *n, struct error *err)
{
	struct sample_count *got = NULL;
	size_t count = 0;
	struct query q;
	int ret;

	query_init(&q, store,
		   "SELECT run, name, CAST(substr(samples, 3) AS INTEGER) FROM histogram "
		   "JOIN run ON run.id = histogram.run WHERE experiment = ? "
		   "ORDER BY run, histogram.id",
		   err);
	query_bind_int(&q, experiment);
	while (query_next(&q)) {
		got = xreallocarray(got, count + 1, sizeof(*got));
		got[count].run = query_int(&q, INT64_MIN, INT64_MAX);
		got[count].name = query_str(&q);
		got[count++].count = (uint64_t)query_int(&q, 0, INT64_MAX);
	}
	ret = query_end(&q);
	if (ret) {
		sample_counts_free(got, count);
		return ret;
	}
	*counts = got;
	*n = count;
	return 0;
}
