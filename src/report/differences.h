/* SPDX-License-Identifier: GPL-2.0-only */
/* report/differences.h - facts of the environment: in what the variants differ, and what changed on the way. */
#ifndef REPORT_DIFFERENCES_H
#define REPORT_DIFFERENCES_H

#include "base/strbuf.h"
#include "report/report.h"

/**
 * differences_find() - fill report->differences from the facts stored with runs
 * @report: its experiment is set
 * @runs:   runs[n] by position; warm-ups and runs without readable facts are passed over
 * @notes:  a line appended for each fact that changed on the way and was on both sides the same
 */
void differences_find(struct report *report, const struct run_row *runs, size_t n,
		      struct strbuf *notes);

/** facts_list() - fill report->facts from the first session's */
void facts_list(struct report *report);

#endif
