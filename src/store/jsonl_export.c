// SPDX-License-Identifier: GPL-2.0-only
#include "store/jsonl.h"

#include "base/json_out.h"
#include "store/db.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void begin_line(struct json_out *out, const char *kind)
{
	json_out_object(out, NULL);
	json_out_int(out, "schema", JSONL_SCHEMA);
	json_out_str(out, "kind", kind);
}

static void end_line(struct json_out *out)
{
	json_out_end_object(out);
	strbuf_addch(out->sb, '\n');
	out->comma = false;
}

static void write_variants(struct json_out *out, const struct experiment_row *row)
{
	json_out_array(out, "variants");
	for (size_t i = 0; i < row->nr_variants; i++) {
		json_out_object(out, NULL);
		json_out_str(out, "name", row->variants[i].name);
		json_out_str(out, "settings", row->variants[i].settings);
		json_out_str(out, "asks", row->variants[i].asks);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void write_points(struct json_out *out, const struct experiment_row *row)
{
	json_out_array(out, "points");
	for (size_t i = 0; i < row->nr_points; i++) {
		json_out_object(out, NULL);
		json_out_str(out, "label", row->points[i].label);
		json_out_str(out, "workload", row->points[i].workload);
		json_out_str(out, "params", row->points[i].params);
		json_out_str(out, "primary", row->points[i].primary);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void write_experiment(struct json_out *out, const struct experiment_row *row)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, row->seed);
	begin_line(out, "experiment");
	json_out_str(out, "name", row->name);
	json_out_str(out, "text", row->text);
	json_out_str(out, "fingerprint", row->fingerprint);
	json_out_str(out, "seed", seed);
	json_out_int(out, "blocks", (int64_t)row->blocks);
	json_out_int(out, "budget_ns", (int64_t)row->budget_ns);
	json_out_int(out, "runs_per_boot", (int64_t)row->runs_per_boot);
	json_out_int(out, "created_ns", row->created_ns);
	json_out_bool(out, "finished", row->finished);
	json_out_int(out, "runs_per_block", (int64_t)row->runs_per_block);
	json_out_double(out, "margin", row->margin);
	json_out_double(out, "until", row->until);
	json_out_str(out, "purpose", purpose_name(row->purpose));
	json_out_str(out, "ended", row->ended);
	write_variants(out, row);
	write_points(out, row);
	end_line(out);
}

static void write_session(struct json_out *out, const struct session_row *row, size_t i)
{
	begin_line(out, "session");
	json_out_int(out, "session", (int64_t)i);
	json_out_str(out, "boot_id", row->boot_id);
	json_out_int(out, "started_ns", row->started_ns);
	json_out_str(out, "notes", row->notes);
	json_out_json(out, "facts", row->facts);
	end_line(out);
}

static void write_result(struct json_out *out, const struct result *result)
{
	struct strbuf sb = { 0 };

	result_write(result, &sb);
	json_out_json(out, "result", strbuf_str(&sb));
	strbuf_release(&sb);
}

static void write_run(struct json_out *out, const struct run_row *row,
		      const struct experiment_row *experiment, size_t session)
{
	begin_line(out, "run");
	json_out_int(out, "session", (int64_t)session);
	json_out_int(out, "block", row->block);
	json_out_int(out, "position", row->position);
	json_out_str(out, "variant", experiment->variants[row->variant].name);
	json_out_str(out, "point", experiment->points[row->point].label);
	json_out_bool(out, "warmup", row->warmup);
	json_out_int(out, "started_ns", row->started_ns);
	if (row->load < 0)
		json_out_str(out, "load", NULL);
	else
		json_out_double(out, "load", row->load);
	json_out_json(out, "facts", row->facts);
	write_result(out, &row->result);
	end_line(out);
}

/* Place of a session in the order of ids, @n if it isn't there. */
static size_t session_index(const struct session_row *sessions, size_t n, int64_t id)
{
	size_t i = 0;

	while (i < n && sessions[i].id != id)
		i++;
	return i;
}

/**
 * struct export - an experiment with everything that belongs to it
 */
struct export
{
	struct experiment_row experiment;
	struct session_row *sessions;
	size_t nr_sessions;
	struct run_row *runs;
	size_t nr_runs;
};

static void export_release(struct export *export)
{
	for (size_t i = 0; i < export->nr_sessions; i++)
		session_row_release(&export->sessions[i]);
	for (size_t i = 0; i < export->nr_runs; i++)
		run_row_release(&export->runs[i]);
	free(export->sessions);
	free(export->runs);
	experiment_row_release(&export->experiment);
}

static int export_load(struct export *export, struct store *store, int64_t id, struct error *err)
{
	int ret = db_begin(store, false, err);

	if (ret)
		return ret;
	ret = store_get_experiment(store, id, &export->experiment, err);
	if (!ret)
		ret = store_load_sessions(store, id, &export->sessions, &export->nr_sessions, err);
	if (!ret)
		ret = store_load_runs(store, id, &export->runs, &export->nr_runs, err);
	for (size_t i = 0; !ret && i < export->nr_runs; i++)
		ret = store_load_histograms(store, &export->runs[i], err);
	return db_end(store, ret, err);
}

int jsonl_export(struct store *store, int64_t experiment, struct strbuf *sb, struct error *err)
{
	struct json_out out = { .sb = sb };
	struct export export = { 0 };
	int ret = export_load(&export, store, experiment, err);

	if (!ret)
		write_experiment(&out, &export.experiment);
	for (size_t i = 0; !ret && i < export.nr_sessions; i++)
		write_session(&out, &export.sessions[i], i);
	for (size_t i = 0; !ret && i < export.nr_runs; i++)
		write_run(
			&out, &export.runs[i], &export.experiment,
			session_index(export.sessions, export.nr_sessions, export.runs[i].session));
	export_release(&export);
	return ret;
}
