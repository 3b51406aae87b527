// SPDX-License-Identifier: GPL-2.0-only
#include "tape.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum entry_kind {
	ENTRY_IPI,
	ENTRY_TIMER,
	ENTRY_SWITCHED,
	ENTRY_MIGRATED,
	ENTRY_WORK,
	ENTRY_FREQUENCY,
	ENTRY_SCAN,
	ENTRY_MOVED,
	ENTRY_END, /* of a call, which returned @a and @b */
};

/* struct entry - what a core asked its host for, or came back with; tasks by their numbers, from 1 on */
struct entry {
	enum entry_kind kind;
	uint32_t a, b, c;
	void *timer;
	uint64_t x, y;
};

/* struct core_task - of the recorder @real is the real core's; @cookie is the simulator's */
struct core_task {
	struct core *core;
	struct core_task *real;
	void *cookie;
	uint32_t nr;
};

/* struct core - of the recorder or the player */
struct core {
	struct tape *tape;
	struct core *real;
	const struct core_host *host;
	struct core_host between; /* the recorder's, for the real core */
	uint64_t tick_ns;
	uint32_t nr_tasks;
};

struct tape {
	const struct core_ops *ops;
	struct core_ops recorder, player;
	struct entry *entry;
	size_t nr, size, at;
	uint64_t tick_ns;
	struct core core[2];
	void **cookie; /* of tasks by number, of the player */
	size_t nr_cookies;
};

/* A core's boot() isn't told which core it is. */
static struct tape *current;

static void add(struct core *core, struct entry entry)
{
	struct tape *tape = core->tape;

	if (tape->nr == tape->size) {
		tape->size = tape->size ? 2 * tape->size : 1 << 16;
		tape->entry = xreallocarray(tape->entry, tape->size, sizeof(*tape->entry));
	}
	tape->entry[tape->nr++] = entry;
}

static void end(struct core *core, uint32_t a, uint32_t b)
{
	add(core, (struct entry){ .kind = ENTRY_END, .a = a, .b = b });
}

static uint32_t nr_of(const struct core_task *task)
{
	return task ? task->nr : 0;
}

static void *cookie_of(const struct core_task *task)
{
	return task ? task->cookie : NULL;
}

static void between_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	struct core *core = ctx;

	add(core, (struct entry){ .kind = ENTRY_IPI, .a = cpu, .b = kind });
	core->host->ipi(core->host->ctx, cpu, kind);
}

static void between_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns,
			  uint64_t generation)
{
	struct core *core = ctx;

	add(core, (struct entry){ ENTRY_TIMER, cpu, 0, 0, timer, when_ns, generation });
	core->host->timer(core->host->ctx, cpu, timer, when_ns, generation);
}

static void between_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	struct core *core = ctx;

	add(core,
	    (struct entry){ .kind = ENTRY_SWITCHED, .a = cpu, .b = nr_of(prev), .c = nr_of(next) });
	core->host->switched(core->host->ctx, cpu, cookie_of(prev), cookie_of(next));
}

static void between_migrated(void *ctx, void *task, uint32_t from, uint32_t to,
			     enum core_reason reason)
{
	struct core *core = ctx;

	add(core,
	    (struct entry){
		    .kind = ENTRY_MIGRATED, .a = nr_of(task), .b = from, .c = to, .x = reason });
	core->host->migrated(core->host->ctx, cookie_of(task), from, to, reason);
}

static void between_work(void *ctx, uint32_t cpu, uint64_t steps)
{
	struct core *core = ctx;

	add(core, (struct entry){ .kind = ENTRY_WORK, .a = cpu, .x = steps });
	core->host->work(core->host->ctx, cpu, steps);
}

static void between_frequency(void *ctx, uint32_t cpu, uint32_t perf)
{
	struct core *core = ctx;

	add(core, (struct entry){ .kind = ENTRY_FREQUENCY, .a = cpu, .b = perf });
	core->host->frequency(core->host->ctx, cpu, perf);
}

static uint64_t between_scan(void *ctx, void *task, uint64_t pages)
{
	struct core *core = ctx;

	add(core, (struct entry){ .kind = ENTRY_SCAN, .a = nr_of(task), .x = pages });
	return core->host->numa_scan(core->host->ctx, cookie_of(task), pages);
}

static void between_moved(void *ctx, uint32_t node)
{
	struct core *core = ctx;

	add(core, (struct entry){ .kind = ENTRY_MOVED, .a = node });
	core->host->numa_moved(core->host->ctx, node);
}

static void between_print(void *ctx, const char *line)
{
	struct core *core = ctx;

	core->host->print(core->host->ctx, line);
}

static void between_warn(void *ctx, const char *text)
{
	struct core *core = ctx;

	core->host->warn(core->host->ctx, text);
}

__attribute__((noreturn)) static void between_fail(void *ctx, const char *text)
{
	struct core *core = ctx;

	core->host->fail(core->host->ctx, text);
}

