// SPDX-License-Identifier: GPL-2.0-only
#include "report/report.h"

#include "base/mem.h"
#include "report/differences.h"
#include "report/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct verdict_rule rule = { .alpha = REPORT_ALPHA };

/* Each pair a block, A first. */
struct paired {
	double *value;
	unsigned char *side;
	unsigned int *block;
};

static void pair_up(struct paired *paired, const struct sample_pairs *pairs)
{
	*paired = (struct paired){
		.value = xcalloc(2 * pairs->n, sizeof(*paired->value)),
		.side = xcalloc(2 * pairs->n, sizeof(*paired->side)),
		.block = xcalloc(2 * pairs->n, sizeof(*paired->block)),
	};
	for (size_t i = 0; i < 2 * pairs->n; i++) {
		paired->value[i] = i % 2 ? pairs->b[i / 2] : pairs->a[i / 2];
		paired->side[i] = i % 2;
		paired->block[i] = (unsigned int)i / 2;
	}
}

static void paired_release(struct paired *paired)
{
	free(paired->value);
	free(paired->side);
	free(paired->block);
}

static void judge_pairs(struct report_row *row, const struct samples *samples, size_t point,
			const struct sample_pairs *pairs)
{
	struct paired paired;
	struct tally a, b;

	samples_tally(samples, point, 0, &a);
	samples_tally(samples, point, row->variant, &b);
	pair_up(&paired, pairs);
	verdict_judge(&row->verdict,
		      &(struct trial){
			      .value = paired.value,
			      .side = paired.side,
			      .block = paired.block,
			      .n = 2 * pairs->n,
			      .runs_a = a.runs,
			      .runs_b = b.runs,
			      .failed_a = a.failed,
			      .failed_b = b.failed,
			      .exact = row->unit == UNIT_COUNT,
			      .unit_is_boot = samples->by_boot,
		      },
		      row->primary ? row->better : BETTER_NONE, &rule);
	paired_release(&paired);
}

static void judge(struct report_row *row, const struct samples *samples, size_t point,
		  const struct figure *figure)
{
	struct sample_pairs pairs;

	samples_pairs(samples, point, row->variant, figure, &pairs);
	row->counted = pairs.counted;
	judge_pairs(row, samples, point, &pairs);
	if (row->primary && pairs.apart && row->verdict.word != VERDICT_NO_CONCLUSION) {
		row->verdict.word = VERDICT_NO_CONCLUSION;
		snprintf(row->verdict.reason, sizeof(row->verdict.reason),
			 "all boots of one side came before the other's; boot them in turn");
	}
	sample_pairs_release(&pairs);
}

static void add_rows(struct report *report, const struct samples *samples, size_t point,
		     const struct figure *figure, bool primary)
{
	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		struct report_row *row;

		report->rows =
			xreallocarray(report->rows, report->nr_rows + 1, sizeof(*report->rows));
		row = &report->rows[report->nr_rows++];
		*row = (struct report_row){
			.point = report->experiment.points[point].label,
			.metric = xstrdup(figure->name),
			.unit = figure->unit,
			.better = figure->better,
			.variant = v,
			.primary = primary,
			.counter = figure->counter,
		};
		judge(row, samples, point, figure);
	}
}

static bool is_primary(const struct figure *figure, const struct point_row *point)
{
	return !figure->counter && !strcmp(figure->name, point->primary);
}

/* A primary metric has rows even where no run measured it: they say why there is no conclusion. */
static void add_primary_rows(struct report *report, const struct samples *samples, size_t point)
{
	const struct point_row *row = &report->experiment.points[point];
	struct figure *figures, primary = { .name = row->primary };
	size_t n = samples_figures(samples, point, &figures);

	for (size_t i = 0; i < n; i++) {
		if (is_primary(&figures[i], row))
			primary = figures[i];
	}
	add_rows(report, samples, point, &primary, true);
	free(figures);
}

static void add_other_rows(struct report *report, const struct samples *samples, size_t point)
{
	struct figure *figures;
	size_t n = samples_figures(samples, point, &figures);

	for (size_t i = 0; i < n; i++) {
		if (!is_primary(&figures[i], &report->experiment.points[point]))
			add_rows(report, samples, point, &figures[i], false);
	}
	free(figures);
}

static void adjust(struct report_row *rows, size_t n, bool primary)
{
	struct verdict_row *together = xcalloc(n, sizeof(*together));

	for (size_t i = 0; i < n; i++)
		together[i] = (struct verdict_row){ .verdict = &rows[i].verdict,
						    .better = rows[i].better };
	if (primary)
		verdict_adjust(together, n, &rule);
	else
		verdict_fdr(together, n);
	free(together);
}

