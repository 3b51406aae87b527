// SPDX-License-Identifier: GPL-2.0-only
#include "posted/judge.h"

#include "base/mem.h"
#include "posted/judge_row.h"

#include <stdlib.h>

static void check_percents(struct posted_judged *judged)
{
	const struct posted_table *table = judged->table;
	size_t i = 0;

	judged->form = percent_find(table);
	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 1; s < table->nr_sides; s++, i++)
			if (!table->normalised && percent_can_be_checked(&table->rows[r], s))
				judged->outcomes[i].percent_ok =
					percent_fits(&table->rows[r], s, judged->form);
}

static bool has_test(const struct posted_outcome *outcome)
{
	return outcome->verdict.p < 1 && outcome->word != POSTED_WORD_HANG &&
	       (outcome->basis == POSTED_BY_FAILURES || outcome->basis == POSTED_BY_SUMMARY ||
		outcome->basis == POSTED_BY_RUNS || outcome->basis == POSTED_BY_P) &&
	       outcome->verdict.word != VERDICT_NO_CONCLUSION;
}

enum better posted_better(const struct posted_judged *judged, size_t r)
{
	const struct posted_row *row = &judged->table->rows[r];

	return row->primary && row->better == BETTER_NONE ? judged->better : row->better;
}

/* Rows that are read together: the primary ones of all sides by Holm's method, the others by false discovery rate. */
static size_t gather(struct verdict_row *rows, struct posted_judged *judged, bool primary)
{
	const struct posted_table *table = judged->table;
	size_t i = 0, n = 0;

	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 1; s < table->nr_sides; s++, i++)
			if (table->rows[r].primary == primary && has_test(&judged->outcomes[i]))
				rows[n++] = (struct verdict_row){
					.verdict = &judged->outcomes[i].verdict,
					.better = primary ? posted_better(judged, r) : BETTER_NONE,
				};
	return n;
}

static bool excludes_zero(const struct interval *ci)
{
	return ci->lo > 0 || ci->hi < 0;
}

/* p alone, as an older benchstat prints it, has no interval: the word rests on p. */
static void word_without_interval(struct posted_outcome *outcome, enum better better, double alpha)
{
	struct verdict *verdict = &outcome->verdict;

	verdict->word = VERDICT_INCONCLUSIVE;
	if (verdict->p_adjusted > alpha || better == BETTER_NONE)
		return;
	verdict->word = (verdict->effect > 0) == (better == BETTER_HIGHER) ? VERDICT_IMPROVED
									   : VERDICT_REGRESSED;
}

static void settle(struct posted_outcome *outcome, enum better better, bool primary, double alpha)
{
	struct verdict *verdict = &outcome->verdict;
	bool found =
		verdict->p_adjusted <= alpha && (!verdict->has_ci || excludes_zero(&verdict->ci));

	if (!verdict->has_ci &&
	    (outcome->basis == POSTED_BY_P || outcome->basis == POSTED_BY_FAILURES))
		word_without_interval(outcome, better, alpha);
	if (verdict->word == VERDICT_ORDER_CONFOUNDED && !outcome->why)
		outcome_say(outcome, "%s", outcome_in_sequence);
	if (verdict->word == VERDICT_ORDER_CONFOUNDED || verdict->word == VERDICT_NO_CONCLUSION)
		return;
	if (*verdict->reason && !outcome->why)
		outcome_say(outcome, "%s", verdict->reason);
	if ((primary || outcome->basis == POSTED_BY_FAILURES) && better != BETTER_NONE)
		return;
	outcome->word = found	  ? POSTED_WORD_MOVED
			: primary ? POSTED_WORD_VERDICT
				  : POSTED_WORD_NONE;
	if (found && primary)
		outcome_say(outcome, "which way is better is not told: --better lower or higher");
}

static void adjust(struct posted_judged *judged, const struct posted_rule *rule)
{
	const struct posted_table *table = judged->table;
	struct verdict_row *rows = xcalloc(judged->nr_outcomes, sizeof(*rows));
	struct verdict_rule verdict_rule = { .alpha = rule->alpha };
	size_t i = 0;

	judged->tested = gather(rows, judged, true);
	verdict_adjust(rows, judged->tested, &verdict_rule);
	judged->counters = gather(rows, judged, false);
	verdict_fdr(rows, judged->counters);
	free(rows);
	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 1; s < table->nr_sides; s++, i++)
			if (has_test(&judged->outcomes[i]))
				settle(&judged->outcomes[i], posted_better(judged, r),
				       table->rows[r].primary, rule->alpha);
}

void posted_judge(struct posted_judged *judged, struct posted_table *table,
		  const struct posted_rule *rule)
{
	struct step *steps = xcalloc(table->nr_rows, sizeof(*steps));
	size_t i = 0;

	*judged = (struct posted_judged){
		.table = table,
		.nr_outcomes = table->nr_rows * (table->nr_sides - 1),
		.order = rule->order != TRIAL_UNKNOWN ? rule->order : table->order,
		.better = rule->better,
	};
	judged->outcomes = xcalloc(judged->nr_outcomes, sizeof(*judged->outcomes));
	known_check(table);
	known_steps(steps, table);
	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 1; s < table->nr_sides; s++, i++) {
			struct judging judging = {
				.table = table,
				.row = &table->rows[r],
				.rule = rule,
				.s = s,
				.order = judged->order,
				.better = posted_better(judged, r),
				.step = steps[r],
			};

			known_of(&judging.a, &table->rows[r].sides[0], rule);
			known_of(&judging.b, &table->rows[r].sides[s], rule);
			judged->outcomes[i].step = steps[r].printed;
			judge_side(&judged->outcomes[i], &judging);
		}
	free(steps);
	check_percents(judged);
	adjust(judged, rule);
	posted_overview_side(&judged->overview, judged, 0);
}

void posted_judged_release(struct posted_judged *judged)
{
	for (size_t i = 0; i < judged->nr_outcomes; i++)
		free(judged->outcomes[i].why);
	free(judged->outcomes);
	*judged = (struct posted_judged){ 0 };
}

const struct posted_outcome *posted_outcome_at(const struct posted_judged *judged, size_t r,
					       size_t s)
{
	return &judged->outcomes[r * (judged->table->nr_sides - 1) + s - 1];
}

const char *posted_outcome_word(const struct posted_outcome *outcome)
{
	switch (outcome->word) {
	case POSTED_WORD_HANG:
		return "hang";
	case POSTED_WORD_MOVED:
		return "moved";
	case POSTED_WORD_NONE:
		return "";
	default:
		return verdict_word_name(outcome->verdict.word);
	}
}
