/* SPDX-License-Identifier: GPL-2.0-only */
/* report/posted.h - verdicts on figures that others posted, laid out. */
#ifndef REPORT_POSTED_H
#define REPORT_POSTED_H

#include "base/strbuf.h"
#include "posted/judge.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct posted_report - all tables of all texts
 * @judged:  judged[n], one a table of @posted, in its order
 * @rule:    what was assumed beside the texts
 * @all:     counters that did not move are shown as well
 * @colour:  verdict words in ANSI colours; the text format's
 */
struct posted_report {
	const struct posted *posted;
	const struct posted_judged *judged;
	size_t n;
	struct posted_rule rule;
	bool all;
	bool colour;
};

/** struct posted_format - one way of laying it out */
struct posted_format {
	const char *name;
	void (*render)(const struct posted_report *report, struct strbuf *sb);
};

/** posted_format_find() - "text", "md", "csv", "json"; NULL if there is none */
const struct posted_format *posted_format_find(const char *name);

extern const struct posted_format posted_format_text;
extern const struct posted_format posted_format_md;
extern const struct posted_format posted_format_csv;
extern const struct posted_format posted_format_json;

#endif
