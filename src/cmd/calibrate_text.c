// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/calibrate_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 35

static uint64_t cost_at(const struct calibration *c, size_t i)
{
	return ((const uint64_t *)&c->costs)[i];
}

/* Spread in per cent of the median. */
static double percent(double spread, double of)
{
	return of > 0 ? 100 * spread / of : 0;
}

static void add_value(const struct calibration *c, size_t i, struct strbuf *sb)
{
	const struct calibrate_value *value = &c->value[i];
	const size_t from = sb->len;

	strbuf_addstr(sb, value->name);
	strbuf_pad(sb, from + NAME_WIDTH, ' ');
	strbuf_addf(sb, "%9" PRIu64, cost_at(c, i));
	if (value->measured && value->runs > 1)
		strbuf_addf(sb, "  +-%5.1f %%  %4u  %s\n", percent(value->spread, value->median),
			    value->runs, value->method);
	else if (value->measured)
		strbuf_addf(sb, "  %9s  %4u  %s\n", "-", value->runs, value->method);
	else
		strbuf_addf(sb, "  not measured    %s\n", value->why);
}

static void add_check(const struct calibrate_check *check, struct strbuf *sb)
{
	const size_t from = sb->len;

	strbuf_addstr(sb, check->name);
	strbuf_pad(sb, from + 48, ' ');
	strbuf_addf(sb, "%9.0f  +-%5.1f %%  %9.0f  %6.2f\n", check->measured,
		    percent(check->spread, check->measured), check->expected,
		    check->measured > 0 ? check->expected / check->measured : 0);
}

/* Above that share of others' time the user is told. */
#define NOISY 0.05

void calibrate_text(const struct calibration *c, struct strbuf *sb)
{
	strbuf_addf(sb, "%-*s%9s  %-9s %5s  method\n", NAME_WIDTH, "value", "median", "spread",
		    "runs");
	for (size_t i = 0; i < COSTS_VALUES; i++)
		add_value(c, i, sb);
	calibrate_matrices(c, sb);
	if (c->nr_checks)
		strbuf_addf(sb, "\n%-48s%9s  %-9s  %9s  ratio\n", "not used for any value, ns",
			    "measured", "spread", "by costs");
	for (size_t i = 0; i < c->nr_checks; i++)
		add_check(&c->check[i], sb);
	strbuf_addf(sb, "\nother programs had %.0f %% of the CPUs' time meanwhile%s\n",
		    100 * c->others, c->others > NOISY ? ": measure again when it is quiet" : "");
	if (!c->priority)
		strbuf_addstr(
			sb, "no real-time priority here, as root has: others came between, and "
			    "wake_ns to another CPU may have the sending of an interrupt in it\n");
}

void calibrate_value_json(const struct calibrate_value *value, struct json_out *out)
{
	json_out_bool(out, "measured", value->measured);
	if (value->measured) {
		json_out_double(out, "median", value->median);
		if (value->runs > 1)
			json_out_double(out, "spread", value->spread);
		json_out_int(out, "runs", value->runs);
		json_out_str(out, "method", value->method);
	} else {
		json_out_str(out, "why", value->why);
	}
}

static void value_json(const struct calibration *c, size_t i, struct json_out *out)
{
	json_out_object(out, NULL);
	json_out_str(out, "name", c->value[i].name);
	json_out_int(out, "value", (int64_t)cost_at(c, i));
	calibrate_value_json(&c->value[i], out);
	json_out_end_object(out);
}

static void check_json(const struct calibrate_check *check, struct json_out *out)
{
	json_out_object(out, NULL);
	json_out_str(out, "name", check->name);
	json_out_double(out, "measured", check->measured);
	json_out_double(out, "spread", check->spread);
	json_out_int(out, "runs", check->runs);
	json_out_double(out, "expected", check->expected);
	json_out_end_object(out);
}

void calibrate_json(const struct calibration *c, struct json_out *out)
{
	json_out_object(out, NULL);
	json_out_int(out, "runs", c->runs);
	json_out_double(out, "others", c->others);
	json_out_bool(out, "priority", c->priority);
	json_out_array(out, "values");
	for (size_t i = 0; i < COSTS_VALUES; i++)
		value_json(c, i, out);
	json_out_end_array(out);
	calibrate_pairs_json(c, out);
	json_out_array(out, "checks");
	for (size_t i = 0; i < c->nr_checks; i++)
		check_json(&c->check[i], out);
	json_out_end_array(out);
	json_out_end_object(out);
}

/* struct words - of the source under way */
struct words {
	const struct calibration *calibration;
	const char *date;
	char text[160];
};

static const char *source_words(void *ctx, const char *name)
{
	struct words *words = ctx;
	const struct calibrate_value *value = calibration_value(words->calibration, name);
	const char *usual = costs_default_source(name);
	const char *how = words->calibration->priority ? "" : ", no priority";

	if (value->measured && value->runs > 1)
		snprintf(words->text, sizeof(words->text), "calibrate %s, %u runs, +-%.0f %%%s: %s",
			 words->date, value->runs, percent(value->spread, value->median), how,
			 value->method);
	else if (value->measured)
		snprintf(words->text, sizeof(words->text), "calibrate %s, 1 run%s: %s", words->date,
			 how, value->method);
	else if (!strcmp(name, "freq_idle_perf"))
		snprintf(words->text, sizeof(words->text), "calibrate %s: %s", words->date,
			 value->why);
	else
		snprintf(words->text, sizeof(words->text), "%s (%s)", usual, value->why);
	return words->text;
}

void calibrate_file(const struct calibration *c, const char *date, struct strbuf *sb)
{
	struct words words = { .calibration = c, .date = date };

	costs_print(&c->costs, &c->pairs, source_words, &words, sb);
	calibrate_missing(c, "; ", sb);
}
