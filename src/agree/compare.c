// SPDX-License-Identifier: GPL-2.0-only
/* agree/compare.c - do both decide alike? */
#include "agree/parts.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *words;
} kinds[NR_AGREE_KINDS] = {
	[AGREE_WAKE] = { "wake", "CPU chosen at a wakeup" },
	[AGREE_FORK] = { "fork", "CPU chosen for a new task" },
	[AGREE_EXEC] = { "exec", "CPU chosen at exec" },
	[AGREE_BALANCE] = { "balance", "tasks moved, other than by wakeups and forks" },
	[AGREE_PASSES] = { "passes", "passes of balancing and their outcome, of a run" },
	[AGREE_PREEMPT] = { "preempt", "need_resched after a tick or a wakeup" },
	[AGREE_PICK] = { "pick", "task picked" },
	[AGREE_IPI] = { "ipi", "interrupts and ticks asked for" },
	[AGREE_ENTITY] = { "entity", "vruntime, deadline, slice, lag, runtime, queue" },
	[AGREE_PELT] = { "pelt", "sums and averages, util_est, capacity" },
};

const char *agree_kind_name(enum agree_kind kind)
{
	return kinds[kind].name;
}

const char *agree_kind_words(enum agree_kind kind)
{
	return kinds[kind].words;
}

bool agree_judge(struct agree_pair *pair, enum agree_kind kind, bool same, const char *fmt, ...)
{
	va_list ap;

	if (agree_pair_over(pair))
		return same;
	pair->counts.compared[kind]++;
	pair->counts.agreed[kind] += same;
	if (same)
		return true;
	pair->differs = true;
	pair->kind = kind;
	va_start(ap, fmt);
	strbuf_vaddf(&pair->words, fmt, ap);
	va_end(ap);
	return false;
}

void agree_task_look(const struct agree_pair *pair, uint32_t task, struct core_task_state s[2])
{
	for (int i = 0; i < 2; i++) {
		const struct agree_side *side = &pair->side[i];

		side->ops->task_state(side->core, pair->task[task].of[i], &s[i]);
	}
}

void agree_rq_look(const struct agree_pair *pair, uint32_t cpu, struct core_rq_state s[2])
{
	for (int i = 0; i < 2; i++) {
		const struct agree_side *side = &pair->side[i];

		side->ops->rq_state(side->core, cpu, &s[i]);
	}
}

bool agree_task_entity(const struct agree_pair *pair, const struct core_task_state s[2])
{
	const struct core_task_state *a = &s[0], *b = &s[1];
	const bool lags = a->deadline == b->deadline && a->slice_ns == b->slice_ns &&
			  a->lag_ns == b->lag_ns && a->delayed == b->delayed;

	return a->cpu == b->cpu && a->on_rq == b->on_rq && a->running == b->running &&
	       a->runtime_ns == b->runtime_ns && a->vruntime == b->vruntime &&
	       a->migrations == b->migrations && (lags || !pair->config->lags);
}

bool agree_task_pelt(const struct core_task_state s[2])
{
	const struct core_task_state *a = &s[0], *b = &s[1];

	return a->load_sum == b->load_sum && a->runnable_sum == b->runnable_sum &&
	       a->util_sum == b->util_sum && a->load_avg == b->load_avg &&
	       a->runnable_avg == b->runnable_avg && a->util_avg == b->util_avg &&
	       a->util_est == b->util_est;
}

bool agree_rq_entity(const struct core_rq_state s[2])
{
	const struct core_rq_state *a = &s[0], *b = &s[1];

	return a->curr == b->curr && a->nr_running == b->nr_running && a->nr_fair == b->nr_fair &&
	       a->need_resched == b->need_resched && a->vruntime == b->vruntime;
}

bool agree_rq_pelt(const struct core_rq_state s[2])
{
	const struct core_rq_state *a = &s[0], *b = &s[1];

	return a->load_sum == b->load_sum && a->runnable_sum == b->runnable_sum &&
	       a->util_sum == b->util_sum && a->load_avg == b->load_avg &&
	       a->runnable_avg == b->runnable_avg && a->util_avg == b->util_avg &&
	       a->util_est == b->util_est && a->capacity == b->capacity;
}

void agree_compare_place(struct agree_pair *pair, enum agree_kind kind, uint32_t task)
{
	struct core_task_state s[2];

	agree_task_look(pair, task, s);
	pair->touched[s[0].cpu] = 1;
	pair->touched[s[1].cpu] = 1;
	agree_judge(pair, kind, s[0].cpu == s[1].cpu, "t%u goes to CPU %u or CPU %u", task,
		    s[0].cpu, s[1].cpu);
}

