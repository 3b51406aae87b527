// SPDX-License-Identifier: GPL-2.0-only
/*
 * hotplug_stress.c CORE.so [SEEDS [FIRST [CLASSES]]] - CPUs go up and down at random under a load, with all checks of the simulator on
 *
 * Each seed is a machine, a load and a run of 200 ms of simulated time, in a process of its own: pairs that talk through pipes,
 * tasks that compute and sleep, fork, change their CPUs and their nice value. CLASSES "rt" has FIFO and RR tasks too, "dl"
 * DEADLINE ones besides, "none" is the default. Exit status 1: what a seed ended with is on standard output.
 */
#include "base/rng.h"
#include "image.h"
#include "sim/costs.h"
#include "sim/fixture_core.h"
#include "sim/task.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN_NS	    200000000
#define WAIT_S	    60
#define MAX_WORKERS 96
#define MAX_PAIRS   32

enum classes {
	FAIR,
	RT,
	DL,
};

/* One run: CPU 0 never goes, @changed is the CPU under way, or 0. */
struct stress {
	struct sim *sim;
	uint32_t nr_cpus;
	enum classes classes;
	bool up[64];
	uint32_t changed;
};

struct pair {
	struct sim_pipe *pipe;
	uint64_t left;
};

static void talk(struct sim_task *task, void *data)
{
	struct pair *pair = data;

	if (!pair->left--)
		sim_exit(task);
	else if (pair->left % 3)
		sim_write(task, pair->pipe, 100);
	else
		sim_run(task, sim_draw(task, SIM_EXPONENTIAL, 20000));
}

static void listen(struct sim_task *task, void *data)
{
	struct pair *pair = data;

	sim_read(task, pair->pipe, 100);
}

static void child(struct sim_task *task, void *data)
{
	uint64_t *left = data;

	if (!*left)
		sim_exit(task);
	else if (--*left % 2)
		sim_run(task, sim_draw(task, SIM_EXPONENTIAL, 100000));
	else
		sim_sleep(task, sim_draw(task, SIM_EXPONENTIAL, 200000));
}

static void fork_one(struct sim_task *task)
{
	uint64_t *left = sim_alloc(sim_of(task), sizeof(*left));
	static const struct core_sched normal;
	struct sim_task_spec spec = {
		.name = "child", .step = child, .data = left, .sched = &normal
	};

	*left = sim_random_below(task, 6);
	sim_fork(task, &spec);
}

static void set_class(struct sim_task *task, enum classes classes)
{
	struct core_sched sched = { .nice = (int)sim_random_below(task, 40) - 20 };
	const uint64_t which = sim_random_below(task, 4);

	if (classes >= RT && which == 1)
		sched = (struct core_sched){ .policy = CORE_FIFO, .priority = 10 };
	else if (classes >= RT && which == 2)
		sched = (struct core_sched){ .policy = CORE_RR, .priority = 10 };
	else if (classes == DL && which == 3)
		sched = (struct core_sched){ .policy = CORE_DEADLINE,
					     .runtime_ns = 200000,
					     .deadline_ns = 4000000,
					     .period_ns = 4000000 };
	sim_set_sched(task, &sched);
}

static void set_cpus(struct sim_task *task, struct stress *stress)
{
	uint64_t words = sim_random(task) & ((2ULL << (stress->nr_cpus - 1)) - 1);

	/* CPU 0 never goes */
	words |= 1;
	sim_set_affinity(task, &words);
}

static void work(struct sim_task *task, void *data)
{
	struct stress *stress = data;

	switch (sim_random_below(task, 32)) {
	case 0:
		set_cpus(task, stress);
		return;
	case 1:
		set_class(task, stress->classes);
		return;
	case 2:
		fork_one(task);
		return;
	case 3:
		sim_yield(task);
		return;
	}
	if (sim_random_below(task, 2))
		sim_run(task, sim_draw(task, SIM_EXPONENTIAL, 300000));
	else
		sim_sleep(task, sim_draw(task, SIM_EXPONENTIAL, 300000));
}

