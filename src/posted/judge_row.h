/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/judge_row.h - one row, one side against the base. For judge.c alone. */
#ifndef POSTED_JUDGE_ROW_H
#define POSTED_JUDGE_ROW_H

#include "posted/judge.h"
#include "posted/known.h"

/**
 * struct judging - one row, one side against the base
 * @step: of its figures
 */
struct judging {
	const struct posted_table *table;
	const struct posted_row *row;
	const struct posted_rule *rule;
	size_t s;
	enum trial_order order;
	enum better better;
	struct step step;
	struct known a, b;
};

/** outcome_say() - set outcome->why */
void outcome_say(struct posted_outcome *outcome, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Of sides that did not take turns. */
extern const char outcome_in_sequence[];

/** judge_side() - fill @outcome, whose step is set; words that rest on a p wait for all rows */
void judge_side(struct posted_outcome *outcome, const struct judging *judging);

#endif
