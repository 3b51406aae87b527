// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include "base/mem.h"
#include "report/layout.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

const double fixture_steps[FIXTURE_BLOCKS] = { 0.001,  -0.007, 0.005,  -0.003, 0.009,
					       -0.009, 0.003,  -0.005, 0.007,  -0.001 };

/* 2026-11-30 20:37:00 UTC */
#define BEGUN_NS 1796071020000000000

void fixture_pair(struct fixture *f, struct point_row *points, size_t nr_points)
{
	f->variants[0] = (struct variant_row){ .name = "base", .settings = "", .asks = "" };
	f->variants[1] =
		(struct variant_row){ .name = "pinned", .settings = "cpus = 0", .asks = "" };
	f->experiment = (struct experiment_row){
		.name = "first",
		.text = "",
		.fingerprint = "",
		.seed = 8123,
		.blocks = FIXTURE_BLOCKS,
		.finished = true,
		.variants = f->variants,
		.nr_variants = 2,
		.points = points,
		.nr_points = nr_points,
	};
}

void fixture_session(struct fixture *f, const char *boot_id, const char *facts, const char *notes)
{
	struct session_row row = {
		.experiment = f->experiment.id,
		.boot_id = (char *)boot_id,
		.facts = (char *)facts,
		.notes = (char *)notes,
		.started_ns = BEGUN_NS,
	};
	struct error err = { 0 };

	if (store_add_session(f->store, &row, &err))
		fail_msg("%s", err.text);
	f->session = row.id;
}

void fixture_open(struct fixture *f)
{
	struct error err = { 0 };

	if (!f->experiment.created_ns)
		f->experiment.created_ns = BEGUN_NS;
	if (!f->store && store_open(&f->store, ":memory:", STORE_WRITE, &err))
		fail_msg("%s", err.text);
	if (store_add_experiment(f->store, &f->experiment, &err))
		fail_msg("%s", err.text);
	if (f->experiment.finished &&
	    store_finish_experiment(f->store, f->experiment.id, NULL, &err))
		fail_msg("%s", err.text);
}

static void add_run(struct fixture *f, struct run_row *row)
{
	struct error err = { 0 };

	row->experiment = f->experiment.id;
	row->session = f->session;
	if (!row->position)
		row->position = f->position++;
	row->warmup = row->block < 0;
	row->facts = (char *)f->facts[row->variant];
	row->result.workload = f->experiment.points[row->point].workload;
	if (store_add_run(f->store, row, &err))
		fail_msg("%s", err.text);
}

void fixture_run(struct fixture *f, int64_t block, size_t variant, size_t point,
		 const struct result *result)
{
	add_run(f, &(struct run_row){
			   .block = block, .variant = variant, .point = point, .result = *result });
}

void fixture_metric(struct fixture *f, int64_t block, size_t variant, size_t point, enum unit unit,
		    enum better better, double value)
{
	struct value metric = { f->experiment.points[point].primary, unit, better, value, 1 };

	fixture_run(f, block, variant, point,
		    &(struct result){ .metrics = &metric, .nr_metrics = 1 });
}

void fixture_end(struct fixture *f, int64_t block, size_t variant, size_t point,
		 enum run_status status, const char *reason)
{
	add_run(f, &(struct run_row){
			   .block = block,
			   .variant = variant,
			   .point = point,
			   .result = { .status = status, .reason = (char *)reason },
		   });
}

void fixture_fail(struct fixture *f, int64_t block, size_t variant, size_t point,
		  const char *reason)
{
	fixture_end(f, block, variant, point, RUN_FAILED, reason);
}

/* Run @variant of @block at its place among all series. */
static void add_in_turn(struct fixture *f, int64_t block, size_t variant, size_t point,
			struct value value)
{
	value.name = f->experiment.points[point].primary;
	add_run(f, &(struct run_row){
			   .block = block,
			   .position = 1000 + 100 * block + 10 * (int64_t)point + (int64_t)variant,
			   .variant = variant,
			   .point = point,
			   .result = { .metrics = &value, .nr_metrics = 1 },
		   });
}

void fixture_series(struct fixture *f, size_t variant, size_t point, enum unit unit,
		    enum better better, double a, double ratio)
{
	for (int64_t block = 0; block < FIXTURE_BLOCKS; block++) {
		double b = a * ratio * exp(fixture_steps[block]);

		if (!f->has_a[point])
			add_in_turn(f, block, 0, point, (struct value){ NULL, unit, better, a, 1 });
		add_in_turn(f, block, variant, point, (struct value){ NULL, unit, better, b, 1 });
	}
	f->has_a[point] = true;
}

struct report *fixture_report(struct fixture *f)
{
	struct report *report = NULL;
	struct error err = { 0 };

	if (report_build(&report, f->store, f->experiment.id, &err))
		fail_msg("%s", err.text);
	return report;
}

/* Without ANSI sequences. */
static size_t line_width(const char *line, size_t n)
{
	char *text = xstrndup(line, n), *escape, *end;
	size_t width;

	while ((escape = strchr(text, '\033'))) {
		end = strchr(escape, 'm');
		assert_non_null(end);
		memmove(escape, end + 1, strlen(end + 1) + 1);
	}
	width = text_width(text);
	free(text);
	return width;
}

char *fixture_render(struct fixture *f, const struct report_style *style)
{
	struct report *report = fixture_report(f);
	struct strbuf sb = { 0 };

	report_format_find("text")->render(report, style, &sb);
	report_free(report);
	for (const char *line = sb.s; *line;) {
		size_t n = strcspn(line, "\n");

		assert_int_equal(line[n], '\n');
		if (line_width(line, n) > PAGE_WIDTH)
			fail_msg("wider than the page: %.*s", (int)n, line);
		if (n && (line[n - 1] == ' ' || memchr(line, '\t', n)))
			fail_msg("blank at the end, or a tab: %.*s", (int)n, line);
		line += n + 1;
	}
	return strbuf_take(&sb);
}

void fixture_close(struct fixture *f)
{
	store_close(f->store);
}
