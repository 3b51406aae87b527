/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_PAGE_H
#define _ASM_SCHEDPROOF_PAGE_H
#include <linux/const.h>
#include <linux/version.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#include <vdso/page.h>
#else
#define PAGE_SHIFT 12
#ifdef __ASSEMBLY__
#define PAGE_SIZE (1 << PAGE_SHIFT)
#else
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#endif
#define PAGE_MASK (~(PAGE_SIZE - 1))
#endif
#ifndef __ASSEMBLY__
#define HPAGE_SHIFT		    21
#define HPAGE_SIZE		    (1UL << HPAGE_SHIFT)
#define HPAGE_MASK		    (~(HPAGE_SIZE - 1))
#define PAGE_OFFSET		    0UL
#define clear_page(p)		    memset((p), 0, PAGE_SIZE)
#define copy_page(t, f)		    memcpy((t), (f), PAGE_SIZE)
#define clear_user_page(p, v, pg)   clear_page(p)
#define copy_user_page(t, f, v, pg) copy_page(t, f)
typedef struct {
	unsigned long pte;
} pte_t;
typedef struct {
	unsigned long pgd;
} pgd_t;
typedef struct {
	unsigned long pgprot;
} pgprot_t;
typedef struct page *pgtable_t;
#define pte_val(x)	((x).pte)
#define pgd_val(x)	((x).pgd)
#define pgprot_val(x)	((x).pgprot)
#define __pte(x)	((pte_t){ (x) })
#define __pgd(x)	((pgd_t){ (x) })
#define __pgprot(x)	((pgprot_t){ (x) })
#define __pa(x)		((unsigned long)(x))
#define __va(x)		((void *)(unsigned long)(x))
#define virt_to_page(a) pfn_to_page(__pa(a) >> PAGE_SHIFT)
#define virt_to_pfn(a)	(__pa(a) >> PAGE_SHIFT)
#define pfn_to_virt(p)	__va((p) << PAGE_SHIFT)
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define page_to_phys(p) ((phys_addr_t)page_to_pfn(p) << PAGE_SHIFT)
#endif
#define virt_addr_valid(a)    1
#define ARCH_PFN_OFFSET	      0
#define VM_DATA_DEFAULT_FLAGS VM_DATA_FLAGS_TSK_EXEC
#include <asm-generic/memory_model.h>
#include <asm-generic/getorder.h>
#endif
#endif
