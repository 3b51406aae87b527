/* SPDX-License-Identifier: GPL-2.0-only */
/* report/run_text.h - runs of one workload by themselves, nothing compared: each figure and how much it varied. */
#ifndef REPORT_RUN_TEXT_H
#define REPORT_RUN_TEXT_H

#include "base/strbuf.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * run_text() - append a table of figures, percentiles, notes, and the reasons of those that are not good
 * @title: first line: workload and parameters
 * @runs:  runs[@nr] of one workload
 * @all:   counters as well
 *
 * One run: its figures. Several: median, least and largest of the good ones. Percentiles are those of all samples of
 * all good runs together.
 */
void run_text(const char *title, const struct run_row *runs, size_t nr, bool all,
	      struct strbuf *sb);

#endif
