/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/lb_fixture.h - for tests: a model on a machine given as a file's text, driven by hand. Each step is an event with its
 * settle(); IPIs arrive right behind it, in order. CPUs that are busy tick when the test says so; tasks run until told otherwise.
 */
#ifndef SCHED_LB_FIXTURE_H
#define SCHED_LB_FIXTURE_H

#include "base/mem.h"
#include "core/host.h"
#include "sched/lb.h"
#include "sched/model_core.h"
#include "topo/source.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURE_MAX_CPUS  256
#define FIXTURE_MAX_TASKS 256
#define FIXTURE_MAX_IPIS  4096

/** struct fixture_task - @cpu: where it is, as the host was told */
struct fixture_task {
	struct core_task *core;
	uint32_t cpu;
	uint32_t moves[NR_CORE_REASONS];
};

struct fixture_ipi {
	uint32_t cpu;
	enum core_ipi kind;
};

/*
 * struct fixture - @curr: whom settle() and switched() left on a CPU, NULL: idle; @whys: how often host->why was called,
 * @looks: for tasks that might move */
struct fixture {
	uint64_t now;
	struct machine *machine;
	struct core_machine core_machine;
	struct core_cpu cpu[FIXTURE_MAX_CPUS];
	bool online[FIXTURE_MAX_CPUS];
	uint32_t *distance;
	struct core_host host;
	struct core *core;
	struct model *m;
	struct fixture_task task[FIXTURE_MAX_TASKS];
	uint32_t nr_tasks;
	struct fixture_task *curr[FIXTURE_MAX_CPUS];
	struct fixture_ipi ipi[FIXTURE_MAX_IPIS];
	uint32_t nr_ipis;
	uint32_t nr_migrations[NR_CORE_REASONS];
	uint32_t whys;
	uint32_t looks;
};

static inline void fixture_on_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	struct fixture *f = ctx;

	assert_true(f->nr_ipis < FIXTURE_MAX_IPIS);
	f->ipi[f->nr_ipis++] = (struct fixture_ipi){ cpu, kind };
}

static inline void fixture_on_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns,
				    uint64_t generation)
{
	(void)ctx;
	(void)cpu;
	(void)timer;
	(void)when_ns;
	(void)generation;
}

static inline void fixture_on_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	struct fixture *f = ctx;

	(void)prev;
	f->curr[cpu] = next;
}

static inline void fixture_on_migrated(void *ctx, void *task, uint32_t from, uint32_t to,
				       enum core_reason reason)
{
	struct fixture *f = ctx;
	struct fixture_task *t = task;

	assert_int_equal(t->cpu, from);
	t->cpu = to;
	t->moves[reason]++;
	f->nr_migrations[reason]++;
}

static inline void fixture_on_work(void *ctx, uint32_t cpu, uint64_t steps)
{
	struct fixture *f = ctx;

	(void)cpu;
	f->now += steps * 10;
}

static inline void fixture_on_warn(void *ctx, const char *text)
{
	(void)ctx;
	fail_msg("%s", text);
}

static inline void fixture_on_fail(void *ctx, const char *text) __attribute__((noreturn));
static inline void fixture_on_fail(void *ctx, const char *text)
{
	(void)ctx;
	print_error("%s\n", text);
	abort();
}

static inline void fixture_on_why(void *ctx, const struct core_why *why)
{
	struct fixture *f = ctx;

	assert_non_null(why->decision);
	assert_non_null(why->what);
	assert_non_null(why->outcome);
	assert_true(why->nr_values <= CORE_WHY_VALUES);
	f->whys++;
	f->looks += !strcmp(why->what, "detach");
}

static inline void *fixture_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return xcalloc(1, size);
}

static inline void fixture_dealloc(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

static inline void fixture_machine(struct fixture *f, const char *text)
{
	struct release release;
	struct source_opts opts = { .release = &release };
	struct machine *m;

	release_preset(&release, 6, 12, ARCH_ARM64);
	assert_int_equal(machine_file_parse(&f->machine, text, &opts, NULL), 0);
	m = f->machine;
	assert_true(m->nr_cpus <= FIXTURE_MAX_CPUS);
	f->distance = xcalloc((size_t)m->nr_nodes * m->nr_nodes, sizeof(*f->distance));
	for (uint32_t i = 0; i < m->nr_nodes * m->nr_nodes; i++)
		f->distance[i] = m->distance[i];
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		f->cpu[cpu].capacity = m->cpu[cpu].capacity;
		f->cpu[cpu].node = (int32_t)m->cpu[cpu].node;
		f->online[cpu] = cset_test(m->online, cpu);
	}
	f->core_machine = (struct core_machine){
		.nr_cpus = m->nr_cpus,
		.nr_nodes = m->nr_nodes,
		.cpu = f->cpu,
		.online = f->online,
		.distance = f->distance,
		.reclaim_distance = 30,
		.source = m,
	};
}

