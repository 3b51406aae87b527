/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_PROCESSOR_H
#define _ASM_SCHEDPROOF_PROCESSOR_H
#ifndef __ASSEMBLY__
#include <linux/compiler.h>
struct task_struct;
struct pt_regs;
struct thread_struct {
	unsigned long dummy;
};
#define INIT_THREAD                                                                                \
	{                                                                                          \
		0                                                                                  \
	}
#define TASK_SIZE	   0x7ffffffff000UL
#define STACK_TOP	   TASK_SIZE
#define STACK_TOP_MAX	   TASK_SIZE
#define TASK_UNMAPPED_BASE (TASK_SIZE / 3)
#define cpu_relax()	   barrier()
#define task_pt_regs(t)	   ((struct pt_regs *)0)
#define KSTK_EIP(t)	   0UL
#define KSTK_ESP(t)	   0UL
#define start_thread(r, pc, sp)                                                                    \
	do {                                                                                       \
	} while (0)
extern unsigned long __get_wchan(struct task_struct *p);
#endif
#endif
