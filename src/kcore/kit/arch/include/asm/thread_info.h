/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_THREAD_INFO_H
#define _ASM_SCHEDPROOF_THREAD_INFO_H
#define THREAD_SHIFT	  12
#define THREAD_SIZE	  (1UL << THREAD_SHIFT)
#define THREAD_SIZE_ORDER 0
#ifndef __ASSEMBLY__
#include <linux/types.h>
struct thread_info {
	unsigned long flags;
	unsigned long syscall_work;
	u32 cpu;
};
#define INIT_THREAD_INFO(t)                                                                        \
	{                                                                                          \
		.flags = 0                                                                         \
	}
#endif
#define TIF_SYSCALL_TRACE   0
#define TIF_NOTIFY_RESUME   1
#define TIF_SIGPENDING	    2
#define TIF_NEED_RESCHED    3
#define TIF_RESTORE_SIGMASK 4
#define TIF_NOTIFY_SIGNAL   5
#define TIF_POLLING_NRFLAG  6
#define TIF_MEMDIE	    7
#define TIF_UPROBE	    8
#define _TIF_SYSCALL_TRACE  (1 << TIF_SYSCALL_TRACE)
#define _TIF_NOTIFY_RESUME  (1 << TIF_NOTIFY_RESUME)
#define _TIF_SIGPENDING	    (1 << TIF_SIGPENDING)
#define _TIF_NEED_RESCHED   (1 << TIF_NEED_RESCHED)
#define _TIF_NOTIFY_SIGNAL  (1 << TIF_NOTIFY_SIGNAL)
#define _TIF_POLLING_NRFLAG (1 << TIF_POLLING_NRFLAG)
#define _TIF_UPROBE	    (1 << TIF_UPROBE)
#endif