static void *between_alloc(void *ctx, size_t size)
{
	struct core *core = ctx;

	return core->host->alloc(core->host->ctx, size);
}

static void between_free(void *ctx, void *p)
{
	struct core *core = ctx;

	core->host->free(core->host->ctx, p);
}

static struct core *record_boot(const struct core_config *config, const struct core_host *host)
{
	struct core *core = &current->core[0];

	*core = (struct core){ .tape = current, .host = host };
	core->between = (struct core_host){
		.ctx = core,
		.now_ns = host->now_ns,
		.ipi = between_ipi,
		.timer = between_timer,
		.switched = between_switched,
		.migrated = between_migrated,
		.work = between_work,
		.frequency = between_frequency,
		.numa_scan = between_scan,
		.print = between_print,
		.warn = between_warn,
		.fail = between_fail,
		.alloc = between_alloc,
		.free = between_free,
		.numa_moved = between_moved,
	};
	core->real = current->ops->boot(config, &core->between);
	if (!core->real)
		return NULL;
	current->tick_ns = current->ops->tick_ns(core->real);
	end(core, 0, 0);
	return core;
}

static void record_release(struct core *core)
{
	core->tape->ops->release(core->real);
}

static uint64_t tape_tick_ns(const struct core *core)
{
	return core->tape->tick_ns;
}

static struct core_task *record_task_new(struct core *core, uint32_t cpu,
					 const struct core_task_spec *spec)
{
	struct core_task *task = core->host->alloc(core->host->ctx, sizeof(*task));
	struct core_task_spec mine = *spec;

	*task = (struct core_task){ .core = core, .cookie = spec->cookie, .nr = ++core->nr_tasks };
	mine.cookie = task;
	task->real = core->tape->ops->task_new(core->real, cpu, &mine);
	end(core, 0, 0);
	return task;
}

static void record_task_start(struct core *core, uint32_t cpu, struct core_task *task)
{
	core->tape->ops->task_start(core->real, cpu, task->real);
	end(core, 0, 0);
}

static void record_task_free(struct core *core, struct core_task *task)
{
	core->tape->ops->task_free(core->real, task->real);
	end(core, 0, 0);
	core->host->free(core->host->ctx, task);
}

static void record_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	core->tape->ops->wake(core->real, cpu, task->real, sync);
	end(core, 0, 0);
}

static void record_block(struct core *core, uint32_t cpu, bool io)
{
	core->tape->ops->block(core->real, cpu, io);
	end(core, 0, 0);
}

static void record_yield(struct core *core, uint32_t cpu)
{
	core->tape->ops->yield(core->real, cpu);
	end(core, 0, 0);
}

static void record_exec(struct core *core, uint32_t cpu)
{
	core->tape->ops->exec(core->real, cpu);
	end(core, 0, 0);
}

static void record_exit(struct core *core, uint32_t cpu)
{
	core->tape->ops->exit(core->real, cpu);
	end(core, 0, 0);
}

static void record_tick(struct core *core, uint32_t cpu)
{
	core->tape->ops->tick(core->real, cpu);
	end(core, 0, 0);
}

static void record_timer(struct core *core, uint32_t cpu, void *timer, uint64_t generation)
{
	core->tape->ops->timer(core->real, cpu, timer, generation);
	end(core, 0, 0);
}

static void record_ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	core->tape->ops->ipi(core->real, cpu, kind);
	end(core, 0, 0);
}

static struct core_now record_settle(struct core *core, uint32_t cpu)
{
	struct core_now now = core->tape->ops->settle(core->real, cpu);

	end(core, nr_of(now.cookie), now.busy | now.tick << 1);
	now.cookie = cookie_of(now.cookie);
	return now;
}

static int record_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
			    const struct core_sched *sched)
{
	int ret = core->tape->ops->set_sched(core->real, cpu, task->real, sched);

	end(core, (uint32_t)-ret, 0);
	return ret;
}

/* Plays one call: asks for all that was asked for, up to its end. */
static const struct entry *play(struct core *core)
{
	const struct core_host *host = core->host;
	struct tape *tape = core->tape;
	void **cookie = tape->cookie;

	for (;;) {
		const struct entry *e = &tape->entry[tape->at++];

		switch (e->kind) {
		case ENTRY_IPI:
			host->ipi(host->ctx, e->a, e->b);
			break;
		case ENTRY_TIMER:
			host->timer(host->ctx, e->a, e->timer, e->x, e->y);
			break;
		case ENTRY_SWITCHED:
			host->switched(host->ctx, e->a, cookie[e->b], cookie[e->c]);
			break;
		case ENTRY_MIGRATED:
			host->migrated(host->ctx, cookie[e->a], e->b, e->c, e->x);
			break;
		case ENTRY_WORK:
			host->work(host->ctx, e->a, e->x);
			break;
		case ENTRY_FREQUENCY:
			host->frequency(host->ctx, e->a, e->b);
			break;
		case ENTRY_SCAN:
			host->numa_scan(host->ctx, cookie[e->a], e->x);
			break;
		case ENTRY_MOVED:
			host->numa_moved(host->ctx, e->a);
			break;
		case ENTRY_END:
			return e;
		}
	}
}

