// SPDX-License-Identifier: GPL-2.0-only
/*
 * report/json.c - JSON lines: one for the design, one for each row, sweep, difference, failure, rate and variant. They stand well among those of
 * jsonl_export(), which hold the runs themselves.
 */
#include "report/format.h"

#include "base/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

static void add_diagnosis(struct json_out *out, const struct diagnosis *diagnosis)
{
	json_out_object(out, "diagnosis");
	json_out_double(out, "floor", diagnosis->floor);
	json_out_double(out, "lag1", diagnosis->lag1);
	json_out_double(out, "drift", diagnosis->drift);
	json_out_double(out, "drift_p", diagnosis->drift_p);
	json_out_int(out, "modes", diagnosis->modes);
	json_out_double(out, "mode_gap", diagnosis->mode_gap);
	json_out_double(out, "place", diagnosis->place);
	json_out_double(out, "place_p", diagnosis->place_p);
	json_out_double(out, "influence", diagnosis->influence);
	json_out_bool(out, "overturns", diagnosis->overturns);
	json_out_end_object(out);
}

static void add_side(struct json_out *out, const char *key, bool known, const struct side *side)
{
	json_out_object(out, key);
	json_out_int(out, "n", (int64_t)side->n);
	add_known(out, "mean", known, side->mean);
	add_known(out, "sd", known, side->sd);
	add_known(out, "min", known, side->min);
	add_known(out, "max", known, side->max);
	json_out_end_object(out);
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
	json_out_double(out, "margin", verdict->margin);
	json_out_array(out, "mean_ci");
	add_known(out, NULL, verdict->has_mean, verdict->mean_ci.lo);
	add_known(out, NULL, verdict->has_mean, verdict->mean_ci.hi);
	json_out_end_array(out);
	add_known(out, "mean_effect", verdict->has_mean, verdict->mean_effect);
	add_side(out, "side_a", verdict->has_effect, &verdict->a);
	add_side(out, "side_b", verdict->has_effect, &verdict->b);
	if (!primary)
		return;
	add_diagnosis(out, &verdict->diagnosis);
	json_out_str(out, "word", verdict_word_name(verdict->word));
	json_out_str(out, "reason", verdict->reason);
}

/* Of a sweep, whose sides have no figures of their own. */
static void add_whole(struct json_out *out, const struct verdict *whole)
{
	json_out_int(out, "n", (int64_t)whole->n);
	add_known(out, "effect", whole->has_effect, whole->effect);
	json_out_array(out, "ci");
	add_known(out, NULL, whole->has_ci, whole->ci.lo);
	add_known(out, NULL, whole->has_ci, whole->ci.hi);
	json_out_end_array(out);
	json_out_double(out, "level", 1 - REPORT_ALPHA);
	add_known(out, "p", whole->has_ci, whole->p);
	add_known(out, "mde", whole->has_ci, whole->mde);
	json_out_str(out, "word", verdict_word_name(whole->word));
	json_out_str(out, "reason", whole->reason);
}

/* The units in the order of execution: value, "a" or "b", block. */
static void add_units(struct json_out *out, const struct row_units *units)
{
	struct strbuf sides = { 0 };

	json_out_array(out, "values");
	for (size_t i = 0; i < units->n; i++)
		json_out_double(out, NULL, units->value[i]);
	json_out_end_array(out);
	for (size_t i = 0; i < units->n; i++)
		strbuf_addch(&sides, units->side[i] ? 'b' : 'a');
	json_out_str(out, "sides", strbuf_str(&sides));
	json_out_array(out, "blocks");
	for (size_t i = 0; i < units->n; i++)
		json_out_int(out, NULL, units->block[i]);
	json_out_end_array(out);
	strbuf_release(&sides);
}

/* Of a sequential experiment: what the verdict was made at. */
static void add_look(struct json_out *out, const struct sequential *look)
{
	static const char *const states[] = {
		[SEQUENTIAL_GO_ON] = "go on",		[SEQUENTIAL_FOUND] = "found",
		[SEQUENTIAL_EQUIVALENT] = "equivalent", [SEQUENTIAL_FUTILE] = "futile",
		[SEQUENTIAL_EXHAUSTED] = "exhausted",
	};

	json_out_object(out, "look");
	json_out_str(out, "state", states[look->state]);
	json_out_int(out, "blocks", (int64_t)look->blocks);
	json_out_double(out, "level", look->level);
	json_out_double(out, "p", look->p);
	json_out_double(out, "power", look->power);
	json_out_end_object(out);
}

