// SPDX-License-Identifier: GPL-2.0-only
#include "agree/pair.h"

#include "agree/parts.h"
#include "agree/watch.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IPI_NS	    1000
#define IPI_SELF_NS 100
/* CPUs up to which all states are compared each time, and of more at every so many events */
#define FULL_LOOK_MAX 32

static const char *const event_words[] = { "tick", "ipi", "timer" };

void agree_call(struct agree_pair *pair, void (*fn)(struct agree_pair *pair, const void *arg),
		const void *arg)
{
	if (!setjmp(pair->escape))
		fn(pair, arg);
}

void agree_begin(struct agree_pair *pair, uint32_t cpu, const char *what, uint32_t task)
{
	for (int i = 0; i < 2; i++)
		pair->side[i].nr_said = 0;
	memset(pair->touched, 0, pair->config->machine->nr_cpus);
	pair->touched[cpu] = 1;
	strbuf_reset(&pair->why);
	pair->event_cpu = cpu;
	if (pair->comparing)
		pair->events++;
	snprintf(pair->event, sizeof(pair->event),
		 task < AGREE_TASKS ? "%s on CPU %u of t%u" : "%s on CPU %u", what, cpu, task);
}

static void switch_task(struct agree_pair *pair, uint32_t nr, uint32_t cpu, bool in)
{
	struct agree_task *task = &pair->task[nr - 1];

	task->running = in;
	task->cpu = cpu;
	if (pair->switched && task->nr < AGREE_TASKS)
		pair->switched(pair->ctx, task->nr, in);
}

/* What the leading core asked for becomes events. */
static void obey(struct agree_pair *pair)
{
	const struct agree_side *lead = &pair->side[0];

	for (uint32_t i = 0; i < lead->nr_said; i++) {
		const struct agree_said *said = &lead->said[i];

		if (said->kind == SAID_IPI)
			agree_queue_push(&pair->queue,
					 (struct agree_event){ .when_ns = pair->now_ns +
									  (said->a == CORE_IPI_WORK
										   ? IPI_SELF_NS
										   : IPI_NS),
							       .kind = AGREE_EVENT_IPI,
							       .cpu = said->cpu,
							       .number = said->a });
		if (said->kind == SAID_SWITCH && said->a)
			switch_task(pair, said->a, said->cpu, false);
		if (said->kind == SAID_SWITCH && said->b)
			switch_task(pair, said->b, said->cpu, true);
	}
}

static void push_tick(struct agree_pair *pair, uint32_t cpu, uint64_t when_ns)
{
	agree_queue_push(&pair->queue, (struct agree_event){ .when_ns = when_ns,
							     .kind = AGREE_EVENT_TICK,
							     .cpu = cpu,
							     .number = pair->tick_number[cpu] });
}

static uint64_t tick_ns(const struct agree_pair *pair)
{
	return pair->side[0].ops->tick_ns(pair->side[0].core);
}

/* Ticks are at multiples of their distance, for all CPUs alike. */
static void set_tick(struct agree_pair *pair, uint32_t cpu)
{
	const bool wanted = pair->side[0].now.tick;

	if (wanted && !pair->ticking[cpu]) {
		pair->tick_number[cpu]++;
		push_tick(pair, cpu, (pair->now_ns / tick_ns(pair) + 1) * tick_ns(pair));
	}
	pair->ticking[cpu] = wanted;
}

/* Is it time to look at all states? */
static bool look_at_all(const struct agree_pair *pair)
{
	const uint32_t nr_cpus = pair->config->machine->nr_cpus;

	return nr_cpus <= FULL_LOOK_MAX || pair->events % (nr_cpus / 2) == 0;
}

void agree_finish(struct agree_pair *pair, uint32_t cpu)
{
	const bool all = look_at_all(pair);

	for (int i = 0; i < 2; i++)
		pair->side[i].now = pair->side[i].ops->settle(pair->side[i].core, cpu);
	if (pair->comparing && !agree_pair_over(pair)) {
		agree_compare_said(pair);
		agree_compare_states(pair, all);
		if (pair->config->passes)
			agree_compare_passes(pair);
	}
	agree_watch_event(pair, all);
	obey(pair);
	set_tick(pair, cpu);
}

