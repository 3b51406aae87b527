// SPDX-License-Identifier: GPL-2.0-only
#include "differ/tap.h"

#include "base/cpumask.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static struct tap *tap_of(struct core *core)
{
	return (struct tap *)core;
}

static const struct tap *look_of(const struct core *core)
{
	return (const struct tap *)core;
}

/* Cookies and tasks are used again by others: the newest is meant. */
uint32_t tap_task(const struct tap *tap, const void *cookie)
{
	for (uint32_t i = tap->nr_tasks; cookie && i > 0; i--)
		if (tap->task[i - 1].cookie == cookie)
			return i;
	return 0;
}

static uint32_t number_of(const struct tap *tap, const struct core_task *task)
{
	for (uint32_t i = tap->nr_tasks; i > 0; i--)
		if (tap->task[i - 1].core == task)
			return i;
	return 0;
}

static void note(struct tap *tap, struct script_event event)
{
	if (!tap->script)
		return;
	event.time_ns = *tap->now_ns;
	script_add(tap->script, &event);
	tap->settles = event.kind != SCRIPT_SETTLE && event.kind != SCRIPT_FREE;
	tap->cpu = event.cpu;
}

static void note_task(struct tap *tap, enum script_kind kind, uint32_t cpu,
		      const struct core_task *task, bool sync)
{
	if (tap->script)
		note(tap, (struct script_event){ .kind = kind,
						 .cpu = cpu,
						 .task = number_of(tap, task),
						 .sync = sync });
}

/* Of the task that runs there. */
static void note_running(struct tap *tap, enum script_kind kind, uint32_t cpu, bool io)
{
	struct core_rq_state rq;

	if (!tap->script)
		return;
	tap->inner->rq_state(tap->core, cpu, &rq);
	note(tap, (struct script_event){
			  .kind = kind, .cpu = cpu, .task = tap_task(tap, rq.curr), .io = io });
}

static void note_lack(struct tap *tap, const char *what)
{
	if (tap->script)
		tap->script->lacks = what;
}

/* NULL for all CPUs. */
static const char *cpus_text(struct tap *tap, const uint64_t *affinity)
{
	const uint32_t n = tap->machine.nr_cpus;
	struct cpumask mask = { 0 };
	struct strbuf sb = { 0 };
	const char *text = NULL;

	if (!affinity)
		return NULL;
	for (uint32_t cpu = 0; cpu < n; cpu++)
		if (affinity[cpu / 64] >> cpu % 64 & 1)
			cpumask_set(&mask, cpu);
	if (cpumask_weight(&mask) < n) {
		cpumask_print(&mask, &sb);
		text = script_text(tap->script, strbuf_str(&sb));
	}
	strbuf_release(&sb);
	cpumask_release(&mask);
	return text;
}

/* --- the functions of a core --- */

static struct core *tap_boot(const struct core_config *config, const struct core_host *host)
{
	struct tap *tap = (struct tap *)((char *)config->machine - offsetof(struct tap, machine));

	tap->now_ns = host->now_ns;
	if (tap->script)
		tap->script->boot_ns = *host->now_ns;
	tap->core = tap->inner->boot(config, host);
	return tap->core ? (struct core *)tap : NULL;
}

static void tap_free(struct core *core)
{
	tap_of(core)->inner->release(tap_of(core)->core);
}

static uint64_t tap_tick_ns(const struct core *core)
{
	return look_of(core)->inner->tick_ns(look_of(core)->core);
}

static void note_fork(struct tap *tap, uint32_t cpu, const struct core_task_spec *spec)
{
	struct script_event event = {
		.kind = SCRIPT_FORK,
		.cpu = cpu,
		.task = tap->nr_tasks,
		.sched = spec->sched,
	};

	if (!tap->script)
		return;
	event.cpus = cpus_text(tap, spec->affinity);
	memcpy(event.comm, tap->task[tap->nr_tasks - 1].comm, sizeof(event.comm));
	if (spec->group)
		note_lack(tap, "groups");
	note(tap, event);
}

/* Blanks would end the word. */
static void set_comm(char to[SCRIPT_COMM], const char *comm)
{
	snprintf(to, SCRIPT_COMM, "%s", comm);
	for (; *to; to++)
		if (*to <= ' ')
			*to = '_';
}

