// SPDX-License-Identifier: GPL-2.0-only
#include "sim/fixture_core.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct core_task {
	struct core_task_spec spec;
	uint32_t cpu;
	bool on_rq;
	uint64_t runtime_ns;
	uint64_t start_ns;
	struct core_task *next;
	uint64_t allowed[]; /* none: anywhere */
};

struct core_group {
	struct core_group *next;
	uint32_t weight;
};

struct fixture_cpu {
	bool online;
	bool need_resched;
	bool looked;
	uint64_t clock_ns;
	struct core_task *curr;
	struct core_task *first, *last;
};

struct core {
	const struct core_host *host;
	const struct core_machine *machine;
	uint64_t steps, perf, scan, skip;
	enum fixture_fault fault;
	uint64_t wakes, ticks;
	struct core_group *groups;
	uint64_t *idle; /* words: CPUs that are online with nothing to do */
	struct fixture_cpu cpu[];
};

static bool may_run(const struct core *core, const struct core_task *task, uint32_t cpu)
{
	return core->cpu[cpu].online &&
	       (!task->spec.affinity || (task->allowed[cpu / 64] >> cpu % 64 & 1));
}

static void note_idle(struct core *core, uint32_t nr)
{
	const struct fixture_cpu *cpu = &core->cpu[nr];
	const uint64_t bit = UINT64_C(1) << nr % 64;

	if (cpu->online && !cpu->curr && !cpu->first)
		core->idle[nr / 64] |= bit;
	else
		core->idle[nr / 64] &= ~bit;
}

static void enqueue(struct core *core, struct core_task *task)
{
	struct fixture_cpu *cpu = &core->cpu[task->cpu];

	task->on_rq = true;
	task->next = NULL;
	if (cpu->first)
		cpu->last->next = task;
	else
		cpu->first = task;
	cpu->last = task;
	note_idle(core, task->cpu);
}

/* The first idle CPU from @from on, round; @from itself where there is none that is allowed. */
static uint32_t find_idle(const struct core *core, const struct core_task *task, uint32_t from)
{
	const uint32_t n = core->machine->nr_cpus, words = (n + 63) / 64;
	uint64_t mask = UINT64_MAX << from % 64;

	for (uint32_t i = 0; i <= words; i++, mask = UINT64_MAX) {
		const uint32_t word = (from / 64 + i) % words;
		uint64_t idle = core->idle[word] & mask;

		if (task->spec.affinity)
			idle &= task->allowed[word];
		if (idle)
			return word * 64 + (uint32_t)__builtin_ctzll(idle);
	}
	for (uint32_t i = from;; i = (i + 1) % n)
		if (may_run(core, task, i))
			return i;
}

/* Clocks don't go back, though events of other CPUs may have looked at this one later in time. */
static void look(struct core *core, struct fixture_cpu *cpu)
{
	const uint64_t now = *core->host->now_ns;

	if (cpu->clock_ns < now)
		cpu->clock_ns = now;
}

static void place(struct core *core, uint32_t here, struct core_task *task, uint32_t from,
		  enum core_reason reason)
{
	const struct core_host *host = core->host;
	const uint32_t to = core->fault == FIXTURE_STACK ? 0 : find_idle(core, task, from);

	if (to != from)
		host->migrated(host->ctx, task->spec.cookie, from, to, reason);
	task->cpu = to;
	look(core, &core->cpu[to]);
	core->cpu[to].looked = core->skip;
	enqueue(core, task);
	core->cpu[to].need_resched |= !core->cpu[to].curr;
	if (to != here && !core->cpu[to].curr)
		host->ipi(host->ctx, to, CORE_IPI_RESCHED);
}

