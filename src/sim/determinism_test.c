// SPDX-License-Identifier: GPL-2.0-only
/* sim/determinism_test.c - the same seed gives the same events, whatever else the process does. */
#include "sim/sim.h"

#include "base/rng.h"
#include "sim/fixture_script.h"
#include "sim/state.h"

#include <string.h>

#include "check.h"

#define TASKS 24

/* Of all events so far, with everything that is told of them. */
struct recorder {
	struct trace_sink sink;
	uint64_t hash;
	uint64_t events;
};

static void record(struct trace_sink *sink, const struct trace_event *event)
{
	struct recorder *recorder = (struct recorder *)sink;
	const uint64_t words[] = { event->time_ns, event->kind,		  event->cpu,
				   event->task,	   event->other,	  event->target,
				   event->reason,  (uint64_t)event->value };

	recorder->hash = hash64(recorder->hash, words, sizeof(words));
	recorder->events++;
}

struct actor {
	struct sim_pipe **pipes;
	struct sim_mutex *mutex;
	bool holds;
	uint64_t left;
};

/* Something or other, again and again. */
static void act(struct sim_task *task, void *data)
{
	struct actor *actor = data;
	struct sim_pipe *pipe = actor->pipes[sim_random_below(task, 4)];

	if (actor->holds) {
		actor->holds = false;
		sim_unlock(task, actor->mutex);
		return;
	}
	if (!actor->left--) {
		sim_exit(task);
		return;
	}
	switch (sim_random_below(task, 6)) {
	case 0:
		sim_run(task, sim_draw(task, SIM_EXPONENTIAL, 20000));
		break;
	case 1:
		sim_sleep(task, sim_draw(task, SIM_LOGNORMAL, 50000));
		break;
	case 2:
		sim_run(task, sim_draw(task, SIM_PARETO, 3000));
		break;
	case 3:
		sim_yield(task);
		break;
	case 4:
		actor->holds = true;
		sim_lock(task, actor->mutex);
		break;
	default:
		if (sim_pipe_bytes(pipe) >= 100)
			sim_read(task, pipe, 10);
		else
			sim_write(task, pipe, 200);
		break;
	}
}

struct scene {
	struct script_world world;
	struct recorder recorder;
};

static void set_scene(struct scene *scene, uint64_t seed)
{
	struct sim_pipe **pipes;
	struct sim_mutex *mutex;

	script_world_init(&scene->world, 2, 1, 2, 2);
	costs_default(&scene->world.costs);
	scene->recorder = (struct recorder){ { .event = record }, HASH64_INIT, 0 };
	scene->world.setup.seed = seed;
	scene->world.setup.trace = &scene->recorder.sink;
	scene->world.setup.check = true;
	script_boot(&scene->world);
	pipes = sim_alloc(scene->world.sim, 4 * sizeof(*pipes));
	for (int i = 0; i < 4; i++)
		pipes[i] = sim_pipe_new(scene->world.sim, SIM_PIPE, 1 << 20, false);
	mutex = sim_mutex_new(scene->world.sim);
	for (int i = 0; i < TASKS; i++) {
		struct actor *actor = sim_alloc(scene->world.sim, sizeof(*actor));
		const struct sim_task_spec spec = { .name = "actor", .step = act, .data = actor };

		*actor = (struct actor){ .pipes = pipes, .mutex = mutex, .left = 300 };
		sim_spawn(scene->world.sim, &spec);
	}
}

static void go(struct scene *scene, uint64_t until_ns)
{
	struct error err = { 0 };
	enum sim_end end;

	if (sim_go(scene->world.sim, until_ns, &end, &err))
		fail_msg("%s", err.text);
}

/*
 * Two of one seed, the second one in pieces between those of a third. The number is that of every build: it changes where the
 * engine or the usual costs do, and never from one compiler to the other.
 */
