// SPDX-License-Identifier: GPL-2.0-only
#include "workload/result.h"

#include "base/json_out.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void result_release(struct result *result)
{
	values_release(&result->metrics, &result->nr_metrics);
	values_release(&result->counters, &result->nr_counters);
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

void result_fail(struct result *result, enum run_status status, const char *reason)
{
	char *copy = xstrdup(reason);

	assert(status != RUN_OK);
	values_release(&result->metrics, &result->nr_metrics);
	free(result->reason);
	result->status = status;
	result->reason = copy;
}

const struct value *result_metric(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->nr_metrics; i++)
		if (!strcmp(result->metrics[i].name, name))
			return &result->metrics[i];
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
	json_out_end_object(&out);
}