static int set_knob(struct core *core, const char *name, const char *value)
{
	static const char *const faults[] = {
		[FIXTURE_RIGHT] = "right", [FIXTURE_LOSE] = "lose",
		[FIXTURE_STACK] = "stack", [FIXTURE_DOUBLE] = "double",
		[FIXTURE_LIE] = "lie",	   [FIXTURE_OVERFLOW] = "overflow",
		[FIXTURE_DRIFT] = "drift", [FIXTURE_STARVE] = "starve",
		[FIXTURE_WARN] = "warn",   [FIXTURE_FAIL] = "fail",
		[FIXTURE_BOOT] = "boot",
	};

	if (!strcmp(name, "STEPS"))
		core->steps = strtoull(value, NULL, 10);
	else if (!strcmp(name, "PERF"))
		core->perf = strtoull(value, NULL, 10);
	else if (!strcmp(name, "SCAN"))
		core->scan = strtoull(value, NULL, 10);
	else if (!strcmp(name, "SKIP"))
		core->skip = strtoull(value, NULL, 10);
	else if (!strcmp(name, "FAULT"))
		for (enum fixture_fault i = FIXTURE_RIGHT; i <= FIXTURE_BOOT; i++)
			core->fault = !strcmp(value, faults[i]) ? i : core->fault;
	else
		return -ENOENT;
	return 0;
}

static int set_knobs(struct core *core, const struct core_config *config)
{
	char name[32];

	for (uint32_t i = 0; i < config->nr_knobs; i++) {
		const char *equal = strchr(config->knobs[i], '=');
		const size_t n = equal ? (size_t)(equal - config->knobs[i]) : sizeof(name);

		if (n >= sizeof(name))
			return -EINVAL;
		memcpy(name, config->knobs[i], n);
		name[n] = '\0';
		if (set_knob(core, name, equal + 1))
			return -ENOENT;
	}
	return 0;
}

static struct core *boot(const struct core_config *config, const struct core_host *host)
{
	const uint32_t n = config->machine->nr_cpus;
	struct core *core = host->alloc(host->ctx, sizeof(*core) + n * sizeof(*core->cpu));

	core->host = host;
	core->machine = config->machine;
	core->idle = host->alloc(host->ctx, (n + 63) / 64 * sizeof(*core->idle));
	if (set_knobs(core, config)) {
		host->warn(host->ctx, "no such knob");
		host->free(host->ctx, core->idle);
		host->free(host->ctx, core);
		return NULL;
	}
	if (core->fault == FIXTURE_BOOT)
		host->fail(host->ctx, "it can't boot");
	for (uint32_t i = 0; i < n; i++) {
		core->cpu[i].online = config->machine->online[i];
		note_idle(core, i);
		if (core->perf)
			host->frequency(host->ctx, i, (uint32_t)core->perf);
	}
	host->print(host->ctx, "fixture: booted");
	return core;
}

static void release(struct core *core)
{
	const struct core_host *host = core->host;
	struct core_group *group;

	while ((group = core->groups)) {
		core->groups = group->next;
		host->free(host->ctx, group);
	}
	host->free(host->ctx, core->idle);
	host->free(host->ctx, core);
}

static uint64_t tick_ns(const struct core *core)
{
	(void)core;
	return FIXTURE_TICK_NS;
}

static size_t mask_bytes(const struct core *core)
{
	return (core->machine->nr_cpus + 63) / 64 * sizeof(uint64_t);
}

static struct core_task *task_new(struct core *core, uint32_t cpu,
				  const struct core_task_spec *spec)
{
	const struct core_host *host = core->host;
	struct core_task *task = host->alloc(host->ctx, sizeof(*task) + mask_bytes(core));

	task->spec = *spec;
	task->cpu = cpu;
	if (spec->affinity)
		memcpy(task->allowed, spec->affinity, mask_bytes(core));
	return task;
}

static void task_start(struct core *core, uint32_t cpu, struct core_task *task)
{
	place(core, cpu, task, cpu, CORE_MIGRATE_FORK);
}

static void task_free(struct core *core, struct core_task *task)
{
	core->host->free(core->host->ctx, task);
}

static void wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	(void)sync;
	if (++core->wakes == 3 && core->fault == FIXTURE_LOSE)
		return;
	if (core->fault == FIXTURE_DOUBLE && core->cpu[cpu].curr)
		core->host->migrated(core->host->ctx, core->cpu[cpu].curr->spec.cookie, cpu, 0,
				     CORE_MIGRATE_OTHER);
	place(core, cpu, task, task->cpu, CORE_MIGRATE_WAKE);
}

static void leave(struct core *core, uint32_t cpu)
{
	core->cpu[cpu].curr->on_rq = false;
	core->cpu[cpu].need_resched = true;
}

