// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/sim - how fast is the simulator, and what of that is its core's? `sim [fixture|model|kernel:NAME [CPUs ...]]`
 *
 * For two loads: hackbench's messages, one group of 20 + 20 for each eight CPUs, without its begin and end; and "sleepers", tasks that compute 300 us and
 * sleep 700 us, 25 for 8 CPUs, as the first sketch was measured with. Each row: CPU time to boot; events a second of CPU time; what
 * of that is the engine's: the time of the same run with the core's doings from a tape (bench/tape.h), in percent, and its
 * events a second; memory of the simulator itself, in bytes a task: all of its arena. The sizes of a task and a CPU are told first.
 *
 * Playing the tape is part of the engine's time here, so that is less than it says.
 */
#include "sim/sim.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/mem.h"
#include "kcore/kcore.h"
#include "sched/model_core.h"
#include "sim/fixture_core.h"
#include "sim/state.h"
#include "tape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Events that are enough; a run ends after the piece in which it has had them. */
#define ENOUGH	 1000000
#define PIECE_NS 2000000

/*
 * The one place where a core is found by its name. That of a kernel boots once, so each call loads it anew, and all stay.
 * Ends the program where there is none.
 */
static const struct core_ops *find_core(const char *name)
{
	static const char prefix[] = "kernel:";
	struct error err = { 0 };
	struct kcore *kcore;

	if (!strcmp(name, "fixture"))
		return &fixture_core;
	if (!strcmp(name, "model"))
		return &core_model;
	if (strncmp(name, prefix, strlen(prefix)))
		error_set(&err, ENOENT, "usage: sim [fixture|model|kernel:NAME [CPUs ...]]");
	else if (!kcore_open(&kcore, name + strlen(prefix), &err))
		return kcore_ops(kcore);
	fprintf(stderr, "%s\n", err.text);
	exit(2);
}

struct load {
	const char *name;
	void (*spawn)(struct sim *sim);
};

static void sleeper_step(struct sim_task *task, void *data)
{
	bool *slept = data;

	*slept = !*slept;
	if (*slept)
		sim_run(task, 150000 + sim_random_below(task, 300000));
	else
		sim_sleep(task, 350000 + sim_random_below(task, 700000));
}

static void spawn_sleepers(struct sim *sim)
{
	for (uint32_t i = 0; i < sim_machine(sim)->nr_cpus * 25 / 8; i++) {
		const struct sim_task_spec spec = { .name = "sleeper",
						    .step = sleeper_step,
						    .data = sim_alloc(sim, sizeof(bool)) };

		sim_spawn(sim, &spec);
	}
}

/* A piece of hackbench, in which nobody starts or ends: each sender writes to each receiver of its group, for ever. */
struct talker {
	struct sim_pipe **pipes;
	bool reads;
	uint32_t at;
};

static void talker_step(struct sim_task *task, void *data)
{
	struct talker *talker = data;

	if (talker->reads)
		sim_read(task, talker->pipes[talker->at], 100);
	else
		sim_write(task, talker->pipes[talker->at++ % 20], 100);
}

static void spawn_group(struct sim *sim)
{
	struct sim_pipe **pipes = sim_alloc(sim, 20 * sizeof(*pipes));

	for (uint32_t i = 0; i < 40; i++) {
		struct talker *talker = sim_alloc(sim, sizeof(*talker));
		const struct sim_task_spec spec = { .name = "talker",
						    .step = talker_step,
						    .data = talker };

		if (i < 20)
			pipes[i] = sim_pipe_new(sim, SIM_UNIX_STREAM, 27800, false);
		*talker = (struct talker){ pipes, i < 20, i % 20 };
		sim_spawn(sim, &spec);
	}
}

static void spawn_hackbench(struct sim *sim)
{
	for (uint32_t i = 0; i < (sim_machine(sim)->nr_cpus + 7) / 8; i++)
		spawn_group(sim);
}

static const struct load loads[] = {
	{ "hackbench", spawn_hackbench },
	{ "sleepers", spawn_sleepers },
};

/* struct figures - of one run; CPU times */
struct figures {
	uint64_t boot_ns;
	uint64_t run_ns;
	uint64_t events;
	uint64_t simulated_ns;
	uint32_t tasks;
	size_t bytes;
};

