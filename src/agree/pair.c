// SPDX-License-Identifier: GPL-2.0-only
#include "agree/pair.h"

#include "agree/parts.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOT_NS	     UINT64_C(1000000)
#define FIRST_NS     UINT64_C(10000000000)
#define WARM_STEP_NS 20000
#define WARM_RUN_NS  UINT64_C(20000000)
/* what CPU 0 was booted with is gone after 63 half-lives of 32 ms */
#define WARM_FIRST_NS UINT64_C(2200000000)
#define WARM_IDLE_NS  UINT64_C(100000000)
#define CAPACITY      1024
#define IPI_NS	      1000
#define IPI_SELF_NS   100
/* CPUs up to which all states are compared each time, and of more at every so many events */
#define FULL_LOOK_MAX 32

static const char *const event_words[] = { "tick", "ipi", "timer" };

static void call_core(struct agree_pair *pair, void (*fn)(struct agree_pair *pair, const void *arg),
		      const void *arg)
{
	if (!setjmp(pair->escape))
		fn(pair, arg);
}

static void begin(struct agree_pair *pair, uint32_t cpu, const char *what, uint32_t task)
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

static void finish(struct agree_pair *pair, uint32_t cpu)
{
	for (int i = 0; i < 2; i++)
		pair->side[i].now = pair->side[i].ops->settle(pair->side[i].core, cpu);
	if (pair->comparing && !agree_pair_over(pair)) {
		agree_compare_said(pair);
		agree_compare_states(pair, look_at_all(pair));
	}
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

	begin(pair, cpu, event_words[event->kind], AGREE_TASKS);
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
	finish(pair, cpu);
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
	call_core(pair, deliver, &event);
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
			ops->block(core, cpu);
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
	for (int i = 0; i < 2; i++)
		pair->side[i].ops->task_free(pair->side[i].core, task->of[i]);
	*task = (struct agree_task){ .nr = task->nr };
}

static void do_op(struct agree_pair *pair, const void *arg)
{
	const struct agree_op *op = arg;
	struct agree_task *task = &pair->task[op->task];
	const uint32_t cpu = is_own(op->kind) ? task->cpu : op->cpu;

	begin(pair, cpu, agree_op_name(op->kind), op->task);
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
	finish(pair, cpu);
	if (pair->comparing && op->kind == AGREE_OP_EXEC)
		agree_compare_place(pair, AGREE_EXEC, op->task);
	if (op->kind == AGREE_OP_EXIT && !pair->failed && !pair->differs)
		free_task(pair, task);
}

static bool cpu_fits(const struct agree_pair *pair, uint32_t cpu)
{
	const struct core_machine *machine = pair->config->machine;

	return cpu < machine->nr_cpus && machine->online[cpu];
}

/* Some CPU that is up is among them. */
static bool affinity_fits(const struct agree_pair *pair, const struct agree_op *op)
{
	for (uint32_t cpu = 0; cpu < pair->config->machine->nr_cpus; cpu++)
		if (op->affinity[cpu / 64] >> cpu % 64 & 1 && cpu_fits(pair, cpu))
			return true;
	return false;
}

static bool fits(const struct agree_pair *pair, const struct agree_op *op)
{
	const struct agree_task *task = &pair->task[op->task];

	if (is_own(op->kind))
		return task->running;
	if (!cpu_fits(pair, op->cpu) || (op->bound && !affinity_fits(pair, op)))
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
	call_core(pair, do_op, op);
	return true;
}

static void boot(struct agree_pair *pair, const void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) {
		struct agree_side *side = &pair->side[i];
		const struct core_config config = { .machine = pair->config->machine,
						    .seed = 1,
						    .knobs = pair->config->knobs[i],
						    .nr_knobs = pair->config->nr_knobs[i] };

		side->core = side->ops->boot(&config, &side->host);
		if (!side->core && !pair->failed)
			side->host.warn(side, "it doesn't boot");
		if (!side->core)
			return;
	}
}

static void settle_cpu(struct agree_pair *pair, const void *arg)
{
	const uint32_t cpu = *(const uint32_t *)arg;

	begin(pair, cpu, "boot", AGREE_TASKS);
	finish(pair, cpu);
}

