// SPDX-License-Identifier: GPL-2.0-only
/* workload/hotplug_model.c - hotplug.c's transitions on a simulated machine. */
#include "workload/hotplug.h"

#include "base/mem.h"
#include "workload/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct plug_sim - what the main task does next
 * @all_at_once: one write makes all steps of a phase: the machine's switch for threads
 * @made:   tasks of the load so far, @waited: for so many
 * @step:   of the plan; @pass: of cfg's discarded and counted ones
 * @paused: before this step
 * @under_way: @step has been asked for, in the write that began at @start_ns
 */
struct plug_sim {
	struct run *run;
	const struct hotplug_cfg *cfg;
	struct plug_plan plan;
	struct plug_phase phases[2];
	bool all_at_once;
	bool started, over, paused, under_way;
	uint64_t made, waited;
	uint64_t pass;
	size_t step;
	uint64_t start_ns, start_cpu_ns;
	struct error wrong;
};

static void load_step(struct sim_task *task, void *data)
{
	const struct plug_sim *plug = data;

	if (plug->over)
		sim_exit(task);
	else
		sim_run(task, model_work(sim_of(task), PLUG_LOAD_UNITS));
}

static void make_load(struct plug_sim *plug, struct sim_task *task)
{
	const struct sim_task_spec spec = { .name = "compute", .step = load_step, .data = plug };

	plug->made++;
	sim_fork(task, &spec);
}

/* The write that made this step is over with it. */
static bool ends_write(const struct plug_sim *plug)
{
	return !plug->all_at_once || plug->step + 1 == plug->plan.n ||
	       plug->plan.steps[plug->step + 1].begins;
}

static void count(struct plug_sim *plug, const struct sim_task *task)
{
	struct plug_phase *phase = &plug->phases[plug->plan.steps[plug->step].comes];
	const uint64_t ns = sim_now(sim_of(task)) - plug->start_ns;

	phase->sum_ns += ns;
	phase->sys_ns += sim_task_runtime(task) - plug->start_cpu_ns;
	histogram_add(phase->each, ns);
}

static void end_step(struct plug_sim *plug, const struct sim_task *task)
{
	const bool counted = plug->pass >= plug->cfg->discard;

	plug->under_way = false;
	if (ends_write(plug)) {
		plug->paused = false;
		if (counted)
			count(plug, task);
	}
	if (++plug->step < plug->plan.n)
		return;
	plug->step = 0;
	plug->pass++;
	if (counted)
		plug_phases_end_pass(plug->phases);
}

static bool begins_write(const struct plug_sim *plug)
{
	return !plug->all_at_once || plug->plan.steps[plug->step].begins;
}

static void begin_step(struct plug_sim *plug, struct sim_task *task)
{
	const struct plug_step *step = &plug->plan.steps[plug->step];

	if (begins_write(plug)) {
		plug->start_ns = sim_now(sim_of(task));
		plug->start_cpu_ns = sim_task_runtime(task);
	}
	plug->under_way = true;
	sim_hotplug(task, step->cpu, step->comes);
}

/* The next operation of the passes. Return: false where there is none */
static bool pass_step(struct plug_sim *plug, struct sim_task *task)
{
	const struct hotplug_cfg *cfg = plug->cfg;

	if (plug->pass == cfg->discard && !plug->started) {
		plug->started = true;
		run_start_at(plug->run, sim_now(sim_of(task)));
	}
	if (plug->pass == cfg->discard + cfg->passes)
		return false;
	if (plug->plan.steps[plug->step].begins && cfg->pause_ns && !plug->paused) {
		plug->paused = true;
		sim_sleep(task, cfg->pause_ns);
	} else {
		begin_step(plug, task);
	}
	return true;
}

static bool fails(struct plug_sim *plug, const struct sim_task *task)
{
	const struct plug_step *step = &plug->plan.steps[plug->step];

	if (!plug->under_way || !sim_result(task))
		return false;
	error_set(&plug->wrong, -sim_result(task), "CPU %u, to be %s: %s", step->cpu,
		  step->comes ? "online" : "offline", strerror(-sim_result(task)));
	return true;
}

