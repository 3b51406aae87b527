/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/newidle_cost.h - is new-idle balancing worth its cost? What a domain's passes took, how often they found something, and
 * how long the CPU idles on average.
 */
#ifndef SCHED_NEWIDLE_COST_H
#define SCHED_NEWIDLE_COST_H

#include "sched/feature.h"

/**
 * struct newidle - of a domain
 * @max_cost_ns: what a pass may take
 * @last_decay:  jiffies
 * @call, @success: passes, and those that moved a task, by their worth; both halved when 1024 are reached
 * @ratio:       passes of 1024 that are made
 * @stamp_ns:    when they were last halved
 */
struct newidle {
	uint64_t max_cost_ns;
	uint64_t last_decay;
	uint32_t call;
	uint32_t success;
	uint32_t ratio;
	uint64_t stamp_ns;
};

/** newidle_init() - of a domain that was just built */
void newidle_init(struct newidle *n, uint64_t jiffies, uint64_t now_ns);

/**
 * newidle_count() - a pass, or one that was not made
 * @success: its worth, newidle_worth(); 0: it moved nothing
 * @rate:    feature newidle.rate: what little is tried is tried more often as time goes by
 */
void newidle_count(struct newidle *n, uint32_t success, uint64_t now_ns, bool rate);

/** newidle_worth() - of a pass that found something, so that rare passes count for those not made */
uint32_t newidle_worth(const struct newidle *n);

/**
 * newidle_skips() - does the dice say no?
 * @dice: 0 .. 1023
 */
bool newidle_skips(const struct newidle *n, uint32_t dice, bool rate);

/**
 * struct newidle_pass - what there is to enter
 * @rule:     feature newidle.cost: NEWIDLE_BUMP raises the cost of a pass that moved nothing by half
 * @cost_ns:  it took
 * @periodic: none was made: the periodic balancer looks in
 * @moved:    it moved a task
 * @limit_ns: of NEWIDLE_BUMP: a little above the cost of a migration
 * @hz, @jiffies: for the decay
 */
struct newidle_pass {
	uint8_t rule;
	uint64_t limit_ns;
	uint64_t cost_ns;
	bool periodic;
	bool moved;
	unsigned int hz;
	uint64_t jiffies;
};

/** newidle_enter() - the cost of a pass. Return: it decayed */
bool newidle_enter(struct newidle *n, const struct newidle_pass *pass);

/** average_eighth() - *avg moves towards @sample by an eighth, towards 0 rounded */
static inline void average_eighth(uint64_t *avg, uint64_t sample)
{
	*avg = (uint64_t)((int64_t)*avg + ((int64_t)sample - (int64_t)*avg) / 8);
}

/** avg_idle_enter() - the CPU idled for @ns; the average stays below twice the cost of a whole balancing */
void avg_idle_enter(uint64_t *avg_ns, uint64_t ns, uint64_t max_idle_balance_cost_ns);

#endif