static void do_tick(struct agree_pair *pair, uint32_t cpu)
{
	push_tick(pair, cpu, pair->now_ns + tick_ns(pair));
	for (int i = 0; i < 2; i++)
		pair->side[i].ops->tick(pair->side[i].core, cpu);
	if (pair->comparing)
		agree_compare_preempt(pair, cpu, AGREE_TASKS);
}

static void deliver(struct agree_pair *pair, const void *arg)
{
	const struct agree_event *event = arg;
	const uint32_t cpu = event->cpu;

	agree_begin(pair, cpu, event_words[event->kind], AGREE_TASKS);
	if (event->kind == AGREE_EVENT_TICK) {
		do_tick(pair, cpu);
	} else if (event->kind == AGREE_EVENT_IPI) {
		for (int i = 0; i < 2; i++)
			pair->side[i].ops->ipi(pair->side[i].core, cpu,
					       (enum core_ipi)event->number);
	} else {
		struct agree_side *side = &pair->side[event->side];

		side->ops->timer(side->core, cpu, event->timer, event->number);
	}
	agree_finish(pair, cpu);
}

uint64_t agree_pair_next(const struct agree_pair *pair)
{
	uint64_t when_ns;

	if (!pair->queue.nr || agree_pair_over(pair))
		return UINT64_MAX;
	when_ns = pair->queue.event[0].when_ns;
	return when_ns > pair->start_ns ? when_ns - pair->start_ns : 0;
}

void agree_pair_step(struct agree_pair *pair)
{
	const struct agree_event event = agree_queue_pop(&pair->queue);

	if (event.kind == AGREE_EVENT_TICK &&
	    (!pair->ticking[event.cpu] || pair->tick_number[event.cpu] != event.number))
		return;
	if (event.when_ns > pair->now_ns)
		pair->now_ns = event.when_ns;
	agree_call(pair, deliver, &event);
}

void agree_pair_until(struct agree_pair *pair, uint64_t time_ns)
{
	while (agree_pair_next(pair) <= time_ns && !agree_pair_over(pair))
		agree_pair_step(pair);
	if (!agree_pair_over(pair) && pair->start_ns + time_ns > pair->now_ns)
		pair->now_ns = pair->start_ns + time_ns;
}

static void do_fork(struct agree_pair *pair, const struct agree_op *op)
{
	struct agree_task *task = &pair->task[op->task];
	const struct core_task_spec spec = { .cookie = task,
					     .comm = "t",
					     .affinity = op->bound ? op->affinity : NULL };

	*task = (struct agree_task){ .nr = op->task, .cpu = op->cpu };
	if (op->task < AGREE_TASKS && op->task >= pair->nr_tasks)
		pair->nr_tasks = op->task + 1;
	for (int i = 0; i < 2; i++) {
		struct agree_side *side = &pair->side[i];

		task->of[i] = side->ops->task_new(side->core, op->cpu, &spec);
		if (!task->of[i]) {
			side->host.warn(side, "a task is refused");
			return;
		}
		side->ops->task_start(side->core, op->cpu, task->of[i]);
	}
	if (pair->comparing) {
		agree_compare_place(pair, AGREE_FORK, op->task);
		agree_compare_preempt(pair, op->cpu, op->task);
	}
}

static void do_wake(struct agree_pair *pair, const struct agree_op *op)
{
	struct agree_task *task = &pair->task[op->task];

	task->asleep = false;
	for (int i = 0; i < 2; i++)
		pair->side[i].ops->wake(pair->side[i].core, op->cpu, task->of[i], op->sync);
	if (pair->comparing) {
		agree_compare_place(pair, AGREE_WAKE, op->task);
		agree_compare_preempt(pair, op->cpu, op->task);
	}
}

/* By the running task. */
static void do_own(struct agree_pair *pair, const struct agree_op *op, uint32_t cpu)
{
	for (int i = 0; i < 2; i++) {
		const struct core_ops *ops = pair->side[i].ops;
		struct core *core = pair->side[i].core;

		if (op->kind == AGREE_OP_BLOCK)
			ops->block(core, cpu, false);
		else if (op->kind == AGREE_OP_YIELD)
			ops->yield(core, cpu);
		else if (op->kind == AGREE_OP_EXEC)
			ops->exec(core, cpu);
		else
			ops->exit(core, cpu);
	}
	pair->task[op->task].asleep = op->kind == AGREE_OP_BLOCK;
}