/** fixture_new() - @knobs: NULL behind the last */
static inline struct fixture *fixture_new(const char *machine, const char *const *knobs, bool why)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct core_config config = { .machine = &f->core_machine, .seed = 1, .knobs = knobs };

	fixture_machine(f, machine);
	while (knobs && knobs[config.nr_knobs])
		config.nr_knobs++;
	f->now = UINT64_C(1000000000);
	f->host = (struct core_host){
		.ctx = f,
		.now_ns = &f->now,
		.ipi = fixture_on_ipi,
		.timer = fixture_on_timer,
		.switched = fixture_on_switched,
		.migrated = fixture_on_migrated,
		.work = fixture_on_work,
		.frequency = core_ignore_frequency,
		.print = core_ignore_print,
		.warn = fixture_on_warn,
		.fail = fixture_on_fail,
		.why = why ? fixture_on_why : NULL,
		.alloc = fixture_alloc,
		.free = fixture_dealloc,
	};
	f->core = core_model.boot(&config, &f->host);
	assert_non_null(f->core);
	f->m = (struct model *)f->core;
	return f;
}

static inline void fixture_free(struct fixture *f)
{
	core_model.release(f->core);
	machine_free(f->machine);
	free(f->distance);
	free(f);
}

/** fixture_settle() - end an event on @cpu, then all IPIs that follow from it */
static inline void fixture_settle(struct fixture *f, uint32_t cpu)
{
	uint32_t i;

	core_model.settle(f->core, cpu);
	for (i = 0; i < f->nr_ipis; i++) {
		struct fixture_ipi ipi = f->ipi[i];

		core_model.ipi(f->core, ipi.cpu, ipi.kind);
		core_model.settle(f->core, ipi.cpu);
	}
	f->nr_ipis = 0;
}

/** fixture_fork() - by what runs on @cpu; @cpus: list of allowed ones, NULL: its parent's. Starts at once */
static inline struct fixture_task *fixture_fork(struct fixture *f, uint32_t cpu, const char *cpus,
						int nice)
{
	struct fixture_task *t = &f->task[f->nr_tasks++];
	uint64_t words[FIXTURE_MAX_CPUS / 64] = { 0 };
	struct core_task_spec spec = {
		.cookie = t,
		.comm = "task",
		.sched = { .policy = CORE_NORMAL, .nice = nice },
		.affinity = cpus ? words : NULL,
	};
	const struct cset *set = NULL;
	uint32_t i;

	assert_true(f->nr_tasks <= FIXTURE_MAX_TASKS);
	if (cpus) {
		assert_int_equal(cset_parse(&set, f->machine->pool, cpus, NULL), 0);
		cset_for_each (i, set)
			words[i / 64] |= UINT64_C(1) << i % 64;
	}
	t->cpu = cpu;
	t->core = core_model.task_new(f->core, cpu, &spec);
	core_model.task_start(f->core, cpu, t->core);
	fixture_settle(f, cpu);
	return t;
}

static inline void fixture_affinity(struct fixture *f, uint32_t by, struct fixture_task *t,
				    const char *cpus)
{
	uint64_t words[FIXTURE_MAX_CPUS / 64] = { 0 };
	const struct cset *set = NULL;
	uint32_t i;

	assert_int_equal(cset_parse(&set, f->machine->pool, cpus, NULL), 0);
	cset_for_each (i, set)
		words[i / 64] |= UINT64_C(1) << i % 64;
	assert_int_equal(core_model.set_affinity(f->core, by, t->core, words), 0);
	fixture_settle(f, by);
}

/** fixture_tick() - a tick later, on each CPU that is busy, one after the other */
static inline void fixture_tick(struct fixture *f)
{
	f->now += core_model.tick_ns(f->core);
	for (uint32_t cpu = 0; cpu < f->machine->nr_cpus; cpu++) {
		if (!f->curr[cpu])
			continue;
		core_model.tick(f->core, cpu);
		fixture_settle(f, cpu);
	}
}

static inline struct task *fixture_task(const struct fixture_task *t)
{
	return (struct task *)t->core;
}

#endif
