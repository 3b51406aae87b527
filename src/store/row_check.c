// SPDX-License-Identifier: GPL-2.0-only
#include "store/row_check.h"

#include "base/mem.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VALUES     1000 /* as workload/result.h accepts */
#define MAX_VALUE_NAME 63
#define MAX_PARTS      100

static bool too_long(const char *text)
{
	return text && strlen(text) > STORE_MAX_TEXT;
}

/* Names are written to JSON, where bytes that are no UTF-8 would make different names equal. */
static bool is_name(const char *text)
{
	json_t *json;

	if (!text || !*text || too_long(text))
		return false;
	json = json_string(text);
	json_decref(json);
	return json;
}

static const char *check_variant(const struct variant_row *row)
{
	if (!is_name(row->name))
		return "a variant's name is empty, too long or no UTF-8";
	return too_long(row->settings) || too_long(row->asks) ? "a variant's text is too long"
							      : NULL;
}

static const char *check_point(const struct point_row *row)
{
	if (!is_name(row->label) || !is_name(row->workload))
		return "a workload's label or name is empty, too long or no UTF-8";
	return too_long(row->params) || too_long(row->primary) ? "a workload's text is too long"
							       : NULL;
}

const char *check_experiment(const struct experiment_row *row)
{
	const char *wrong = NULL;

	if (!is_name(row->name))
		return "the experiment's name is empty, too long or no UTF-8";
	if (too_long(row->text) || too_long(row->fingerprint) || too_long(row->ended))
		return "the experiment's text is too long";
	if (row->blocks > INT64_MAX || row->budget_ns > INT64_MAX || row->runs_per_boot > INT64_MAX)
		return "blocks, budget or runs per boot is out of range";
	if (row->runs_per_block > INT64_MAX || !(row->margin >= 0 && row->margin <= 1) ||
	    !(row->until >= 0 && row->until <= 1))
		return "runs per block, margin or until is out of range";
	if ((unsigned int)row->purpose > PURPOSE_PILOT)
		return "the purpose is unknown";
	if (row->created_ns < 0)
		return "created before 1970";
	if (!row->nr_variants || row->nr_variants > STORE_MAX_VARIANTS)
		return "no variants, or too many";
	if (!row->nr_points || row->nr_points > STORE_MAX_POINTS)
		return "no workloads, or too many";
	for (size_t i = 0; !wrong && i < row->nr_variants; i++)
		wrong = check_variant(&row->variants[i]);
	for (size_t i = 0; !wrong && i < row->nr_points; i++)
		wrong = check_point(&row->points[i]);
	return wrong;
}

const char *check_session(const struct session_row *row)
{
	if (too_long(row->boot_id) || too_long(row->notes))
		return "a session's text is too long";
	return row->started_ns < 0 ? "a session started before 1970" : NULL;
}

static const char *check_value(const struct value *value)
{
	size_t n = value->name ? strlen(value->name) : 0;

	if (!n || n > MAX_VALUE_NAME || !is_name(value->name))
		return "a figure's name is empty, too long or no UTF-8";
	if ((unsigned int)value->unit > UNIT_PER_SECOND ||
	    (unsigned int)value->better > BETTER_HIGHER)
		return "a figure's unit or direction is unknown";
	if (!isfinite(value->value))
		return "a figure is not finite";
	return value->counted > 0 && value->counted <= 1 ? NULL : "a figure's share is not 0 .. 1";
}

static const char *check_values(const struct value *values, size_t n, bool counters)
{
	const char *wrong = n > MAX_VALUES ? "too many figures" : NULL;

	for (size_t i = 0; !wrong && i < n; i++) {
		wrong = check_value(&values[i]);
		if (!wrong && counters && values[i].better != BETTER_NONE)
			wrong = "a counter has a direction";
		if (!wrong && !counters && values[i].counted < 1)
			wrong = "a metric was counted for a part of the run only";
	}
	return wrong;
}

static const char *check_parts(const struct result *result)
{
	if (result->nr_histograms > MAX_PARTS || result->nr_notes > MAX_PARTS)
		return "too many histograms or notes";
	for (size_t i = 0; i < result->nr_histograms; i++)
		if (!is_name(result->histograms[i].name) ||
		    histogram_read(NULL, result->histograms[i].text, NULL))
			return "a histogram's name or text is not one";
	for (size_t i = 0; i < result->nr_notes; i++)
		if (!is_name(result->notes[i].name) || too_long(result->notes[i].text))
			return "a note's name or text is not one";
	return NULL;
}

static const char *check_result(const struct result *result)
{
	const char *wrong;

	if ((unsigned int)result->status > RUN_HANG)
		return "a run's status is unknown";
	if ((result->status == RUN_OK) != !result->reason)
		return "a run is good and has a reason, or is not and has none";
	if (too_long(result->reason))
		return "a run's reason is too long";
	if (result->status != RUN_OK && (result->nr_metrics || result->nr_histograms))
		return "a run that is not good has metrics";
	wrong = check_parts(result);
	if (wrong)
		return wrong;
	wrong = check_values(result->metrics, result->nr_metrics, false);
	return wrong ? wrong : check_values(result->counters, result->nr_counters, true);
}

const char *check_run(const struct run_row *row)
{
	if (row->warmup != (row->block < 0))
		return "a run has a warm-up block and is none, or the other way round";
	if (row->position < 0)
		return "a run's position is negative";
	if (row->started_ns < 0)
		return "a run started before 1970";
	if (!isfinite(row->load))
		return "a run's load is not finite";
	return check_result(&row->result);
}

char *facts_canonical(const char *text)
{
	json_t *facts = json_loads(text ? text : "{}", JSON_REJECT_DUPLICATES, NULL);
	char *json = NULL, *copy = NULL;

	if (json_is_object(facts))
		json = json_dumps(facts, JSON_COMPACT);
	if (json && !too_long(json))
		copy = xstrdup(json);
	free(json);
	json_decref(facts);
	return copy;
}
