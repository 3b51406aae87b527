/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree's own trace points, which are empty here, but for two of which the host is told: kernel/trace.c. */
#include_next <trace/events/sched.h>

#ifndef _ASM_SCHEDPROOF_TRACE_SCHED_H
#define _ASM_SCHEDPROOF_TRACE_SCHED_H

struct task_struct;

extern void kit_trace_switch(struct task_struct *prev, struct task_struct *next);
extern void kit_trace_migrate(struct task_struct *task, unsigned int to);

#define trace_sched_switch(preempt, prev, next, ...) kit_trace_switch(prev, next)
#define trace_sched_migrate_task(task, to)	     kit_trace_migrate(task, to)

#endif
