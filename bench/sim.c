// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/sim - how fast is the simulator, and what of that is its core's? `sim [once] [CORE[,CORE ...] [LOAD] [CPUs ...]]`, where CORE is
 * fixture, model[:KNOB=VALUE] or kernel:NAME; of several, each row has one line for each of them. `once` leaves out the second run, and what comes of it:
 * for a profiler, which counts what is below go()
 *
 * For four loads: "pairs", two for each CPU, of tasks that answer each other; hackbench's messages, one group of 20 + 20 for each eight CPUs, and
 * schbench's, a message thread and 16 workers for each 16 CPUs, both without begin and end; and "sleepers", tasks that compute 300 us and
 * sleep 700 us, 25 for 8 CPUs, as the first sketch was measured with. All tasks begin at one time: placing them costs no simulated time (core_step_ns),
 * as it does from then on. Each line: CPU time to boot, and until all tasks have
 * run; from then on events and switches a second of CPU time, and ns of it a switch; what of that is the engine's, the load's included, in percent, by
 * samples (bench/between.h) of the same run once more; memory of the simulator itself, in bytes a task: all of
 * its arena; time of a fixed piece of work right before and after, as a multiple of the least there was: how much others
 * disturbed; and a hash of all that the core decided, which a mere optimisation leaves as it is. The sizes of a task and a
 * CPU are told first.
 */
#include "sim/sim.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/mem.h"
#include "kcore/kcore.h"
#include "sched/model_core.h"
#include "sim/fixture_core.h"
#include "sim/state.h"
#include "between.h"
#include "sim_loads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Events that are enough; a run ends after the piece in which it has had them. A piece is the less the more CPUs there are. */
#ifndef ENOUGH
#define ENOUGH 1000000
#endif
#define PIECE_NS 128000000

/* struct bench_core - @knob: that makes it what its name says, or NULL */
struct bench_core {
	const struct core_ops *ops;
	const char *knob;
};

/*
 * The one place where a core is found by its name. That of a kernel boots once, so each call loads it anew, and all stay.
 * Ends the program where there is none.
 */
static struct bench_core find_core(const char *name)
{
	static const char model[] = "model:", kernel[] = "kernel:";
	struct bench_core core = { 0 };
	struct error err = { 0 };
	struct kcore *kcore;

	if (!strcmp(name, "fixture"))
		core.ops = &fixture_core;
	else if (!strcmp(name, "model"))
		core.ops = &core_model;
	else if (!strncmp(name, model, strlen(model)))
		core = (struct bench_core){ &core_model, name + strlen(model) };
	else if (strncmp(name, kernel, strlen(kernel)))
		error_set(&err, ENOENT,
			  "usage: sim [fixture|model[:KNOB=VALUE]|kernel:NAME[,...] [LOAD] [CPUs "
			  "...]]");
	else if (!kcore_open(&kcore, name + strlen(kernel), &err))
		core.ops = kcore_ops(kcore);
	if (core.ops)
		return core;
	fprintf(stderr, "%s\n", err.text);
	exit(2);
}

/**
 * struct figures - of one run; CPU times
 * @start_ns:   until all tasks have run
 * @run_ns:     from then on, in which there were so many @events and @switches
 * @engine:     its part of @run_ns
 * @hash:       of what was decided
 * @started_ns, @ended_ns: simulated times; where @ended_ns is set, a run goes as far as they say
 */
struct figures {
	uint64_t boot_ns;
	uint64_t start_ns;
	uint64_t run_ns;
	uint64_t events;
	uint64_t switches;
	uint64_t started_ns;
	uint64_t ended_ns;
	uint64_t hash;
	double engine;
	uint32_t tasks;
	size_t bytes;
};

/* struct row - what is measured: a machine, a load; without a second run: @once; in the second: who stands @between */
struct row {
	const struct core_machine *machine;
	const struct load *load;
	struct between *between;
	uint64_t piece_ns;
	bool once;
};

