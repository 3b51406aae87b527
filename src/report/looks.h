/* SPDX-License-Identifier: GPL-2.0-only */
/* report/looks.h - the primary rows of a sequential experiment, which is looked at after each block. */
#ifndef REPORT_LOOKS_H
#define REPORT_LOOKS_H

#include "report/report.h"
#include "report/samples.h"
#include "stats/sequential.h"

#define LOOKS_DRAWS	1999
#define LOOKS_MIN_UNITS 6 /* of each side before the first look */

/** looks_rule() - how a row is looked at that has one of @shares equal shares of the level */
struct sequential_rule looks_rule(const struct experiment_row *experiment, size_t shares);

/**
 * looks_judge() - judge rows[n] by the looks so far
 * @trials: trials[n], what each row is made from
 *
 * Each row has its share of the level, REPORT_ALPHA / n. A row's verdict is that of the look that ended it. A change
 * is called where it crossed the boundary, equivalent where the interval lies within experiment.until.
 */
void looks_judge(struct report *report, const struct samples *samples, const struct trial *trials,
		 size_t n);

/** looks_enough() - why no more blocks are needed, the caller's to free; NULL where they are */
char *looks_enough(const struct report *report);

#endif
