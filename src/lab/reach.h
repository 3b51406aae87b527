/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/reach.h - what a plan can show at most, known before its first run. */
#ifndef LAB_REACH_H
#define LAB_REACH_H

#include "base/strbuf.h"
#include "lab/experiment.h"

enum plan_reach {
	PLAN_FINDS, /* changes that are large enough; or the number of blocks isn't fixed, or is a sequential rule's */
	PLAN_HARDLY_FINDS, /* each metric alone could become significant, among all of them only by figures of an odd kind */
	PLAN_FINDS_NOTHING, /* whatever the figures */
};

/**
 * plan_reach() - can any primary metric become significant by so many blocks?
 * @alpha: level of the report
 * @why:   appended where they can't: the words that the report would have
 *
 * Judges figures of which each of B is beyond each of A, alike for all metrics, in the plan's own order, as the report does
 * (verdict_adjust()).
 */
enum plan_reach plan_reach(const struct experiment *experiment, double alpha, struct strbuf *why);

#endif
