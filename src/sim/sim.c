// SPDX-License-Identifier: GPL-2.0-only
#include "sim/sim.h"

#include "base/mem.h"
#include "core/host.h"
#include "sim/checks.h"
#include "sim/cpu.h"
#include "sim/cpu_slots.h"
#include "sim/cpu_work.h"
#include "sim/end.h"
#include "sim/corehost.h"
#include "sim/pipe.h"
#include "sim/spawn.h"
#include "sim/tell.h"
#include "sim/waiting.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What fewer CPUs and their tasks need is in a second-level cache anyway. */
#define FETCH_CPUS 128

/* Events at one and the same time: more is an endless loop between a core and its timers. */
#define SAME_TIME_MAX 100000000

/* Events after which the time is shown, and the numbers of events are looked at. */
#define TURNS 64

static void link_siblings(struct sim *sim)
{
	const uint32_t n = sim->machine->nr_cpus;
	uint32_t *last = xcalloc(n, sizeof(*last)); /* of each core so far, + 1 */

	for (uint32_t i = 0; i < n; i++) {
		uint32_t core = (uint32_t)sim->machine->cpu[i].core;

		assert(core < n);
		sim->cpus[i].sibling = last[core] ? sim->cpus[last[core] - 1].sibling : i;
		if (last[core])
			sim->cpus[last[core] - 1].sibling = i;
		last[core] = i + 1;
	}
	free(last);
}

static struct sim *make(const struct sim_setup *setup)
{
	struct sim *sim = xcalloc(1, sizeof(*sim));
	const uint32_t n = setup->machine->nr_cpus;

	sim->ops = setup->core;
	sim->machine = setup->machine;
	sim->costs = setup->costs;
	sim->pairs = setup->pairs;
	sim->seed = setup->seed;
	sim->idle_limit_ns = UINT64_MAX;
	sim->trace = setup->trace;
	sim->seen_ns = setup->seen_ns;
	sim->print = setup->print;
	sim->print_ctx = setup->ctx;
	sim->now = sim->time = SIM_BOOT_NS;
	sim->arena = arena_new();
	sim->cpus = arena_alloc_lines(sim->arena, n * sizeof(*sim->cpus));
	events_init(&sim->events, n);
	for (uint32_t i = 0; i < n; i++)
		sim_cpu_init(&sim->cpus[i], sim, i);
	link_siblings(sim);
	for (uint32_t i = 0; i < n; i++)
		work_paces(&sim->cpus[i]);
	sim->account = setup->check || setup->trace;
	if (sim->account)
		waiting_init(sim);
	if (setup->check)
		checks_init(sim, setup->check_idle_ns);
	sim_host_init(sim);
	return sim;
}

static void start_cpus(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++) {
		struct sim_cpu *cpu = &sim->cpus[i];

		if (!cpu->online)
			continue;
		sim_cpu_begin(cpu);
		sim_cpu_settle(cpu);
		sim_cpu_end(cpu);
		sim->now = sim->time;
	}
}

/* Of a knob that a kernel core refused its frames tell nothing. */
static void drop_frames(char *words)
{
	char *frames = strstr(words, ": no such knob") ? strstr(words, " < ") : NULL;

	if (frames)
		*frames = '\0';
}

static int boot(struct sim *sim, const struct sim_setup *setup, struct error *err)
{
	const struct core_config config = {
		.machine = setup->machine,
		.seed = setup->seed,
		.verbose = setup->verbose,
		.cost = setup->costs->core_step_ns,
		.knobs = setup->knobs,
		.nr_knobs = setup->nr_knobs,
	};

	if (!sim_host_guard(sim)) {
		sim->core = sim->ops->boot(&config, &sim->host);
		if (sim->core && !sim->ended) {
			sim->tick_ns = sim->ops->tick_ns(sim->core);
			start_cpus(sim);
		}
	}
	sim_host_unguard(sim);
	if (sim->core && !sim->ended)
		return 0;
	strbuf_addstr(&sim->words, core_boot_advice(strbuf_str(&sim->words)));
	drop_frames(sim->words.s);
	return error_set(err, sim->dead || sim->core ? EFAULT : EINVAL, "%s core: %s",
			 sim->ops->name, sim->words.s);
}

int sim_new(struct sim **out, const struct sim_setup *setup, struct error *err)
{
	struct sim *sim;
	int ret;

	if (setup->core->abi != CORE_ABI)
		return error_set(
			err, EINVAL,
			"the %s core was built for interface %u, this is %u: build it anew",
			setup->core->name, setup->core->abi, CORE_ABI);
	sim = make(setup);
	ret = boot(sim, setup, err);
	if (ret) {
		sim_free(sim);
		return ret;
	}
	tell_boot(sim);
	*out = sim;
	return 0;
}

