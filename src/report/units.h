/* SPDX-License-Identifier: GPL-2.0-only */
/* report/units.h - runs and environments of each side. */
#ifndef REPORT_UNITS_H
#define REPORT_UNITS_H

#include "report/report.h"

/**
 * units_collect() - fill report->sides and report->environments
 * @report: its experiment is set
 * @runs:   runs[n] by position; warm-ups among them are passed over
 */
void units_collect(struct report *report, const struct run_row *runs, size_t n);

#endif
