/* SPDX-License-Identifier: GPL-2.0-only */
/* report/settle.h - where runs have settled after a session began, found by rule and cut by position. */
#ifndef REPORT_SETTLE_H
#define REPORT_SETTLE_H

#include "report/report.h"

/**
 * settle_runs() - find where each point's runs have settled
 * @input: runs of its variants and points only. Where the unit is the boot and the number of blocks is fixed, warm-up runs of places
 *         behind the one found become runs of their boot: all of that place, whatever their figures
 *
 * A place is a run's number among those of its session, variant and point, warm-up first. What a place is off the
 * level is the median over all sessions and variants, so both sides are decided together; of these the rule is
 * warmup_runs(), which may find more than were left out.
 *
 * Return: settled[nr_points], the caller's to free.
 */
struct report_settled *settle_runs(struct report_input *input);

#endif