static void main_step(struct sim_task *task, void *data)
{
	struct plug_sim *plug = data;

	if (plug->made < plug->cfg->load) {
		make_load(plug, task);
		return;
	}
	if (fails(plug, task)) {
		sim_stop(sim_of(task));
		return;
	}
	if (plug->under_way)
		end_step(plug, task);
	if (!plug->over && pass_step(plug, task))
		return;
	if (!plug->over)
		run_stop_at(plug->run, sim_now(sim_of(task)));
	plug->over = true;
	if (plug->waited++ < plug->cfg->load)
		sim_wait(task);
	else
		sim_exit(task);
}

/* Which thread of its core each is, by the order of their numbers. */
static void number_threads(struct plug_cpus *cpus, const struct core_machine *machine)
{
	unsigned char *of_core = xcalloc(machine->nr_cpus, 1);

	cpus->siblings = xcalloc(CPUMASK_MAX, 1);
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (machine->online[cpu])
			cpus->siblings[cpu] = of_core[machine->cpu[cpu].core]++;
	free(of_core);
}

/* All CPUs can be plugged, and the switch for threads is there. */
static void describe(struct plug_cpus *cpus, const struct core_machine *machine)
{
	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (machine->online[cpu]) {
			cpumask_set(&cpus->online, cpu);
			cpumask_set(&cpus->pluggable, cpu);
		}
	number_threads(cpus, machine);
	snprintf(cpus->control, sizeof(cpus->control), "on");
}

/* The machine's switch goes from CPU to CPU as well, within one write. */
static int make_plan(struct plug_sim *plug, const struct sim *sim, struct cpumask *online,
		     struct error *err)
{
	struct hotplug_cfg cfg = *plug->cfg;
	struct plug_cpus cpus = { 0 };
	unsigned int cpu;
	int ret;

	plug->all_at_once = cfg.plan == PLUG_SMT && cfg.way == WAY_CONTROL;
	if (plug->all_at_once) {
		cfg.way = WAY_CPUS;
		cfg.cpus = NULL;
	}
	describe(&cpus, sim_machine(sim));
	if (cpumask_weight(&cpus.online) < 2)
		ret = error_set(err, EOPNOTSUPP, "the machine has one CPU, so that none can go");
	else
		ret = plug_plan(&plug->plan, &cfg, &cpus, err);
	cpumask_for_each (cpu, &cpus.online)
		cpumask_set(online, cpu);
	plug_cpus_release(&cpus);
	return ret;
}

static int check_root(const struct hotplug_cfg *cfg, struct error *err)
{
	if (!cfg->root || !*cfg->root || !strcmp(cfg->root, "/"))
		return 0;
	return error_set(err, EOPNOTSUPP, "root: a simulated machine has no folder sys");
}

static int play(struct plug_sim *plug, struct sim *sim, struct error *err)
{
	const struct sim_task_spec spec = { .name = "plug", .step = main_step, .data = plug };
	int ret;

	sim_spawn(sim, &spec);
	ret = model_go(plug->run, sim, err);
	if (plug->wrong.code)
		return error_set(err, plug->wrong.code, "%s", plug->wrong.text);
	return ret;
}

int hotplug_model(struct run *run, struct sim *sim, const void *arg, struct error *err)
{
	const struct hotplug_cfg *cfg = arg;
	struct plug_sim *plug = sim_alloc(sim, sizeof(*plug));
	struct cpumask online = { 0 };
	int ret = check_root(cfg, err);

	plug->run = run;
	plug->cfg = cfg;
	plug_phases_init(plug->phases);
	if (!ret)
		ret = make_plan(plug, sim, &online, err);
	if (!ret)
		ret = play(plug, sim, err);
	if (!ret) {
		plug_note_moved(run, &online, &plug->plan);
		plug_report(run, plug->phases, cfg->passes, plug->all_at_once ? 2 : plug->plan.n);
	}
	plug_phases_release(plug->phases);
	plug_plan_release(&plug->plan);
	cpumask_release(&online);
	return ret;
}
