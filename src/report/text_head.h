/* SPDX-License-Identifier: GPL-2.0-only */
/* report/text_head.h - what stands above the figures of every plain text: what was compared, and how. */
#ifndef REPORT_TEXT_HEAD_H
#define REPORT_TEXT_HEAD_H

#include "report/report.h"

/** head_warnings() - append the differences that nobody asked for, and a blank line, if there are any */
void head_warnings(const struct report *report, struct strbuf *sb);

/** head_variants() - append "  A = base: nothing changed", a line for each variant */
void head_variants(const struct report *report, struct strbuf *sb);

/** head_units() - append "10 runs a side", of the first row that has figures */
void head_units(const struct report *report, struct strbuf *sb);

/** head_order() - append how the sides followed each other, with the seed, within a line */
void head_order(const struct report *report, struct strbuf *sb);

/** head_warmup() - append which points took two runs more than their warm-up to settle, a line each */
void head_warmup(const struct report *report, struct strbuf *sb);

/** head_experiment() - append name and time, variants, counts and order */
void head_experiment(const struct report *report, struct strbuf *sb);

/** head_failures() - append what failed where, and how often with the verdicts on that, if anything did */
void head_failures(const struct report *report, struct strbuf *sb);

/**
 * head_foreign() - append what the header of somebody else's layout has to state, each line behind @mark
 * @mark: "" or "# "
 * @how:  sign convention and denominator, one sentence or more
 *
 * What A and B are, units and their count, order, @how.
 */
void head_foreign(const struct report *report, const char *mark, const char *how,
		  struct strbuf *sb);

/**
 * head_remarks() - append what the cells of somebody else's layout can't say, each line behind @mark: what "~" stands
 * for, trade-offs and sweeps, and every primary row that is neither improved nor regressed nor simply inconclusive, with its reason
 */
void head_remarks(const struct report *report, const char *mark, struct strbuf *sb);

#endif
