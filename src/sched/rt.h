/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/rt.h - FIFO and RR: the highest priority runs, on the CPU whose own is lowest. No throttling. */
#ifndef SCHED_RT_H
#define SCHED_RT_H

#include "sched/model.h"

/** rt_update_load_avg() - avg_rt up to the clock; @running: an RT task ran since. True: it decayed */
bool rt_update_load_avg(struct rq *rq, bool running);

/** rt_pull() - @rq runs out of RT tasks: take one that waits elsewhere and may run here */
void rt_pull(struct rq *rq);

/** rt_push() - RT tasks that wait on @rq go where a lower priority runs */
void rt_push(struct rq *rq);

/** rr_slice() - ticks an RR task has before the next of its priority */
uint32_t rr_slice(const struct model *m);

#endif