/* What came of the last change, then another one after a while. A DEADLINE task's bandwidth may forbid it. */
static void plug(struct sim_task *task, void *data)
{
	struct stress *stress = data;
	uint32_t cpu;

	if (stress->changed) {
		if (!sim_result(task))
			stress->up[stress->changed] = !stress->up[stress->changed];
		stress->changed = 0;
		sim_sleep(task, sim_draw(task, SIM_EXPONENTIAL, 1000000));
		return;
	}
	cpu = 1 + (uint32_t)sim_random_below(task, stress->nr_cpus - 1);
	stress->changed = cpu;
	sim_hotplug(task, cpu, !stress->up[cpu]);
}

static void spawn(struct stress *stress, const char *name, sim_step step, void *data)
{
	struct sim_task_spec spec = { .name = name, .step = step, .data = data };

	sim_spawn(stress->sim, &spec);
}

static void load(struct stress *stress, struct rng *rng)
{
	const uint64_t pairs = rng_below(rng, MAX_PAIRS), workers = rng_below(rng, MAX_WORKERS);

	for (uint64_t i = 0; i < pairs; i++) {
		struct pair *pair = sim_alloc(stress->sim, sizeof(*pair));

		pair->pipe = sim_pipe_new(stress->sim, SIM_PIPE, 65536, false);
		pair->left = 100000;
		spawn(stress, "talk", talk, pair);
		spawn(stress, "listen", listen, pair);
	}
	for (uint64_t i = 0; i < workers; i++)
		spawn(stress, "work", work, stress);
	spawn(stress, "plug", plug, stress);
}

static int run_seed(const struct core_ops *ops, uint64_t seed, enum classes classes)
{
	struct stress stress = { .classes = classes };
	struct fixture_machine machine;
	struct costs costs;
	struct sim_setup setup = { .core = ops, .costs = &costs, .seed = seed, .check = true };
	struct error err = { 0 };
	enum sim_end end;
	struct rng rng;

	rng_seed(&rng, seed, "stress", 0);
	fixture_machine_init(&machine, 1 + (uint32_t)rng_below(&rng, 2),
			     1 + (uint32_t)rng_below(&rng, 2), 1 + (uint32_t)rng_below(&rng, 4),
			     1 + (uint32_t)rng_below(&rng, 2));
	setup.machine = &machine.machine;
	stress.nr_cpus = machine.machine.nr_cpus;
	for (uint32_t cpu = 0; cpu < stress.nr_cpus; cpu++)
		stress.up[cpu] = true;
	costs_default(&costs);
	alarm(WAIT_S);
	if (stress.nr_cpus < 2)
		return 0;
	if (sim_new(&stress.sim, &setup, &err)) {
		printf("seed %llu: %s\n", (unsigned long long)seed, err.text);
		return 1;
	}
	load(&stress, &rng);
	if (sim_go(stress.sim, RUN_NS, &end, &err)) {
		printf("seed %llu, %u CPUs: %s\n", (unsigned long long)seed, stress.nr_cpus,
		       err.text);
		if (sim_breach(stress.sim))
			puts(sim_breach(stress.sim));
		return 1;
	}
	sim_free(stress.sim);
	fixture_machine_release(&machine);
	return 0;
}

/* A core may crash: what else there is goes on. */
static bool passes(const char *path, uint64_t seed, enum classes classes)
{
	struct image image;
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		return false;
	}
	if (!pid) {
		status = image_load(&image, path) ? 1 : run_seed(image.ops, seed, classes);
		fflush(stdout);
		_exit(status);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		printf("seed %llu: %s\n", (unsigned long long)seed,
		       WTERMSIG(status) == SIGALRM ? "it doesn't end"
						   : strsignal(WTERMSIG(status)));
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	const uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 20;
	const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	const char *word = argc > 4 ? argv[4] : "none";
	const enum classes classes = !strcmp(word, "dl") ? DL : !strcmp(word, "rt") ? RT : FAIR;
	uint64_t bad = 0;

	if (argc < 2) {
		puts("SKIP: no built kernel core given");
		return 77;
	}
	for (uint64_t i = 0; i < n; i++)
		bad += !passes(argv[1], first + i, classes);
	printf("%llu of %llu seeds, classes %s: clean\n", (unsigned long long)(n - bad),
	       (unsigned long long)n, word);
	return bad != 0;
}
