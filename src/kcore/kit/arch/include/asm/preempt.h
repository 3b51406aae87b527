/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The preempt count is one for all: an event that begins in a task's context begins with 0 and ends with it, whatever
 * was switched to meanwhile. Nothing switches by itself: preempt_enable() never calls the scheduler, which is left to
 * the end of the event.
 */
#ifndef _ASM_SCHEDPROOF_PREEMPT_H
#define _ASM_SCHEDPROOF_PREEMPT_H

#include <linux/thread_info.h>

#define PREEMPT_ENABLED 0

extern int kit_preempt_count;

#define preempt_count()			   kit_preempt_count
#define preempt_count_set(count)	   ((void)(kit_preempt_count = (count)))
#define init_task_preempt_count(task)	   ((void)(task))
#define init_idle_preempt_count(task, cpu) ((void)(task))
#define set_preempt_need_resched()	   ((void)0)
#define clear_preempt_need_resched()	   ((void)0)
#define test_preempt_need_resched()	   false
#define __preempt_count_add(value)	   ((void)(kit_preempt_count += (value)))
#define __preempt_count_sub(value)	   ((void)(kit_preempt_count -= (value)))
#define __preempt_count_add_return(value)  (kit_preempt_count += (value))
#define __preempt_count_sub_return(value)  (kit_preempt_count -= (value))
#define __preempt_count_dec_and_test()	   (!--kit_preempt_count && tif_need_resched())
#define should_resched(offset)		   (kit_preempt_count == (offset) && tif_need_resched())
#define __preempt_schedule()		   ((void)0)
#define __preempt_schedule_notrace()	   ((void)0)

#ifdef CONFIG_PREEMPTION
extern asmlinkage void preempt_schedule(void);
extern asmlinkage void preempt_schedule_notrace(void);
#endif

#endif