static uint64_t cpu_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* A fixed piece of work, a few ms: walks through 1 MiB in no order, each step waits for the one before. */
static uint64_t yard_ns(void)
{
	static uint32_t next[1 << 18];
	const uint64_t begin_ns = cpu_ns();
	uint32_t at = 0;

	for (uint32_t i = 0; i < ARRAY_SIZE(next); i++)
		next[i] = (i * 1664525 + 1013904223) % ARRAY_SIZE(next);
	for (uint32_t i = 0; i < 2 * ARRAY_SIZE(next); i++)
		at = next[at];
	next[0] = at;
	return cpu_ns() - begin_ns;
}

static struct sim *boot(const struct core_ops *ops, const char *knob, const struct row *row,
			const struct costs *costs, struct figures *f)
{
	const struct sim_setup setup = {
		.core = ops,
		.machine = row->machine,
		.costs = costs,
		.seed = 1,
		.knobs = &knob,
		.nr_knobs = knob != NULL,
	};
	struct error err = { 0 };
	struct sim *sim;

	f->boot_ns = cpu_ns();
	if (sim_new(&sim, &setup, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	f->boot_ns = cpu_ns() - f->boot_ns;
	return sim;
}

static void advance(struct sim *sim, uint64_t until_ns)
{
	struct error err = { 0 };
	enum sim_end end;

	if (!sim_go(sim, until_ns, &end, &err))
		return;
	fprintf(stderr, "%s\n", err.text);
	exit(1);
}

/* From @task on, the first that hasn't run yet, or NULL. */
static const struct sim_task *not_ran(const struct sim_task *task)
{
	while (task && task->ran)
		task = task->next_all;
	return task;
}

/* Placing them takes no simulated time: on large machines it would be seconds of that, in which the first of them run for nothing. */
static void spawn_all(struct sim *sim, const struct load *load, struct costs *costs)
{
	const uint64_t core_step_ns = costs->core_step_ns;

	load->spawn(sim);
	costs->core_step_ns = 0;
	advance(sim, sim_now(sim));
	costs->core_step_ns = core_step_ns;
}

/* @costs: the sim's */
static void start(struct sim *sim, const struct row *row, struct costs *costs, struct figures *f)
{
	const struct sim_task *left;

	f->start_ns = cpu_ns();
	spawn_all(sim, row->load, costs);
	left = sim->all;
	if (f->ended_ns)
		advance(sim, f->started_ns);
	else
		do
			advance(sim, sim_now(sim) + row->piece_ns);
		while ((left = not_ran(left)));
	f->started_ns = sim_now(sim);
	f->start_ns = cpu_ns() - f->start_ns;
}

/* A function of its own, by which a profiler can be told where to begin and end. */
static __attribute__((noinline)) void go(struct sim *sim, const struct row *row, struct figures *f)
{
	/* a look that costs nothing; sim_counts() goes through all CPUs and tasks */
	const struct sim_counts before = sim->counts, *counts = &sim->counts;

	if (row->between)
		between_begin(row->between);
	f->run_ns = cpu_ns();
	do
		advance(sim, f->ended_ns ? f->ended_ns : sim_now(sim) + row->piece_ns);
	while (!f->ended_ns && counts->events - before.events < ENOUGH);
	f->run_ns = cpu_ns() - f->run_ns;
	if (row->between)
		f->engine = between_end(row->between);
	f->ended_ns = sim_now(sim);
	f->events = counts->events - before.events;
	f->switches = counts->switches - before.switches;
	f->tasks = sim->nr_tasks;
	f->bytes = arena_bytes(sim->arena);
}

static void run(const struct core_ops *ops, const char *knob, const struct row *row,
		struct figures *f)
{
	struct costs costs;
	struct sim *sim;

	costs_default(&costs);
	sim = boot(ops, knob, row, &costs, f);
	start(sim, row, &costs, f);
	go(sim, row, f);
	sim_free(sim);
}

/* @again: figures of the second run, or NULL */
static void print_line(const char *core, const struct row *row, const struct figures *real,
		       const struct figures *again, uint64_t yard)
{
	static uint64_t least = UINT64_MAX;

	if (yard < least)
		least = yard;
	printf("%6" PRIu32 " %-9s %-14s %6" PRIu32 " %8.2f %9.1f %9.1f %8.2f %8.2f %8.0f",
	       row->machine->nr_cpus, row->load->name, core, real->tasks,
	       (double)real->boot_ns / 1e6, (double)real->start_ns / 1e6,
	       (double)(real->ended_ns - real->started_ns) / 1e6,
	       (double)real->events / (double)real->run_ns * 1e3,
	       (double)real->switches / (double)real->run_ns * 1e3,
	       (double)real->run_ns / (double)real->switches);
	printf(" %7zu %6.2f", real->bytes / real->tasks, (double)yard / (double)least);
	if (again)
		printf(" %7.0f %016" PRIx64 "\n", 100 * again->engine, again->hash);
	else
		printf(" %7s %s\n", "-", "-");
	fflush(stdout);
}

/* The same run once more, with somebody between. */
static void run_again(const struct bench_core *core, const struct row *row,
		      const struct figures *real, struct figures *again)
{
	struct row second = *row;

	*again = *real;
	second.between = between_new(core->ops);
	run(between_ops(second.between), core->knob, &second, again);
	again->hash = between_hash(second.between);
	between_free(second.between);
	if (again->events == real->events)
		return;
	fprintf(stderr, "the second run went another way\n");
	exit(1);
}

static void measure(const char *name, const struct row *row)
{
	const struct bench_core core = find_core(name);
	struct figures real = { 0 }, again;
	struct bench_core second;
	uint64_t yard = yard_ns();

	run(core.ops, core.knob, row, &real);
	yard = (yard + yard_ns()) / 2;
	if (!row->once) {
		second = find_core(name);
		run_again(&second, row, &real, &again);
	}
	print_line(name, row, &real, row->once ? NULL : &again, yard);
}

/* @names: of cores, joined by commas */
static void measure_all(const char *names, const struct load *load, uint32_t cpus, bool once)
{
	const uint32_t nodes = cpus > 64 ? cpus / 64 : 1;
	const uint32_t llcs = cpus / nodes >= 16 ? cpus / nodes / 16 : 1;
	char *copy = xstrdup(names), *rest = copy, *name;
	struct fixture_machine m;
	const struct row row = { &m.machine, load, NULL, PIECE_NS / cpus, once };

	fixture_machine_init(&m, nodes, llcs, cpus / nodes / llcs / 2, 2);
	while ((name = strsep(&rest, ",")))
		measure(name, &row);
	free(copy);
	fixture_machine_release(&m);
}

static const struct load *find_load(const char *name)
{
	for (const struct load *load = loads; load->name; load++)
		if (!strcmp(load->name, name))
			return load;
	return NULL;
}

static uint32_t cpus_of(const char *word)
{
	const unsigned long cpus = strtoul(word, NULL, 10);

	if (cpus >= 2 && cpus <= 8192 && !(cpus & (cpus - 1)))
		return (uint32_t)cpus;
	fprintf(stderr, "%s: neither a load nor a power of two up to 8192\n", word);
	exit(2);
}

int main(int argc, char **argv)
{
	static char *sizes[] = { "2", "64", "256", "1024", NULL };
	const bool once = argc > 1 && !strcmp(argv[1], "once");
	const struct load *load = loads, *end = NULL;
	const char *names;
	char **word;

	argc -= once;
	argv += once;
	names = argc > 1 ? argv[1] : "fixture";
	word = argc > 2 ? argv + 2 : sizes;
	if (find_load(*word)) {
		load = find_load(*word++);
		end = load + 1;
	}
	if (!*word)
		word = sizes;
	printf("the engine's: a task has %zu bytes, a CPU %zu; least yard of all that follows is "
	       "1\n",
	       sizeof(struct sim_task), sizeof(struct sim_cpu));
	printf("%6s %-9s %-14s %6s %8s %9s %9s %8s %8s %8s %7s %6s %7s %s\n", "CPUs", "load",
	       "core", "tasks", "boot ms", "start ms", "simul. ms", "M evt/s", "M swi/s", "ns/swi",
	       "B/task", "yard", "engine%", "decisions");
	for (; *word; word++)
		for (const struct load *l = load; l->name && l != end; l++)
			measure_all(names, l, cpus_of(*word), once);
	return 0;
}