static void add_sessions(struct json_out *out, const struct row_sessions *sessions)
{
	json_out_object(out, "by_session");
	json_out_array(out, "effects");
	for (size_t i = 0; i < sessions->n; i++)
		json_out_double(out, NULL, sessions->effect[i]);
	json_out_end_array(out);
	json_out_int(out, "agree", (int64_t)sessions->agree);
	json_out_end_object(out);
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
	json_out_str(out, "units", report->experiment.runs_per_boot ? "boots" : "runs");
	add_verdict(out, &row->verdict, row->primary);
	if (!row->primary)
		json_out_bool(out, "moved", row->moved);
	if (row->refused)
		json_out_str(out, "refused", row->verdict.reason);
	if (row->primary && report->experiment.until > 0)
		add_look(out, &row->look);
	add_units(out, &row->units);
	if (row->sessions.n)
		add_sessions(out, &row->sessions);
	end(out);
}

static void add_curve(struct json_out *out, const struct report *report,
		      const struct report_curve *curve)
{
	begin(out, report, "sweep");
	json_out_str(out, "section", curve->section);
	json_out_str(out, "metric", curve->metric);
	json_out_str(out, "better", better_name(curve->better));
	add_sides(out, report, curve->variant);
	json_out_int(out, "points", (int64_t)curve->points);
	json_out_int(out, "points_judged", (int64_t)curve->curve.points);
	json_out_int(out, "points_better", (int64_t)curve->curve.better);
	json_out_int(out, "points_worse", (int64_t)curve->curve.worse);
	json_out_bool(out, "trade_off", curve->curve.trade_off);
	json_out_double(out, "differ_p", curve->curve.differ_p);
	add_whole(out, &curve->curve.whole);
	end(out);
}

static void add_pool(struct json_out *out, const char *key, const struct report_pool *pool)
{
	json_out_object(out, key);
	json_out_int(out, "samples", (int64_t)pool->count);
	json_out_array(out, "values");
	for (size_t i = 0; i < REPORT_POOL_POINTS; i++)
		json_out_double(out, NULL, pool->value[i]);
	json_out_end_array(out);
	json_out_end_object(out);
}

static void add_quantile(struct json_out *out, const struct report_shift *shift, size_t i)
{
	const struct tails_point *point = &shift->points[i];

	json_out_object(out, NULL);
	json_out_double(out, "q", point->q);
	json_out_double(out, "a", shift->a[i]);
	json_out_double(out, "b", shift->b[i]);
	json_out_bool(out, "relative", point->relative);
	json_out_double(out, "effect", point->effect);
	json_out_array(out, "band");
	add_known(out, NULL, point->has_band, point->band.lo);
	add_known(out, NULL, point->has_band, point->band.hi);
	json_out_end_array(out);
	json_out_end_object(out);
}

/* The bands hold together; what is of all samples together is for looking at only. */
static void add_shift(struct json_out *out, const struct report *report,
		      const struct report_shift *shift)
{
	begin(out, report, "shift");
	json_out_str(out, "point", shift->point);
	json_out_str(out, "histogram", shift->histogram);
	json_out_str(out, "unit", unit_name(shift->unit));
	json_out_str(out, "better", better_name(shift->better));
	add_sides(out, report, shift->variant);
	json_out_int(out, "n_a", (int64_t)shift->n_a);
	json_out_int(out, "n_b", (int64_t)shift->n_b);
	json_out_double(out, "level", 1 - REPORT_ALPHA);
	json_out_bool(out, "parted", shift->parted);
	json_out_array(out, "quantiles");
	for (size_t i = 0; i < shift->nr; i++)
		add_quantile(out, shift, i);
	json_out_end_array(out);
	json_out_object(out, "descriptive");
	json_out_array(out, "q");
	for (size_t i = 0; i < REPORT_POOL_POINTS; i++)
		json_out_double(out, NULL, report_pool_quantiles[i]);
	json_out_end_array(out);
	add_pool(out, "pool_a", shift->pool_a);
	add_pool(out, "pool_b", shift->pool_b);
	json_out_end_object(out);
	end(out);
}

