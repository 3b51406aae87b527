// SPDX-License-Identifier: GPL-2.0-only
#include "workload/result.h"

#include "base/json_out.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_MAX_BYTES 1000

static const char *const status_names[] = {
	[RUN_OK] = "ok",
	[RUN_FAILED] = "failed",
	[RUN_HANG] = "hang",
};

static void values_release(struct value **values, size_t *nr)
{
	for (size_t i = 0; i < *nr; i++)
		free((*values)[i].name);
	free(*values);
	*values = NULL;
	*nr = 0;
}

static void histograms_release(struct result *result)
{
	for (size_t i = 0; i < result->nr_histograms; i++) {
		free(result->histograms[i].name);
		free(result->histograms[i].text);
	}
	free(result->histograms);
	result->histograms = NULL;
	result->nr_histograms = 0;
}

void result_release(struct result *result)
{
	values_release(&result->metrics, &result->nr_metrics);
	values_release(&result->counters, &result->nr_counters);
	histograms_release(result);
	for (size_t i = 0; i < result->nr_notes; i++) {
		free(result->notes[i].name);
		free(result->notes[i].text);
	}
	free(result->notes);
	free(result->workload);
	free(result->reason);
	*result = (struct result){ 0 };
}

static void values_add(struct value **values, size_t *nr, const struct value *value)
{
	assert(isfinite(value->value));
	*values = xreallocarray(*values, *nr + 1, sizeof(**values));
	(*values)[*nr] = *value;
	(*values)[*nr].name = xstrdup(value->name);
	(*nr)++;
}

void result_add_metric(struct result *result, const struct metric *metric, double value)
{
	values_add(&result->metrics, &result->nr_metrics,
		   &(struct value){ .name = (char *)metric->name,
				    .unit = metric->unit,
				    .better = metric->better,
				    .value = value,
				    .counted = 1 });
}

void result_add_counter(struct result *result, const char *name, enum unit unit, double value,
			double counted)
{
	assert(counted > 0 && counted <= 1);
	values_add(&result->counters, &result->nr_counters,
		   &(struct value){ .name = (char *)name,
				    .unit = unit,
				    .better = BETTER_NONE,
				    .value = value,
				    .counted = counted });
}

void result_add_samples(struct result *result, const struct metric *row, const char *text)
{
	const size_t n = result->nr_histograms++;

	result->histograms = xreallocarray(result->histograms, n + 1, sizeof(*result->histograms));
	result->histograms[n] = (struct samples_text){ .name = xstrdup(row->name),
						       .unit = row->unit,
						       .better = row->better,
						       .text = xstrdup(text) };
}

void result_add_histogram(struct result *result, const struct metric *row,
			  const struct histogram *samples)
{
	struct strbuf sb = { 0 };

	histogram_write(samples, &sb);
	result_add_samples(result, row, sb.s);
	strbuf_release(&sb);
}

void result_add_note(struct result *result, const char *name, const char *text)
{
	const size_t n = result->nr_notes++;
	size_t len = strnlen(text, NOTE_MAX_BYTES + 1);
	char *copy;

	if (len > NOTE_MAX_BYTES) /* not within a character of UTF-8 */
		for (len = NOTE_MAX_BYTES; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
			len--;
	copy = xstrndup(text, len);

	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	result->notes = xreallocarray(result->notes, n + 1, sizeof(*result->notes));
	result->notes[n] = (struct note){ .name = xstrdup(name), .text = copy };
}

void result_fail(struct result *result, enum run_status status, const char *reason)
{
	char *copy = xstrdup(reason);

	assert(status != RUN_OK);
	values_release(&result->metrics, &result->nr_metrics);
	histograms_release(result);
	free(result->reason);
	result->status = status;
	result->reason = copy;
}

static const struct value *value_find(const struct value *values, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(values[i].name, name))
			return &values[i];
	return NULL;
}

const struct value *result_metric(const struct result *result, const char *name)
{
	return value_find(result->metrics, result->nr_metrics, name);
}

const struct value *result_counter(const struct result *result, const char *name)
{
	return value_find(result->counters, result->nr_counters, name);
}

bool result_histogram(const struct result *result, const char *name, struct histogram *h)
{
	for (size_t i = 0; i < result->nr_histograms; i++)
		if (!strcmp(result->histograms[i].name, name))
			return !histogram_read(h, result->histograms[i].text, NULL);
	return false;
}

const char *result_note(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->nr_notes; i++)
		if (!strcmp(result->notes[i].name, name))
			return result->notes[i].text;
	return NULL;
}

const char *run_status_name(enum run_status status)
{
	assert((size_t)status < ARRAY_SIZE(status_names));
	return status_names[status];
}

int run_status_parse(enum run_status *status, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(status_names); i++) {
		if (!strcmp(status_names[i], name)) {
			*status = (enum run_status)i;
			return 0;
		}
	}
	return -EINVAL;
}

static void write_metrics(struct json_out *out, const struct result *result)
{
	json_out_array(out, "metrics");
	for (size_t i = 0; i < result->nr_metrics; i++) {
		const struct value *value = &result->metrics[i];

		json_out_object(out, NULL);
		json_out_str(out, "name", value->name);
		json_out_str(out, "unit", unit_name(value->unit));
		json_out_str(out, "better", better_name(value->better));
		json_out_double(out, "value", value->value);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void write_counters(struct json_out *out, const struct result *result)
{
	json_out_array(out, "counters");
	for (size_t i = 0; i < result->nr_counters; i++) {
		const struct value *value = &result->counters[i];

		json_out_object(out, NULL);
		json_out_str(out, "name", value->name);
		json_out_str(out, "unit", unit_name(value->unit));
		json_out_double(out, "value", value->value);
		json_out_double(out, "counted", value->counted);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void write_histograms(struct json_out *out, const struct result *result)
{
	json_out_array(out, "histograms");
	for (size_t i = 0; i < result->nr_histograms; i++) {
		const struct samples_text *samples = &result->histograms[i];

		json_out_object(out, NULL);
		json_out_str(out, "name", samples->name);
		json_out_str(out, "unit", unit_name(samples->unit));
		json_out_str(out, "better", better_name(samples->better));
		json_out_str(out, "samples", samples->text);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void write_notes(struct json_out *out, const struct result *result)
{
	json_out_array(out, "notes");
	for (size_t i = 0; i < result->nr_notes; i++) {
		json_out_object(out, NULL);
		json_out_str(out, "name", result->notes[i].name);
		json_out_str(out, "text", result->notes[i].text);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

void result_write(const struct result *result, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_int(&out, "schema", RESULT_SCHEMA);
	json_out_str(&out, "workload", result->workload);
	json_out_str(&out, "status", run_status_name(result->status));
	json_out_str(&out, "reason", result->reason);
	write_metrics(&out, result);
	write_counters(&out, result);
	write_histograms(&out, result);
	write_notes(&out, result);
	json_out_end_object(&out);
}
