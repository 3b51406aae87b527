// SPDX-License-Identifier: GPL-2.0-only
#include "loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IPI_NS 1000

enum kind {
	TICK,
	DONE,
	WAKE,
	IPI,
	TIMER,
};

static bool before(const struct loop_event *a, const struct loop_event *b)
{
	return a->when_ns < b->when_ns || (a->when_ns == b->when_ns && a->seq < b->seq);
}

static void push(struct loop *loop, struct loop_event event)
{
	size_t i = loop->nr_events++;

	if (loop->nr_events > loop->room) {
		loop->room = loop->room ? 2 * loop->room : 1024;
		loop->heap = realloc(loop->heap, loop->room * sizeof(*loop->heap));
		if (!loop->heap)
			abort();
	}
	event.seq = loop->seq++;
	while (i && before(&event, &loop->heap[(i - 1) / 2])) {
		loop->heap[i] = loop->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	loop->heap[i] = event;
}

static struct loop_event pop(struct loop *loop)
{
	struct loop_event first = loop->heap[0], last = loop->heap[--loop->nr_events];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < loop->nr_events) {
		if (child + 1 < loop->nr_events &&
		    before(&loop->heap[child + 1], &loop->heap[child]))
			child++;
		if (!before(&loop->heap[child], &last))
			break;
		loop->heap[i] = loop->heap[child];
		i = child;
	}
	loop->heap[i] = last;
	return first;
}

/* FNV-1a over words: what two runs of the same must have in common. */
static void remember(struct loop *loop, uint64_t word)
{
	loop->hash = (loop->hash ^ word) * 0x100000001b3ULL;
}

static uint64_t number(const struct loop *loop, const struct loop_task *task)
{
	return task ? (uint64_t)(task - loop->task) + 1 : 0;
}

static void host_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	struct loop *loop = ctx;
	uint64_t delay = kind == CORE_IPI_WORK ? 100 : IPI_NS;

	remember(loop, loop->now_ns << 16 ^ cpu << 4 ^ kind);
	push(loop, (struct loop_event){ .when_ns = loop->now_ns + delay,
					.cpu = cpu,
					.kind = IPI,
					.generation = kind });
}

static void host_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation)
{
	struct loop *loop = ctx;

	remember(loop, when_ns ^ cpu);
	push(loop, (struct loop_event){ .when_ns = when_ns,
					.cpu = cpu,
					.kind = TIMER,
					.what = timer,
					.generation = generation });
}

static void leave(struct loop *loop, struct loop_task *task)
{
	uint64_t ran = loop->now_ns - task->since_ns;

	task->ran_ns += ran;
	task->left_ns -= ran < task->left_ns ? ran : task->left_ns;
	task->running = false;
	task->turn++;
}

static void enter(struct loop *loop, struct loop_task *task, uint32_t cpu)
{
	task->running = true;
	task->cpu = cpu;
	task->since_ns = loop->now_ns;
	if (task->woken_ns) {
		task->latency_ns += loop->now_ns - task->woken_ns;
		task->wakes++;
		task->woken_ns = 0;
	}
	push(loop, (struct loop_event){ .when_ns = loop->now_ns + task->left_ns,
					.cpu = cpu,
					.kind = DONE,
					.what = task,
					.generation = ++task->turn });
}

static void host_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	struct loop *loop = ctx;

	remember(loop, loop->now_ns ^ number(loop, prev) << 48 ^ number(loop, next) << 24 ^ cpu);
	if (prev)
		leave(loop, prev);
	if (next)
		enter(loop, next, cpu);
}

static void host_migrated(void *ctx, void *cookie, uint32_t from, uint32_t to,
			  enum core_reason reason)
{
	struct loop *loop = ctx;
	struct loop_task *task = cookie;

	remember(loop,
		 (uint64_t)from << 40 ^ (uint64_t)to << 8 ^ reason ^ number(loop, task) << 52);
	task->moved[reason]++;
}

static void host_work(void *ctx, uint32_t cpu, uint64_t steps)
{
	struct loop *loop = ctx;

	(void)cpu;
	loop->steps += steps;
}

static void host_frequency(void *ctx, uint32_t cpu, uint32_t perf)
{
	struct loop *loop = ctx;

	loop->perf[cpu] = perf;
	if (loop->most_perf[cpu] < perf)
		loop->most_perf[cpu] = perf;
}

static uint64_t host_numa_scan(void *ctx, void *task, uint64_t pages)
{
	struct loop *loop = ctx;

	(void)task;
	loop->pages += pages;
	return LOOP_PAGES;
}

static void host_numa_moved(void *ctx, uint32_t node)
{
	struct loop *loop = ctx;

	loop->moved_to[node]++;
}

