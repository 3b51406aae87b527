/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report/support.h - what a cell of somebody else's table may say. Those tables have a percent in each row, and some
 * of them a star; here a percent stands only where the verdict supports it, and NO_CHANGE everywhere else.
 */
#ifndef REPORT_SUPPORT_H
#define REPORT_SUPPORT_H

#include "report/report.h"

#define NO_CHANGE "~"

/** row_called() - the verdict says improved or regressed */
bool row_called(const struct report_row *row);

/**
 * row_mean_change() - (B - A) / A of the means, for a row that is called or a counter that moved
 * @fraction: filled on success
 *
 * Return: false where the verdict supports no change, A's mean is not positive, or the means differ the other way
 * than the verdict's effect.
 */
bool row_mean_change(const struct report_row *row, double *fraction);

/** row_median_change() - the same of the medians */
bool row_median_change(const struct report_row *row, double *fraction);

/** row_mean_gain() - row_mean_change() with the sign turned so that + is better; only of a row that is called */
bool row_mean_gain(const struct report_row *row, double *fraction);

/** side_cv() - standard deviation in percent of the mean, 0 where that is 0 */
double side_cv(const struct side *side);

/**
 * row_scale() - the multiple in which the figures of all variants of a row are written; counts stay as they are
 * @rows:   rows[n]: those of one point and metric
 * @suffix: its name: "ms", "k/s", ""; static
 */
double row_scale(const struct report_row *rows, size_t n, const char **suffix);

/** row_name() - append "hackbench.groups=4.time.ms": point, metric, unit joined by @joint; "%" stands without one */
void row_name(struct strbuf *sb, const struct report_row *row, char joint, const char *suffix);

/**
 * row_load() - append the swept parameters of a point as "4-groups"
 *
 * Return: false where the label has none; then nothing was appended.
 */
bool row_load(struct strbuf *sb, const char *point);

/** row_case() - append what is in front of them: the workload, or what its section is called */
void row_case(struct strbuf *sb, const char *point);

/** row_group() - how many rows, one for each variant behind the first, belong together; 0 if there is no such variant */
size_t row_group(const struct report *report);

/** primary_groups() - number of groups of primary rows; group i begins at rows[i * row_group()] */
size_t primary_groups(const struct report *report);

/** group_base() - A's figures in a group of @n rows, NULL if none has any: one variant may lack what others have */
const struct side *group_base(const struct report_row *rows, size_t n);

/** report_side_of() - runs of a row's point under @variant; NULL where they are not known */
const struct report_side *report_side_of(const struct report *report, const char *point,
					 size_t variant);

/** report_point_of() - the point of a row, NULL if it is none of the experiment's */
const struct point_row *report_point_of(const struct report *report, const char *point);

/** experiment_simulated() - are its runs simulated? Then the settings of every variant say so */
bool experiment_simulated(const struct experiment_row *experiment);

/** report_fact() - its value in the first session, or NULL */
const char *report_fact(const struct report *report, const char *name);

#endif
