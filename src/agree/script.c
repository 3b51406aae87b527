// SPDX-License-Identifier: GPL-2.0-only
/* Kinds of load that are known by a name. */
#include "agree/script.h"

#include "base/mem.h"

#include <string.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* Senders, each beside its receiver: a message wakes it up; a sender with too many that weren't taken waits. */
enum {
	SENDER,
	RECEIVER
};

#define HACKBENCH_QUEUE 12

static uint64_t message_ns(struct agree_hand *hand)
{
	return agree_between(hand, 3 * US, 20 * US);
}

static void hackbench_start(struct agree_hand *hand)
{
	for (uint32_t i = 0; i < hand->nr_base; i++) {
		const uint32_t task = agree_fork(hand, agree_any_cpu(hand), message_ns(hand), NULL);

		hand->plan[task].role = i % 2 ? RECEIVER : SENDER;
		hand->now_ns += agree_between(hand, 20 * US, 100 * US);
	}
}

static void hackbench_send(struct agree_hand *hand, uint32_t task)
{
	const uint32_t cpu = agree_cpu_of(hand, task), to = task + 1;

	if (to >= hand->nr_tasks) {
		agree_sleep(hand, task, MS, cpu, message_ns(hand));
		return;
	}
	hand->plan[to].count++;
	agree_compute(hand, task, message_ns(hand));
	if (hand->plan[to].count >= HACKBENCH_QUEUE && !agree_asleep(hand, to))
		agree_block(hand, task);
	else
		agree_wake(hand, to, cpu, true, message_ns(hand));
}

static void hackbench_receive(struct agree_hand *hand, uint32_t task)
{
	const uint32_t from = task - 1;

	agree_compute(hand, task, message_ns(hand));
	if (hand->plan[task].count)
		hand->plan[task].count--;
	if (hand->plan[task].count < HACKBENCH_QUEUE / 2 && agree_asleep(hand, from))
		agree_wake(hand, from, agree_cpu_of(hand, task), true, message_ns(hand));
	else if (!hand->plan[task].count)
		agree_block(hand, task);
}

static void hackbench_act(struct agree_hand *hand, uint32_t task)
{
	if (hand->plan[task].role == SENDER)
		hackbench_send(hand, task);
	else
		hackbench_receive(hand, task);
}

/* Messengers wake up all their workers, then sleep until the last one has answered. */
#define SCHBENCH_WORKERS 5

static uint64_t think_ns(struct agree_hand *hand)
{
	return agree_between(hand, 100 * US, 2 * MS);
}

static void schbench_start(struct agree_hand *hand)
{
	for (uint32_t i = 0; i < hand->nr_base; i++) {
		const uint32_t task = agree_fork(hand, agree_any_cpu(hand), think_ns(hand), NULL);

		hand->plan[task].group = task - task % (SCHBENCH_WORKERS + 1);
		hand->now_ns += agree_between(hand, 20 * US, 200 * US);
	}
}

static void schbench_act(struct agree_hand *hand, uint32_t task)
{
	const uint32_t leader = hand->plan[task].group, cpu = agree_cpu_of(hand, task);

	if (task != leader) {
		hand->plan[leader].count++;
		agree_wake(hand, leader, cpu, false, 20 * US);
		agree_block(hand, task);
		return;
	}
	for (uint32_t i = 1; i <= SCHBENCH_WORKERS && leader + i < hand->nr_tasks; i++)
		agree_wake(hand, leader + i, cpu, false, think_ns(hand));
	agree_block(hand, task);
}

/* Tasks that always compute. */
static void hogs_start(struct agree_hand *hand)
{
	for (uint32_t i = 0; i < hand->nr_base; i++) {
		agree_fork(hand, agree_any_cpu(hand), 100 * MS, NULL);
		hand->now_ns += agree_between(hand, 100 * US, MS);
	}
}