static void block(struct core *core, uint32_t cpu, bool io)
{
	(void)io;
	leave(core, cpu);
}

static void yield(struct core *core, uint32_t cpu)
{
	core->cpu[cpu].need_resched = true;
}

static void nothing(struct core *core, uint32_t cpu)
{
	(void)core;
	(void)cpu;
}

static void tick(struct core *core, uint32_t nr)
{
	const struct core_host *host = core->host;
	struct fixture_cpu *cpu = &core->cpu[nr];

	look(core, cpu);
	if (++core->ticks == 3 && core->fault == FIXTURE_WARN)
		host->warn(host->ctx, "WARNING: the third tick\n  tick+0x12\n  core+0x34");
	if (core->ticks == 3 && core->fault == FIXTURE_FAIL)
		host->fail(host->ctx, "BUG: the third tick");
	if (cpu->first && core->fault != FIXTURE_STARVE)
		cpu->need_resched = true;
	if (cpu->curr && core->scan)
		host->numa_scan(host->ctx, cpu->curr->spec.cookie, core->scan);
}

static void timer(struct core *core, uint32_t cpu, void *what, uint64_t generation)
{
	(void)core;
	(void)cpu;
	(void)what;
	(void)generation;
}

static void ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	core->cpu[cpu].need_resched |= kind == CORE_IPI_RESCHED;
}

static void schedule(struct core *core, uint32_t nr)
{
	const struct core_host *host = core->host;
	struct fixture_cpu *cpu = &core->cpu[nr];
	struct core_task *prev = cpu->curr, *next;

	if (!cpu->looked)
		look(core, cpu);
	cpu->looked = false;
	cpu->need_resched = false;
	if (prev) {
		prev->runtime_ns += cpu->clock_ns - prev->start_ns;
		prev->runtime_ns -= core->fault == FIXTURE_DRIFT ? FIXTURE_DRIFT_NS : 0;
		prev->start_ns = cpu->clock_ns;
		if (prev->on_rq && may_run(core, prev, nr))
			enqueue(core, prev);
	}
	next = cpu->first;
	if (next)
		cpu->first = next->next;
	cpu->curr = next;
	note_idle(core, nr);
	if (next == prev)
		return;
	if (next)
		next->start_ns = cpu->clock_ns;
	host->switched(host->ctx, nr, prev ? prev->spec.cookie : NULL,
		       next ? next->spec.cookie : NULL);
	if (prev && prev->on_rq && !may_run(core, prev, nr))
		place(core, nr, prev, nr, CORE_MIGRATE_AFFINITY);
}

static struct core_now settle(struct core *core, uint32_t nr)
{
	const struct core_host *host = core->host;
	struct fixture_cpu *cpu = &core->cpu[nr];

	if (core->steps)
		host->work(host->ctx, nr, core->steps);
	if (cpu->need_resched)
		schedule(core, nr);
	return (struct core_now){ .cookie = cpu->curr ? cpu->curr->spec.cookie : NULL,
				  .busy = cpu->curr,
				  .tick = cpu->curr };
}

static int set_sched(struct core *core, uint32_t cpu, struct core_task *task,
		     const struct core_sched *sched)
{
	(void)core;
	(void)cpu;
	if (sched->nice < -20 || sched->nice > 19)
		return -EINVAL;
	task->spec.sched = *sched;
	return 0;
}

static int set_affinity(struct core *core, uint32_t cpu, struct core_task *task,
			const uint64_t *words)
{
	bool any = false;

	for (uint32_t i = 0; i < core->machine->nr_cpus; i++)
		any = any || (core->cpu[i].online && (words[i / 64] >> i % 64 & 1));
	if (!any)
		return -EINVAL;
	task->spec.affinity = words;
	memcpy(task->allowed, words, mask_bytes(core));
	core->cpu[cpu].need_resched |= !may_run(core, task, cpu);
	return 0;
}

static struct core_group *group_new(struct core *core, struct core_group *parent, uint32_t weight,
				    uint64_t quota_ns, uint64_t period_ns)
{
	struct core_group *group = core->host->alloc(core->host->ctx, sizeof(*group));

	/* a group makes no difference here */
	(void)parent;
	(void)quota_ns;
	(void)period_ns;
	group->weight = weight;
	group->next = core->groups;
	core->groups = group;
	return group;
}

