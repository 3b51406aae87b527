// SPDX-License-Identifier: GPL-2.0-only
/* trace/waits.c - the longest waits, with who had the CPU meanwhile and which other one idled. */
#include "trace/analyse_parts.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Tasks that a wait's time is shared out to before the longest are chosen. */
#define SHARES 32

struct shares {
	uint32_t task[SHARES];
	uint64_t ns[SHARES];
	size_t n;
};

void turn_ends(struct analysis *a, uint32_t cpu, uint64_t now_ns)
{
	const struct trace_cpu *row = &a->state.cpus[cpu];
	struct analysis_cpu *c = &a->cpus[cpu];

	if (row->curr == STATE_NOBODY)
		return;
	if (!c->turns)
		c->turns = xcalloc(ANALYSIS_RING, sizeof(*c->turns));
	c->turns[c->nr_turns++ % ANALYSIS_RING] =
		(struct analysis_turn){ row->curr, row->since_ns, now_ns };
}

/* The @i-th turn before now, 0: the one that isn't over yet. Return: false before the first that is remembered */
static bool turn_at(struct analysis_turn *turn, const struct analysis *a, uint32_t cpu, uint64_t i,
		    uint64_t now_ns)
{
	const struct trace_cpu *row = &a->state.cpus[cpu];
	const struct analysis_cpu *c = &a->cpus[cpu];

	if (!i) {
		*turn = (struct analysis_turn){ row->curr, row->since_ns, now_ns };
		return true;
	}
	if (i > c->nr_turns || i > ANALYSIS_RING)
		return false;
	*turn = c->turns[(c->nr_turns - i) % ANALYSIS_RING];
	return true;
}

static uint64_t overlap(const struct analysis_turn *turn, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t from = turn->from_ns > from_ns ? turn->from_ns : from_ns;
	uint64_t to = turn->to_ns < to_ns ? turn->to_ns : to_ns;

	return to > from ? to - from : 0;
}

static void add_share(struct shares *shares, struct analysis_wait *wait, uint32_t task, uint64_t ns)
{
	size_t i = 0;

	while (i < shares->n && shares->task[i] != task)
		i++;
	if (i == SHARES) {
		wait->others_ns += ns;
		return;
	}
	if (i == shares->n) {
		shares->task[i] = task;
		shares->ns[i] = 0;
		shares->n++;
	}
	shares->ns[i] += ns;
}

/* Of the time from @from_ns to @to_ns on @cpu. */
static void share_out(const struct analysis *a, struct shares *shares, struct analysis_wait *wait,
		      uint32_t cpu, uint64_t from_ns, uint64_t to_ns, uint64_t now_ns)
{
	struct analysis_turn turn;
	uint64_t known = 0;

	for (uint64_t i = 0; turn_at(&turn, a, cpu, i, now_ns); i++) {
		uint64_t ns = overlap(&turn, from_ns, to_ns);

		if (turn.to_ns <= from_ns && i)
			break;
		if (turn.curr == STATE_NOBODY)
			continue;
		known += ns;
		if (turn.curr == STATE_IDLE)
			wait->idle_ns += ns;
		else if (ns)
			add_share(shares, wait, turn.curr, ns);
	}
	wait->early_ns += to_ns - from_ns > known ? to_ns - from_ns - known : 0;
}

/* The largest shares become whom the wait was for. */
static void choose_whom(struct analysis_wait *wait, struct shares *shares)
{
	while (shares->n) {
		size_t best = 0;

		for (size_t i = 1; i < shares->n; i++)
			if (shares->ns[i] > shares->ns[best])
				best = i;
		if (wait->nr_whom < ANALYSIS_WHOM) {
			wait->whom[wait->nr_whom].task = shares->task[best];
			wait->whom[wait->nr_whom++].ns = shares->ns[best];
		} else {
			wait->others_ns += shares->ns[best];
		}
		shares->n--;
		shares->task[best] = shares->task[shares->n];
		shares->ns[best] = shares->ns[shares->n];
	}
}

