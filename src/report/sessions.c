// SPDX-License-Identifier: GPL-2.0-only
#include "report/sessions.h"

#include "base/mem.h"
#include "stats/blocks.h"
#include "stats/compare.h"

#include <math.h>
#include <stdlib.h>

/* Units first ... end - 1 are one session's; of a block that it shares with a neighbour none is taken. */
static struct trial trial_of(const struct row_units *units, const struct trial *all, size_t first,
			     size_t end)
{
	struct trial trial = *all;
	size_t from = first, to = end;

	while (from < to && first && units->block[from] == units->block[first - 1])
		from++;
	while (to > from && end < units->n && units->block[to - 1] == units->block[end])
		to--;
	trial.value += from;
	trial.side += from;
	trial.block += from;
	trial.n = to - from;
	return trial;
}

static void add_effect(struct report_row *row, const struct trial *trial)
{
	struct row_sessions *sessions = &row->sessions;
	struct blocks blocks;
	double effect;

	blocks_init(&blocks, trial);
	if (blocks.nr && blocks.relative == row->verdict.relative) {
		effect = compare_effect(&blocks);
		if (blocks.relative)
			effect = expm1(effect);
		sessions->effect =
			xreallocarray(sessions->effect, sessions->n + 1, sizeof(*sessions->effect));
		sessions->effect[sessions->n++] = effect;
		sessions->agree += effect * row->verdict.effect > 0;
	}
	blocks_release(&blocks);
}

void sessions_agree(struct report_row *row, const struct trial *trial)
{
	const struct row_units *units = &row->units;

	if (trial->order != TRIAL_RANDOM || trial->unit_is_boot || !row->verdict.has_effect)
		return;
	for (size_t first = 0, end; first < units->n; first = end) {
		struct trial part;

		for (end = first + 1;
		     end < units->n && units->session[end] == units->session[first];)
			end++;
		part = trial_of(units, trial, first, end);
		if (part.n)
			add_effect(row, &part);
	}
	if (row->sessions.n < 2) {
		free(row->sessions.effect);
		row->sessions = (struct row_sessions){ 0 };
	}
}