static struct core_task *tap_task_new(struct core *core, uint32_t cpu,
				      const struct core_task_spec *spec)
{
	struct tap *tap = tap_of(core);
	struct tap_task *task;

	tap->task = xreallocarray(tap->task, tap->nr_tasks + 1, sizeof(*tap->task));
	task = &tap->task[tap->nr_tasks++];
	*task = (struct tap_task){ .cookie = spec->cookie };
	set_comm(task->comm, spec->comm);
	note_fork(tap, cpu, spec);
	/* in fact it may not be written to before this call */
	tap->task[tap->nr_tasks - 1].core = tap->inner->task_new(tap->core, cpu, spec);
	return tap->task[tap->nr_tasks - 1].core;
}

static void tap_start(struct core *core, uint32_t cpu, struct core_task *task)
{
	note_task(tap_of(core), SCRIPT_START, cpu, task, false);
	tap_of(core)->inner->task_start(tap_of(core)->core, cpu, task);
}

static void tap_task_free(struct core *core, struct core_task *task)
{
	struct tap *tap = tap_of(core);
	uint32_t nr = number_of(tap, task);

	note_task(tap, SCRIPT_FREE, 0, task, false);
	if (nr) {
		tap->task[nr - 1].core = NULL;
		tap->task[nr - 1].cookie = NULL;
	}
	tap->inner->task_free(tap->core, task);
}

static void tap_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	note_task(tap_of(core), SCRIPT_WAKE, cpu, task, sync);
	tap_of(core)->inner->wake(tap_of(core)->core, cpu, task, sync);
}

static void tap_block(struct core *core, uint32_t cpu, bool io)
{
	note_running(tap_of(core), SCRIPT_BLOCK, cpu, io);
	tap_of(core)->inner->block(tap_of(core)->core, cpu, io);
}

static void tap_yield(struct core *core, uint32_t cpu)
{
	note_running(tap_of(core), SCRIPT_YIELD, cpu, false);
	tap_of(core)->inner->yield(tap_of(core)->core, cpu);
}

static void tap_exec(struct core *core, uint32_t cpu)
{
	note_running(tap_of(core), SCRIPT_EXEC, cpu, false);
	tap_of(core)->inner->exec(tap_of(core)->core, cpu);
}

static void tap_exit(struct core *core, uint32_t cpu)
{
	note_running(tap_of(core), SCRIPT_EXIT, cpu, false);
	tap_of(core)->inner->exit(tap_of(core)->core, cpu);
}

static void tap_tick(struct core *core, uint32_t cpu)
{
	note(tap_of(core), (struct script_event){ .kind = SCRIPT_TICK, .cpu = cpu });
	tap_of(core)->inner->tick(tap_of(core)->core, cpu);
}

static void tap_timer(struct core *core, uint32_t cpu, void *timer, uint64_t generation)
{
	note(tap_of(core), (struct script_event){ .kind = SCRIPT_TIMER, .cpu = cpu });
	tap_of(core)->inner->timer(tap_of(core)->core, cpu, timer, generation);
}

static void tap_ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	note(tap_of(core), (struct script_event){ .kind = SCRIPT_IPI, .cpu = cpu, .ipi = kind });
	tap_of(core)->inner->ipi(tap_of(core)->core, cpu, kind);
}

/* That behind a call follows from it, those of the boot as well. */
static struct core_now tap_settle(struct core *core, uint32_t cpu)
{
	struct tap *tap = tap_of(core);

	if (tap->settles && tap->cpu == cpu)
		tap->settles = false;
	else if (tap->nr_tasks)
		note(tap, (struct script_event){ .kind = SCRIPT_SETTLE, .cpu = cpu });
	return tap->inner->settle(tap->core, cpu);
}

static int tap_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
			 const struct core_sched *sched)
{
	struct tap *tap = tap_of(core);

	if (tap->script)
		note(tap, (struct script_event){ .kind = SCRIPT_SCHED,
						 .cpu = cpu,
						 .task = number_of(tap, task),
						 .sched = *sched });
	return tap->inner->set_sched(tap->core, cpu, task, sched);
}

