// SPDX-License-Identifier: GPL-2.0-only
/* posted/overview.c - how many rows of each kind a table has. */
#include "posted/judge.h"

#include <math.h>

/* 0: for the better, 1: for the worse, 2: nobody knows */
static size_t direction(const struct posted_outcome *outcome, enum better better)
{
	if (better == BETTER_NONE || !outcome->verdict.has_effect)
		return 2;
	return (outcome->verdict.effect > 0) == (better == BETTER_HIGHER) ? 0 : 1;
}

static void count_can_show(struct posted_overview *overview, const struct posted_outcome *outcome,
			   size_t way)
{
	double size = outcome->sure;

	if (!outcome->can_show || outcome->verdict.word == VERDICT_BELOW_RESOLUTION)
		return;
	if (size >= outcome->show_high)
		overview->beyond[way]++;
	else if (size > outcome->show_low)
		overview->between[way]++;
	else
		overview->within[way]++;
}

static void count_mde(struct posted_overview *overview, const struct posted_outcome *outcome)
{
	const struct verdict *verdict = &outcome->verdict;

	if (verdict->word != VERDICT_INCONCLUSIVE || !verdict->has_ci || !verdict->relative)
		return;
	if (overview->mde_low == 0 || verdict->mde < overview->mde_low)
		overview->mde_low = verdict->mde;
	overview->mde_high = fmax(overview->mde_high, verdict->mde);
}

static void count(struct posted_overview *overview, const struct posted_outcome *outcome,
		  enum better better)
{
	size_t way = direction(outcome, better);

	overview->rows++;
	overview->by[outcome->basis]++;
	overview->hangs += outcome->word == POSTED_WORD_HANG;
	overview->moved += outcome->word == POSTED_WORD_MOVED;
	if (outcome->word == POSTED_WORD_VERDICT)
		overview->words[outcome->verdict.word]++;
	if (outcome->verdict.has_effect) {
		overview->better += outcome->verdict.effect != 0 && way == 0;
		overview->worse += outcome->verdict.effect != 0 && way == 1;
	}
	count_can_show(overview, outcome, way);
	count_mde(overview, outcome);
}

void posted_overview_side(struct posted_overview *overview, const struct posted_judged *judged,
			  size_t s)
{
	const struct posted_table *table = judged->table;

	*overview = (struct posted_overview){ 0 };
	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t side = 1; side < table->nr_sides; side++)
			if (table->rows[r].primary && (!s || s == side))
				count(overview, posted_outcome_at(judged, r, side),
				      posted_better(judged, r));
}

bool posted_worst(const struct posted_judged *judged, double *fraction)
{
	bool any = false;

	*fraction = 0;
	for (size_t i = 0; i < judged->nr_outcomes; i++) {
		const struct verdict *verdict = &judged->outcomes[i].verdict;

		if (judged->outcomes[i].word != POSTED_WORD_VERDICT ||
		    verdict->word != VERDICT_REGRESSED)
			continue;
		any = true;
		*fraction = fmax(*fraction, verdict->relative ? fabs(verdict->effect) : INFINITY);
	}
	return any;
}
