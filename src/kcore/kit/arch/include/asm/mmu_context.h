/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_MMU_CONTEXT_H
#define _ASM_SCHEDPROOF_MMU_CONTEXT_H
struct mm_struct;
struct task_struct;
static inline void switch_mm(struct mm_struct *p, struct mm_struct *n, struct task_struct *t)
{
}
#include <asm-generic/mmu_context.h>
#endif
