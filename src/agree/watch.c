// SPDX-License-Identifier: GPL-2.0-only
#include "agree/watch.h"

#include "agree/parts.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_WEIGHT 3

/* A task of one side. @since_ns: when it got its CPU, or became ready or went to sleep; @runtime_ns: as the core last said; @off_ns: by which
 * that may be off */
struct watch_task {
	uint32_t cpu;
	bool running;
	uint64_t since_ns, had_ns, runtime_ns, off_ns;
};

/*
 * A CPU of one side. @task: its number and 1, 0: none; @pulled: switches to come whose time may be of the last tick, as new-idle
 * balancing may want the next look at the clock left out; @fair: of a look at all */
struct watch_cpu {
	uint32_t task;
	uint32_t pulled;
	uint64_t since_ns;
	uint32_t fair;
};

/* @gone_ns: runtimes of tasks that were freed; @off_ns: as of a task, of all */
struct watch_side {
	struct watch_task *task;
	struct watch_cpu *cpu;
	uint64_t busy_ns, gone_ns, off_ns;
};

/* What scripts say of a task, for both. */
struct watch_known {
	struct core_sched sched;
	uint64_t allowed[AGREE_WORDS];
};

struct agree_watch {
	struct watch_side side[2];
	struct watch_known *known;
};

static size_t nr_tasks(const struct agree_pair *pair)
{
	return AGREE_TASKS + (size_t)pair->config->machine->nr_cpus;
}

struct agree_watch *agree_watch_new(const struct agree_pair *pair)
{
	struct agree_watch *watch = xcalloc(1, sizeof(*watch));

	watch->known = xcalloc(nr_tasks(pair), sizeof(*watch->known));
	for (int i = 0; i < 2; i++) {
		watch->side[i].task = xcalloc(nr_tasks(pair), sizeof(*watch->side[i].task));
		watch->side[i].cpu =
			xcalloc(pair->config->machine->nr_cpus, sizeof(*watch->side[i].cpu));
	}
	return watch;
}

void agree_watch_free(struct agree_watch *watch)
{
	if (!watch)
		return;
	for (int i = 0; i < 2; i++) {
		free(watch->side[i].task);
		free(watch->side[i].cpu);
	}
	free(watch->known);
	free(watch);
}

