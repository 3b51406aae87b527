/* SPDX-License-Identifier: GPL-2.0-only */
/* report/shifts.h - how the distributions inside runs differ: each quantile one figure a unit, all of them together. */
#ifndef REPORT_SHIFTS_H
#define REPORT_SHIFTS_H

#include "report/report.h"
#include "report/samples.h"

/**
 * shifts_judge() - fill report->shifts
 * @report: its experiment and pools are set
 *
 * Blocks that lack a side are left out. Without a random order there are effects and no bands.
 */
void shifts_judge(struct report *report, const struct samples *samples);

#endif
