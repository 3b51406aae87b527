/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_TLBFLUSH_H
#define _ASM_SCHEDPROOF_TLBFLUSH_H

struct mm_struct;
struct vm_area_struct;

#define flush_tlb_all()			 ((void)0)
#define flush_tlb_mm(mm)		 ((void)(mm))
#define flush_tlb_page(vma, at)		 ((void)(vma))
#define flush_tlb_range(vma, from, to)	 ((void)(vma))
#define flush_tlb_kernel_range(from, to) ((void)(from))

#endif
