/* SPDX-License-Identifier: GPL-2.0-only */
/* report/rows.h - every metric of every point, one variant against the base, judged. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/report.h"
#include "report/samples.h"

#include <stdbool.h>

/**
 * rows_make() - fill report->rows and nr_judged
 * @report: its experiment is set
 * @all:    else primary rows only
 */
void rows_make(struct report *report, const struct samples *samples, bool all);

#endif
