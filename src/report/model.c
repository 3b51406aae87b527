// SPDX-License-Identifier: GPL-2.0-only
#include "report/report.h"

#include "base/mem.h"
#include "report/differences.h"
#include "report/looks.h"
#include "report/rates.h"
#include "report/rows.h"
#include "report/samples.h"
#include "report/settle.h"
#include "report/shifts.h"
#include "report/tails.h"
#include "report/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	rows_make(report, samples, true);
	units_collect(report, runs, nr_runs);
	list_failures(report, samples);
	rates_add(report, samples);
	collect_notes(report, &notes);
	differences_find(report, runs, nr_runs, &notes);
	facts_list(report);
	report->notes = strbuf_take(&notes);
}

/* All but what only tails need. */
static int load(struct report_input *input, struct store *store, int64_t experiment,
		struct error *err)
{
	int ret;

	*input = (struct report_input){ .order = TRIAL_RANDOM };
	ret = store_get_experiment(store, experiment, &input->experiment, err);
	if (!ret)
		ret = store_load_sessions(store, experiment, &input->sessions, &input->nr_sessions,
					  err);
	if (!ret)
		ret = store_count_runs(store, experiment, &input->counts, err);
	if (!ret)
		ret = store_load_runs(store, experiment, &input->runs, &input->nr_runs, err);
	if (!ret)
		ret = store_load_sample_counts(store, experiment, &input->samples,
					       &input->nr_samples, err);
	if (ret)
		report_input_release(input);
	return ret;
}

int report_input_load(struct report_input *input, struct store *store, int64_t experiment,
		      struct error *err)
{
	int ret = load(input, store, experiment, err);

	if (ret)
		return ret;
	ret = tails_load(input, store, err);
	if (ret)
		report_input_release(input);
	return ret;
}

void report_input_release(struct report_input *input)
{
	for (size_t i = 0; i < input->nr_runs; i++)
		run_row_release(&input->runs[i]);
	for (size_t i = 0; i < input->nr_sessions; i++)
		session_row_release(&input->sessions[i]);
	experiment_row_release(&input->experiment);
	sample_counts_free(input->samples, input->nr_samples);
	tails_release(input);
	free(input->sessions);
	free(input->runs);
	*input = (struct report_input){ 0 };
}

/* A report without a row; takes experiment, sessions and pools of @input. */
static struct report *report_start(struct report_input *input)
{
	struct report *report = xcalloc(1, sizeof(*report));

	report->experiment = input->experiment;
	report->sessions = input->sessions;
	report->nr_sessions = input->nr_sessions;
	report->counts = input->counts;
	report->order = input->order;
	report->order_words = input->order_words;
	report->pools = input->pools;
	report->nr_pools = input->nr_pools;
	input->experiment = (struct experiment_row){ 0 };
	input->sessions = NULL;
	input->pools = NULL;
	input->nr_sessions = input->nr_pools = 0;
	return report;
}

int report_build_input(struct report **out, struct report_input *input, struct error *err)
{
	struct samples samples = { 0 };
	struct report_settled *settled;
	struct report *report;
	int ret;

	ret = samples_check(input, err);
	if (ret)
		return ret;
	settled = settle_runs(input);
	ret = samples_init(&samples, input, err);
	if (ret) {
		free(settled);
		return ret;
	}
	report = report_start(input);
	report->settled = settled;
	fill(report, &samples, input->runs, input->nr_runs);
	shifts_judge(report, &samples);
	samples_release(&samples);
	*out = report;
	return 0;
}

int report_enough(struct store *store, int64_t experiment, char **why, struct error *err)
{
	struct report_input input;
	struct samples samples;
	struct report *report;
	int ret;

	ret = load(&input, store, experiment, err);
	if (ret)
		return ret;
	ret = samples_init(&samples, &input, err);
	if (!ret) {
		report = report_start(&input);
		rows_make(report, &samples, false);
		*why = looks_enough(report);
		ret = *why != NULL;
		samples_release(&samples);
		report_free(report);
	}
	report_input_release(&input);
	return ret;
}

/* @read: load() or report_input_load() */
static int build(struct report **out, struct store *store, int64_t experiment,
		 int (*read)(struct report_input *, struct store *, int64_t, struct error *),
		 struct error *err)
{
	struct report_input input;
	int ret = read(&input, store, experiment, err);

	if (ret)
		return ret;
	ret = report_build_input(out, &input, err);
	report_input_release(&input);
	return ret;
}

int report_build(struct report **out, struct store *store, int64_t experiment, struct error *err)
{
	return build(out, store, experiment, report_input_load, err);
}

int report_build_brief(struct report **out, struct store *store, int64_t experiment,
		       struct error *err)
{
	return build(out, store, experiment, load, err);
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->nr_rows; i++) {
		free(report->rows[i].metric);
		row_units_release(&report->rows[i].units);
		free(report->rows[i].sessions.effect);
	}
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
	free(report->sides);
	free(report->environments);
	free(report->rows);
	free(report->differences);
	free(report->failures);
	free(report->rates);
	for (size_t i = 0; i < report->nr_curves; i++)
		free(report->curves[i].section);
	free(report->curves);
	free(report->balances);
	free(report->settled);
	for (size_t i = 0; i < report->nr_shifts; i++)
		free(report->shifts[i].histogram);
	free(report->shifts);
	for (size_t i = 0; i < report->nr_pools; i++)
		free(report->pools[i].name);
	free(report->pools);
	free(report->facts);
	free(report->notes);
	free(report);
}

static bool worst_rate(const struct report *report, bool found, double *fraction)
{
	for (size_t i = 0; i < report->nr_rates; i++) {
		const struct report_rate *rate = &report->rates[i];
		double more = rate->b.part - rate->a.part;

		if (rate->word != VERDICT_REGRESSED)
			continue;
		if (!found || more > *fraction)
			*fraction = more;
		found = true;
	}
	return found;
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
	return worst_rate(report, found, fraction);
}
