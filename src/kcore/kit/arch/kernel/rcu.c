// SPDX-License-Identifier: GPL-2.0-only
/* rcu.c - one thread, so that the end of each event is a grace period */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "kit.h"

static struct rcu_head *first, **last = &first;

void call_rcu(struct rcu_head *head, rcu_callback_t function)
{
	head->func = function;
	head->next = NULL;
	*last = head;
	last = (struct rcu_head **)&head->next;
}

void kit_rcu_run(void)
{
	while (first) {
		struct rcu_head *head = first;

		first = (struct rcu_head *)head->next;
		if (!first)
			last = &first;
		head->func(head);
	}
}

/* What is only to be freed may be freed when nobody is in the middle of it: an event later is early enough, and simple. */
struct deferred {
	struct rcu_head head;
	void *p;
};

static void free_deferred(struct rcu_head *head)
{
	struct deferred *deferred = container_of(head, struct deferred, head);

	kit_free(deferred->p);
	kit_free(deferred);
}

static void defer(void *p)
{
	struct deferred *deferred = kit_alloc(sizeof(*deferred));

	deferred->p = p;
	call_rcu(&deferred->head, free_deferred);
}

#if SINCE(7, 3)
void kvfree_call_rcu(struct kvfree_rcu_head *unused, void *p)
{
	defer(p);
}
#elif SINCE(6, 4)
void kvfree_call_rcu(struct rcu_head *unused, void *p)
{
	defer(p);
}
#else
/* an offset where the function would be: that of the head */
void kvfree_call_rcu(struct rcu_head *head, rcu_callback_t offset)
{
	defer((char *)head - (unsigned long)offset);
}
#endif

#ifdef CONFIG_PREEMPT_RCU
void __rcu_read_lock(void)
{
}

void __rcu_read_unlock(void)
{
}
#endif

void synchronize_rcu(void)
{
}

void rcu_note_context_switch(bool preempt)
{
}

int rcu_needs_cpu(void)
{
	return 0;
}

#ifndef CONFIG_PREEMPT_RCU
void rcu_all_qs(void)
{
}
#endif
