// SPDX-License-Identifier: GPL-2.0-only
#include "report/looks.h"

#include "base/mem.h"
#include "report/numbers.h"
#include "stats/redraws.h"

#include <stdio.h>
#include <stdlib.h>

struct sequential_rule looks_rule(const struct experiment_row *experiment, size_t shares)
{
	const size_t each = experiment->runs_per_block;

	return (struct sequential_rule){
		.alpha = REPORT_ALPHA / (double)shares,
		.margin = experiment->until,
		.max_blocks = experiment->blocks,
		.first = (LOOKS_MIN_UNITS + each - 1) / each,
		.every = 1,
	};
}

static void judge(struct report_row *row, const struct trial *trial, size_t done, size_t rows,
		  const struct redraws *redraws, const struct experiment_row *experiment)
{
	struct sequential_rule rule = looks_rule(experiment, rows);

	sequential_look(&row->look, trial, done, redraws, &rule);
	/* a change is known where it is found, however small; equivalent is what lies within until */
	if (row->look.state != SEQUENTIAL_EQUIVALENT)
		rule.margin = experiment->margin;
	sequential_verdict(&row->verdict, trial, row->better, &rule, &row->look);
	row->verdict.p_adjusted *= (double)rows;
	if (row->verdict.p_adjusted > 1)
		row->verdict.p_adjusted = 1;
}

/*
 * Rows that more blocks may decide. A point that lags by more than the block that is being run was given up, and will
 * have no more.
 */
static size_t count_undecided(const struct report *report, const size_t *done, size_t n)
{
	size_t most = 0, undecided = 0;

	for (size_t i = 0; i < n; i++)
		most = done[i] > most ? done[i] : most;
	for (size_t i = 0; i < n; i++)
		undecided += report->rows[i].look.state == SEQUENTIAL_GO_ON && done[i] + 1 >= most;
	return undecided;
}

void looks_judge(struct report *report, const struct samples *samples, const struct trial *trials,
		 size_t n)
{
	const struct experiment_row *experiment = &report->experiment;
	size_t *done = xcalloc(n, sizeof(*done));
	struct redraws redraws;

	redraws_init(&redraws, LOOKS_DRAWS, experiment->blocks, experiment->seed);
	for (size_t i = 0; i < n; i++) {
		done[i] = samples_blocks_done(samples, i / (experiment->nr_variants - 1));
		/* any other order has its word already */
		if (trials[i].order == TRIAL_RANDOM)
			judge(&report->rows[i], &trials[i], done[i], n, &redraws, experiment);
	}
	report->nr_undecided = count_undecided(report, done, n);
	redraws_release(&redraws);
	free(done);
}

static void add_reason(struct strbuf *sb, const struct report *report, const struct report_row *row)
{
	const struct verdict *verdict = &row->verdict;
	struct change_form form;
	char change[NUMBER_SIZE];

	if (row->look.state == SEQUENTIAL_GO_ON || row->look.state == SEQUENTIAL_EXHAUSTED)
		return;
	strbuf_addf(sb, "%s%s %s: ", sb->len ? "; " : "", row->point, row->metric);
	if (row->look.state == SEQUENTIAL_FOUND) {
		change_fit(&form, verdict, row->unit);
		change_print(change, &form, verdict->effect);
		strbuf_addf(sb, "a change of %s%s is known", change,
			    verdict->relative ? "" : form.number.unit);
	} else if (row->look.state == SEQUENTIAL_EQUIVALENT) {
		strbuf_addf(sb, "it is known to change by less than %g%%",
			    100 * report->experiment.until);
	} else {
		strbuf_addf(sb,
			    "futile, all %zu blocks would find a change with a chance of %.0f%%",
			    (size_t)report->experiment.blocks, 100 * row->look.power);
	}
}

char *looks_enough(const struct report *report)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < report->nr_rows && !report->nr_undecided; i++)
		add_reason(&sb, report, &report->rows[i]);
	return sb.len ? strbuf_take(&sb) : NULL;
}
