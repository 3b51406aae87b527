// SPDX-License-Identifier: GPL-2.0-only
/*
 * numa.c - NUMA balancing: address spaces that are the host's, scans and hint faults that are the tree's
 *
 * To the scan each task has one area of memory, whose size and pages the host knows. A fault asks the tree's own code whether the page is
 * to follow and accounts it there. Whose the page was before is known by CPU only: that of shared memory is taken to be
 * who runs on that CPU now, of private memory the task itself. Tasks share no address space, as processes do.
 */
#include <linux/cpumask.h>
#include <linux/memory-tiers.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/numa_balancing.h>
#include "kit.h"

#ifdef CONFIG_NUMA_BALANCING

#define UNKNOWN_END (1UL << 46) /* until the host has told the size */

struct space {
	struct mm_struct mm;
	struct vm_area_struct area;
};

static bool wanted(void)
{
	return kit.machine->nr_nodes > 1;
}

void kit_numa_setup(void)
{
	if (IS_ENABLED(CONFIG_NUMA_BALANCING_DEFAULT_ENABLED) && wanted())
		set_numabalancing_state(true);
}

static void area_setup(struct vm_area_struct *area, struct mm_struct *mm)
{
	area->vm_mm = mm;
	area->vm_end = UNKNOWN_END;
#if SINCE(6, 3)
	vm_flags_init(area, VM_READ | VM_WRITE);
#else
	area->vm_flags = VM_READ | VM_WRITE;
#endif
}

void kit_numa_task(struct task_struct *task)
{
	struct space *space;

	if (!wanted())
		return;
	space = kit_alloc(sizeof(*space));
	atomic_set(&space->mm.mm_users, 1);
	atomic_set(&space->mm.mm_count, 1);
	init_rwsem(&space->mm.mmap_lock);
	area_setup(&space->area, &space->mm);
	task->mm = task->active_mm = &space->mm;
	init_numa_balancing(0, task);
}

/* Idle tasks may still have it: it goes when the last of them gets another. */
void kit_numa_task_end(struct task_struct *task)
{
	if (!task->mm)
		return;
	task_numa_free(task, true);
	mmdrop(task->mm);
	task->mm = NULL;
}

void __mmdrop(struct mm_struct *mm)
{
	struct space *space = container_of(mm, struct space, mm);

#if SINCE(6, 4)
	kit_free(space->area.numab_state);
#endif
	kit_free(space);
}

/* The scan's walk through the areas: the one from where it is on, or none. */
void *mas_find(struct ma_state *at, unsigned long max)
{
	struct mm_struct *mm = container_of(at->tree, struct mm_struct, mm_mt);
	struct vm_area_struct *area = &container_of(mm, struct space, mm)->area;

	if (at->index >= area->vm_end)
		return NULL;
	at->index = area->vm_end;
	return area;
}

bool vma_migratable(struct vm_area_struct *area)
{
	return true;
}

bool vma_policy_mof(struct vm_area_struct *area)
{
	return true;
}

/* All memory is of one tier. */
bool node_is_toptier(int node)
{
	return true;
}

#if SINCE(6, 7)
bool folio_use_access_time(struct folio *folio)
{
	return false;
}
#endif

int numa_nearest_node(int node, unsigned int state)
{
	int best = NUMA_NO_NODE, n;

	if (node == NUMA_NO_NODE || node_state(node, state))
		return node;
	for_each_node_state(n, state)
	{
		if (best == NUMA_NO_NODE || node_distance(node, n) < node_distance(node, best))
			best = n;
	}
	return best;
}

static void resident_set(struct mm_struct *mm, uint64_t pages)
{
#if SINCE(6, 2)
	mm->rss_stat[MM_ANONPAGES].count = pages;
#else
	atomic_long_set(&mm->rss_stat.count[MM_ANONPAGES], pages);
#endif
}

/* The host marks the next so many pages and tells how many there are, which is where the area ends from now on. */
unsigned long change_prot_numa(struct vm_area_struct *area, unsigned long from, unsigned long to)
{
	uint64_t asked = (to - from) >> PAGE_SHIFT;
	uint64_t all = kit.host->numa_scan(kit.host->ctx, kit_cookie(current), asked);

	resident_set(area->vm_mm, all);
	area->vm_end = max_t(unsigned long, all << PAGE_SHIFT, to);
	return min(asked, all);
}

static int last_cpupid(const struct core_fault *fault)
{
	const struct task_struct *last = current;

	if (fault->shared && fault->last_cpu < nr_cpu_ids)
		last = cpu_rq(fault->last_cpu)->curr;
	return cpu_pid_to_cpupid(fault->last_cpu, last->pid);
}

/* The tree asks a page for who had it last, and there is none: one that has nothing else. */
#if SINCE(6, 7)
static bool follows(int node, int cpupid)
{
	static struct folio folio;

	folio_xchg_last_cpupid(&folio, cpupid);
	return should_numa_migrate_memory(current, &folio, node, raw_smp_processor_id());
}
#else
static bool follows(int node, int cpupid)
{
	static struct page page;

	page_cpupid_xchg_last(&page, cpupid);
	return should_numa_migrate_memory(current, &page, node, raw_smp_processor_id());
}
#endif

static void area_touched(struct mm_struct *mm)
{
#if SINCE(6, 6)
	vma_set_access_pid_bit(&container_of(mm, struct space, mm)->area);
#endif
}

void kit_numa_fault(struct core *core, uint32_t cpu, const struct core_fault *fault)
{
	int flags = (fault->shared ? TNF_SHARED : 0) | (fault->write ? 0 : TNF_NO_GROUP);
	int node = fault->node, here = cpu_to_node(cpu), cpupid;

	kit_on(cpu);
	if (!current->mm)
		return;
	kit.reason = CORE_MIGRATE_NUMA;
	cpupid = last_cpupid(fault);
	area_touched(current->mm);
	if (node == here) {
		flags |= TNF_FAULT_LOCAL;
	} else if (follows(node, cpupid)) {
		flags |= TNF_MIGRATED;
		node = here;
		kit.host->numa_moved(kit.host->ctx, node);
	}
	task_numa_fault(cpupid, node, fault->pages, flags);
}

#else

void kit_numa_setup(void)
{
}

void kit_numa_task(struct task_struct *task)
{
}

void kit_numa_task_end(struct task_struct *task)
{
}

#endif
