/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/hints.h - what the lines above a table tell of it. */
#ifndef POSTED_HINTS_H
#define POSTED_HINTS_H

#include "base/metric.h"
#include "posted/layout.h"
#include "posted/posted.h"

#include <stddef.h>
#include <stdint.h>

/**
 * struct hints - what the lines above a table, or its comments, say of it
 * @n:      runs a side, 0 if they don't say
 * @spread: kind of a spread that its heading leaves open
 * @unit:   "" if they don't say
 */
struct hints {
	uint64_t n;
	enum better better;
	enum posted_spread spread;
	enum posted_sign sign;
	enum trial_order order; /* TRIAL_RANDOM or TRIAL_UNKNOWN; start with HINTS_NONE */
	char unit[16];
};

#define HINTS_NONE                                                                                 \
	{                                                                                          \
		.order = TRIAL_UNKNOWN                                                             \
	}

/** hints_line() - gather from one line; what was said later counts */
void hints_line(struct hints *hints, const char *s);

/** hints_above() - gather from up to 12 lines above @at that no table has taken */
void hints_above(struct hints *hints, const struct reading *reading, size_t at);

/** hints_apply() - to rows and sides of @table that have none of their own */
void hints_apply(const struct hints *hints, struct posted_table *table);

#endif
