// SPDX-License-Identifier: GPL-2.0-only
#include "lab/agenda.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

void agenda_make(struct agenda *agenda, const struct lab *lab, const struct progress *progress)
{
	*agenda = (struct agenda){ .lab = lab, .progress = progress };
	agenda->started_ns = agenda_now_ns(agenda);
	agenda->runs = progress_todo(progress, &agenda->n);
	agenda->left = xcalloc(lab->experiment->nr_points, sizeof(*agenda->left));
	for (size_t i = 0; i < agenda->n; i++) {
		agenda->left[agenda->runs[i].point]++;
		agenda->total += !agenda->runs[i].warmup;
	}
}

void agenda_release(struct agenda *agenda)
{
	free(agenda->runs);
	free(agenda->left);
	*agenda = (struct agenda){ 0 };
}

uint64_t agenda_now_ns(const struct agenda *agenda)
{
	const struct lab *lab = agenda->lab;

	return lab->now_ns ? lab->now_ns(lab->ctx) : clock_ns(CLOCK_MONOTONIC);
}

bool agenda_opens_block(const struct agenda *agenda, size_t i)
{
	const struct planned_run *runs = agenda->runs;

	return !runs[i].warmup && (i == 0 || runs[i].block != runs[i - 1].block);
}

static uint64_t spent_ns(const struct agenda *agenda)
{
	return progress_spent_ns(agenda->progress) + agenda_now_ns(agenda) - agenda->started_ns;
}

bool agenda_fits(const struct agenda *agenda, size_t i)
{
	const struct progress *progress = agenda->progress;
	const uint64_t budget = agenda->lab->experiment->budget_ns;
	const int64_t block = agenda->runs[i].block;
	uint64_t need = spent_ns(agenda);

	if (!budget || progress_started(progress, block) || !progress_started(progress, 0))
		return true;
	for (; i < agenda->n && agenda->runs[i].block == block; i++)
		if (!progress_given_up(progress, agenda->runs[i].point))
			need += progress_cost_ns(progress, agenda->runs[i].point);
	return need <= budget;
}

bool agenda_too_late(const struct agenda *agenda)
{
	size_t i = 0;

	while (i < agenda->n && agenda->runs[i].warmup)
		i++;
	return i < agenda->n && !agenda_fits(agenda, i);
}

void agenda_made(struct agenda *agenda, const struct planned_run *made)
{
	agenda->left[made->point]--;
	agenda->done += !made->warmup;
	if (!progress_given_up(agenda->progress, made->point))
		return;
	/* no warm-up run can be among those left, as those don't make a point be given up */
	agenda->total -= agenda->left[made->point];
	agenda->left[made->point] = 0;
}

uint64_t agenda_left_ns(const struct agenda *agenda)
{
	const struct experiment *experiment = agenda->lab->experiment;
	uint64_t spent = spent_ns(agenda), budget = experiment->budget_ns;
	uint64_t rest = budget > spent ? budget - spent : 0;
	uint64_t left = 0;

	if (!experiment->blocks)
		return rest;
	for (size_t i = 0; i < experiment->nr_points; i++) {
		uint64_t cost = progress_cost_ns(agenda->progress, i);

		if (agenda->left[i] && !cost)
			return 0;
		left += agenda->left[i] * cost;
	}
	return budget && rest < left ? rest : left;
}
