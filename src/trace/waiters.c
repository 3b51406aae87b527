// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace/waiters.c - for how long a CPU idles while a task waits that could run there.
 *
 * A task counts while it waits on a busy CPU: on an idle one it is only on its way. Of tasks that may be anywhere it
 * matters only whether there is one, so one clock runs while there is, and a CPU that idles looks at it when it begins and
 * when it ends. Tasks of which it is known where they may be are counted on each of those CPUs, whose time then
 * is taken as a whole.
 */
#include "trace/analyse_parts.h"

#define NOBODY UINT32_MAX

bool may_use(const struct analysis *a, uint32_t task, uint32_t cpu)
{
	const struct analysis_task *t = &a->tasks[task];

	return !t->bound || cpumask_test(&t->allowed, cpu);
}

static bool is_busy(const struct analysis *a, uint32_t curr)
{
	return curr < a->state.nr_tasks;
}

/* How long there has been a waiter that may be anywhere. */
static uint64_t clock_at(const struct analysis *a, uint64_t now_ns)
{
	return a->anywhere_ns + (a->nr_anywhere && now_ns > a->anywhere_since_ns
					 ? now_ns - a->anywhere_since_ns
					 : 0);
}

static void change_anywhere(struct analysis *a, uint32_t n, uint64_t now_ns)
{
	a->anywhere_ns = clock_at(a, now_ns);
	if (now_ns > a->anywhere_since_ns) /* what is told of another CPU may lie a little before */
		a->anywhere_since_ns = now_ns;
	a->nr_anywhere = n;
}

/* The time since the last look counts as it was. */
static void look(struct analysis *a, uint32_t cpu, uint64_t now_ns)
{
	struct analysis_cpu *c = &a->cpus[cpu];
	uint64_t clock_ns = clock_at(a, now_ns);

	if (a->state.cpus[cpu].curr == STATE_IDLE) {
		if (!c->nr_here && clock_ns > c->mark_clock_ns)
			c->idle_waited_ns += clock_ns - c->mark_clock_ns;
		else if (c->nr_here && now_ns > c->mark_ns)
			c->idle_waited_ns += now_ns - c->mark_ns;
	}
	c->mark_ns = now_ns > c->mark_ns ? now_ns : c->mark_ns;
	c->mark_clock_ns = clock_ns > c->mark_clock_ns ? clock_ns : c->mark_clock_ns;
}

/* On every CPU that a bound task may use, but the one where it waits. */
static void count_bound(struct analysis *a, uint32_t task, uint32_t cpu, bool comes,
			uint64_t now_ns)
{
	struct analysis_task *t = &a->tasks[task];
	unsigned int c;

	if (t->counted == comes)
		return;
	t->counted = comes;
	cpumask_for_each (c, &t->allowed) {
		if (c >= a->nr_cpus)
			break;
		if (c == cpu)
			continue;
		look(a, c, now_ns);
		a->cpus[c].nr_here += comes ? 1 : (uint32_t)-1;
	}
}

void waiters_of_new_cpu(struct analysis *a, uint32_t cpu)
{
	for (uint32_t t = 0; t < a->state.nr_tasks; t++)
		a->cpus[cpu].nr_here +=
			a->tasks[t].counted && cpumask_test(&a->tasks[t].allowed, cpu);
}

static void link_bound(struct analysis *a, uint32_t task, uint32_t cpu)
{
	struct analysis_task *t = &a->tasks[task];

	t->prev = NOBODY;
	t->next = a->cpus[cpu].first_bound;
	if (t->next != NOBODY)
		a->tasks[t->next].prev = task;
	a->cpus[cpu].first_bound = task;
}

static void unlink_bound(struct analysis *a, uint32_t task, uint32_t cpu)
{
	struct analysis_task *t = &a->tasks[task];

	if (t->next != NOBODY)
		a->tasks[t->next].prev = t->prev;
	if (t->prev != NOBODY)
		a->tasks[t->prev].next = t->next;
	else
		a->cpus[cpu].first_bound = t->next;
}

void waiter_comes(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns)
{
	bool busy = is_busy(a, a->state.cpus[cpu].curr);

	if (a->tasks[task].bound) {
		link_bound(a, task, cpu);
		if (busy)
			count_bound(a, task, cpu, true, now_ns);
		return;
	}
	a->cpus[cpu].nr_anywhere++;
	if (busy)
		change_anywhere(a, a->nr_anywhere + 1, now_ns);
}

void waiter_goes(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns)
{
	if (a->tasks[task].bound) {
		unlink_bound(a, task, cpu);
		count_bound(a, task, cpu, false, now_ns);
		return;
	}
	a->cpus[cpu].nr_anywhere--;
	if (is_busy(a, a->state.cpus[cpu].curr))
		change_anywhere(a, a->nr_anywhere - 1, now_ns);
}

void waiters_of_cpu(struct analysis *a, uint32_t cpu, uint32_t next, uint64_t now_ns)
{
	bool was = is_busy(a, a->state.cpus[cpu].curr), will = is_busy(a, next);
	uint32_t n = a->cpus[cpu].nr_anywhere;

	look(a, cpu, now_ns);
	if (was == will)
		return;
	if (n)
		change_anywhere(a, will ? a->nr_anywhere + n : a->nr_anywhere - n, now_ns);
	for (uint32_t t = a->cpus[cpu].first_bound; t != NOBODY; t = a->tasks[t].next)
		count_bound(a, t, cpu, will, now_ns);
	look(a, cpu, now_ns);
}
