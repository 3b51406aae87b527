/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/lb_interval.h - how often a domain is balanced. Jiffies are ticks since boot. */
#ifndef SCHED_LB_INTERVAL_H
#define SCHED_LB_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#define LB_BUSY_FACTOR	   16
#define LB_PINNED_INTERVAL 512 /* ms: up to there a domain backs off whose tasks are all pinned */

/** lb_max_interval() - jiffies that no domain of a machine exceeds */
static inline uint64_t lb_max_interval(unsigned int hz, unsigned int nr_online)
{
	return (uint64_t)hz * nr_online / 10;
}

/**
 * lb_interval() - jiffies from one balancing to the next
 * @ms:   balance_interval
 * @max:  lb_max_interval()
 * @busy: the CPU is; then a jiffy less, so that levels don't come at the same time
 */
uint64_t lb_interval(uint64_t ms, bool busy, unsigned int hz, uint64_t max);

/** jiffies_reached(), jiffies_after() - of times that may lie either side of another */
static inline bool jiffies_reached(uint64_t now, uint64_t when)
{
	return (int64_t)(now - when) >= 0;
}

static inline bool jiffies_after(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) > 0;
}

#endif