static int tap_set_affinity(struct core *core, uint32_t cpu, struct core_task *task,
			    const uint64_t *affinity)
{
	struct tap *tap = tap_of(core);

	if (tap->script)
		note(tap, (struct script_event){ .kind = SCRIPT_AFFINITY,
						 .cpu = cpu,
						 .task = number_of(tap, task),
						 .cpus = cpus_text(tap, affinity) });
	return tap->inner->set_affinity(tap->core, cpu, task, affinity);
}

static struct core_group *tap_group_new(struct core *core, struct core_group *parent,
					uint32_t weight, uint64_t quota_ns, uint64_t period_ns)
{
	note_lack(tap_of(core), "groups");
	return tap_of(core)->inner->group_new(tap_of(core)->core, parent, weight, quota_ns,
					      period_ns);
}

static int tap_group_attach(struct core *core, uint32_t cpu, struct core_group *group,
			    struct core_task *task)
{
	return tap_of(core)->inner->group_attach(tap_of(core)->core, cpu, group, task);
}

static int tap_group_cpus(struct core *core, uint32_t cpu, struct core_group *group,
			  const uint64_t *words, enum core_partition partition)
{
	return tap_of(core)->inner->group_cpus(tap_of(core)->core, cpu, group, words, partition);
}

static int tap_cpu_up(struct core *core, uint32_t by, uint32_t cpu)
{
	note_lack(tap_of(core), "CPUs that come and go");
	return tap_of(core)->inner->cpu_up(tap_of(core)->core, by, cpu);
}

static int tap_cpu_down(struct core *core, uint32_t by, uint32_t cpu)
{
	note_lack(tap_of(core), "CPUs that come and go");
	return tap_of(core)->inner->cpu_down(tap_of(core)->core, by, cpu);
}

static void tap_numa_fault(struct core *core, uint32_t cpu, const struct core_fault *fault)
{
	note_lack(tap_of(core), "NUMA hint faults");
	tap_of(core)->inner->numa_fault(tap_of(core)->core, cpu, fault);
}

static int tap_knob(struct core *core, const char *name, const char *value)
{
	note_lack(tap_of(core), "knobs");
	return tap_of(core)->inner->knob(tap_of(core)->core, name, value);
}

static const char *tap_knob_at(const struct core *core, uint32_t i)
{
	return look_of(core)->inner->knob_at(look_of(core)->core, i);
}

static void tap_task_state(const struct core *core, const struct core_task *task,
			   struct core_task_state *state)
{
	look_of(core)->inner->task_state(look_of(core)->core, task, state);
}

static void tap_rq_state(const struct core *core, uint32_t cpu, struct core_rq_state *state)
{
	look_of(core)->inner->rq_state(look_of(core)->core, cpu, state);
}

static void tap_schedstat(struct core *core, void (*put)(void *ctx, const char *text), void *ctx)
{
	tap_of(core)->inner->schedstat(tap_of(core)->core, put, ctx);
}

void tap_init(struct tap *tap, const struct core_ops *inner, const struct core_machine *machine,
	      struct script *script)
{
	*tap = (struct tap){ .machine = *machine, .inner = inner, .script = script };
	tap->ops = (struct core_ops){
		.abi = inner->abi,
		.name = inner->name,
		.version = inner->version,
		.boot = tap_boot,
		.release = tap_free,
		.tick_ns = tap_tick_ns,
		.task_new = tap_task_new,
		.task_start = tap_start,
		.task_free = tap_task_free,
		.wake = tap_wake,
		.block = tap_block,
		.yield = tap_yield,
		.exec = tap_exec,
		.exit = tap_exit,
		.tick = tap_tick,
		.timer = tap_timer,
		.ipi = tap_ipi,
		.settle = tap_settle,
		.set_sched = tap_set_sched,
		.set_affinity = tap_set_affinity,
		.group_new = tap_group_new,
		.group_attach = tap_group_attach,
		.group_cpus = tap_group_cpus,
		.cpu_up = tap_cpu_up,
		.cpu_down = tap_cpu_down,
		.numa_fault = inner->numa_fault ? tap_numa_fault : NULL,
		.knob = tap_knob,
		.knob_at = tap_knob_at,
		.task_state = tap_task_state,
		.rq_state = tap_rq_state,
		.schedstat = tap_schedstat,
	};
}
