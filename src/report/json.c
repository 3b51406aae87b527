// SPDX-License-Identifier: GPL-2.0-only
/*
 * report/json.c - JSON lines: one for each row, difference and failure. They stand well among the lines of
 * jsonl_export(), which hold the runs themselves.
 */
#include "report/format.h"

#include "base/json_out.h"

#include <math.h>

#define JSON_SCHEMA 1

static void begin(struct json_out *out, const struct report *report, const char *kind)
{
	json_out_object(out, NULL);
	json_out_str(out, "kind", kind);
	json_out_int(out, "schema", JSON_SCHEMA);
	json_out_str(out, "experiment", report->experiment.name);
}

static void end(struct json_out *out)
{
	json_out_end_object(out);
	strbuf_addch(out->sb, '\n');
}

/* What is not known is null. */
static void add_known(struct json_out *out, const char *key, bool known, double value)
{
	json_out_double(out, key, known ? value : NAN);
}

static void add_sides(struct json_out *out, const struct report *report, size_t variant)
{
	json_out_str(out, "a", report->experiment.variants[0].name);
	json_out_str(out, "b", report->experiment.variants[variant].name);
}

static void add_verdict(struct json_out *out, const struct verdict *verdict, bool primary)
{
	json_out_int(out, "n", (int64_t)verdict->n);
	add_known(out, "median_a", verdict->has_effect, verdict->a.median);
	add_known(out, "median_b", verdict->has_effect, verdict->b.median);
	json_out_bool(out, "relative", verdict->relative);
	add_known(out, "effect", verdict->has_effect, verdict->effect);
	json_out_array(out, "ci");
	add_known(out, NULL, verdict->has_ci, verdict->ci.lo);
	add_known(out, NULL, verdict->has_ci, verdict->ci.hi);
	json_out_end_array(out);
	json_out_double(out, "level", 1 - REPORT_ALPHA);
	add_known(out, "p", verdict->has_ci, verdict->p);
	add_known(out, primary ? "p_adjusted" : "q", verdict->has_ci, verdict->p_adjusted);
	add_known(out, "mde", verdict->has_ci, verdict->mde);
	json_out_double(out, "drift", verdict->diagnosis.drift);
	json_out_double(out, "lag1", verdict->diagnosis.lag1);
	if (!primary)
		return;
	json_out_str(out, "word", verdict_word_name(verdict->word));
	json_out_str(out, "reason", verdict->reason);
}

static void add_row(struct json_out *out, const struct report *report, const struct report_row *row)
{
	begin(out, report, "verdict");
	json_out_str(out, "point", row->point);
	json_out_str(out, "metric", row->metric);
	json_out_str(out, "unit", unit_name(row->unit));
	json_out_str(out, "better", better_name(row->better));
	json_out_bool(out, "primary", row->primary);
	json_out_bool(out, "counter", row->counter);
	json_out_double(out, "counted", row->counted);
	add_sides(out, report, row->variant);
	json_out_str(out, "pairs_of", report->experiment.runs_per_boot ? "boots" : "runs");
	add_verdict(out, &row->verdict, row->primary);
	if (!row->primary)
		json_out_bool(out, "moved", row->moved);
	end(out);
}

static void add_difference(struct json_out *out, const struct report *report,
			   const struct report_difference *difference)
{
	begin(out, report, "difference");
	json_out_str(out, "fact", difference->fact);
	json_out_bool(out, "asked", difference->asked);
	add_sides(out, report, difference->variant);
	json_out_str(out, "value_a", difference->base);
	json_out_str(out, "value_b", difference->other);
	end(out);
}

static void add_failure(struct json_out *out, const struct report *report,
			const struct report_failure *failure)
{
	begin(out, report, "failures");
	json_out_str(out, "point", failure->point);
	json_out_str(out, "variant", report->experiment.variants[failure->variant].name);
	json_out_int(out, "failed", (int64_t)failure->failed);
	json_out_int(out, "runs", (int64_t)failure->runs);
	json_out_str(out, "reason", failure->reason);
	end(out);
}

static void json_render(const struct report *report, const struct report_style *style,
			struct strbuf *sb)
{
	(void)style;
	for (size_t i = 0; i < report->nr_rows; i++)
		add_row(&(struct json_out){ .sb = sb }, report, &report->rows[i]);
	for (size_t i = 0; i < report->nr_differences; i++)
		add_difference(&(struct json_out){ .sb = sb }, report, &report->differences[i]);
	for (size_t i = 0; i < report->nr_failures; i++)
		add_failure(&(struct json_out){ .sb = sb }, report, &report->failures[i]);
}

const struct report_format report_json = {
	.name = "json",
	.help = "JSON lines: a line for each row, difference and failure",
	.render = json_render,
};
