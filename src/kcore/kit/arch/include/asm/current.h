/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_CURRENT_H
#define _ASM_SCHEDPROOF_CURRENT_H
#ifndef __ASSEMBLY__
struct task_struct;
extern struct task_struct *kit_current;
#define get_current() kit_current
#define current	      kit_current
#endif
#endif
