/* SPDX-License-Identifier: GPL-2.0-only */
/* report/curves.h - points read together: sweeps as a whole, and what is better here and worse there. */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report/report.h"
#include "report/samples.h"
#include "stats/trial.h"

/**
 * curves_judge() - fill report->curves and report->balances from judged primary rows
 * @trials: [nr_points * (nr_variants - 1)], what the primary rows are made from
 *
 * A sweep is the points of one [workload] section, two or more: their labels are alike up to the first blank. In a
 * sequential experiment it goes through looks of its own, which nothing is stopped for.
 */
void curves_judge(struct report *report, const struct samples *samples, const struct trial *trials);

#endif
