// SPDX-License-Identifier: GPL-2.0-only
/* The reader alone needs jansson, so it is apart from what the worker links. */
#include "workload/result.h"

#include "base/mem.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#define VALUES_MAX	 1000
#define NAME_MAX_BYTES	 63
#define REASON_MAX_BYTES 1000
#define NOTE_MAX_BYTES	 4000 /* bytes that were no UTF-8 have grown */
#define PARTS_MAX	 100  /* histograms, notes */

/* No control character: it is shown in tables and on terminals. */
static bool is_one_line(const char *text, size_t max)
{
	size_t n = 0;

	for (; text[n]; n++)
		if (n == max || (unsigned char)text[n] < ' ' || text[n] == 0x7f)
			return false;
	return n > 0;
}

static int bad_json(const json_error_t *json, struct error *err)
{
	return error_set(err, EINVAL, "line %d column %d: %s", json->line, json->column,
			 json->text);
}

static int check_name(const char *name, bool is_there, struct error *err)
{
	if (!is_one_line(name, NAME_MAX_BYTES))
		return error_set(err, EINVAL, "name '%.80s' is not 1 .. %d bytes of plain text",
				 name, NAME_MAX_BYTES);
	if (is_there)
		return error_set(err, EINVAL, "'%s' is there twice", name);
	return 0;
}

static int read_row(struct metric *row, const char *name, const char *unit, const char *better,
		    struct error *err)
{
	row->name = name;
	if (unit_parse(&row->unit, unit))
		return error_set(err, EINVAL, "%s: '%.80s' is no unit", name, unit);
	if (better_parse(&row->better, better))
		return error_set(err, EINVAL, "%s: '%.80s' is no direction", name, better);
	return 0;
}

static int read_metric(struct result *out, json_t *json, struct error *err)
{
	const char *name, *unit, *better;
	struct metric metric = { 0 };
	json_error_t where;
	double value;
	int ret;

	if (json_unpack_ex(json, &where, JSON_STRICT, "{s:s, s:s, s:s, s:F}", "name", &name, "unit",
			   &unit, "better", &better, "value", &value))
		return bad_json(&where, err);
	ret = check_name(name, result_metric(out, name), err);
	if (!ret)
		ret = read_row(&metric, name, unit, better, err);
	if (!ret)
		result_add_metric(out, &metric, value);
	return ret;
}

static int read_counter(struct result *out, json_t *json, struct error *err)
{
	const char *name, *unit;
	double value, counted;
	json_error_t where;
	enum unit parsed;
	int ret;

	if (json_unpack_ex(json, &where, JSON_STRICT, "{s:s, s:s, s:F, s:F}", "name", &name, "unit",
			   &unit, "value", &value, "counted", &counted))
		return bad_json(&where, err);
	ret = check_name(name, result_counter(out, name), err);
	if (ret)
		return ret;
	if (unit_parse(&parsed, unit))
		return error_set(err, EINVAL, "%s: '%.80s' is no unit", name, unit);
	if (!(counted > 0 && counted <= 1))
		return error_set(err, EINVAL, "%s: counted %g is not in 0 .. 1", name, counted);
	result_add_counter(out, name, parsed, value, counted);
	return 0;
}

static bool has_histogram(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->nr_histograms; i++)
		if (!strcmp(result->histograms[i].name, name))
			return true;
	return false;
}

static int read_histogram(struct result *out, json_t *json, struct error *err)
{
	const char *name, *unit, *better, *samples;
	struct metric row = { 0 };
	json_error_t where;
	int ret;

	if (json_unpack_ex(json, &where, JSON_STRICT, "{s:s, s:s, s:s, s:s}", "name", &name, "unit",
			   &unit, "better", &better, "samples", &samples))
		return bad_json(&where, err);
	ret = check_name(name, has_histogram(out, name), err);
	if (!ret)
		ret = read_row(&row, name, unit, better, err);
	if (ret)
		return ret;
	ret = histogram_read(NULL, samples, err);
	if (ret)
		error_prefix(err, "%s", name);
	else
		result_add_samples(out, &row, samples);
	return ret;
}