static void do_set(struct agree_pair *pair, const struct agree_op *op)
{
	const struct agree_task *task = &pair->task[op->task];

	for (int i = 0; i < 2; i++) {
		const struct core_ops *ops = pair->side[i].ops;
		struct core *core = pair->side[i].core;

		if (op->kind == AGREE_OP_SCHED)
			(void)ops->set_sched(core, op->cpu, task->of[i], &op->sched);
		else
			(void)ops->set_affinity(core, op->cpu, task->of[i], op->affinity);
	}
}

static bool is_own(enum agree_op_kind kind)
{
	return kind == AGREE_OP_BLOCK || kind == AGREE_OP_YIELD || kind == AGREE_OP_EXEC ||
	       kind == AGREE_OP_EXIT;
}

static void free_task(struct agree_pair *pair, struct agree_task *task)
{
	agree_watch_gone(pair, task->nr);
	for (int i = 0; i < 2; i++)
		pair->side[i].ops->task_free(pair->side[i].core, task->of[i]);
	*task = (struct agree_task){ .nr = task->nr };
}

static void do_op(struct agree_pair *pair, const void *arg)
{
	const struct agree_op *op = arg;
	struct agree_task *task = &pair->task[op->task];
	const uint32_t cpu = is_own(op->kind) ? task->cpu : op->cpu;

	agree_begin(pair, cpu, agree_op_name(op->kind), op->task);
	agree_watch_op(pair, op);
	if (op->kind == AGREE_OP_FORK)
		do_fork(pair, op);
	else if (op->kind == AGREE_OP_WAKE)
		do_wake(pair, op);
	else if (is_own(op->kind))
		do_own(pair, op, cpu);
	else
		do_set(pair, op);
	if (pair->failed)
		return;
	agree_finish(pair, cpu);
	if (pair->comparing && op->kind == AGREE_OP_EXEC)
		agree_compare_place(pair, AGREE_EXEC, op->task);
	if (op->kind == AGREE_OP_EXIT && !pair->failed && !pair->differs)
		free_task(pair, task);
}

bool agree_cpu_is_up(const struct agree_pair *pair, uint32_t cpu)
{
	const struct core_machine *machine = pair->config->machine;

	return cpu < machine->nr_cpus && machine->online[cpu];
}

/* Some CPU that is up is among them. */
static bool affinity_fits(const struct agree_pair *pair, const struct agree_op *op)
{
	for (uint32_t cpu = 0; cpu < pair->config->machine->nr_cpus; cpu++)
		if (op->affinity[cpu / 64] >> cpu % 64 & 1 && agree_cpu_is_up(pair, cpu))
			return true;
	return false;
}

static bool fits(const struct agree_pair *pair, const struct agree_op *op)
{
	const struct agree_task *task = &pair->task[op->task];

	if (is_own(op->kind))
		return task->running;
	if (!agree_cpu_is_up(pair, op->cpu) || (op->bound && !affinity_fits(pair, op)))
		return false;
	if (op->kind == AGREE_OP_FORK)
		return !task->of[0];
	return task->of[0] && (op->kind != AGREE_OP_WAKE || task->asleep);
}

bool agree_pair_do(struct agree_pair *pair, const struct agree_op *op)
{
	agree_pair_until(pair, op->time_ns);
	if (agree_pair_over(pair) || !fits(pair, op))
		return false;
	agree_call(pair, do_op, op);
	return true;
}

static void end_run(struct agree_pair *pair, const void *arg)
{
	(void)arg;
	strbuf_reset(&pair->why);
	snprintf(pair->event, sizeof(pair->event), "the end of the run");
	agree_compare_states(pair, true);
	agree_compare_passes(pair);
	agree_watch_end(pair);
}

void agree_pair_end(struct agree_pair *pair)
{
	if (!agree_pair_over(pair))
		agree_call(pair, end_run, NULL);
}
