// SPDX-License-Identifier: GPL-2.0-only
#include "between.h"

#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum what {
	ASKS_IPI,
	ASKS_TIMER,
	ASKS_SWITCHED,
	ASKS_MIGRATED,
	ASKS_WORK,
	ASKS_FREQUENCY,
	ASKS_SCAN,
	ASKS_MOVED,
	RETURNS,
};

/* Who has the CPU. */
enum who {
	WHO_ENGINE,
	WHO_CORE,
	WHO_NEITHER,
	NR_WHO,
};

#define SAMPLE_NS 100000

/* struct core_task - @real is the real core's; @cookie is the simulator's. Tasks are told by their numbers, from 1 on */
struct core_task {
	struct core *core;
	struct core_task *real;
	void *cookie;
	uint32_t nr;
};

struct core {
	struct between *between;
	struct core *real;
	const struct core_host *host;
	struct core_host heard; /* by the real core */
	uint32_t nr_tasks;
};

struct between {
	const struct core_ops *ops;
	struct core_ops mine;
	struct core core;
	uint64_t hash;
	timer_t timer;
};

/* A core's boot() isn't told which core it is, and a signal's handler isn't told anything. */
static struct between *current;
static volatile sig_atomic_t who;
static volatile uint64_t samples[NR_WHO];

static void sample(int signal)
{
	(void)signal;
	samples[who]++;
}

/* FNV-1a, a number at a time. */
static void add(struct core *core, enum what what, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t word[] = { what, a, b, c };
	uint64_t hash = core->between->hash;

	for (size_t i = 0; i < ARRAY_SIZE(word); i++)
		hash = (hash ^ word[i]) * UINT64_C(0x100000001b3);
	core->between->hash = hash;
}

/* The core asks its host for something, from @ask on until @got. */
static void ask(struct core *core, enum what what, uint64_t a, uint64_t b, uint64_t c)
{
	who = WHO_NEITHER;
	add(core, what, a, b, c);
	who = WHO_ENGINE;
}

static void got(void)
{
	who = WHO_CORE;
}

/* The engine calls the core, from @call on until @end. */
static const struct core_ops *call(const struct core *core)
{
	who = WHO_CORE;
	return core->between->ops;
}

static void end(struct core *core, uint64_t a, uint64_t b)
{
	who = WHO_NEITHER;
	add(core, RETURNS, a, b, 0);
	who = WHO_ENGINE;
}

static uint32_t nr_of(const struct core_task *task)
{
	return task ? task->nr : 0;
}

static void *cookie_of(const struct core_task *task)
{
	return task ? task->cookie : NULL;
}

static void heard_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	struct core *core = ctx;

	ask(core, ASKS_IPI, cpu, kind, 0);
	core->host->ipi(core->host->ctx, cpu, kind);
	got();
}

static void heard_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation)
{
	struct core *core = ctx;

	ask(core, ASKS_TIMER, cpu, when_ns, generation);
	core->host->timer(core->host->ctx, cpu, timer, when_ns, generation);
	got();
}

static void heard_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	struct core *core = ctx;

	ask(core, ASKS_SWITCHED, cpu, nr_of(prev), nr_of(next));
	core->host->switched(core->host->ctx, cpu, cookie_of(prev), cookie_of(next));
	got();
}

static void heard_migrated(void *ctx, void *task, uint32_t from, uint32_t to,
			   enum core_reason reason)
{
	struct core *core = ctx;

	ask(core, ASKS_MIGRATED, nr_of(task), (uint64_t)from << 32 | to, reason);
	core->host->migrated(core->host->ctx, cookie_of(task), from, to, reason);
	got();
}

static void heard_work(void *ctx, uint32_t cpu, uint64_t steps)
{
	struct core *core = ctx;

	ask(core, ASKS_WORK, cpu, steps, 0);
	core->host->work(core->host->ctx, cpu, steps);
	got();
}

static void heard_frequency(void *ctx, uint32_t cpu, uint32_t perf)
{
	struct core *core = ctx;

	ask(core, ASKS_FREQUENCY, cpu, perf, 0);
	core->host->frequency(core->host->ctx, cpu, perf);
	got();
}

static uint64_t heard_scan(void *ctx, void *task, uint64_t pages)
{
	struct core *core = ctx;

	ask(core, ASKS_SCAN, nr_of(task), pages, 0);
	pages = core->host->numa_scan(core->host->ctx, cookie_of(task), pages);
	got();
	return pages;
}

static void heard_moved(void *ctx, uint32_t node)
{
	struct core *core = ctx;

	ask(core, ASKS_MOVED, node, 0, 0);
	core->host->numa_moved(core->host->ctx, node);
	got();
}

static void heard_print(void *ctx, const char *line)
{
	struct core *core = ctx;

	core->host->print(core->host->ctx, line);
}

static void heard_warn(void *ctx, const char *text)
{
	struct core *core = ctx;

	core->host->warn(core->host->ctx, text);
}

__attribute__((noreturn)) static void heard_fail(void *ctx, const char *text)
{
	struct core *core = ctx;

	core->host->fail(core->host->ctx, text);
}

static void *heard_alloc(void *ctx, size_t size)
{
	struct core *core = ctx;

	return core->host->alloc(core->host->ctx, size);
}

static void heard_free(void *ctx, void *p)
{
	struct core *core = ctx;

	core->host->free(core->host->ctx, p);
}

