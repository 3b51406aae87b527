/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/known.h - what is known of a side's figure, in one form whatever was posted. */
#ifndef POSTED_KNOWN_H
#define POSTED_KNOWN_H

#include "posted/judge.h"
#include "posted/posted.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct known - one side's figure
 * @centre:  mean, or median of its runs, if @has_centre
 * @sd:      standard deviation of its runs, if @has_sd
 * @se:      standard error of the centre, if @has_se
 * @by_n:    @sd was divided by a number of runs that is not known
 * @n:       runs, 0 if nobody told
 */
struct known {
	bool has_centre, has_sd, has_se, by_n;
	double centre, sd, se;
	size_t n;
};

/** known_of() - @rule tells n where the text does not */
void known_of(struct known *known, const struct posted_side *side, const struct posted_rule *rule);

/** known_check() - note in @table where its figures contradict each other */
void known_check(struct posted_table *table);

/**
 * struct step - least difference that figures can show
 * @printed: of their decimals
 * @step:    that, or the tool's own where that is larger: @tool
 */
struct step {
	double printed, step;
	bool tool;
};

/**
 * known_steps() - of all rows
 * @steps: filled, steps[table->nr_rows]
 *
 * The decimals are those of neighbouring rows that begin with the same word, since trailing zeros may have been left
 * out.
 */
void known_steps(struct step *steps, const struct posted_table *table);

#endif