static void add_balance(struct json_out *out, const struct report *report, size_t variant)
{
	const struct report_balance *balance = &report->balances[variant];

	begin(out, report, "balance");
	add_sides(out, report, variant);
	json_out_int(out, "better", (int64_t)balance->better);
	json_out_int(out, "worse", (int64_t)balance->worse);
	json_out_bool(out, "trade_off", balance->trade_off);
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

static void add_rate_side(struct json_out *out, const char *key, const struct rate *rate)
{
	json_out_object(out, key);
	json_out_int(out, "count", (int64_t)rate->failed);
	json_out_int(out, "runs", (int64_t)rate->runs);
	json_out_array(out, "ci");
	json_out_double(out, NULL, rate->ci.lo);
	json_out_double(out, NULL, rate->ci.hi);
	json_out_end_array(out);
	json_out_end_object(out);
}

static void add_rate(struct json_out *out, const struct report *report,
		     const struct report_rate *rate)
{
	begin(out, report, "rate");
	json_out_str(out, "point", rate->point);
	json_out_str(out, "status", run_status_name(rate->status));
	add_sides(out, report, rate->variant);
	add_rate_side(out, "side_a", &rate->a);
	add_rate_side(out, "side_b", &rate->b);
	json_out_double(out, "p", rate->p);
	json_out_double(out, "p_adjusted", rate->p_adjusted);
	json_out_str(out, "word", verdict_word_name(rate->word));
	end(out);
}

static void add_warmups(struct json_out *out, const struct report *report)
{
	json_out_array(out, "warmup");
	for (size_t p = 0; p < report->experiment.nr_points; p++) {
		const struct report_settled *settled = &report->settled[p];

		json_out_object(out, NULL);
		json_out_str(out, "point", report->experiment.points[p].label);
		json_out_int(out, "preset", (int64_t)settled->preset);
		json_out_int(out, "cut", (int64_t)settled->cut);
		json_out_int(out, "found", (int64_t)settled->found);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void add_variants(struct json_out *out, const struct report *report)
{
	json_out_array(out, "variants");
	for (size_t v = 0; v < report->experiment.nr_variants; v++) {
		const struct variant_row *row = &report->experiment.variants[v];
		char hash[17];

		json_out_object(out, NULL);
		json_out_str(out, "name", row->name);
		json_out_str(out, "settings", row->settings);
		snprintf(hash, sizeof(hash), "%016" PRIx64, report->environments[v]);
		json_out_str(out, "environment", hash);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

/* What holds for all rows: how it was measured, and a hash of each side's environment. */
static void add_design(struct json_out *out, const struct report *report)
{
	static const char *const orders[] = {
		[TRIAL_RANDOM] = "random within blocks",
		[TRIAL_SEQUENCE] = "one side after the other",
		[TRIAL_UNKNOWN] = "unknown",
	};
	char seed[24];

	begin(out, report, "design");
	snprintf(seed, sizeof(seed), "%" PRIu64, report->experiment.seed);
	json_out_str(out, "seed", seed);
	json_out_str(out, "order", orders[report->order]);
	json_out_str(out, "units", report->experiment.runs_per_boot ? "boots" : "runs");
	json_out_str(out, "purpose", purpose_name(report->experiment.purpose));
	json_out_double(out, "margin", report->experiment.margin);
	json_out_double(out, "until", report->experiment.until);
	json_out_int(out, "blocks_planned", (int64_t)report->experiment.blocks);
	json_out_bool(out, "finished", report->experiment.finished);
	json_out_str(out, "ended", report->experiment.ended ? report->experiment.ended : "");
	json_out_int(out, "blocks", (int64_t)report->counts.blocks);
	json_out_int(out, "sessions", (int64_t)report->nr_sessions);
	json_out_int(out, "boots", (int64_t)report->nr_boots);
	json_out_int(out, "warmups", (int64_t)report->warmups);
	add_warmups(out, report);
	add_variants(out, report);
	end(out);
}

static void json_render(const struct report *report, const struct report_style *style,
			struct strbuf *sb)
{
	(void)style;
	add_design(&(struct json_out){ .sb = sb }, report);
	for (size_t i = 0; i < report->nr_rows; i++)
		add_row(&(struct json_out){ .sb = sb }, report, &report->rows[i]);
	for (size_t i = 0; i < report->nr_curves; i++)
		add_curve(&(struct json_out){ .sb = sb }, report, &report->curves[i]);
	for (size_t i = 0; i < report->nr_shifts; i++)
		add_shift(&(struct json_out){ .sb = sb }, report, &report->shifts[i]);
	for (size_t i = 0; i < report->nr_differences; i++)
		add_difference(&(struct json_out){ .sb = sb }, report, &report->differences[i]);
	for (size_t i = 0; i < report->nr_failures; i++)
		add_failure(&(struct json_out){ .sb = sb }, report, &report->failures[i]);
	for (size_t i = 0; i < report->nr_rates; i++)
		add_rate(&(struct json_out){ .sb = sb }, report, &report->rates[i]);
	for (size_t v = 1; v < report->experiment.nr_variants; v++)
		add_balance(&(struct json_out){ .sb = sb }, report, v);
}

const struct report_format report_json = {
	.name = "json",
	.help = "JSON lines: design, then each row with its raw figures, difference and failure",
	.render = json_render,
};
