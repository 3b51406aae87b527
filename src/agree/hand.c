// SPDX-License-Identifier: GPL-2.0-only
/* agree/hand.c - scripts are written: what tasks do next, and when. */
#include "agree/script.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BASE_MIN 6
#define BASE_MAX 128

enum hand_event_kind {
	HAND_DONE, /* computed; @number: the turn */
	HAND_WAKE, /* slept; @number: what it computes then */
	HAND_ALARM,
};

struct agree_hand_event {
	uint64_t when_ns, seq;
	enum hand_event_kind kind;
	uint32_t task, cpu;
	uint64_t number;
};

static bool before(const struct agree_hand_event *a, const struct agree_hand_event *b)
{
	return a->when_ns != b->when_ns ? a->when_ns < b->when_ns : a->seq < b->seq;
}

static void push(struct agree_hand *hand, struct agree_hand_event event)
{
	size_t i;

	if (hand->nr_events == hand->room) {
		hand->room = hand->room ? 2 * hand->room : 256;
		hand->event = xreallocarray(hand->event, hand->room, sizeof(*hand->event));
	}
	event.seq = hand->seq++;
	for (i = hand->nr_events++; i && before(&event, &hand->event[(i - 1) / 2]); i = (i - 1) / 2)
		hand->event[i] = hand->event[(i - 1) / 2];
	hand->event[i] = event;
}

static struct agree_hand_event pop(struct agree_hand *hand)
{
	const struct agree_hand_event first = hand->event[0], last = hand->event[--hand->nr_events];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < hand->nr_events) {
		if (child + 1 < hand->nr_events &&
		    before(&hand->event[child + 1], &hand->event[child]))
			child++;
		if (!before(&hand->event[child], &last))
			break;
		hand->event[i] = hand->event[child];
		i = child;
	}
	hand->event[i] = last;
	return first;
}

static void emit(struct agree_hand *hand, struct agree_op *op)
{
	op->time_ns = hand->now_ns;
	agree_ops_add(hand->ops, op);
	agree_pair_do(hand->pair, op);
}

void agree_compute(struct agree_hand *hand, uint32_t task, uint64_t run_ns)
{
	struct agree_plan *plan = &hand->plan[task];

	plan->left_ns = run_ns;
	plan->turn++;
	if (!hand->pair->task[task].running)
		return;
	plan->since_ns = hand->pair->now_ns;
	push(hand, (struct agree_hand_event){ .when_ns = hand->pair->now_ns - hand->pair->start_ns +
							 run_ns,
					      .kind = HAND_DONE,
					      .task = task,
					      .number = plan->turn });
}

static void switched(void *ctx, uint32_t task, bool in)
{
	struct agree_hand *hand = ctx;
	struct agree_plan *plan = &hand->plan[task];
	const uint64_t ran_ns = hand->pair->now_ns - plan->since_ns;

	if (in)
		agree_compute(hand, task, plan->left_ns);
	else
		plan->left_ns = plan->left_ns > ran_ns ? plan->left_ns - ran_ns : 1;
	plan->turn += !in;
}

uint32_t agree_fork(struct agree_hand *hand, uint32_t cpu, uint64_t run_ns,
		    const uint64_t *affinity)
{
	struct agree_op op = { .kind = AGREE_OP_FORK, .task = hand->nr_tasks, .cpu = cpu };

	if (hand->nr_tasks == AGREE_TASKS)
		return AGREE_TASKS;
	if (affinity) {
		op.bound = true;
		memcpy(op.affinity, affinity, sizeof(op.affinity));
	}
	hand->plan[op.task].left_ns = run_ns;
	hand->nr_tasks++;
	emit(hand, &op);
	return op.task;
}

bool agree_asleep(const struct agree_hand *hand, uint32_t task)
{
	return hand->pair->task[task].asleep;
}

uint32_t agree_cpu_of(const struct agree_hand *hand, uint32_t task)
{
	return hand->pair->task[task].cpu;
}

void agree_wake(struct agree_hand *hand, uint32_t task, uint32_t cpu, bool sync, uint64_t run_ns)
{
	struct agree_op op = { .kind = AGREE_OP_WAKE, .task = task, .cpu = cpu, .sync = sync };

	if (!agree_asleep(hand, task))
		return;
	hand->plan[task].left_ns = run_ns;
	emit(hand, &op);
}

void agree_block(struct agree_hand *hand, uint32_t task)
{
	emit(hand, &(struct agree_op){ .kind = AGREE_OP_BLOCK, .task = task });
}

void agree_sleep(struct agree_hand *hand, uint32_t task, uint64_t sleep_ns, uint32_t cpu,
		 uint64_t run_ns)
{
	push(hand, (struct agree_hand_event){ .when_ns = hand->now_ns + sleep_ns,
					      .kind = HAND_WAKE,
					      .task = task,
					      .cpu = cpu,
					      .number = run_ns });
	agree_block(hand, task);
}