static void hogs_act(struct agree_hand *hand, uint32_t task)
{
	agree_compute(hand, task, 100 * MS);
}

/* Tasks that compute and sleep by turns. */
static uint64_t turn_ns(struct agree_hand *hand)
{
	return agree_between(hand, 50 * US, 3 * MS);
}

static void turns_start(struct agree_hand *hand)
{
	for (uint32_t i = 0; i < hand->nr_base; i++) {
		agree_fork(hand, agree_any_cpu(hand), turn_ns(hand), NULL);
		hand->now_ns += agree_between(hand, 10 * US, 400 * US);
	}
}

static void turns_act(struct agree_hand *hand, uint32_t task)
{
	const uint32_t cpu = task % 2 ? agree_cpu_of(hand, task) : agree_any_cpu(hand);

	agree_sleep(hand, task, agree_between(hand, 50 * US, 5 * MS), cpu, turn_ns(hand));
}

/* Of all kinds of niceness, and of the policies BATCH and IDLE. */
static void nice_set(struct agree_hand *hand, uint32_t task)
{
	static const int policies[] = { CORE_NORMAL, CORE_NORMAL, CORE_NORMAL,
					CORE_NORMAL, CORE_BATCH,  CORE_IDLE };
	struct core_sched sched = { .policy =
					    policies[rng_below(&hand->rng, ARRAY_SIZE(policies))] };

	if (sched.policy != CORE_IDLE)
		sched.nice = (int)rng_below(&hand->rng, 40) - 20;
	agree_set_sched(hand, task, agree_any_cpu(hand), &sched);
}

static void nice_start(struct agree_hand *hand)
{
	turns_start(hand);
	for (uint32_t task = 0; task < hand->nr_tasks; task++)
		nice_set(hand, task);
}

static void nice_act(struct agree_hand *hand, uint32_t task)
{
	if (task % 4)
		turns_act(hand, task);
	else
		agree_compute(hand, task, 20 * MS);
}

/* Tasks bound to some CPUs, a third to one; now and then to others. */
static void affinity_draw(struct agree_hand *hand, uint32_t task, uint64_t *words)
{
	const uint32_t cpu = agree_any_cpu(hand);

	if (task % 3) {
		agree_some_cpus(hand, words);
		return;
	}
	memset(words, 0, AGREE_WORDS * sizeof(*words));
	words[cpu / 64] = UINT64_C(1) << cpu % 64;
}

static void affinity_start(struct agree_hand *hand)
{
	uint64_t words[AGREE_WORDS];

	for (uint32_t i = 0; i < hand->nr_base; i++) {
		affinity_draw(hand, i, words);
		agree_fork(hand, agree_any_cpu(hand), turn_ns(hand), words);
		hand->now_ns += agree_between(hand, 10 * US, 400 * US);
	}
	agree_alarm(hand, 2 * MS, 0);
}

static void affinity_alarm(struct agree_hand *hand, uint64_t number)
{
	const uint32_t task = (uint32_t)rng_below(&hand->rng, hand->nr_tasks);
	uint64_t words[AGREE_WORDS];

	agree_alarm(hand, agree_between(hand, MS, 4 * MS), number);
	affinity_draw(hand, task, words);
	agree_set_affinity(hand, task, agree_any_cpu(hand), words);
}

/* Bursts of short-lived tasks; half of them execute a program first. */
static void fork_start(struct agree_hand *hand)
{
	for (uint32_t i = 0; i < hand->nr_base / 4; i++)
		agree_fork(hand, agree_any_cpu(hand), 100 * MS, NULL);
	agree_alarm(hand, 100 * US, 0);
}