static struct core *mine_boot(const struct core_config *config, const struct core_host *host)
{
	struct core *core = &current->core;

	*core = (struct core){ .between = current, .host = host };
	core->heard = (struct core_host){
		.ctx = core,
		.now_ns = host->now_ns,
		.ipi = heard_ipi,
		.timer = heard_timer,
		.switched = heard_switched,
		.migrated = heard_migrated,
		.work = heard_work,
		.frequency = heard_frequency,
		.numa_scan = heard_scan,
		.print = heard_print,
		.warn = heard_warn,
		.fail = heard_fail,
		.alloc = heard_alloc,
		.free = heard_free,
		.numa_moved = heard_moved,
	};
	core->real = call(core)->boot(config, &core->heard);
	end(core, 0, 0);
	return core->real ? core : NULL;
}

static void mine_release(struct core *core)
{
	call(core)->release(core->real);
	who = WHO_ENGINE;
}

static uint64_t tick_ns(const struct core *core)
{
	return core->between->ops->tick_ns(core->real);
}

static struct core_task *mine_task_new(struct core *core, uint32_t cpu,
				       const struct core_task_spec *spec)
{
	struct core_task *task = core->host->alloc(core->host->ctx, sizeof(*task));
	struct core_task_spec mine = *spec;

	*task = (struct core_task){ .core = core, .cookie = spec->cookie, .nr = ++core->nr_tasks };
	mine.cookie = task;
	task->real = call(core)->task_new(core->real, cpu, &mine);
	end(core, 0, 0);
	return task;
}

static void mine_task_start(struct core *core, uint32_t cpu, struct core_task *task)
{
	call(core)->task_start(core->real, cpu, task->real);
	end(core, 0, 0);
}

static void mine_task_free(struct core *core, struct core_task *task)
{
	call(core)->task_free(core->real, task->real);
	end(core, 0, 0);
	core->host->free(core->host->ctx, task);
}

static void mine_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	call(core)->wake(core->real, cpu, task->real, sync);
	end(core, 0, 0);
}

static void mine_block(struct core *core, uint32_t cpu, bool io)
{
	call(core)->block(core->real, cpu, io);
	end(core, 0, 0);
}

static void mine_yield(struct core *core, uint32_t cpu)
{
	call(core)->yield(core->real, cpu);
	end(core, 0, 0);
}

static void mine_exec(struct core *core, uint32_t cpu)
{
	call(core)->exec(core->real, cpu);
	end(core, 0, 0);
}

static void mine_exit(struct core *core, uint32_t cpu)
{
	call(core)->exit(core->real, cpu);
	end(core, 0, 0);
}

static void mine_tick(struct core *core, uint32_t cpu)
{
	call(core)->tick(core->real, cpu);
	end(core, 0, 0);
}

static void mine_timer(struct core *core, uint32_t cpu, void *timer, uint64_t generation)
{
	call(core)->timer(core->real, cpu, timer, generation);
	end(core, 0, 0);
}

static void mine_ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	call(core)->ipi(core->real, cpu, kind);
	end(core, 0, 0);
}

static struct core_now mine_settle(struct core *core, uint32_t cpu)
{
	struct core_now now = call(core)->settle(core->real, cpu);

	end(core, nr_of(now.cookie), now.busy | now.tick << 1);
	now.cookie = cookie_of(now.cookie);
	return now;
}

static int mine_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
			  const struct core_sched *sched)
{
	int ret = call(core)->set_sched(core->real, cpu, task->real, sched);

	end(core, (uint32_t)ret, 0);
	return ret;
}

struct between *between_new(const struct core_ops *ops)
{
	struct between *between = xcalloc(1, sizeof(*between));

	between->ops = ops;
	between->hash = UINT64_C(0xcbf29ce484222325);
	between->mine = (struct core_ops){
		.abi = CORE_ABI,
		.name = "between",
		.boot = mine_boot,
		.release = mine_release,
		.tick_ns = tick_ns,
		.task_new = mine_task_new,
		.task_start = mine_task_start,
		.task_free = mine_task_free,
		.wake = mine_wake,
		.block = mine_block,
		.yield = mine_yield,
		.exec = mine_exec,
		.exit = mine_exit,
		.tick = mine_tick,
		.timer = mine_timer,
		.ipi = mine_ipi,
		.settle = mine_settle,
		.set_sched = mine_set_sched,
	};
	return between;
}

const struct core_ops *between_ops(struct between *between)
{
	current = between;
	return &between->mine;
}

static void arm(timer_t timer, long ns)
{
	const struct itimerspec each = { { 0, ns }, { 0, ns } };

	timer_settime(timer, 0, &each, NULL);
}

void between_begin(struct between *between)
{
	const struct sigaction action = { .sa_handler = sample, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF };

	for (int i = 0; i < NR_WHO; i++)
		samples[i] = 0;
	if (sigaction(SIGPROF, &action, NULL) ||
	    timer_create(CLOCK_MONOTONIC, &event, &between->timer)) {
		fprintf(stderr, "sampling: %s\n", strerror(errno));
		exit(1);
	}
	arm(between->timer, SAMPLE_NS);
}

double between_end(struct between *between)
{
	timer_delete(between->timer);
	return (double)samples[WHO_ENGINE] / (double)(samples[WHO_ENGINE] + samples[WHO_CORE]);
}

uint64_t between_hash(const struct between *between)
{
	return between->hash;
}

void between_free(struct between *between)
{
	free(between);
}