static void make_rows(struct report *report, const struct samples *samples)
{
	size_t nr_points = report->experiment.nr_points, nr_primary;

	for (size_t p = 0; p < nr_points; p++)
		add_primary_rows(report, samples, p);
	nr_primary = report->nr_rows;
	for (size_t p = 0; p < nr_points; p++)
		add_other_rows(report, samples, p);
	adjust(report->rows, nr_primary, true);
	adjust(report->rows + nr_primary, report->nr_rows - nr_primary, false);
	for (size_t i = 0; i < report->nr_rows; i++) {
		struct report_row *row = &report->rows[i];

		if (row->primary)
			report->nr_judged += row->verdict.has_ci;
		else
			row->moved = row->verdict.has_ci && row->verdict.p_adjusted <= REPORT_ALPHA;
	}
}

static void list_failures(struct report *report, const struct samples *samples)
{
	for (size_t p = 0; p < samples->nr_points; p++) {
		for (size_t v = 0; v < samples->nr_variants; v++) {
			struct tally tally;

			samples_tally(samples, p, v, &tally);
			if (!tally.failed)
				continue;
			report->failures = xreallocarray(report->failures, report->nr_failures + 1,
							 sizeof(*report->failures));
			report->failures[report->nr_failures++] = (struct report_failure){
				.point = report->experiment.points[p].label,
				.variant = v,
				.failed = tally.failed,
				.runs = tally.runs,
				.reason = xstrdup(tally.reason),
			};
		}
	}
}

static bool same_boot_before(const struct session_row *sessions, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (!strcmp(sessions[k].boot_id, sessions[i].boot_id))
			return true;
	}
	return false;
}

/* Lines of all sessions, each once. */
static void collect_notes(const struct report *report, struct strbuf *notes)
{
	for (size_t i = 0; i < report->nr_sessions; i++) {
		const char *line = report->sessions[i].notes;

		while (line && *line) {
			size_t n = strcspn(line, "\n");
			char *text = xasprintf("\n%.*s\n", (int)n, line);
			char *all = xasprintf("\n%s", strbuf_str(notes));

			if (n && !strstr(all, text))
				strbuf_addstr(notes, text + 1);
			free(all);
			free(text);
			line += n + (line[n] == '\n');
		}
	}
}

static void fill(struct report *report, const struct samples *samples, const struct run_row *runs,
		 size_t nr_runs)
{
	struct strbuf notes = { 0 };

	for (size_t i = 0; i < report->nr_sessions; i++)
		report->nr_boots += !same_boot_before(report->sessions, i);
	for (size_t i = 0; i < nr_runs; i++)
		report->warmups += runs[i].warmup;
	make_rows(report, samples);
	list_failures(report, samples);
	collect_notes(report, &notes);
	differences_find(report, runs, nr_runs, &notes);
	facts_list(report);
	report->notes = strbuf_take(&notes);
}

static void free_runs(struct run_row *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_row_release(&runs[i]);
	free(runs);
}

int report_build(struct report **out, struct store *store, int64_t experiment, struct error *err)
{
	struct report *report = xcalloc(1, sizeof(*report));
	struct samples samples = { 0 };
	struct run_row *runs = NULL;
	size_t nr_runs = 0;
	int ret;

	ret = store_get_experiment(store, experiment, &report->experiment, err);
	if (!ret)
		ret = store_load_sessions(store, experiment, &report->sessions,
					  &report->nr_sessions, err);
	if (!ret)
		ret = store_count_runs(store, experiment, &report->counts, err);
	if (!ret)
		ret = store_load_runs(store, experiment, &runs, &nr_runs, err);
	if (!ret)
		ret = samples_init(&samples, &report->experiment, report->sessions,
				   report->nr_sessions, runs, nr_runs, err);
	if (!ret) {
		fill(report, &samples, runs, nr_runs);
		*out = report;
		report = NULL; /* now the caller's */
	}
	samples_release(&samples);
	free_runs(runs, nr_runs);
	report_free(report);
	return ret;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->nr_rows; i++)
		free(report->rows[i].metric);
	for (size_t i = 0; i < report->nr_differences; i++) {
		free(report->differences[i].fact);
		free(report->differences[i].base);
		free(report->differences[i].other);
	}
	for (size_t i = 0; i < report->nr_failures; i++)
		free(report->failures[i].reason);
	for (size_t i = 0; i < report->nr_facts; i++) {
		free(report->facts[i].name);
		free(report->facts[i].value);
	}
	for (size_t i = 0; i < report->nr_sessions; i++)
		session_row_release(&report->sessions[i]);
	experiment_row_release(&report->experiment);
	free(report->sessions);
	free(report->rows);
	free(report->differences);
	free(report->failures);
	free(report->facts);
	free(report->notes);
	free(report);
}

bool report_worst(const struct report *report, double *fraction)
{
	bool found = false;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		const struct verdict *verdict = &row->verdict;
		double size = fabs(verdict->effect);

		if (!row->primary || verdict->word != VERDICT_REGRESSED)
			continue;
		if (!verdict->relative)
			size /= fabs(verdict->a.median); /* x / 0 is infinite */
		if (!found || size > *fraction)
			*fraction = size;
		found = true;
	}
	return found;
}