static void compare_preempt_of(struct agree_pair *pair, uint32_t cpu)
{
	struct core_rq_state s[2];

	agree_rq_look(pair, cpu, s);
	agree_judge(pair, AGREE_PREEMPT, s[0].need_resched == s[1].need_resched,
		    "CPU %u is to choose anew: %s or %s", cpu, s[0].need_resched ? "yes" : "no",
		    s[1].need_resched ? "yes" : "no");
}

void agree_compare_preempt(struct agree_pair *pair, uint32_t cpu, uint32_t task)
{
	struct core_task_state s[2];

	if (task < AGREE_TASKS) {
		agree_task_look(pair, task, s);
		cpu = s[0].cpu;
	}
	compare_preempt_of(pair, cpu);
}

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct agree_said));
}

/* Those of one kind; sorted where the order of what one event does means nothing. To be freed. */
static uint32_t said_of(struct agree_said **out, const struct agree_side *side,
			enum agree_said_kind kind, bool sorted)
{
	uint32_t n = 0;

	*out = xcalloc(side->nr_said + 1, sizeof(**out));
	for (uint32_t i = 0; i < side->nr_said; i++) {
		if (side->said[i].kind == kind)
			(*out)[n++] = side->said[i];
	}
	if (sorted)
		qsort(*out, n, sizeof(**out), by_bytes);
	return n;
}

/* Did it move a task otherwise than by choosing a CPU for one that wakes up or is new? */
static bool balanced(const struct agree_side *side)
{
	for (uint32_t i = 0; i < side->nr_said; i++) {
		const struct agree_said *said = &side->said[i];

		if (said->kind == SAID_MIGRATE && said->c != CORE_MIGRATE_WAKE &&
		    said->c != CORE_MIGRATE_FORK)
			return true;
	}
	return false;
}

/* Return: 0: nothing was said by either; 1: the same; -1 */
static int compare_kind(const struct agree_pair *pair, enum agree_said_kind kind, bool sorted)
{
	struct agree_said *said[2];
	uint32_t n[2];
	int ret = 0;

	if (!pair->side[0].nr_said && !pair->side[1].nr_said)
		return 0;
	for (int i = 0; i < 2; i++)
		n[i] = said_of(&said[i], &pair->side[i], kind, sorted);
	if (n[0] || n[1])
		ret = n[0] == n[1] && !memcmp(said[0], said[1], n[0] * sizeof(*said[0])) ? 1 : -1;
	free(said[0]);
	free(said[1]);
	return ret;
}

void agree_compare_said(struct agree_pair *pair)
{
	const struct core_now *a = &pair->side[0].now, *b = &pair->side[1].now;
	int same = compare_kind(pair, SAID_MIGRATE, true);

	if (same < 0 || balanced(&pair->side[0]) || balanced(&pair->side[1]))
		agree_judge(pair, AGREE_BALANCE, same > 0, "different tasks are moved");
	same = compare_kind(pair, SAID_SWITCH, false);
	if (same)
		agree_judge(pair, AGREE_PICK, same > 0, "CPUs switch differently");
	else if (agree_task_of(a->cookie) != agree_task_of(b->cookie) || a->busy != b->busy)
		agree_judge(pair, AGREE_PICK, false, "CPU %u has another task", pair->event_cpu);
	same = compare_kind(pair, SAID_IPI, true);
	if (same || a->tick != b->tick)
		agree_judge(pair, AGREE_IPI, same >= 0 && a->tick == b->tick,
			    same >= 0 ? "the tick goes on, or doesn't" : "different IPIs");
}

static void compare_task(struct agree_pair *pair, uint32_t task)
{
	struct core_task_state s[2];

	agree_task_look(pair, task, s);
	agree_judge(pair, AGREE_ENTITY, agree_task_entity(pair, s), "the entity of t%u", task);
	agree_judge(pair, AGREE_PELT, agree_task_pelt(s), "the averages of t%u", task);
}

static void compare_rq(struct agree_pair *pair, uint32_t cpu)
{
	struct core_rq_state s[2];

	agree_rq_look(pair, cpu, s);
	agree_judge(pair, AGREE_ENTITY, agree_rq_entity(s), "the queue of CPU %u", cpu);
	agree_judge(pair, AGREE_PELT, agree_rq_pelt(s), "the averages of CPU %u", cpu);
}

void agree_compare_states(struct agree_pair *pair, bool all)
{
	const struct core_machine *machine = pair->config->machine;

	for (uint32_t task = 0; task < pair->nr_tasks; task++)
		if (pair->task[task].of[0] && (all || pair->touched[pair->task[task].cpu]))
			compare_task(pair, task);
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (machine->online[cpu] && (all || pair->touched[cpu]))
			compare_rq(pair, cpu);
}
