/* SPDX-License-Identifier: GPL-2.0-only */
/* report/posted_groups.h - which rows of a judged table are shown, and which of them together. */
#ifndef REPORT_POSTED_GROUPS_H
#define REPORT_POSTED_GROUPS_H

#include "report/posted.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct selection - what the rows of one side have, which decides on the columns
 * @same_n:  all rows have @n runs a side
 * @grouped: rows are set in groups of their own
 * @hidden:  counters that are not shown
 */
struct selection {
	const struct posted_report *report;
	const struct posted_judged *judged;
	size_t s;
	bool any_ci, any_can_show, any_needs;
	bool same_n, grouped;
	uint64_t n;
	size_t hidden;
};

/**
 * struct rows - rows [from, to) that are set in one table: their labels begin alike, and they share unit, direction and
 *               number of runs
 * @prefix: bytes of the label that stand once above them
 */
struct rows {
	size_t from, to;
	size_t prefix;
};

/** selection_look() - fill all but report, judged and s */
void selection_look(struct selection *selection);

/** selection_shows() - is row @r shown? */
bool selection_shows(const struct selection *selection, size_t r);

/** selection_runs() - behind a figure of side @s in row @r, 0 if not known */
uint64_t selection_runs(const struct selection *selection, size_t r, size_t s);

/** selection_group() - the group that begins with row @from */
struct rows selection_group(const struct selection *selection, size_t from);

/** group_heading() - "hackbench s (low), 50 runs"; the caller's to free */
char *group_heading(const struct selection *selection, const struct rows *rows);

/** group_full_label() - label and metric of a row; the caller's to free */
char *group_full_label(const struct posted_row *row);

#endif
