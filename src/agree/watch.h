/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * agree/watch.h - what must always hold, of either core, whether or not they agree:
 *
 * - a CPU switches from whom it has; a task is on one CPU, moves from where it is, and not while it runs; the core's state says the same
 * - who is to run is queued, WATCH_LOST_NS after it was woken up at the latest; who sleeps isn't, unless its dequeue is delayed. A
 *   queue counts as many fair tasks as say that they are on it
 * - a task's runtime grows only, and is the time it had; all runtimes together are the time that CPUs were busy. They differ by
 *   WATCH_SWITCH_NS at most, as long as an IPI takes, a switch: a kernel that knows that a switch is due doesn't look at its clock again;
 *   and by a tick for each of the two switches after new-idle balancing. What one lacks the next one has, so of all together only switches from and to idle count
 * - utilisation and runnable averages are 1024 at most, a load average the weight; the lag of one that sleeps is within WATCH_SLICES slices or
 *   ticks by its weight, the vruntime of one that is queued within as many of the least weight there is of its queue's
 * - nobody waits for longer than WATCH_IDLE_NS while a CPU that it may run on idles all that time
 *
 * They are looked after in every run; a breach ends it as failed. The same is checked of simulated runs by sim/checks.h, whose tasks
 * and CPUs these aren't.
 */
#ifndef AGREE_WATCH_H
#define AGREE_WATCH_H

#include "agree/pair.h"

#define WATCH_LOST_NS	UINT64_C(10000)
#define WATCH_SWITCH_NS 1000
#define WATCH_SLICES	8
#define WATCH_IDLE_NS	UINT64_C(50000000)

struct agree_watch *agree_watch_new(const struct agree_pair *pair);
void agree_watch_free(struct agree_watch *watch);

/** agree_watch_op() - @op is about to be done */
void agree_watch_op(struct agree_pair *pair, const struct agree_op *op);

/** agree_watch_event() - an event is over: what both said, and the states of what it touched, or of @all */
void agree_watch_event(struct agree_pair *pair, bool all);

/** agree_watch_gone() - @task is about to be freed; agree_watch_end() - the end of a run */
void agree_watch_gone(struct agree_pair *pair, uint32_t task);
void agree_watch_end(struct agree_pair *pair);

#endif
