// SPDX-License-Identifier: GPL-2.0-only
/* sched/model.c - the instance: boot, release, and the table of its functions. */
#include "sched/model.h"

#include "base/mem.h"
#include "sched/balance.h"
#include "sched/clock.h"
#include "sched/cpufreq.h"
#include "sched/fair.h"
#include "sched/frame.h"
#include "sched/machine_of.h"
#include "sched/model_core.h"
#include "sched/preset.h"
#include "sched/select.h"
#include "topo/cset.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(struct model *m, void (*to)(void *ctx, const char *text), const char *fmt,
		 va_list args)
{
	char line[512];

	vsnprintf(line, sizeof(line), fmt, args);
	to(m->host->ctx, line);
}

void model_print(struct model *m, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tell(m, m->host->print, fmt, args);
	va_end(args);
}

void model_warn(struct model *m, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	tell(m, m->host->warn, fmt, args);
	va_end(args);
}

/* What was done takes time now, so that whoever looks at the clock sees it. */
static void tell_work(struct model *m)
{
	uint64_t steps = m->steps;

	m->steps = 0;
	if (steps && m->cost)
		m->host->work(m->host->ctx, m->cpu, steps);
}

uint64_t model_now(struct model *m)
{
	if (m->cost)
		tell_work(m);
	return *m->host->now_ns;
}

struct rq *event_begin(struct core *core, uint32_t cpu)
{
	struct model *m = model_of(core);

	m->cpu = cpu;
	if (*m->host->now_ns - m->jiffy_ns >= m->tick_ns) {
		m->jiffy = *m->host->now_ns / m->tick_ns;
		m->jiffy_ns = m->jiffy * m->tick_ns;
	}
	return cpu_rq(m, cpu);
}

void event_end(struct model *m)
{
	tell_work(m);
}

enum knob_round {
	KNOB_PRESETS, /* first, wherever they stand: what is said besides is said of them */
	KNOB_OTHERS,
};

static int read_knobs(struct model *m, const struct core_config *config, enum knob_round round,
		      struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; i < config->nr_knobs && !ret; i++) {
		const char *knob = config->knobs[i], *equals = strchr(knob, '=');
		char *name = equals ? xstrndup(knob, (size_t)(equals - knob)) : xstrdup(knob);

		if ((strcmp(name, "preset") == 0) == (round == KNOB_PRESETS))
			ret = knob_set(m, name, equals ? equals + 1 : "", err);
		free(name);
	}
	return ret;
}

/* The others are read twice: how to scale is known behind the first time, and what is set is meant as it stands. */
static int configure(struct model *m, const struct core_config *config, struct error *err)
{
	int ret;

	features_default(&m->features);
	tunables_default(&m->normal);
	ret = preset_apply(m, MODEL_DEFAULT_PRESET, err);
	if (!ret)
		ret = read_knobs(m, config, KNOB_PRESETS, err);
	m->tunables = m->normal;
	if (!ret)
		ret = read_knobs(m, config, KNOB_OTHERS, err);
	tunables_scale(&m->tunables, &m->normal, m->nr_online);
	if (!ret)
		ret = read_knobs(m, config, KNOB_OTHERS, err);
	if (ret)
		return ret;
	features_to_release(m);
	m->tick_ns = UINT64_C(1000000000) / m->tunables.hz;
	return 0;
}

static void own_thread(struct model *m, struct rq *rq, struct task *p,
		       const struct sched_class *class, int prio)
{
	task_init(m, p, rq);
	p->class = class;
	p->prio = prio;
	p->se.load = weight_of_nice(0);
	init_entity_load_avg(&p->se);
	p->allowed = cset_single(m->topo->pool, rq->cpu);
	p->nr_allowed = 1;
}

static void rq_boot(struct model *m, struct rq *rq, uint32_t cpu)
{
	rq->model = m;
	rq->cpu = cpu;
	rq->online = rq->active = m->machine->online[cpu];
	rq->capacity = rq->cpu_capacity = m->machine->cpu[cpu].capacity;
	rq->freq = 1024;
	rq->clock = rq->clock_task = rq->clock_pelt = *m->host->now_ns;
	rq->clock_idle = rq->clock_pelt_idle = rq->clock;
	rq->h_load_jiffy = UINT64_MAX;
	rq->cfs.zero_vruntime = rq->cfs.min_vruntime = -(UINT64_C(1) << 20);
	rq->max_idle_balance_cost = m->tunables.migration_cost_ns;
	rq->avg_idle = 2 * m->tunables.migration_cost_ns;
	rq->llc_size = 1;
	rq->llc_id = rq->share_id = cpu;
	rq->wakelist_end = &rq->wakelist;
	rq->stop_works_end = &rq->stop_works;
	link_init(&rq->cfs_tasks);
	rng_seed(&rq->random, m->seed, "sched", cpu);
	own_thread(m, rq, &rq->idle, &class_idle, PRIO_IDLE);
	own_thread(m, rq, &rq->stop, &class_stop, -1);
	rq->idle.allowed = m->topo->possible;
	/* forked like any task but the first CPU's: it has the load of a new one, which counts where it wakes somebody up */
	if (!cpu)
		rq->idle.se.avg.load_avg = 0;
	rq->idle.state = TASK_RUNNING;
	rq->idle.on_rq = TASK_QUEUED;
	rq->idle.on_cpu = true;
	rq->idle_tick_stopped = true;
	rq->stop.state = TASK_SLEEPING;
	rq->curr = &rq->idle;
	rq->next_class = &class_idle;
	if (rq->online) {
		cbits_set(m->online, cpu);
		cbits_set(m->active, cpu);
	}
	if (rq->capacity != m->machine->cpu[0].capacity)
		m->asymmetric = true;
	if (m->machine->cpu[cpu].priority != m->machine->cpu[0].priority)
		m->same_priorities = false;
}