static int read_note(struct result *out, json_t *json, struct error *err)
{
	const char *name, *text;
	json_error_t where;
	int ret;

	if (json_unpack_ex(json, &where, JSON_STRICT, "{s:s, s:s}", "name", &name, "text", &text))
		return bad_json(&where, err);
	ret = check_name(name, result_note(out, name), err);
	if (ret)
		return ret;
	if (*text && !is_one_line(text, NOTE_MAX_BYTES))
		return error_set(err, EINVAL, "%s: not one line of at most %d bytes", name,
				 NOTE_MAX_BYTES);
	result_add_note(out, name, text);
	return 0;
}

static int read_parts(struct result *out, json_t *array, const char *what, size_t max,
		      int (*read_one)(struct result *, json_t *, struct error *), struct error *err)
{
	json_t *json;
	size_t i;
	int ret;

	if (!json_is_array(array))
		return error_set(err, EINVAL, "%s is no array", what);
	if (json_array_size(array) > max)
		return error_set(err, EINVAL, "more than %zu %s", max, what);
	json_array_foreach(array, i, json)
	{
		ret = read_one(out, json, err);
		if (ret) {
			error_prefix(err, "%s[%zu]", what, i);
			return ret;
		}
	}
	return 0;
}

static int check_whole(const struct result *result, struct error *err)
{
	bool ok = result->status == RUN_OK;

	if (!is_one_line(result->workload, NAME_MAX_BYTES))
		return error_set(err, EINVAL, "workload is not 1 .. %d bytes of plain text",
				 NAME_MAX_BYTES);
	if (result->reason && !is_one_line(result->reason, REASON_MAX_BYTES))
		return error_set(err, EINVAL, "reason is not one line of at most %d bytes",
				 REASON_MAX_BYTES);
	if (ok == !!result->reason)
		return error_set(err, EINVAL, "status '%s' %s a reason",
				 run_status_name(result->status), ok ? "with" : "without");
	if (!ok && (result->nr_metrics || result->nr_histograms))
		return error_set(err, EINVAL, "status '%s' with %s",
				 run_status_name(result->status),
				 result->nr_metrics ? "metrics" : "histograms");
	return 0;
}

static int read_result(struct result *out, json_t *json, struct error *err)
{
	const char *workload, *status, *reason = NULL;
	json_t *metrics, *counters, *reason_json, *histograms = NULL, *notes = NULL;
	json_error_t where;
	double schema;
	int ret;

	if (json_unpack_ex(json, &where, JSON_STRICT, "{s:F, s:s, s:s, s:o, s:o, s:o, s?o, s?o}",
			   "schema", &schema, "workload", &workload, "status", &status, "reason",
			   &reason_json, "metrics", &metrics, "counters", &counters, "histograms",
			   &histograms, "notes", &notes))
		return bad_json(&where, err);
	if (schema != 1 && schema != RESULT_SCHEMA)
		return error_set(err, EINVAL, "schema %g, this program reads 1 and %d", schema,
				 RESULT_SCHEMA);
	if (!histograms != (schema == 1) || !notes != (schema == 1))
		return error_set(err, EINVAL, "schema %g has %shistograms and notes", schema,
				 schema == 1 ? "no " : "");
	if (run_status_parse(&out->status, status))
		return error_set(err, EINVAL, "'%.80s' is no status", status);
	if (!json_is_null(reason_json)) {
		reason = json_string_value(reason_json);
		if (!reason)
			return error_set(err, EINVAL, "reason is neither a string nor null");
		out->reason = xstrdup(reason);
	}
	out->workload = xstrdup(workload);
	ret = read_parts(out, metrics, "metrics", VALUES_MAX, read_metric, err);
	if (!ret)
		ret = read_parts(out, counters, "counters", VALUES_MAX, read_counter, err);
	if (!ret && histograms)
		ret = read_parts(out, histograms, "histograms", PARTS_MAX, read_histogram, err);
	if (!ret && notes)
		ret = read_parts(out, notes, "notes", PARTS_MAX, read_note, err);
	return ret ? ret : check_whole(out, err);
}

int result_read(struct result *out, const char *text, size_t n, struct error *err)
{
	struct result fresh = { 0 };
	json_error_t where;
	json_t *json;
	int ret;

	json = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &where);
	if (!json)
		return bad_json(&where, err);
	ret = read_result(&fresh, json, err);
	json_decref(json);
	if (ret) {
		result_release(&fresh);
		return ret;
	}
	result_release(out);
	*out = fresh;
	return 0;
}