static void host_print(void *ctx, const char *line)
{
	struct loop *loop = ctx;

	if (loop->log)
		fprintf(loop->log, "%s\n", line);
}

static void host_warn(void *ctx, const char *text)
{
	struct loop *loop = ctx;

	loop->warnings++;
	snprintf(loop->warning, sizeof(loop->warning), "%s", text);
	fprintf(stderr, "at %llu ns: %s\n", (unsigned long long)loop->now_ns, text);
}

__attribute__((noreturn)) static void host_fail(void *ctx, const char *text)
{
	struct loop *loop = ctx;

	fprintf(stderr, "at %llu ns: %s\n", (unsigned long long)loop->now_ns, text);
	exit(3);
}

static void *host_alloc(void *ctx, size_t size)
{
	struct loop *loop = ctx;
	void *p = NULL;

	loop->blocks++;
	if (posix_memalign(&p, size >= 4096 ? 4096 : 64, size))
		abort();
	return memset(p, 0, size);
}

static void host_free(void *ctx, void *p)
{
	struct loop *loop = ctx;

	loop->blocks--;
	free(p);
}

static const struct core_host host_table = {
	.ipi = host_ipi,
	.timer = host_timer,
	.switched = host_switched,
	.migrated = host_migrated,
	.work = host_work,
	.frequency = host_frequency,
	.numa_scan = host_numa_scan,
	.numa_moved = host_numa_moved,
	.print = host_print,
	.warn = host_warn,
	.fail = host_fail,
	.alloc = host_alloc,
	.free = host_free,
};

/* The distances of @shape, or 20 between any two. */
static uint32_t *distances(const struct loop_shape *shape)
{
	uint32_t n = shape->packages, *distance = calloc((size_t)n * n, sizeof(*distance));

	for (uint32_t i = 0; i < n * n; i++) {
		if (shape->distance)
			distance[i] = shape->distance[i];
		else
			distance[i] = i % (n + 1) ? 20 : 10;
	}
	return distance;
}

static void machine_make(struct core_machine *machine, const struct loop_shape *shape)
{
	uint32_t cores = shape->packages * shape->cores, n = cores * shape->threads;
	struct core_cpu *cpu = calloc(n, sizeof(*cpu));
	struct core_level *level = calloc(3, sizeof(*level));
	int32_t *core = calloc(n, sizeof(*core)), *package = calloc(n, sizeof(*package));
	bool *online = calloc(n, sizeof(*online));

	for (uint32_t i = 0; i < n; i++) {
		core[i] = (int32_t)(i % cores);
		package[i] = core[i] / (int32_t)shape->cores;
		cpu[i].core = cpu[i].cluster = core[i];
		cpu[i].llc = cpu[i].die = cpu[i].package = cpu[i].node = package[i];
		cpu[i].capacity = 1024;
		online[i] = i < n - shape->nr_offline;
	}
	level[0] = (struct core_level){ "SMT", CORE_SHARE_CPUCAPACITY | CORE_SHARE_LLC, core };
	level[1] = (struct core_level){ "MC", CORE_SHARE_LLC, package };
	level[2] = (struct core_level){ "PKG", 0, package };
	*machine = (struct core_machine){
		.nr_cpus = n,
		.nr_nodes = shape->packages,
		.cpu = cpu,
		.online = online,
		.distance = distances(shape),
		.level = level,
		.nr_levels = 3,
		.reclaim_distance = 30,
	};
}

bool loop_boot(struct loop *loop, const struct core_ops *ops, const struct loop_shape *shape,
	       bool verbose, const char *const *knobs, uint32_t nr_knobs)
{
	struct core_config config = { .machine = &loop->machine,
				      .seed = 1,
				      .verbose = verbose,
				      .cost = true,
				      .knobs = knobs,
				      .nr_knobs = nr_knobs };
	FILE *log = loop->log;

	memset(loop, 0, sizeof(*loop));
	loop->log = log;
	loop->ops = ops;
	loop->now_ns = 1000000;
	loop->host = host_table;
	loop->host.ctx = loop;
	loop->host.now_ns = &loop->now_ns;
	machine_make(&loop->machine, shape);
	loop->core = ops->boot(&config, &loop->host);
	if (!loop->core)
		return false;
	for (uint32_t cpu = 0; cpu < loop->machine.nr_cpus; cpu++) {
		if (loop->machine.online[cpu])
			loop_settle(loop, cpu);
	}
	return true;
}

void loop_free(struct loop *loop)
{
	const struct core_machine *m = &loop->machine;

	if (loop->core)
		loop->ops->release(loop->core);
	free(loop->heap);
	free((void *)m->level[0].set);
	free((void *)m->level[1].set);
	free((void *)m->level);
	free((void *)m->cpu);
	free((void *)m->online);
	free((void *)m->distance);
	memset(loop, 0, sizeof(*loop));
}