static struct core *play_boot(const struct core_config *config, const struct core_host *host)
{
	struct core *core = &current->core[1];

	(void)config;
	*core = (struct core){ .tape = current, .host = host };
	/* the recorder has counted them */
	current->nr_cookies = current->core[0].nr_tasks + 1;
	current->cookie = xcalloc(current->nr_cookies, sizeof(*current->cookie));
	current->at = 0;
	play(core);
	return core;
}

static void play_release(struct core *core)
{
	free(core->tape->cookie);
	core->tape->cookie = NULL;
}

static struct core_task *play_task_new(struct core *core, uint32_t cpu,
				       const struct core_task_spec *spec)
{
	(void)cpu;
	assert(core->nr_tasks + 1 < core->tape->nr_cookies);
	core->tape->cookie[++core->nr_tasks] = spec->cookie;
	play(core);
	/* any pointer that is not NULL: the player looks at none */
	return (struct core_task *)&core->tape->cookie[core->nr_tasks];
}

static void play_task(struct core *core, uint32_t cpu, struct core_task *task)
{
	(void)cpu;
	(void)task;
	play(core);
}

static void play_task_free(struct core *core, struct core_task *task)
{
	(void)task;
	play(core);
}

static void play_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	(void)cpu;
	(void)task;
	(void)sync;
	play(core);
}

static void play_cpu(struct core *core, uint32_t cpu)
{
	(void)cpu;
	play(core);
}

static void play_block(struct core *core, uint32_t cpu, bool io)
{
	(void)io;
	play_cpu(core, cpu);
}

static void play_timer(struct core *core, uint32_t cpu, void *timer, uint64_t generation)
{
	(void)cpu;
	(void)timer;
	(void)generation;
	play(core);
}

static void play_ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	(void)cpu;
	(void)kind;
	play(core);
}

static struct core_now play_settle(struct core *core, uint32_t cpu)
{
	const struct entry *e = play(core);

	(void)cpu;
	return (struct core_now){ core->tape->cookie[e->a], e->b & 1, e->b >> 1 };
}

static int play_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
			  const struct core_sched *sched)
{
	(void)cpu;
	(void)task;
	(void)sched;
	return -(int)play(core)->a;
}

struct tape *tape_new(const struct core_ops *ops)
{
	struct tape *tape = xcalloc(1, sizeof(*tape));

	tape->ops = ops;
	tape->recorder = (struct core_ops){
		.abi = CORE_ABI,
		.name = "recorder",
		.boot = record_boot,
		.release = record_release,
		.tick_ns = tape_tick_ns,
		.task_new = record_task_new,
		.task_start = record_task_start,
		.task_free = record_task_free,
		.wake = record_wake,
		.block = record_block,
		.yield = record_yield,
		.exec = record_exec,
		.exit = record_exit,
		.tick = record_tick,
		.timer = record_timer,
		.ipi = record_ipi,
		.settle = record_settle,
		.set_sched = record_set_sched,
	};
	tape->player = (struct core_ops){
		.abi = CORE_ABI,
		.name = "player",
		.boot = play_boot,
		.release = play_release,
		.tick_ns = tape_tick_ns,
		.task_new = play_task_new,
		.task_start = play_task,
		.task_free = play_task_free,
		.wake = play_wake,
		.block = play_block,
		.yield = play_cpu,
		.exec = play_cpu,
		.exit = play_cpu,
		.tick = play_cpu,
		.timer = play_timer,
		.ipi = play_ipi,
		.settle = play_settle,
		.set_sched = play_set_sched,
	};
	return tape;
}

/* FNV-1a, a number at a time. A timer's address differs from run to run. */
uint64_t tape_hash(const struct tape *tape)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < tape->nr; i++) {
		const struct entry *e = &tape->entry[i];
		const uint64_t word[] = { e->kind, e->a, e->b, e->c, e->x, e->y };

		for (size_t k = 0; k < ARRAY_SIZE(word); k++)
			hash = (hash ^ word[k]) * UINT64_C(0x100000001b3);
	}
	return hash;
}

size_t tape_at(const struct tape *tape)
{
	return tape->at;
}

uint64_t tape_walk(const struct tape *tape, size_t from)
{
	uint64_t sum = 0;

	for (size_t i = from; i < tape->at; i++) {
		const struct entry *e = &tape->entry[i];

		sum = sum * 3 + e->kind + e->a + e->x;
	}
	return sum;
}

void tape_free(struct tape *tape)
{
	free(tape->entry);
	free(tape);
}

const struct core_ops *tape_recorder(struct tape *tape)
{
	current = tape;
	return &tape->recorder;
}

const struct core_ops *tape_player(struct tape *tape)
{
	current = tape;
	return &tape->player;
}
