/* SPDX-License-Identifier: GPL-2.0-only */
/* report/text_rows.h - the tables of the text format. */
#ifndef REPORT_TEXT_ROWS_H
#define REPORT_TEXT_ROWS_H

#include "report/report.h"

/** rows_primary() - verdicts on one variant's primary metrics, with what is to be said of them below */
void rows_primary(const struct report *report, size_t variant, const struct report_style *style,
		  struct strbuf *sb);

/** rows_others() - other metrics and counters that moved, or all; one sentence if there are none to show */
void rows_others(const struct report *report, size_t variant, const struct report_style *style,
		 struct strbuf *sb);

#endif