static void warm_cpu(struct agree_pair *pair, enum agree_op_kind kind, uint32_t cpu,
		     uint64_t time_ns)
{
	struct agree_op op = { .kind = kind,
			       .task = AGREE_TASKS + cpu,
			       .cpu = cpu,
			       .bound = true,
			       .time_ns = time_ns };

	op.affinity[cpu / 64] = UINT64_C(1) << cpu % 64;
	agree_pair_do(pair, &op);
}

static void get_ready(struct agree_pair *pair, const void *arg)
{
	const struct agree_config *config = pair->config;

	(void)arg;
	if (config->ready)
		config->ready(pair->side[0].ops, pair->side[0].core, config->machine->nr_cpus);
	agree_passes_begin(pair);
}

static void warm_up(struct agree_pair *pair)
{
	const uint32_t nr_cpus = pair->config->machine->nr_cpus;
	/* averages of a slow CPU age more slowly */
	const uint64_t first_ns = WARM_FIRST_NS * CAPACITY / pair->config->machine->cpu[0].capacity;
	const uint64_t from_ns = FIRST_NS + first_ns + WARM_RUN_NS;

	for (uint32_t cpu = 0; cpu < nr_cpus && !pair->failed; cpu++)
		if (cpu_fits(pair, cpu))
			call_core(pair, settle_cpu, &cpu);
	warm_cpu(pair, AGREE_OP_FORK, 0, FIRST_NS);
	warm_cpu(pair, AGREE_OP_EXIT, 0, FIRST_NS + first_ns);
	for (uint32_t cpu = 1; cpu < nr_cpus; cpu++)
		warm_cpu(pair, AGREE_OP_FORK, cpu, from_ns + (uint64_t)cpu * WARM_STEP_NS);
	for (uint32_t cpu = 1; cpu < nr_cpus; cpu++)
		warm_cpu(pair, AGREE_OP_EXIT, cpu,
			 from_ns + WARM_RUN_NS + (uint64_t)cpu * WARM_STEP_NS);
	agree_pair_until(pair, from_ns + WARM_RUN_NS + WARM_IDLE_NS);
	pair->start_ns = pair->now_ns;
	if (!pair->failed)
		call_core(pair, get_ready, NULL);
	pair->comparing = true;
}

int agree_pair_new(struct agree_pair **out, const struct agree_config *config, struct error *err)
{
	const uint32_t nr_cpus = config->machine->nr_cpus;
	struct agree_pair *pair;
	int ret = 0;

	if (nr_cpus > AGREE_CPUS)
		return error_set(err, EINVAL, "%u CPUs: scripts are for up to %d", nr_cpus,
				 AGREE_CPUS);
	pair = xcalloc(1, sizeof(*pair));
	pair->config = config;
	pair->now_ns = BOOT_NS;
	pair->task = xcalloc(AGREE_TASKS + nr_cpus, sizeof(*pair->task));
	pair->ticking = xcalloc(nr_cpus, sizeof(*pair->ticking));
	pair->tick_number = xcalloc(nr_cpus, sizeof(*pair->tick_number));
	pair->touched = xcalloc(nr_cpus, sizeof(*pair->touched));
	for (int i = 0; i < 2; i++) {
		pair->side[i] = (struct agree_side){ .pair = pair, .ops = config->ops[i] };
		agree_host_init(&pair->side[i]);
	}
	call_core(pair, boot, NULL);
	if (!pair->failed)
		warm_up(pair);
	if (pair->failed) {
		ret = error_set(err, EIO, "%s", strbuf_str(&pair->words));
		agree_pair_free(pair);
	} else {
		*out = pair;
	}
	return ret;
}

void agree_pair_free(struct agree_pair *pair)
{
	if (!pair)
		return;
	for (int i = 0; i < 2; i++) {
		struct agree_side *side = &pair->side[i];

		if (side->core)
			side->ops->release(side->core);
		agree_host_release(side);
		free(side->said);
		free(side->passes);
	}
	free(pair->task);
	free(pair->ticking);
	free(pair->tick_number);
	free(pair->touched);
	free(pair->queue.event);
	strbuf_release(&pair->words);
	strbuf_release(&pair->why);
	free(pair);
}

static void end_run(struct agree_pair *pair, const void *arg)
{
	(void)arg;
	strbuf_reset(&pair->why);
	snprintf(pair->event, sizeof(pair->event), "the end of the run");
	agree_compare_states(pair, true);
	agree_compare_passes(pair);
}

void agree_pair_end(struct agree_pair *pair)
{
	if (!agree_pair_over(pair))
		call_core(pair, end_run, NULL);
}