static void breach(struct agree_pair *pair, int side, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void breach(struct agree_pair *pair, int side, const char *fmt, ...)
{
	va_list ap;

	if (agree_pair_over(pair))
		return;
	pair->failed = true;
	strbuf_addf(&pair->words,
		    "%s core, what must always hold doesn't: ", pair->side[side].ops->name);
	va_start(ap, fmt);
	strbuf_vaddf(&pair->words, fmt, ap);
	va_end(ap);
}

/* A child may go where its parent may, unless it is told otherwise; who idles forks as a task that may go anywhere. */
static void begin(struct agree_pair *pair, const struct agree_op *op)
{
	struct agree_watch *watch = pair->watch;
	struct watch_known *known = &watch->known[op->task];
	const uint32_t parent = watch->side[0].cpu[op->cpu].task;

	known->sched = (struct core_sched){ 0 };
	if (op->bound)
		memcpy(known->allowed, op->affinity, sizeof(known->allowed));
	else if (parent)
		memcpy(known->allowed, watch->known[parent - 1].allowed, sizeof(known->allowed));
	else
		memset(known->allowed, 0xff, sizeof(known->allowed));
	for (int i = 0; i < 2; i++)
		watch->side[i].task[op->task] =
			(struct watch_task){ .cpu = op->cpu, .since_ns = pair->now_ns };
}

void agree_watch_op(struct agree_pair *pair, const struct agree_op *op)
{
	struct watch_known *known = &pair->watch->known[op->task];

	if (op->kind == AGREE_OP_FORK)
		begin(pair, op);
	else if (op->kind == AGREE_OP_AFFINITY)
		memcpy(known->allowed, op->affinity, sizeof(known->allowed));
	else if (op->kind == AGREE_OP_SCHED)
		known->sched = op->sched;
	if (op->kind == AGREE_OP_WAKE || op->kind == AGREE_OP_AFFINITY)
		for (int i = 0; i < 2; i++)
			if (!pair->watch->side[i].task[op->task].running)
				pair->watch->side[i].task[op->task].since_ns = pair->now_ns;
}

static void leave(struct agree_pair *pair, int side, const struct agree_said *said, uint64_t off_ns)
{
	struct watch_side *of = &pair->watch->side[side];
	struct watch_task *task = &of->task[said->a - 1];
	const uint64_t had_ns = pair->now_ns - task->since_ns;

	task->had_ns += had_ns;
	of->busy_ns += had_ns;
	task->since_ns = pair->now_ns;
	task->running = false;
	task->off_ns += off_ns;
}

static void take(struct agree_pair *pair, int side, const struct agree_said *said, uint64_t off_ns)
{
	struct watch_task *task = &pair->watch->side[side].task[said->b - 1];

	if (task->running || task->cpu != said->cpu)
		breach(pair, side, "CPU %u switches to t%u, which %s CPU %u", said->cpu,
		       said->b - 1, task->running ? "runs on" : "is on", task->cpu);
	task->since_ns = pair->now_ns;
	task->running = true;
	task->off_ns += off_ns;
}

static void switched(struct agree_pair *pair, int side, const struct agree_said *said)
{
	struct watch_side *of = &pair->watch->side[side];
	struct watch_cpu *cpu = &of->cpu[said->cpu];
	uint64_t off_ns = WATCH_SWITCH_NS;

	if (cpu->task != said->a) {
		breach(pair, side, "CPU %u switches from task %u, and had %u (from 1 on, 0: none)",
		       said->cpu, said->a, cpu->task);
		return;
	}
	if (cpu->pulled) {
		cpu->pulled--;
		off_ns += pair->side[side].ops->tick_ns(pair->side[side].core);
	}
	if (said->a)
		leave(pair, side, said, off_ns);
	if (said->b)
		take(pair, side, said, off_ns);
	if (!said->a != !said->b)
		of->off_ns += off_ns;
	if (said->a || said->b)
		cpu->since_ns = pair->now_ns;
	cpu->task = said->b;
}

static void moved(struct agree_pair *pair, int side, const struct agree_said *said)
{
	struct watch_task *task = &pair->watch->side[side].task[said->a - 1];

	if (task->running || task->cpu != said->b)
		breach(pair, side, "t%u moves from CPU %u to CPU %u, and %s CPU %u", said->a - 1,
		       said->b, said->cpu, task->running ? "runs on" : "is on", task->cpu);
	task->cpu = said->cpu;
	if (said->c == CORE_MIGRATE_NEWIDLE)
		pair->watch->side[side].cpu[said->cpu].pulled = 2;
}

static void hear(struct agree_pair *pair, int side)
{
	const struct agree_side *of = &pair->side[side];

	for (uint32_t i = 0; i < of->nr_said; i++) {
		if (of->said[i].kind == SAID_SWITCH)
			switched(pair, side, &of->said[i]);
		else if (of->said[i].kind == SAID_MIGRATE && of->said[i].a)
			moved(pair, side, &of->said[i]);
	}
}

static uint64_t since(const struct agree_pair *pair, uint64_t since_ns)
{
	return pair->now_ns > since_ns ? pair->now_ns - since_ns : 0;
}

static void check_place(struct agree_pair *pair, int side, uint32_t nr,
			const struct core_task_state *s)
{
	const struct watch_task *task = &pair->watch->side[side].task[nr];

	if (s->cpu != task->cpu || s->running != task->running)
		breach(pair, side, "t%u %s CPU %u by its state, and %s CPU %u by what was told", nr,
		       s->running ? "runs on" : "is on", s->cpu,
		       task->running ? "runs on" : "is on", task->cpu);
	else if (pair->task[nr].asleep && (s->running || (s->on_rq && !s->delayed)))
		breach(pair, side, "t%u sleeps, and is queued", nr);
	else if (!pair->task[nr].asleep && !s->on_rq && since(pair, task->since_ns) > WATCH_LOST_NS)
		breach(pair, side, "t%u is to run for %" PRIu64 " ns, and is on no queue", nr,
		       since(pair, task->since_ns));
}

static void check_runtime(struct agree_pair *pair, int side, uint32_t nr,
			  const struct core_task_state *s)
{
	struct watch_task *task = &pair->watch->side[side].task[nr];
	const uint64_t bound = task->off_ns;

	if (s->runtime_ns < task->runtime_ns)
		breach(pair, side,
		       "the runtime of t%u goes back from %" PRIu64 " to %" PRIu64 " ns", nr,
		       task->runtime_ns, s->runtime_ns);
	task->runtime_ns = s->runtime_ns;
	if (!task->running &&
	    (s->runtime_ns > task->had_ns + bound || task->had_ns > s->runtime_ns + bound))
		breach(pair, side, "t%u had %" PRIu64 " ns, and its runtime is %" PRIu64 " ns", nr,
		       task->had_ns, s->runtime_ns);
}

static void check_averages(struct agree_pair *pair, int side, uint32_t nr,
			   const struct core_task_state *s)
{
	const uint64_t weight = core_weight(&pair->watch->known[nr].sched);

	if (s->util_avg > 1024 || s->runnable_avg > 1024 || s->load_avg > weight + weight / 8 + 1)
		breach(pair, side,
		       "averages of t%u: utilisation %" PRIu64 ", runnable %" PRIu64
		       ", load %" PRIu64 " of weight %" PRIu64,
		       nr, s->util_avg, s->runnable_avg, s->load_avg, weight);
}

static uint64_t size_of(int64_t x)
{
	return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

static void check_virtual(struct agree_pair *pair, int side, uint32_t nr,
			  const struct core_task_state *s)
{
	const struct agree_side *of = &pair->side[side];
	const uint64_t weight = core_weight(&pair->watch->known[nr].sched);
	const uint64_t tick_ns = of->ops->tick_ns(of->core);
	const uint64_t slice_ns = s->slice_ns > tick_ns ? s->slice_ns : tick_ns;
	struct core_rq_state rq;

	if (!s->on_rq && !s->running) {
		/* while it is queued a kernel keeps something else there */
		if (size_of(s->lag_ns) / 1024 * weight > WATCH_SLICES * slice_ns)
			breach(pair, side, "t%u sleeps with a lag of %" PRId64 " ns", nr,
			       s->lag_ns);
		return;
	}
	if (!s->on_rq)
		return;
	of->ops->rq_state(of->core, s->cpu, &rq);
	if (size_of((int64_t)(s->vruntime - rq.vruntime)) >
	    WATCH_SLICES * slice_ns * 1024 / IDLE_WEIGHT)
		breach(pair, side, "the vruntime of t%u is %" PRId64 " ns from that of CPU %u", nr,
		       (int64_t)(s->vruntime - rq.vruntime), s->cpu);
}

static void check_task(struct agree_pair *pair, int side, uint32_t nr)
{
	const struct agree_side *of = &pair->side[side];
	struct core_task_state s;

	of->ops->task_state(of->core, pair->task[nr].of[side], &s);
	pair->watch->side[side].cpu[s.cpu].fair += s.on_rq;
	check_place(pair, side, nr, &s);
	check_runtime(pair, side, nr, &s);
	check_averages(pair, side, nr, &s);
	check_virtual(pair, side, nr, &s);
}

static bool may_use(const struct agree_pair *pair, uint32_t nr, uint32_t cpu)
{
	return agree_cpu_is_up(pair, cpu) &&
	       pair->watch->known[nr].allowed[cpu / 64] >> cpu % 64 & 1;
}

static void check_waiting(struct agree_pair *pair, int side, uint32_t nr)
{
	const struct watch_side *of = &pair->watch->side[side];
	const struct watch_task *task = &of->task[nr];

	if (task->running || pair->task[nr].asleep || since(pair, task->since_ns) <= WATCH_IDLE_NS)
		return;
	for (uint32_t cpu = 0; cpu < pair->config->machine->nr_cpus; cpu++)
		if (!of->cpu[cpu].task && may_use(pair, nr, cpu) &&
		    since(pair, of->cpu[cpu].since_ns) > WATCH_IDLE_NS)
			breach(pair, side,
			       "t%u waits on CPU %u for %" PRIu64 " us, and CPU %u idles", nr,
			       task->cpu, since(pair, task->since_ns) / 1000, cpu);
}

static void check_counts(struct agree_pair *pair, int side)
{
	const struct agree_side *of = &pair->side[side];

	for (uint32_t cpu = 0; cpu < pair->config->machine->nr_cpus; cpu++) {
		struct core_rq_state rq;

		if (!agree_cpu_is_up(pair, cpu))
			continue;
		of->ops->rq_state(of->core, cpu, &rq);
		if (rq.nr_fair != pair->watch->side[side].cpu[cpu].fair)
			breach(pair, side, "CPU %u counts %u fair tasks, and %u say they are there",
			       cpu, rq.nr_fair, pair->watch->side[side].cpu[cpu].fair);
	}
}

static void check(struct agree_pair *pair, int side, bool all)
{
	const struct watch_side *of = &pair->watch->side[side];

	for (uint32_t cpu = 0; all && cpu < pair->config->machine->nr_cpus; cpu++)
		of->cpu[cpu].fair = 0;
	for (uint32_t nr = 0; nr < pair->nr_tasks && !agree_pair_over(pair); nr++) {
		if (!pair->task[nr].of[side])
			continue;
		if (all || pair->touched[of->task[nr].cpu])
			check_task(pair, side, nr);
		if (all)
			check_waiting(pair, side, nr);
	}
	if (all && !agree_pair_over(pair))
		check_counts(pair, side);
}

void agree_watch_event(struct agree_pair *pair, bool all)
{
	for (int side = 0; side < 2; side++) {
		hear(pair, side);
		if (pair->comparing && !agree_pair_over(pair))
			check(pair, side, all);
	}
}

void agree_watch_gone(struct agree_pair *pair, uint32_t task)
{
	for (int side = 0; side < 2; side++) {
		const struct agree_side *of = &pair->side[side];
		struct core_task_state s;

		of->ops->task_state(of->core, pair->task[task].of[side], &s);
		pair->watch->side[side].gone_ns += s.runtime_ns;
	}
}

/* What runs is left out of both. */
void agree_watch_end(struct agree_pair *pair)
{
	for (int side = 0; side < 2; side++) {
		const struct watch_side *of = &pair->watch->side[side];
		uint64_t runtimes_ns = of->gone_ns, busy_ns = of->busy_ns;
		const uint64_t bound = of->off_ns;

		for (uint32_t nr = 0; nr < pair->nr_tasks; nr++) {
			if (!pair->task[nr].of[side])
				continue;
			if (of->task[nr].running)
				busy_ns -= of->task[nr].had_ns;
			else
				runtimes_ns += of->task[nr].runtime_ns;
		}
		if (runtimes_ns > busy_ns + bound || busy_ns > runtimes_ns + bound)
			breach(pair, side,
			       "runtimes are %" PRIu64 " ns, and CPUs were busy for %" PRIu64 " ns",
			       runtimes_ns, busy_ns);
	}
}
