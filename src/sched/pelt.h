/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/pelt.h - per-entity load tracking: geometric averages over periods of 1024 us-like units of 1024 ns, in which half is
 * forgotten after 32 periods. Integers throughout, in the kernel's order of operations. Pure functions on one average;
 * which clock it follows is sched/clock.h's, how tasks and queues carry theirs is sched/fair_load.c's.
 */
#ifndef SCHED_PELT_H
#define SCHED_PELT_H

#include <stdbool.h>
#include <stdint.h>

#define PELT_PERIOD	 1024U	/* units of 1024 ns */
#define PELT_MAX	 47742U /* the greatest sum of a whole number of periods */
#define PELT_MIN_DIVIDER (PELT_MAX - PELT_PERIOD)

/**
 * struct pelt - an average
 * @last_update_ns: of the clock it follows, whole units; 0 where it belongs to no queue now
 * @contrib:        units of the current period that have been counted
 *
 * An entity's load_sum is unweighted; a queue's has the weights in it.
 */
struct pelt {
	uint64_t last_update_ns;
	uint64_t load_sum;
	uint64_t runnable_sum;
	uint32_t util_sum;
	uint32_t contrib;
	uint64_t load_avg;
	uint64_t runnable_avg;
	uint64_t util_avg;
};

/** pelt_decay() - @value after @periods periods */
uint64_t pelt_decay(uint64_t value, uint64_t periods);

/** pelt_add() - @units count that lie in the current period */
static inline void pelt_add(struct pelt *pelt, uint32_t units, uint64_t load, uint64_t runnable,
			    bool running)
{
	pelt->load_sum += load * units;
	pelt->runnable_sum += runnable * units << 10;
	if (running)
		pelt->util_sum += units << 10;
}

/** pelt_pass() - pelt_accumulate() of @units of 1024 ns in which a period ends */
void pelt_pass(struct pelt *pelt, uint64_t units, uint64_t load, uint64_t runnable, bool running);

/**
 * pelt_accumulate() - count the time up to @now_ns
 * @load:     that was present, as a factor; 0: neither runnable nor running either
 * @runnable: tasks that were runnable
 *
 * Mostly called anew before a period has passed. Return: whether one ended, so that the averages are due.
 */
static inline bool pelt_accumulate(struct pelt *pelt, uint64_t now_ns, uint64_t load,
				   uint64_t runnable, bool running)
{
	int64_t delta = (int64_t)(now_ns - pelt->last_update_ns);
	uint64_t units = (uint64_t)delta >> 10;

	if (delta < 0)
		pelt->last_update_ns = now_ns;
	if (delta < 1024)
		return false;
	pelt->last_update_ns += units << 10;
	if (units + pelt->contrib >= PELT_PERIOD) {
		pelt_pass(pelt, units, load, runnable, running);
		return true;
	}
	if (load)
		pelt_add(pelt, (uint32_t)units, load, runnable, running);
	pelt->contrib += (uint32_t)units;
	return false;
}

/** pelt_divider() - what a sum is divided by at this point of a period */
static inline uint32_t pelt_divider(const struct pelt *pelt)
{
	return PELT_MIN_DIVIDER + pelt->contrib;
}

/** pelt_average() - the averages from the sums; @weight of an entity, 1 of a queue */
void pelt_average(struct pelt *pelt, uint64_t weight);

#endif