static int group_attach(struct core *core, uint32_t cpu, struct core_group *group,
			struct core_task *task)
{
	(void)core;
	(void)cpu;
	task->spec.group = group;
	return 0;
}

static int group_cpus(struct core *core, uint32_t cpu, struct core_group *group,
		      const uint64_t *words, enum core_partition partition)
{
	(void)core;
	(void)cpu;
	(void)group;
	(void)words;
	(void)partition;
	return 0;
}

static int cpu_up(struct core *core, uint32_t by, uint32_t cpu)
{
	(void)by;
	core->cpu[cpu].online = true;
	note_idle(core, cpu);
	return 0;
}

static int cpu_down(struct core *core, uint32_t by, uint32_t nr)
{
	struct fixture_cpu *cpu = &core->cpu[nr];
	struct core_task *task;

	cpu->online = false;
	cpu->need_resched = false;
	if (cpu->curr)
		schedule(core, nr);
	task = cpu->curr;
	cpu->curr = NULL;
	if (task) {
		core->host->switched(core->host->ctx, nr, task->spec.cookie, NULL);
		place(core, by, task, nr, CORE_MIGRATE_HOTPLUG);
	}
	while ((task = cpu->first)) {
		cpu->first = task->next;
		place(core, by, task, nr, CORE_MIGRATE_HOTPLUG);
	}
	note_idle(core, nr);
	return 0;
}

static void numa_fault(struct core *core, uint32_t cpu, const struct core_fault *fault)
{
	const uint32_t node = (uint32_t)core->machine->cpu[cpu].node;

	if (fault->node != node)
		core->host->numa_moved(core->host->ctx, node);
}

static int knob(struct core *core, const char *name, const char *value)
{
	return set_knob(core, name, value);
}

static const char *knob_at(const struct core *core, uint32_t i)
{
	static const char *const names[] = { "STEPS", "PERF", "SCAN", "SKIP", "FAULT" };

	(void)core;
	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

static void task_state(const struct core *core, const struct core_task *task,
		       struct core_task_state *state)
{
	const bool running = core->cpu[task->cpu].curr == task;

	*state = (struct core_task_state){
		.cpu = task->cpu,
		.on_rq = task->on_rq,
		.running = running,
		.runtime_ns = task->runtime_ns * (core->fault == FIXTURE_LIE ? 2 : 1),
		.util_avg = core->fault == FIXTURE_OVERFLOW ? 2000 : 0,
	};
}

static void rq_state(const struct core *core, uint32_t nr, struct core_rq_state *state)
{
	const struct fixture_cpu *cpu = &core->cpu[nr];

	*state = (struct core_rq_state){ .curr = cpu->curr ? cpu->curr->spec.cookie : NULL,
					 .nr_running = cpu->curr ? 1 : 0,
					 .need_resched = cpu->need_resched,
					 .capacity = core->machine->cpu[nr].capacity };
	for (const struct core_task *task = cpu->first; task; task = task->next)
		state->nr_running++;
	state->nr_fair = state->nr_running;
}

static void schedstat(struct core *core, void (*put)(void *ctx, const char *text), void *ctx)
{
	(void)core;
	put(ctx, "version 15\n");
}

const struct core_ops fixture_core = {
	.abi = CORE_ABI,
	.name = "fixture",
	.version = "1",
	.boot = boot,
	.release = release,
	.tick_ns = tick_ns,
	.task_new = task_new,
	.task_start = task_start,
	.task_free = task_free,
	.wake = wake,
	.block = block,
	.yield = yield,
	.exec = nothing,
	.exit = leave,
	.tick = tick,
	.timer = timer,
	.ipi = ipi,
	.settle = settle,
	.set_sched = set_sched,
	.set_affinity = set_affinity,
	.group_new = group_new,
	.group_attach = group_attach,
	.group_cpus = group_cpus,
	.cpu_up = cpu_up,
	.cpu_down = cpu_down,
	.numa_fault = numa_fault,
	.knob = knob,
	.knob_at = knob_at,
	.task_state = task_state,
	.rq_state = rq_state,
	.schedstat = schedstat,
};