static uint32_t count_online(const struct core_machine *machine)
{
	uint32_t n = 0;

	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		n += machine->online[cpu];
	return n;
}

static void model_release(struct core *core)
{
	struct model *m = model_of(core);

	if (m->balance)
		balance_free(m);
	if (m->online) {
		cbits_free(m->online);
		cbits_free(m->active);
	}
	machine_free(m->topo);
	arena_free(m->arena);
}

static struct model *model_new(const struct core_config *config, const struct core_host *host)
{
	struct arena *arena = arena_new();
	struct model *m = arena_alloc(arena, sizeof(*m));

	m->arena = arena;
	m->host = host;
	m->machine = config->machine;
	m->seed = config->seed;
	m->cost = config->cost;
	m->verbose = config->verbose;
	m->nr_cpus = config->machine->nr_cpus;
	m->nr_online = count_online(config->machine);
	m->topo = machine_of_core(config->machine);
	m->online = cbits_new(m->topo->pool);
	m->active = cbits_new(m->topo->pool);
	return m;
}

static struct core *model_boot(const struct core_config *config, const struct core_host *host)
{
	struct model *m = model_new(config, host);
	struct error err = { 0 };

	if (!m->nr_online || configure(m, config, &err)) {
		model_warn(m, "%s", m->nr_online ? err.text : "no CPU is online");
		model_release((struct core *)m);
		return NULL;
	}
	m->next_id = 1;
	m->same_priorities = true;
	m->rq = arena_alloc_lines(m->arena, m->nr_cpus * sizeof(*m->rq));
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		rq_boot(m, cpu_rq(m, cpu), cpu);
	balance_new(m);
	balance_rebuild(m);
	cpufreq_attach(m);
	/* a boot ends with each CPU going idle */
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		update_idle_core(cpu_rq(m, cpu));
	m->booted = true;
	event_end(m);
	return (struct core *)m;
}

static uint64_t model_tick_ns(const struct core *core)
{
	return ((const struct model *)core)->tick_ns;
}

static void model_timer(struct core *core, uint32_t cpu, void *timer, uint64_t generation)
{
	struct model *m = event_begin(core, cpu)->model;

	cpufreq_timer(m, timer, generation);
	event_end(m);
}

static struct core_group *model_group_new(struct core *core, struct core_group *parent,
					  uint32_t weight, uint64_t quota_ns, uint64_t period_ns)
{
	(void)parent;
	(void)weight;
	(void)quota_ns;
	(void)period_ns;
	model_warn(model_of(core), "the model has no task groups; a kernel core has");
	return NULL;
}

static int model_group_attach(struct core *core, uint32_t cpu, struct core_group *group,
			      struct core_task *task)
{
	(void)core;
	(void)cpu;
	(void)group;
	(void)task;
	return -EOPNOTSUPP;
}

static int model_group_cpus(struct core *core, uint32_t cpu, struct core_group *group,
			    const uint64_t *words, enum core_partition partition)
{
	(void)core;
	(void)cpu;
	(void)group;
	(void)words;
	(void)partition;
	return -EOPNOTSUPP;
}

const struct core_ops core_model = {
	.abi = CORE_ABI,
	.name = "model",
	.version = "1",
	.boot = model_boot,
	.release = model_release,
	.tick_ns = model_tick_ns,
	.task_new = model_task_new,
	.task_start = model_task_start,
	.task_free = model_task_free,
	.wake = model_wake,
	.block = model_block,
	.yield = model_yield,
	.exec = model_exec,
	.exit = model_exit,
	.tick = model_tick,
	.timer = model_timer,
	.ipi = model_ipi,
	.settle = model_settle,
	.set_sched = model_set_sched,
	.set_affinity = model_set_affinity,
	.group_new = model_group_new,
	.group_attach = model_group_attach,
	.group_cpus = model_group_cpus,
	.cpu_up = model_cpu_up,
	.cpu_down = model_cpu_down,
	.knob = model_knob,
	.knob_at = model_knob_at,
	.task_state = model_task_state,
	.rq_state = model_rq_state,
	.schedstat = model_schedstat,
};
