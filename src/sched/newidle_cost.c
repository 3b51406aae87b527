// SPDX-License-Identifier: GPL-2.0-only
#include "sched/newidle_cost.h"

#include "sched/lb_interval.h"

#define FOLD 1024 /* calls, and the scale of the ratio */

void newidle_init(struct newidle *n, uint64_t jiffies, uint64_t now_ns)
{
	*n = (struct newidle){
		.last_decay = jiffies,
		.call = FOLD / 2,
		.success = FOLD / 4,
		.ratio = FOLD / 2,
		.stamp_ns = now_ns,
	};
}

void newidle_count(struct newidle *n, uint32_t success, uint64_t now_ns, bool rate)
{
	n->call++;
	n->success += success;
	if (n->call < FOLD)
		return;
	n->ratio = n->success;
	if (rate) {
		/* 2^22 ns: four milliseconds are worth one of 1024 */
		uint64_t ratio = n->ratio + ((now_ns - n->stamp_ns) >> 22);

		n->ratio = ratio < FOLD ? (uint32_t)ratio : FOLD;
		n->stamp_ns = now_ns;
	}
	n->call /= 2;
	n->success /= 2;
}

uint32_t newidle_worth(const struct newidle *n)
{
	uint32_t weight = 1 + n->ratio;

	return (FOLD + weight / 2) / weight;
}

bool newidle_skips(const struct newidle *n, uint32_t dice, bool rate)
{
	if (rate && n->ratio >= FOLD)
		return false;
	return dice > 1 + n->ratio;
}

bool newidle_enter(struct newidle *n, const struct newidle_pass *pass)
{
	uint64_t cost = pass->cost_ns;
	bool bump = pass->rule == NEWIDLE_BUMP;

	if (bump && !pass->periodic && !pass->moved)
		cost = 3 * n->max_cost_ns / 2;
	if (cost > n->max_cost_ns) {
		n->max_cost_ns = bump && cost > pass->limit_ns ? pass->limit_ns : cost;
		n->last_decay = pass->jiffies;
		return false;
	}
	if (!jiffies_after(pass->jiffies, n->last_decay + pass->hz))
		return false;
	n->max_cost_ns = n->max_cost_ns * 253 / 256;
	n->last_decay = pass->jiffies;
	return true;
}

void avg_idle_enter(uint64_t *avg_ns, uint64_t ns, uint64_t max_idle_balance_cost_ns)
{
	average_eighth(avg_ns, ns);
	if (*avg_ns > 2 * max_idle_balance_cost_ns)
		*avg_ns = 2 * max_idle_balance_cost_ns;
}