void agree_own(struct agree_hand *hand, uint32_t task, enum agree_op_kind kind, uint64_t run_ns)
{
	hand->plan[task].gone = kind == AGREE_OP_EXIT;
	agree_compute(hand, task, run_ns);
	emit(hand, &(struct agree_op){ .kind = kind, .task = task });
}

void agree_set_sched(struct agree_hand *hand, uint32_t task, uint32_t cpu,
		     const struct core_sched *sched)
{
	emit(hand, &(struct agree_op){
			   .kind = AGREE_OP_SCHED, .task = task, .cpu = cpu, .sched = *sched });
}

void agree_set_affinity(struct agree_hand *hand, uint32_t task, uint32_t cpu,
			const uint64_t *affinity)
{
	struct agree_op op = { .kind = AGREE_OP_AFFINITY, .task = task, .cpu = cpu, .bound = true };

	memcpy(op.affinity, affinity, sizeof(op.affinity));
	emit(hand, &op);
}

void agree_alarm(struct agree_hand *hand, uint64_t delay_ns, uint64_t number)
{
	push(hand, (struct agree_hand_event){ .when_ns = hand->now_ns + delay_ns,
					      .kind = HAND_ALARM,
					      .number = number });
}

uint64_t agree_between(struct agree_hand *hand, uint64_t min, uint64_t max)
{
	return min + rng_below(&hand->rng, max - min + 1);
}

uint32_t agree_any_cpu(struct agree_hand *hand)
{
	return hand->cpu[rng_below(&hand->rng, hand->nr_cpus)];
}

/* One for sure, each of the others with even odds. */
void agree_some_cpus(struct agree_hand *hand, uint64_t *affinity)
{
	const uint32_t sure = agree_any_cpu(hand);

	memset(affinity, 0, AGREE_WORDS * sizeof(*affinity));
	for (uint32_t i = 0; i < hand->nr_cpus; i++) {
		const uint32_t cpu = hand->cpu[i];

		if (cpu == sure || rng_next(&hand->rng) >> 63)
			affinity[cpu / 64] |= UINT64_C(1) << cpu % 64;
	}
}

static void handle(struct agree_hand *hand, const struct agree_hand_event *event)
{
	const struct agree_plan *plan = &hand->plan[event->task];

	if (event->when_ns > hand->now_ns) /* a script may have gone on */
		hand->now_ns = event->when_ns;
	if (event->kind == HAND_ALARM)
		hand->script->alarm(hand, event->number);
	else if (event->kind == HAND_WAKE)
		agree_wake(hand, event->task, event->cpu, false, event->number);
	else if (hand->pair->task[event->task].running && plan->turn == event->number)
		hand->script->act(hand, event->task);
}

static void find_cpus(struct agree_hand *hand)
{
	const struct core_machine *machine = hand->pair->config->machine;

	hand->cpu = xcalloc(machine->nr_cpus, sizeof(*hand->cpu));
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (machine->online[cpu])
			hand->cpu[hand->nr_cpus++] = cpu;
	hand->nr_base = hand->nr_cpus + hand->nr_cpus / 2;
	if (hand->nr_base < BASE_MIN)
		hand->nr_base = BASE_MIN;
	if (hand->nr_base > BASE_MAX)
		hand->nr_base = BASE_MAX;
}

static void write_on(struct agree_hand *hand, uint64_t events)
{
	struct agree_pair *pair = hand->pair;

	while (!agree_pair_over(pair) && pair->events < events) {
		const uint64_t due_ns = agree_pair_next(pair);
		const uint64_t own_ns = hand->nr_events ? hand->event[0].when_ns : UINT64_MAX;
		struct agree_hand_event event;

		if (due_ns == UINT64_MAX && own_ns == UINT64_MAX)
			break;
		if (due_ns <= own_ns) {
			agree_pair_step(pair);
			continue;
		}
		event = pop(hand);
		handle(hand, &event);
	}
}

void agree_script_run(const struct agree_script *script, struct agree_pair *pair, uint64_t seed,
		      uint64_t events, struct agree_ops *ops)
{
	struct agree_hand hand = { .script = script, .pair = pair, .ops = ops };

	rng_seed(&hand.rng, seed, script->name, 0);
	hand.plan = xcalloc(AGREE_TASKS, sizeof(*hand.plan));
	find_cpus(&hand);
	pair->switched = switched;
	pair->ctx = &hand;
	script->start(&hand);
	write_on(&hand, pair->events + events);
	ops->end_ns = pair->now_ns - pair->start_ns;
	agree_pair_end(pair);
	pair->switched = NULL;
	free(hand.plan);
	free(hand.cpu);
	free(hand.event);
}
