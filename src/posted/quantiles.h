/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/quantiles.h - two single runs of which quantiles were posted. */
#ifndef POSTED_QUANTILES_H
#define POSTED_QUANTILES_H

#include "posted/posted.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * quantiles_differ() - are the posted quantiles of side @s all on one side of those of the base?
 * @label: of the distribution's rows
 * @word:  set if they are and @better tells which way is good
 *
 * At least three quantiles, from the median or below to the ninth decile or above, so that the bulk of both runs'
 * samples is apart, whatever their extremes do.
 */
bool quantiles_differ(const struct posted_table *table, const char *label, size_t s,
		      enum verdict_word *word, enum better better);

#endif
