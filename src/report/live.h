/* SPDX-License-Identifier: GPL-2.0-only */
/* report/live.h - the running estimate below a progress bar. */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include "report/report.h"

/**
 * live_text() - append an estimate of each primary metric, on one line of at most @width columns
 *
 * "hackbench time -2.1% [-3.0,-1.2] 34:1  +2 more"; nothing of a metric that has no interval yet: a percent by itself is
 * read as a change. Behind it stands what a bet on the coin inside each block has grown to (stats/eprocess.h), at its best:
 * at 20:1 there is a change, and looking at it any number of times does no harm.
 */
void live_text(const struct report *report, size_t width, struct strbuf *sb);

#endif
