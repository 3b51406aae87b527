// SPDX-License-Identifier: GPL-2.0-only
/* work.c - work queues: one, without a thread. What is queued runs as soon as the operation that queued it is over */
#include <linux/workqueue.h>
#include "kit.h"

static LIST_HEAD(works);

/* There is nothing to know of it, and it mustn't be NULL. */
struct workqueue_struct *kit_alloc_workqueue(void) __asm__("alloc_workqueue");
struct workqueue_struct *kit_alloc_workqueue(void)
{
	return (struct workqueue_struct *)&works;
}

/* Its name where allocations are profiled, from 7.3 on at the latest. */
struct workqueue_struct *kit_alloc_workqueue_noprof(void) __asm__("alloc_workqueue_noprof");
struct workqueue_struct *kit_alloc_workqueue_noprof(void)
{
	return kit_alloc_workqueue();
}

bool queue_work_on(int cpu, struct workqueue_struct *wq, struct work_struct *work)
{
	if (!list_empty(&work->entry))
		return false;
	list_add_tail(&work->entry, &works);
	return true;
}

void kit_work_run(void)
{
	while (!list_empty(&works)) {
		struct work_struct *work = list_first_entry(&works, struct work_struct, entry);

		list_del_init(&work->entry);
		work->func(work);
	}
}

bool flush_work(struct work_struct *work)
{
	kit_work_run();
	return true;
}
