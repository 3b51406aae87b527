/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/trace_text.h - what a trace shows, as tables and as JSON. */
#ifndef CMD_TRACE_TEXT_H
#define CMD_TRACE_TEXT_H

#include "base/strbuf.h"
#include "trace/analyse.h"
#include "trace/read.h"

/**
 * trace_text() - append tables of at most PAGE_WIDTH columns
 * @name: of the file
 * @rows: most rows of a table
 */
void trace_text(const struct analysis *a, const struct trace_found *found, const char *name,
		size_t rows, struct strbuf *sb);

/** trace_json() - append the same as one line; tasks and CPUs in full */
void trace_json(const struct analysis *a, const struct trace_found *found, size_t rows,
		struct strbuf *sb);

#endif
