// SPDX-License-Identifier: GPL-2.0-only
#include "store/jsonl.h"

#include "base/mem.h"
#include "store/db.h"
#include "store/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct import - what has been imported so far
 * @experiment: the last one, to which sessions and runs belong
 * @schema:     of the line that is read
 * @sessions:   ids of its sessions
 * @ids:        of all experiments
 */
struct import {
	struct store *store;
	struct error *err;
	struct experiment_row experiment;
	int64_t schema;
	int64_t *sessions;
	size_t nr_sessions;
	int64_t *ids;
	size_t nr_ids;
};

static void append(int64_t **array, size_t *n, int64_t value)
{
	*array = xreallocarray(*array, *n + 1, sizeof(**array));
	(*array)[(*n)++] = value;
}

static uint64_t read_seed(struct fields *fields)
{
	char *text = fields_str(fields, "seed"), *end;
	uint64_t seed;

	errno = 0;
	seed = strtoull(text, &end, 10);
	if (!fields->ret && (text[0] < '0' || text[0] > '9' || *end || errno))
		fields->ret = error_set(fields->err, EINVAL,
					"'seed' must be a text with a whole number of 64 bits");
	free(text);
	return seed;
}

/* An array's elements into rows: @read_one() fills one row from a JSON object. */
static void *read_parts(struct fields *fields, const char *key, size_t max, size_t size, size_t *n,
			int (*read_one)(void *row, const json_t *json, struct error *err))
{
	const json_t *array = fields_json(fields, key, JSON_ARRAY);
	size_t count = json_array_size(array);
	char *rows;

	if (count > max) {
		fields->ret = error_set(fields->err, EINVAL, "more than %zu %s", max, key);
		return NULL;
	}
	rows = xcalloc(count, size);
	*n = count;
	for (size_t i = 0; !fields->ret && i < count; i++) {
		fields->ret = read_one(rows + i * size, json_array_get(array, i), fields->err);
		if (fields->ret)
			error_prefix(fields->err, "%s[%zu]", key, i);
	}
	return rows;
}

static int read_variant(void *row, const json_t *json, struct error *err)
{
	struct variant_row *variant = row;
	struct fields fields;

	fields_init(&fields, json, err);
	variant->name = fields_str(&fields, "name");
	variant->settings = fields_str(&fields, "settings");
	variant->asks = fields_str(&fields, "asks");
	return fields_end(&fields);
}

static int read_point(void *row, const json_t *json, struct error *err)
{
	struct point_row *point = row;
	struct fields fields;

	fields_init(&fields, json, err);
	point->label = fields_str(&fields, "label");
	point->workload = fields_str(&fields, "workload");
	point->params = fields_str(&fields, "params");
	point->primary = fields_str(&fields, "primary");
	return fields_end(&fields);
}

static void read_design(struct fields *fields, struct experiment_row *row)
{
	char *purpose;

	row->runs_per_block = (uint64_t)fields_int(fields, "runs_per_block", 1, INT64_MAX);
	row->margin = fields_number_or(fields, "margin", 0);
	row->until = fields_number_or(fields, "until", 0);
	purpose = fields_str(fields, "purpose");
	if (!fields->ret && purpose_parse(&row->purpose, purpose))
		fields->ret = error_set(fields->err, EINVAL, "'purpose' must be ab, aa or pilot");
	free(purpose);
	row->ended = fields_str(fields, "ended");
}

/* Schema 1 counted the blocks of one run where variants differ by kernel; now they are of boots. */
static uint64_t boot_block(const struct experiment_row *row, uint64_t block)
{
	return row->runs_per_boot ? block / row->runs_per_boot : block;
}

static int import_experiment(struct import *import, struct fields *fields)
{
	struct experiment_row *row = &import->experiment;
	int ret;

	experiment_row_release(row);
	import->nr_sessions = 0;
	row->name = fields_str(fields, "name");
	row->text = fields_str(fields, "text");
	row->fingerprint = fields_str(fields, "fingerprint");
	row->seed = read_seed(fields);
	row->blocks = (uint64_t)fields_int(fields, "blocks", 0, INT64_MAX);
	row->budget_ns = (uint64_t)fields_int(fields, "budget_ns", 0, INT64_MAX);
	row->runs_per_boot = (uint64_t)fields_int(fields, "runs_per_boot", 0, INT64_MAX);
	row->created_ns = fields_int(fields, "created_ns", 0, INT64_MAX);
	row->finished = fields_bool(fields, "finished");
	if (import->schema > 1)
		read_design(fields, row);
	else if (row->runs_per_boot)
		row->blocks = boot_block(row, row->blocks + row->runs_per_boot - 1);
	row->variants = read_parts(fields, "variants", STORE_MAX_VARIANTS, sizeof(*row->variants),
				   &row->nr_variants, read_variant);
	row->points = read_parts(fields, "points", STORE_MAX_POINTS, sizeof(*row->points),
				 &row->nr_points, read_point);
	ret = fields_end(fields);
	if (!ret)
		ret = store_add_experiment(import->store, row, import->err);
	if (!ret)
		append(&import->ids, &import->nr_ids, row->id);
	return ret;
}

static char *read_facts(struct fields *fields)
{
	const json_t *json = fields_json(fields, "facts", JSON_OBJECT);
	char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

	if (json && !text && !fields->ret)
		fields->ret = error_set(fields->err, EINVAL, "'facts' can't be kept");
	return text;
}

