/* SPDX-License-Identifier: GPL-2.0-only */
/* report/list_text.h - what the store has, for people. */
#ifndef REPORT_LIST_TEXT_H
#define REPORT_LIST_TEXT_H

#include "base/strbuf.h"
#include "store/store.h"

/**
 * list_text() - append a table of experiments, or one sentence if there is none
 * @rows, @counts: rows[n], counts[n]
 */
void list_text(const struct experiment_row *rows, const struct run_counts *counts, size_t n,
	       struct strbuf *sb);

#endif
