/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/select.h - on which CPU a fair task wakes up, starts or goes on. */
#ifndef SCHED_SELECT_H
#define SCHED_SELECT_H

#include "sched/model.h"

/**
 * select_task_rq_fair() - the hook of the fair class
 * @prev:       where it was; task.wake_cpu for a wakeup
 * @wake_flags: WAKE_TTWU, WAKE_FORK or WAKE_EXEC tells why; WAKE_SYNC
 *
 * The waker is what runs on CPU m->cpu; its and @p's counts of wakeups to many are kept here (task.wakee_flips). The answer
 * may be a CPU that isn't allowed or active; the caller looks. Nothing is moved.
 */
uint32_t select_task_rq_fair(struct model *m, struct task *p, uint32_t prev,
			     unsigned int wake_flags);

/** update_idle_core() - @rq begins to idle: where its siblings idle too, its LLC has an idle core */
void update_idle_core(struct rq *rq);

#endif
