/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_PGTABLE_H
#define _ASM_SCHEDPROOF_PGTABLE_H
#include <linux/version.h>
#include <asm/page.h>
#include <asm-generic/pgtable-nopmd.h>
#define PGDIR_SHIFT   21
#define PTRS_PER_PGD  512
#define PTRS_PER_PTE  512
#define PGDIR_SIZE    (1UL << PGDIR_SHIFT)
#define PGDIR_MASK    (~(PGDIR_SIZE - 1))
#define VMALLOC_START 0x100000000UL
#define VMALLOC_END   0x200000000UL
#define PAGE_NONE     __pgprot(0)
#define PAGE_KERNEL   __pgprot(1)
#define PAGE_READONLY __pgprot(1)
#define PAGE_COPY     __pgprot(1)
#define PAGE_SHARED   __pgprot(1)
#ifndef __ASSEMBLY__
extern pgd_t swapper_pg_dir[PTRS_PER_PGD];
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define ZERO_PAGE(v)	   ((struct page *)0)
#define mk_pte(page, prot) ((pte_t){ 0 })
#endif
static inline int pte_none(pte_t p)
{
	return !pte_val(p);
}
static inline int pte_present(pte_t p)
{
	return 1;
}
static inline int pte_write(pte_t p)
{
	return 1;
}
static inline int pte_dirty(pte_t p)
{
	return 0;
}
static inline int pte_young(pte_t p)
{
	return 0;
}
static inline pte_t pte_wrprotect(pte_t p)
{
	return p;
}
static inline pte_t pte_mkwrite_novma(pte_t p)
{
	return p;
}
static inline pte_t pte_mkdirty(pte_t p)
{
	return p;
}
static inline pte_t pte_mkclean(pte_t p)
{
	return p;
}
static inline pte_t pte_mkyoung(pte_t p)
{
	return p;
}
static inline pte_t pte_mkold(pte_t p)
{
	return p;
}
static inline pte_t pte_modify(pte_t p, pgprot_t n)
{
	return p;
}
#define pfn_pte(pfn, prot) ((pte_t){ 0 })
#define pte_pfn(p)	   (pte_val(p) >> PAGE_SHIFT)
#define pte_page(p)	   pfn_to_page(pte_pfn(p))
static inline void set_pte(pte_t *p, pte_t v)
{
	*p = v;
}
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define set_pte_at(m, a, p, v) set_pte(p, v)
#define pte_mkwrite(p)	       (p)
#endif
#define __HAVE_ARCH_PTE_SWP_EXCLUSIVE
#define PFN_PTE_SHIFT PAGE_SHIFT
static inline void pte_clear(struct mm_struct *m, unsigned long a, pte_t *p)
{
	p->pte = 0;
}
static inline int pmd_none(pmd_t p)
{
	return 1;
}
static inline int pmd_bad(pmd_t p)
{
	return 0;
}
static inline int pmd_present(pmd_t p)
{
	return 0;
}
static inline void pmd_clear(pmd_t *p)
{
}
#define pmd_page_vaddr(p) 0UL
#define pmd_pfn(p)	  0UL
#define pmd_page(p)	  pfn_to_page(0)
#define pmd_pgtable(p)	  pmd_page(p)
#define set_pmd(p, v)                                                                              \
	do {                                                                                       \
	} while (0)
#define update_mmu_cache(v, a, p)                                                                  \
	do {                                                                                       \
	} while (0)
#define update_mmu_cache_range(f, v, a, p, n)                                                      \
	do {                                                                                       \
	} while (0)
#define kern_addr_valid(a)    1
#define __swp_type(x)	      ((x).val & 31)
#define __swp_offset(x)	      ((x).val >> 5)
#define __swp_entry(t, o)     ((swp_entry_t){ (t) | ((o) << 5) })
#define __pte_to_swp_entry(p) ((swp_entry_t){ pte_val(p) })
#define __swp_entry_to_pte(x) __pte((x).val)
static inline int pte_swp_exclusive(pte_t p)
{
	return 0;
}
static inline pte_t pte_swp_mkexclusive(pte_t p)
{
	return p;
}
static inline pte_t pte_swp_clear_exclusive(pte_t p)
{
	return p;
}
#endif
#endif
