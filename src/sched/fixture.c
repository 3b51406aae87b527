// SPDX-License-Identifier: GPL-2.0-only
#include "sched/fixture.h"

#include "base/mem.h"
#include "check.h"
#include "core/host.h"
#include "sched/eevdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void host_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	struct fixture *f = ctx;

	f->ipi[cpu][kind] = true;
	f->nr_ipis[kind]++;
}

static void host_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation)
{
	struct fixture *f = ctx;

	(void)cpu;
	(void)when_ns;
	f->timer = timer;
	f->timer_generation = generation;
}

static void host_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	struct fixture *f = ctx;

	assert_ptr_equal(f->running[cpu], prev);
	f->running[cpu] = next;
	f->switches++;
}

static void host_migrated(void *ctx, void *task, uint32_t from, uint32_t to,
			  enum core_reason reason)
{
	struct fixture *f = ctx;

	assert_non_null(task);
	assert_int_not_equal(from, to);
	f->migrations[reason]++;
}

static void host_frequency(void *ctx, uint32_t cpu, uint32_t perf)
{
	struct fixture *f = ctx;

	f->perf[cpu] = perf;
}

static void host_print(void *ctx, const char *line)
{
	struct fixture *f = ctx;

	snprintf(f->line, sizeof(f->line), "%s", line);
}

static void host_warn(void *ctx, const char *text)
{
	struct fixture *f = ctx;

	host_print(ctx, text);
	f->warnings++;
}

static void machine(struct fixture *f, uint32_t nr_cpus)
{
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		f->online[cpu] = true;
		f->perf[cpu] = 1024;
		if (!f->cpu[cpu].capacity)
			f->cpu[cpu].capacity = 1024;
		f->cpu[cpu].core = f->cpu[cpu].cluster = (int32_t)cpu;
	}
	f->distance[0] = 10;
	f->machine = (struct core_machine){
		.nr_cpus = nr_cpus,
		.nr_nodes = 1,
		.cpu = f->cpu,
		.online = f->online,
		.distance = f->distance,
	};
}

void fixture_boot(struct fixture *f, uint32_t nr_cpus, const char *const *knobs)
{
	struct core_config config = { .machine = &f->machine, .seed = 1, .knobs = knobs };

	machine(f, nr_cpus);
	f->host.ctx = f;
	f->host.now_ns = &f->now_ns;
	f->host.ipi = host_ipi;
	f->host.timer = host_timer;
	f->host.switched = host_switched;
	f->host.migrated = host_migrated;
	f->host.work = core_ignore_work;
	f->host.frequency = host_frequency;
	f->host.print = host_print;
	f->host.warn = host_warn;
	while (knobs[config.nr_knobs])
		config.nr_knobs++;
	f->core = core_model.boot(&config, &f->host);
	if (f->core)
		f->next_tick_ns = core_model.tick_ns(f->core);
}

void fixture_release(struct fixture *f)
{
	core_model.release(f->core);
}

/* Weighted lags sum up to no more than what V's rounding leaves, and somebody is owed service. */
static void check_eevdf(struct rq *rq)
{
	struct fair_rq *cfs = &rq->cfs;
	uint64_t average = eevdf_average(cfs);
	const struct entity *curr = cfs->curr && cfs->curr->on_rq ? cfs->curr : NULL;
	int64_t sum = 0, weight = 0;
	bool eligible = false;

	for (const struct entity *se = cfs->timeline.first; se;
	     se = timeline_next(&cfs->timeline, se)) {
		sum += (int64_t)(average - se->vruntime) * se->load.weight;
		weight += se->load.weight;
		eligible |= eevdf_eligible(cfs, se->vruntime);
	}
	if (curr) {
		sum += (int64_t)(average - curr->vruntime) * curr->load.weight;
		weight += curr->load.weight;
		eligible |= eevdf_eligible(cfs, curr->vruntime);
	}
	assert_true(sum <= 0 && sum > -weight - 1);
	assert_true(eligible || !cfs->nr_queued);
}

static void check_rq(struct rq *rq)
{
	const struct fair_rq *cfs = &rq->cfs;
	uint32_t queued = cfs->curr && cfs->curr->on_rq;
	uint64_t weight = queued ? cfs->curr->load.weight : 0;

	for (const struct entity *se = cfs->timeline.first; se;
	     se = timeline_next(&cfs->timeline, se)) {
		queued++;
		weight += se->load.weight;
	}
	assert_int_equal(queued, cfs->nr_queued);
	assert_int_equal(weight, cfs->weight);
	assert_int_equal(rq->nr_running,
			 cfs->nr_queued + rq->rt.nr_queued + (rq->stop.on_rq == TASK_QUEUED));
	if (rq->model->features.core != CORE_CFS)
		check_eevdf(rq);
}