static void test_sim_same_seed_same_events(void **state)
{
	struct scene a, b, c;

	(void)state;
	set_scene(&a, 7);
	go(&a, UINT64_MAX);
	set_scene(&b, 7);
	set_scene(&c, 8);
	for (uint64_t t = 0; t < 40; t++) {
		go(&b, t * 1000000);
		go(&c, t * 1000000);
	}
	go(&b, UINT64_MAX);
	go(&c, UINT64_MAX);
	assert_in_range(a.recorder.events, TASKS * 300, TASKS * 3000);
	assert_int_equal(a.recorder.events, b.recorder.events);
	assert_int_equal(a.recorder.hash, b.recorder.hash);
	assert_int_not_equal(a.recorder.hash, c.recorder.hash);
	assert_int_equal(a.recorder.hash, UINT64_C(0x00651af8b5793490));
	script_world_release(&a.world);
	script_world_release(&b.world);
	script_world_release(&c.world);
}

/* What waits is numbered anew again and again: the order remains. */
static void test_sim_new_numbers_same_events(void **state)
{
	struct scene a, b;

	(void)state;
	set_scene(&a, 7);
	go(&a, UINT64_MAX);
	set_scene(&b, 7);
	for (uint64_t t = 0; t < 40; t++) {
		b.world.sim->seq = EVENT_SEQ_MANY - 10;
		go(&b, t * 1000000);
		if (t == 3)
			assert_true(b.world.sim->seq < EVENT_SEQ_MANY - 10);
	}
	go(&b, UINT64_MAX);
	assert_int_equal(a.recorder.hash, b.recorder.hash);
	script_world_release(&a.world);
	script_world_release(&b.world);
}

/* Whether somebody listens or looks makes no difference to what happens. */
static void test_sim_looking_changes_nothing(void **state)
{
	struct scene a, b;
	struct sim_counts x, y;

	(void)state;
	set_scene(&a, 7);
	set_scene(&b, 7);
	go(&a, UINT64_MAX);
	/* deaf and blind from here on: it has only booted */
	b.world.sim->trace = NULL;
	b.world.sim->account = false;
	go(&b, UINT64_MAX);
	sim_counts(a.world.sim, &x);
	sim_counts(b.world.sim, &y);
	assert_int_equal(b.recorder.events, b.world.setup.machine->nr_cpus); /* they came up */
	y.waited_idle_ns = x.waited_idle_ns;
	assert_memory_equal(&x, &y, sizeof(x));
	assert_int_equal(sim_now(a.world.sim), sim_now(b.world.sim));
	script_world_release(&a.world);
	script_world_release(&b.world);
}

/*
 * Two hogs of 5 ms are put on CPU 0, in turn for a tick each, while CPU 1 idles: one of them waits until the first is done, at 9 ms.
 * Bound to CPU 0 they wait as long, but not for a CPU that they might have.
 */
static void test_sim_counts_what_waits_while_a_cpu_idles(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 5000000 }, { DO_EXIT } };
	static const char *const knobs[] = { "FAULT=stack" };

	(void)state;
	for (uint64_t cpus = 0; cpus < 2; cpus++) {
		struct script a = { .op = ops }, b = { .op = ops };
		struct script_world world;
		struct sim_counts counts;
		enum sim_end end;

		script_world_init(&world, 1, 1, 2, 1);
		world.setup.knobs = knobs;
		world.setup.nr_knobs = 1;
		world.setup.check = true;
		script_boot(&world);
		script_spawn(world.sim, "a", &a, cpus);
		script_spawn(world.sim, "b", &b, cpus);
		assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, NULL), 0);
		sim_counts(world.sim, &counts);
		assert_int_equal(counts.waited_ns, 9000000);
		assert_int_equal(counts.waited_idle_ns, cpus ? 0 : 9000000);
		assert_int_equal(counts.busy_ns, 10000000);
		assert_int_equal(counts.idle_ns, 10000000);
		script_world_release(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sim_same_seed_same_events),
		cmocka_unit_test(test_sim_new_numbers_same_events),
		cmocka_unit_test(test_sim_looking_changes_nothing),
		cmocka_unit_test(test_sim_counts_what_waits_while_a_cpu_idles),
	};

	return cmocka_run_group_tests_name("sim/determinism", tests, NULL, NULL);
}