/* For how long @turn, in which a CPU idled, went on while the task waited on other CPUs. */
static uint64_t waited_elsewhere(const struct analysis_task *task, uint32_t cpu,
				 const struct analysis_turn *turn, uint64_t now_ns)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < task->nr_hops; i++)
		if (task->hop[i].cpu != cpu)
			ns += overlap(turn, task->hop[i].from_ns,
				      i + 1 < task->nr_hops ? task->hop[i + 1].from_ns : now_ns);
	return ns;
}

/* Which other CPU idled longest while the task waited. */
static void find_free(const struct analysis *a, struct analysis_wait *wait, uint64_t now_ns)
{
	for (uint32_t cpu = 0; cpu < a->nr_cpus; cpu++) {
		struct analysis_turn turn;
		uint64_t ns = 0;

		if (!may_use(a, wait->task, cpu))
			continue;
		for (uint64_t i = 0; turn_at(&turn, a, cpu, i, now_ns); i++) {
			if (turn.to_ns <= wait->from_ns && i)
				break;
			if (turn.curr == STATE_IDLE)
				ns += waited_elsewhere(&a->tasks[wait->task], cpu, &turn, now_ns);
		}
		if (ns > wait->free_ns) {
			wait->free_ns = ns;
			wait->free_cpu = cpu;
		}
	}
}

/* Who had the CPUs on which it waited, one after the other. */
static void tell_whom(const struct analysis *a, struct analysis_wait *wait, uint64_t now_ns)
{
	const struct analysis_task *task = &a->tasks[wait->task];
	struct shares shares = { .n = 0 };

	for (uint32_t i = 0; i < task->nr_hops; i++)
		share_out(a, &shares, wait, task->hop[i].cpu, task->hop[i].from_ns,
			  i + 1 < task->nr_hops ? task->hop[i + 1].from_ns : now_ns, now_ns);
	choose_whom(wait, &shares);
}

static bool is_among_top(const struct analysis *a, const struct analysis_wait *wait)
{
	if (a->chosen && !a->chosen(a->ctx, &a->state.tasks[wait->task]))
		return false;
	return a->nr_waits < a->top || wait->ns > a->waits[a->nr_waits - 1].ns;
}

/* Waits of equal length stay in the order in which they ended. */
static void keep(struct analysis *a, const struct analysis_wait *wait)
{
	size_t i = a->nr_waits < a->top ? a->nr_waits++ : a->nr_waits - 1;

	for (; i && a->waits[i - 1].ns < wait->ns; i--)
		a->waits[i] = a->waits[i - 1];
	a->waits[i] = *wait;
}

void wait_begins(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns)
{
	a->tasks[task].waiting = true;
	a->tasks[task].hop[0].cpu = cpu;
	a->tasks[task].hop[0].from_ns = now_ns;
	a->tasks[task].nr_hops = 1;
}

/* The last hops count where there are too many: the one before the last takes the time of those that are left out. */
void wait_moves(struct analysis *a, uint32_t task, uint32_t cpu, uint64_t now_ns)
{
	struct analysis_task *t = &a->tasks[task];
	uint32_t i = t->nr_hops < ANALYSIS_HOPS ? t->nr_hops++ : ANALYSIS_HOPS - 1;

	t->hop[i].cpu = cpu;
	t->hop[i].from_ns = now_ns;
}

void wait_ends(struct analysis *a, uint32_t task, uint64_t now_ns, bool ended)
{
	const struct trace_task *row = &a->state.tasks[task];
	struct analysis_task *t = &a->tasks[task];
	struct analysis_wait wait = {
		.task = task,
		.from_ns = t->hop[0].from_ns,
		.how = row->is_new	? WAIT_NEW
		       : row->preempted ? WAIT_PREEMPTED
					: WAIT_WOKEN,
		.cpu = t->hop[t->nr_hops - 1].cpu,
		.ended = ended,
	};
	bool top, longest;

	t->waiting = false;
	wait.ns = now_ns > wait.from_ns ? now_ns - wait.from_ns : 0;
	top = is_among_top(a, &wait);
	longest = wait.ns > t->longest_ns;
	if (!wait.ns || (!top && !longest))
		return;
	tell_whom(a, &wait, now_ns);
	if (longest) {
		t->longest_ns = wait.ns;
		t->has_for = wait.nr_whom > 0;
		t->longest_for = wait.whom[0].task;
	}
	if (top) {
		find_free(a, &wait, now_ns);
		keep(a, &wait);
	}
}
