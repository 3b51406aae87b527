/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report/across.h - one change on several grounds: the primary rows of a few reports of two variants, one report a machine,
 * judged together, so that a false call anywhere in the table is as rare as in a report of its own.
 */
#ifndef REPORT_ACROSS_H
#define REPORT_ACROSS_H

#include "report/report.h"

struct across;

struct across *across_new(void);
void across_free(struct across *across);

/** across_add() - take over the rows of @report, whose ground is called @ground; both are copied */
void across_add(struct across *across, const char *ground, const struct report *report);

/** across_judge() - all rows among each other, as verdict_adjust() does; after the last across_add() */
void across_judge(struct across *across);

/** across_text() - append the table: a paragraph of rows for each ground */
void across_text(const struct across *across, bool colour, struct strbuf *sb);

/** across_json() - append a line for each row */
void across_json(const struct across *across, struct strbuf *sb);

/** across_worst() - as report_worst(), of all rows */
bool across_worst(const struct across *across, double *fraction);

/**
 * across_pick() - the row that moved most surely: the least p, then the largest effect
 * @ground, @point: set to its texts; borrowed
 *
 * Return: false without any row.
 */
bool across_pick(const struct across *across, const char **ground, const char **point);

#endif