static void settle_one(struct fixture *f, uint32_t cpu)
{
	struct core_now now = core_model.settle(f->core, cpu);

	assert_ptr_equal(now.cookie, f->running[cpu]);
	assert_int_equal(now.tick, now.cookie != NULL);
	check_rq(cpu_rq(fixture_model(f), cpu));
}

/* One IPI that is due. */
static bool deliver(struct fixture *f)
{
	for (uint32_t cpu = 0; cpu < f->machine.nr_cpus; cpu++) {
		for (int kind = 0; kind < NR_CORE_IPIS; kind++) {
			if (!f->ipi[cpu][kind])
				continue;
			f->ipi[cpu][kind] = false;
			core_model.ipi(f->core, cpu, (enum core_ipi)kind);
			settle_one(f, cpu);
			return true;
		}
	}
	return false;
}

void fixture_settle(struct fixture *f, uint32_t cpu)
{
	settle_one(f, cpu);
	while (deliver(f))
		;
}

struct fixture_task *fixture_task(struct fixture *f, uint32_t cpu, const struct core_sched *sched,
				  uint64_t run_ns, uint64_t sleep_ns)
{
	struct fixture_task *t = &f->task[f->nr_tasks++];
	uint64_t affinity = f->affinity ? f->affinity : UINT64_MAX;
	struct core_task_spec spec = {
		.cookie = t, .comm = "fixture", .sched = *sched, .affinity = &affinity
	};

	assert_true(f->nr_tasks <= FIXTURE_TASKS);
	t->run_ns = t->left_ns = run_ns;
	t->sleep_ns = sleep_ns;
	t->core = core_model.task_new(f->core, cpu, &spec);
	assert_non_null(t->core);
	core_model.task_start(f->core, cpu, t->core);
	fixture_settle(f, cpu);
	return t;
}

struct fixture_task *fixture_nice(struct fixture *f, uint32_t cpu, int nice)
{
	return fixture_task(f, cpu, &(struct core_sched){ .nice = nice }, 0, 0);
}

void fixture_wake(struct fixture *f, uint32_t cpu, struct fixture_task *t)
{
	core_model.wake(f->core, cpu, t->core, false);
	fixture_settle(f, cpu);
}

void fixture_block(struct fixture *f, uint32_t cpu)
{
	core_model.block(f->core, cpu, false);
	fixture_settle(f, cpu);
}

static uint64_t next_event(const struct fixture *f, uint64_t end_ns)
{
	uint64_t at = f->next_tick_ns < end_ns ? f->next_tick_ns : end_ns;

	for (uint32_t cpu = 0; cpu < f->machine.nr_cpus; cpu++) {
		const struct fixture_task *t = f->running[cpu];
		uint64_t done_ns =
			t ? f->now_ns + (t->left_ns * 1024 + f->perf[cpu] - 1) / f->perf[cpu] : 0;

		if (t && t->run_ns && done_ns < at)
			at = done_ns;
	}
	for (uint32_t i = 0; i < f->nr_tasks; i++) {
		if (f->task[i].wake_ns && f->task[i].wake_ns < at)
			at = f->task[i].wake_ns;
	}
	return at;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void pass_time(struct fixture *f, uint64_t to_ns)
{
	for (uint32_t cpu = 0; cpu < f->machine.nr_cpus; cpu++) {
		struct fixture_task *t = f->running[cpu];

		if (!t)
			continue;
		t->had_ns += to_ns - f->now_ns;
		if (t->run_ns)
			t->left_ns = less(t->left_ns, (to_ns - f->now_ns) * f->perf[cpu] / 1024);
	}
	f->now_ns = to_ns;
}

static void blocks_and_wakes(struct fixture *f)
{
	for (uint32_t cpu = 0; cpu < f->machine.nr_cpus; cpu++) {
		struct fixture_task *t = f->running[cpu];

		if (!t || !t->run_ns || t->left_ns)
			continue;
		t->left_ns = t->run_ns;
		t->wake_ns = f->now_ns + t->sleep_ns;
		fixture_block(f, cpu);
	}
	for (uint32_t i = 0; i < f->nr_tasks; i++) {
		struct fixture_task *t = &f->task[i];

		if (t->wake_ns && t->wake_ns <= f->now_ns) {
			t->wake_ns = 0;
			fixture_wake(f, fixture_inner(t)->cpu, t);
		}
	}
}

static void ticks(struct fixture *f)
{
	if (f->now_ns < f->next_tick_ns)
		return;
	f->next_tick_ns += core_model.tick_ns(f->core);
	for (uint32_t cpu = 0; cpu < f->machine.nr_cpus; cpu++) {
		if (!f->running[cpu])
			continue;
		core_model.tick(f->core, cpu);
		fixture_settle(f, cpu);
	}
}

void fixture_run(struct fixture *f, uint64_t ns)
{
	uint64_t end_ns = f->now_ns + ns;

	while (f->now_ns < end_ns) {
		pass_time(f, next_event(f, end_ns));
		blocks_and_wakes(f);
		ticks(f);
	}
}