static void fork_alarm(struct agree_hand *hand, uint64_t number)
{
	const uint32_t cpu = agree_any_cpu(hand), n = (uint32_t)agree_between(hand, 1, 12);

	agree_alarm(hand, agree_between(hand, 500 * US, 3 * MS), number);
	for (uint32_t i = 0; i < n && hand->nr_tasks < AGREE_TASKS; i++) {
		const uint32_t task =
			agree_fork(hand, cpu, agree_between(hand, 50 * US, 2 * MS), NULL);

		hand->plan[task].count = 1 + task % 2;
		hand->now_ns += 10 * US;
	}
}

static void fork_act(struct agree_hand *hand, uint32_t task)
{
	if (!hand->plan[task].count)
		hogs_act(hand, task);
	else if (--hand->plan[task].count)
		agree_own(hand, task, AGREE_OP_EXEC, agree_between(hand, 20 * US, MS));
	else
		agree_own(hand, task, AGREE_OP_EXIT, MS);
}

/* All at rest, then all awake at once. */
static void waves_alarm(struct agree_hand *hand, uint64_t number)
{
	agree_alarm(hand, agree_between(hand, 10 * MS, 40 * MS), number);
	for (uint32_t task = 0; task < hand->nr_tasks; task++) {
		hand->plan[task].count = (uint32_t)agree_between(hand, 1, 6);
		agree_wake(hand, task, task % 8 ? agree_cpu_of(hand, task) : agree_any_cpu(hand),
			   false, turn_ns(hand));
		hand->now_ns += 2 * US;
	}
}

static void waves_start(struct agree_hand *hand)
{
	turns_start(hand);
	agree_alarm(hand, 10 * MS, 0);
}

static void waves_act(struct agree_hand *hand, uint32_t task)
{
	if (!hand->plan[task].count) {
		agree_block(hand, task);
		return;
	}
	hand->plan[task].count--;
	turns_act(hand, task);
}

/* Of everything something. */
static void random_act(struct agree_hand *hand, uint32_t task)
{
	const uint64_t dice = rng_below(&hand->rng, 20);

	if (dice < 2)
		agree_own(hand, task, AGREE_OP_YIELD, turn_ns(hand));
	else if (dice < 3)
		agree_own(hand, task, AGREE_OP_EXEC, turn_ns(hand));
	else if (dice < 6)
		agree_compute(hand, task, turn_ns(hand));
	else
		turns_act(hand, task);
}

static void random_alarm(struct agree_hand *hand, uint64_t number)
{
	const uint32_t task = (uint32_t)rng_below(&hand->rng, hand->nr_tasks);
	uint64_t words[AGREE_WORDS];

	agree_alarm(hand, agree_between(hand, MS, 4 * MS), number);
	if (rng_below(&hand->rng, 2)) {
		nice_set(hand, task);
		return;
	}
	agree_some_cpus(hand, words);
	agree_set_affinity(hand, task, agree_any_cpu(hand), words);
}

static void random_start(struct agree_hand *hand)
{
	turns_start(hand);
	agree_alarm(hand, MS, 0);
}

static const struct agree_script scripts[] = {
	{ "hackbench", "pairs of a sender and a receiver", hackbench_start, hackbench_act, NULL },
	{ "schbench", "messengers that wake up workers", schbench_start, schbench_act, NULL },
	{ "hogs", "tasks that always compute", hogs_start, hogs_act, NULL },
	{ "nice", "all kinds of niceness, BATCH and IDLE", nice_start, nice_act, NULL },
	{ "affinity", "tasks bound to changing CPUs", affinity_start, turns_act, affinity_alarm },
	{ "fork", "storms of short-lived tasks, with exec", fork_start, fork_act, fork_alarm },
	{ "waves", "all at rest, then all awake", waves_start, waves_act, waves_alarm },
	{ "random", "of everything something", random_start, random_act, random_alarm },
};

const struct agree_script *agree_script_at(size_t i)
{
	return i < ARRAY_SIZE(scripts) ? &scripts[i] : NULL;
}

const struct agree_script *agree_script_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++)
		if (!strcmp(scripts[i].name, name))
			return &scripts[i];
	return NULL;
}