static int import_session(struct import *import, struct fields *fields)
{
	struct session_row row = { .experiment = import->experiment.id };
	int64_t next = (int64_t)import->nr_sessions;
	int ret;

	fields_int(fields, "session", next, next);
	row.boot_id = fields_str(fields, "boot_id");
	row.started_ns = fields_int(fields, "started_ns", 0, INT64_MAX);
	row.notes = fields_str(fields, "notes");
	row.facts = read_facts(fields);
	ret = fields_end(fields);
	if (!ret)
		ret = store_add_session(import->store, &row, import->err);
	if (!ret)
		append(&import->sessions, &import->nr_sessions, row.id);
	session_row_release(&row);
	return ret;
}

static size_t read_variant_name(struct fields *fields, const struct experiment_row *experiment)
{
	char *name = fields_str(fields, "variant");
	size_t i = 0;

	while (i < experiment->nr_variants && strcmp(experiment->variants[i].name, name) != 0)
		i++;
	if (!fields->ret && i == experiment->nr_variants)
		fields->ret = error_set(fields->err, EINVAL, "no variant '%s'", name);
	free(name);
	return i;
}

static size_t read_point_label(struct fields *fields, const struct experiment_row *experiment)
{
	char *label = fields_str(fields, "point");
	size_t i = 0;

	while (i < experiment->nr_points && strcmp(experiment->points[i].label, label) != 0)
		i++;
	if (!fields->ret && i == experiment->nr_points)
		fields->ret = error_set(fields->err, EINVAL, "no point '%s'", label);
	free(label);
	return i;
}

/* As text once more, so that the one strict reader of results decides. */
static void read_result(struct fields *fields, struct result *result)
{
	const json_t *json = fields_json(fields, "result", JSON_OBJECT);
	char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

	if (json)
		fields->ret = text ? result_read(result, text, strlen(text), fields->err)
				   : error_set(fields->err, EINVAL, "can't be kept");
	if (json && fields->ret)
		error_prefix(fields->err, "result");
	free(text);
}

static int import_run(struct import *import, struct fields *fields)
{
	struct run_row row = { .experiment = import->experiment.id };
	size_t session;
	int ret;

	session = (size_t)fields_int(fields, "session", 0, (int64_t)import->nr_sessions - 1);
	row.block = fields_int(fields, "block", INT64_MIN, INT64_MAX);
	if (import->schema == 1 && row.block > 0)
		row.block = (int64_t)boot_block(&import->experiment, (uint64_t)row.block);
	row.position = fields_int(fields, "position", 0, INT64_MAX);
	row.variant = read_variant_name(fields, &import->experiment);
	row.point = read_point_label(fields, &import->experiment);
	row.warmup = fields_bool(fields, "warmup");
	row.started_ns = fields_int(fields, "started_ns", 0, INT64_MAX);
	row.load = fields_number_or(fields, "load", -1);
	row.facts = read_facts(fields);
	read_result(fields, &row.result);
	ret = fields_end(fields);
	if (!ret) {
		row.session = import->sessions[session];
		ret = store_add_run(import->store, &row, import->err);
	}
	run_row_release(&row);
	return ret;
}

static int import_object(struct import *import, const json_t *json)
{
	const char *kind = json_string_value(json_object_get(json, "kind"));
	struct fields fields;
	bool experiment;

	if (!kind)
		return error_set(import->err, EINVAL, "not an object with a 'kind'");
	experiment = !strcmp(kind, "experiment");
	if (!experiment && strcmp(kind, "session") != 0 && strcmp(kind, "run") != 0)
		return 0;
	if (!experiment && !import->nr_ids)
		return error_set(import->err, EINVAL, "a %s before any experiment", kind);
	fields_init(&fields, json, import->err);
	free(fields_str(&fields, "kind"));
	import->schema = fields_int(&fields, "schema", 1, JSONL_SCHEMA);
	if (experiment)
		return import_experiment(import, &fields);
	return strcmp(kind, "run") != 0 ? import_session(import, &fields)
					: import_run(import, &fields);
}

static bool is_blank(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr(" \t\r", text[i]) || !text[i])
			return false;
	return true;
}

static int import_line(struct import *import, const char *text, size_t n)
{
	json_error_t where;
	json_t *json;
	int ret;

	if (is_blank(text, n))
		return 0;
	if (n > JSONL_MAX_LINE)
		return error_set(import->err, EINVAL, "longer than %d bytes", JSONL_MAX_LINE);
	json = json_loadb(text, n, JSON_REJECT_DUPLICATES, &where);
	if (!json)
		return error_set(import->err, EINVAL, "column %d: %s", where.column, where.text);
	ret = import_object(import, json);
	json_decref(json);
	/* what the store can't take together is wrong in the text */
	return ret == -EEXIST || ret == -ENOENT ? -EINVAL : ret;
}

static int import_lines(struct import *import, const char *name, const char *text, size_t n)
{
	size_t line = 0;
	int ret = 0;

	for (const char *end = text + n, *next; !ret && text < end; text = next) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		line++;
		ret = import_line(import, text, (size_t)((newline ? newline : end) - text));
		next = newline ? newline + 1 : end;
	}
	if (ret)
		error_prefix(import->err, "%s:%zu", name, line);
	else if (!import->nr_ids)
		ret = error_set(import->err, EINVAL, "%s: there is no experiment in it", name);
	return ret;
}

int jsonl_import(struct store *store, const char *name, const char *text, size_t n, int64_t **ids,
		 size_t *nr_ids, struct error *err)
{
	struct import import = { .store = store, .err = err };
	int ret = db_begin(store, true, err);

	if (ret)
		return ret;
	ret = db_end(store, import_lines(&import, name, text, n), err);
	experiment_row_release(&import.experiment);
	free(import.sessions);
	if (ret) {
		free(import.ids);
		return ret;
	}
	*ids = import.ids;
	*nr_ids = import.nr_ids;
	return 0;
}
