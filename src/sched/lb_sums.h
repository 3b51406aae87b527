/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/lb_sums.h - numbers of groups without a look at each of their CPUs. What the balancer sums up changes only where something
 * happened; so each runqueue that changed is noted (rq_changed()), and before sums are read the differences are added to
 * the groups it is in. The sums are exactly those that a walk over the CPUs would give.
 */
#ifndef SCHED_LB_SUMS_H
#define SCHED_LB_SUMS_H

#include "sched/domain.h"

/** lb_sums_new() - new domains: of @d's groups, from their CPUs as they are now */
void lb_sums_new(struct model *m, struct domains *d);

/** lb_sums_update() - take in all that changed; O(CPUs that did, by the groups they are in) */
void lb_sums_update(struct model *m, const struct domains *d);

/** lb_look() - the numbers of a runqueue as it is now */
struct lb_sums lb_look(const struct rq *rq);

/** lb_sums_add(), lb_sums_take() - more, and less again. Unsigned, so a difference below 0 comes out right in the end */
static inline void lb_sums_add(struct lb_sums *sums, const struct lb_sums *more)
{
	sums->load += more->load;
	sums->runnable += more->runnable;
	sums->util += more->util;
	sums->nr_running += more->nr_running;
	sums->nr_fair += more->nr_fair;
	sums->idle_cpus += more->idle_cpus;
	sums->nr_over += more->nr_over;
	sums->nr_odd += more->nr_odd;
}

static inline void lb_sums_take(struct lb_sums *sums, const struct lb_sums *less)
{
	sums->load -= less->load;
	sums->runnable -= less->runnable;
	sums->util -= less->util;
	sums->nr_running -= less->nr_running;
	sums->nr_fair -= less->nr_fair;
	sums->idle_cpus -= less->idle_cpus;
	sums->nr_over -= less->nr_over;
	sums->nr_odd -= less->nr_odd;
}

#endif