static struct sim *boot(const struct core_ops *core, const struct core_machine *machine,
			const struct costs *costs, struct figures *f)
{
	const struct sim_setup setup = {
		.core = core, .machine = machine, .costs = costs, .seed = 1
	};
	struct error err = { 0 };
	struct sim *sim;

	f->boot_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (sim_new(&sim, &setup, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	f->boot_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - f->boot_ns;
	return sim;
}

/* Until there were enough events, or up to @f's simulated_ns where that is set. */
static void go(struct sim *sim, struct figures *f)
{
	uint64_t until_ns = f->simulated_ns ? f->simulated_ns : sim_now(sim) + PIECE_NS;
	const uint64_t begin_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct sim_counts counts;
	struct error err = { 0 };
	enum sim_end end;

	do {
		if (sim_go(sim, until_ns, &end, &err)) {
			fprintf(stderr, "%s\n", err.text);
			exit(1);
		}
		sim_counts(sim, &counts);
		until_ns += PIECE_NS;
	} while (!f->simulated_ns && counts.events < ENOUGH);
	f->run_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_ns;
	f->simulated_ns = sim_now(sim);
	f->events = counts.events;
	f->tasks = sim->nr_tasks;
	f->bytes = arena_bytes(sim->arena);
}

static void run(const struct core_ops *core, const struct core_machine *machine,
		const struct load *load, struct figures *f)
{
	struct costs costs;
	struct sim *sim;

	costs_default(&costs);
	sim = boot(core, machine, &costs, f);
	load->spawn(sim);
	go(sim, f);
	sim_free(sim);
}

static void measure(const char *core, uint32_t cpus, const struct load *load)
{
	const uint32_t nodes = cpus > 64 ? cpus / 64 : 1;
	const uint32_t llcs = cpus / nodes >= 16 ? cpus / nodes / 16 : 1;
	struct figures real = { 0 }, taped = { 0 }, played = { 0 };
	struct tape *tape = tape_new(find_core(core));
	struct fixture_machine m;

	fixture_machine_init(&m, nodes, llcs, cpus / nodes / llcs / 2, 2);
	run(find_core(core), &m.machine, load, &real);
	taped.simulated_ns = played.simulated_ns = real.simulated_ns;
	run(tape_recorder(tape), &m.machine, load, &taped);
	run(tape_player(tape), &m.machine, load, &played);
	if (played.events != real.events || taped.events != real.events) {
		fprintf(stderr, "the tape went another way\n");
		exit(1);
	}
	printf("%6" PRIu32 " %-10s %6" PRIu32 " %8.2f %9.1f %10.2f %8.0f %12.2f %8zu\n", cpus,
	       load->name, real.tasks, (double)real.boot_ns / 1e6, (double)real.simulated_ns / 1e6,
	       (double)real.events / (double)real.run_ns * 1e3,
	       100. * (double)played.run_ns / (double)real.run_ns,
	       (double)played.events / (double)played.run_ns * 1e3, real.bytes / real.tasks);
	fflush(stdout);
	tape_free(tape);
	fixture_machine_release(&m);
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = { 2, 64, 256, 1024 };
	const char *name = argc > 1 ? argv[1] : "fixture";
	const struct core_ops *core = find_core(name);
	const int nr = argc > 2 ? argc - 2 : (int)ARRAY_SIZE(sizes);

	printf("core %s %s; a task has %zu bytes, a CPU %zu\n", core->name, core->version,
	       sizeof(struct sim_task), sizeof(struct sim_cpu));
	printf("%6s %-10s %6s %8s %9s %10s %8s %12s %8s\n", "CPUs", "load", "tasks", "boot ms",
	       "simul. ms", "M events/s", "engine %", "engine M/s", "B/task");
	for (int i = 0; i < nr; i++) {
		const uint32_t cpus =
			argc > 2 ? (uint32_t)strtoul(argv[i + 2], NULL, 10) : sizes[i];

		if (cpus < 2 || cpus > 8192 || (cpus & (cpus - 1))) {
			fprintf(stderr, "%s: not a power of two up to 8192\n", argv[i + 2]);
			return 2;
		}
		for (size_t k = 0; k < ARRAY_SIZE(loads); k++)
			measure(name, cpus, &loads[k]);
	}
	return 0;
}