void loop_settle(struct loop *loop, uint32_t cpu)
{
	struct core_now now = loop->ops->settle(loop->core, cpu);
	uint64_t tick = loop->ops->tick_ns(loop->core);

	if (now.tick && !loop->tick_on[cpu]) {
		/* from the CPU's own phase on */
		push(loop, (struct loop_event){ .when_ns = (loop->now_ns / tick + 1) * tick,
						.cpu = cpu,
						.kind = TICK,
						.generation = ++loop->ticks[cpu] });
	}
	loop->tick_on[cpu] = now.tick;
}

struct loop_task *loop_task(struct loop *loop, const char *name, uint32_t cpu,
			    const struct core_sched *sched, struct core_group *group,
			    int32_t affinity, uint64_t run_ns, uint64_t sleep_ns)
{
	struct loop_task *task = &loop->task[loop->nr_tasks++];
	uint64_t words[LOOP_MAX_CPUS / 64] = { 0 };
	struct core_task_spec spec = { .cookie = task, .comm = name, .group = group };

	if (sched)
		spec.sched = *sched;
	if (affinity >= 0) {
		words[affinity / 64] = 1ULL << (affinity % 64);
		spec.affinity = words;
	}
	*task = (struct loop_task){ .run_ns = run_ns, .sleep_ns = sleep_ns, .left_ns = run_ns };
	task->core = loop->ops->task_new(loop->core, cpu, &spec);
	if (!task->core)
		return NULL;
	loop->ops->task_start(loop->core, cpu, task->core);
	loop_settle(loop, cpu);
	return task;
}

/* It has computed what it had to: it sleeps, or has the same to do again. */
static bool done(struct loop *loop, struct loop_task *task, uint64_t turn)
{
	if (!task->running || task->turn != turn)
		return false;
	if (!task->sleep_ns) {
		leave(loop, task);
		task->left_ns = task->run_ns;
		enter(loop, task, task->cpu);
		return false;
	}
	task->sleeping = true;
	push(loop, (struct loop_event){ .when_ns = loop->now_ns + task->sleep_ns,
					.cpu = task->cpu,
					.kind = WAKE,
					.what = task });
	loop->ops->block(loop->core, task->cpu, task->io);
	return true;
}

static bool deliver(struct loop *loop, const struct loop_event *event)
{
	struct loop_task *task = event->what;

	switch (event->kind) {
	case TICK:
		if (!loop->tick_on[event->cpu] || loop->ticks[event->cpu] != event->generation)
			return false;
		loop->ops->tick(loop->core, event->cpu);
		push(loop,
		     (struct loop_event){ .when_ns = loop->now_ns + loop->ops->tick_ns(loop->core),
					  .cpu = event->cpu,
					  .kind = TICK,
					  .generation = event->generation });
		return true;
	case DONE:
		return done(loop, task, event->generation);
	case WAKE:
		task->sleeping = false;
		task->left_ns = task->run_ns;
		task->woken_ns = loop->now_ns;
		loop->ops->wake(loop->core, event->cpu, task->core, false);
		return true;
	case IPI:
		loop->ops->ipi(loop->core, event->cpu, (enum core_ipi)event->generation);
		return true;
	default:
		loop->ops->timer(loop->core, event->cpu, event->what, event->generation);
		return true;
	}
}

void loop_run(struct loop *loop, uint64_t ns)
{
	uint64_t end = loop->now_ns + ns;
	uint32_t i;

	while (loop->nr_events && loop->heap[0].when_ns <= end) {
		struct loop_event event = pop(loop);

		loop->now_ns = event.when_ns;
		loop->events++;
		if (deliver(loop, &event))
			loop_settle(loop, event.cpu);
	}
	loop->now_ns = end;
	for (i = 0; i < loop->nr_tasks; i++) {
		struct loop_task *task = &loop->task[i];

		if (task->running) {
			task->ran_ns += end - task->since_ns;
			task->left_ns -= end - task->since_ns < task->left_ns ? end - task->since_ns
									      : task->left_ns;
			task->since_ns = end;
		}
	}
}

struct loop_task *loop_task_on(struct loop *loop, uint32_t cpu)
{
	uint32_t i;

	for (i = 0; i < loop->nr_tasks; i++) {
		if (loop->task[i].running && loop->task[i].cpu == cpu)
			return &loop->task[i];
	}
	return NULL;
}

void loop_exit(struct loop *loop, uint32_t cpu)
{
	struct loop_task *task = loop_task_on(loop, cpu);

	loop->ops->exit(loop->core, cpu);
	loop_settle(loop, cpu);
	loop->ops->task_free(loop->core, task->core);
	task->core = NULL;
}