void sim_free(struct sim *sim)
{
	if (!sim)
		return;
	if (sim->core && !sim->dead) {
		if (!sim_host_guard(sim))
			sim->ops->release(sim->core);
		sim_host_unguard(sim);
	}
	sim_host_release(sim);
	sim_pipes_release(sim);
	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++)
		sim_cpu_release(&sim->cpus[i]);
	waiting_release(sim);
	checks_release(sim);
	events_release(&sim->events);
	strbuf_release(&sim->words);
	arena_free(sim->arena);
	free(sim);
}

/* All CPUs idle, no timer is set, and not all tasks wait for each other. */
static void end_lost(struct sim *sim)
{
	const struct sim_task *task = sim->all;

	while (task->state != TASK_READY && task->next_all)
		task = task->next_all;
	checks_breach(sim, sim_cpu_of(task), task, task->since_ns,
		      "all CPUs idle, and '%s' (%" PRIu32 ") %s CPU %" PRIu32
		      ": its core has lost it",
		      task->comm, task->nr, sim_task_state_name(task), task->cpu);
}

static void none_due(struct sim *sim)
{
	if (!sim->nr_live)
		sim_end_with(sim, SIM_ALL_EXITED, "all tasks have exited");
	else if (events_none(&sim->events))
		end_lost(sim);
}

/* The next event is at @time_ns. */
static void advance(struct sim *sim, uint64_t time_ns)
{
	if (time_ns != sim->time)
		sim->same_time = 0;
	else if (++sim->same_time > SAME_TIME_MAX)
		sim_end_with(sim, SIM_LIVELOCK, "%d events, and no time passes", SAME_TIME_MAX);
	assert(time_ns >= sim->time);
	sim->time = sim->now = time_ns;
	if (time_ns >= sim->next_look)
		checks_look(sim);
}

/* An event takes some numbers for each CPU and its timers at most, so those left suffice until the next time. */
static void now_and_then(struct sim *sim)
{
	if (sim->seen_ns)
		*sim->seen_ns = sim->time;
	if (sim->seq >= EVENT_SEQ_MANY)
		slots_renumber(sim);
}

/* What its event will need, which mostly is the next one. */
static inline void fetch(const struct sim_cpu *cpu)
{
	const char *task = (const char *)cpu->task;

	__builtin_prefetch((const char *)cpu + 64);
	if (!task)
		return;
	__builtin_prefetch(task);
	__builtin_prefetch(task + 64);
	__builtin_prefetch(task + 128);
}

/* Events up to @until_ns, or until something ends it. Within the function that calls setjmp() nothing would be kept in registers. */
static __attribute__((noinline)) void run_events(struct sim *sim, uint64_t until_ns)
{
	uint32_t cpu, turns = 0;

	while (!sim->ended) {
		if (!sim->nr_live || !events_first(&sim->events, until_ns, &cpu)) {
			none_due(sim);
			return;
		}
		if (sim->events.width >= FETCH_CPUS)
			fetch(&sim->cpus[events_second(&sim->events, cpu)]);
		advance(sim, events_first_ns(&sim->events));
		if (!(turns++ % TURNS))
			now_and_then(sim);
		sim_cpu_event(&sim->cpus[cpu]);
	}
}

int sim_go(struct sim *sim, uint64_t until_ns, enum sim_end *end, struct error *err)
{
	if (!sim->ended && !sim_host_guard(sim)) {
		sim_spawn_all(sim);
		run_events(sim, until_ns);
	}
	sim_host_unguard(sim);
	sim->here = NULL;
	if (sim->ended) {
		*end = sim->end;
	} else {
		*end = SIM_TIME;
		if (sim->time < until_ns)
			sim->time = until_ns;
		sim->now = sim->time;
	}
	return *end <= SIM_TIME
		       ? 0
		       : error_set(err, -sim_end_code(*end), "%s", strbuf_str(&sim->words));
}

uint64_t sim_now(const struct sim *sim)
{
	return sim->now;
}

const struct core_machine *sim_machine(const struct sim *sim)
{
	return sim->machine;
}

const struct costs *sim_costs(const struct sim *sim)
{
	return sim->costs;
}

struct core *sim_core(const struct sim *sim)
{
	return sim->core;
}

const struct core_ops *sim_core_ops(const struct sim *sim)
{
	return sim->ops;
}

void sim_counts(const struct sim *sim, struct sim_counts *counts)
{
	uint64_t online = 0, waited = 0;

	*counts = sim->counts;
	for (uint32_t i = 0; i < sim->machine->nr_cpus; i++) {
		counts->busy_ns += sim_cpu_busy_ns(&sim->cpus[i]);
		online += sim_cpu_online_ns(&sim->cpus[i]);
	}
	for (const struct sim_task *task = sim->all; task; task = task->next_all)
		if (task->state == TASK_READY)
			waited += sim->now - task->since_ns;
	counts->waited_ns += waited;
	counts->waited_idle_ns = waiting_sum(sim);
	counts->idle_ns = online - counts->busy_ns;
}
