// SPDX-License-Identifier: GPL-2.0-only
/* sim/checks_test.c - a core that does one thing wrong is found out. */
#include "sim/checks.h"

#include "sim/fixture_script.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static const struct script_op hog[] = { { DO_RUN, NULL, 100000000 }, { DO_EXIT } };
static const struct script_op sleeper[] = {
	{ DO_RUN, NULL, 100000 }, { DO_SLEEP, NULL, 900000 }, { DO_AGAIN, NULL, 50 }, { DO_EXIT }
};

struct scene {
	struct script_world world;
	struct script script[4];
	struct error err;
	enum sim_end end;
};

/* Two CPUs, @nr of tasks that do @ops on @cpus. */
static int play(struct scene *scene, const char *knob, const struct script_op *ops, int nr,
		uint64_t cpus)
{
	const char *knobs[] = { knob };
	static const char *const names[] = { "a", "b", "c", "d" };

	memset(scene, 0, sizeof(*scene));
	script_world_init(&scene->world, 1, 1, 2, 1);
	scene->world.setup.knobs = knobs;
	scene->world.setup.nr_knobs = 1;
	scene->world.setup.check = true;
	scene->world.setup.check_idle_ns = 10000000;
	script_boot(&scene->world);
	for (int i = 0; i < nr; i++) {
		scene->script[i].op = ops;
		script_spawn(scene->world.sim, names[i], &scene->script[i], cpus);
	}
	return sim_go(scene->world.sim, UINT64_MAX, &scene->end, &scene->err);
}

static void test_checks_pass_a_core_that_is_right(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=right", sleeper, 4, 0), 0);
	assert_int_equal(scene.end, SIM_ALL_EXITED);
	assert_null(sim_breach(scene.world.sim));
	script_world_release(&scene.world);
	/* it doesn't balance: of more than two, some would have turns at the end beside a CPU that idles */
	assert_int_equal(play(&scene, "FAULT=right", hog, 2, 0), 0);
	script_world_release(&scene.world);
}

/* All twelve are put on CPU 0, where each waits 11 ms for its next turn, and CPU 1 idles: 10 ms are allowed. */
static void test_checks_find_work_that_is_not_conserved(void **state)
{
	static const char *const knobs[] = { "FAULT=stack" };
	static const struct script_op fifo[] = { { DO_RUN, NULL, 30000000 }, { DO_EXIT } };
	struct script_world world;
	struct script s[12] = { 0 };
	struct error err = { 0 };
	enum sim_end end;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.setup.knobs = knobs;
	world.setup.nr_knobs = 1;
	world.setup.check = true;
	world.setup.check_idle_ns = 10000000;
	script_boot(&world);
	for (int i = 0; i < 12; i++) {
		s[i].op = fifo;
		script_spawn(world.sim, "stacked", &s[i], 0);
	}
	assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, &err), -EPROTO);
	assert_int_equal(end, SIM_INVARIANT);
	assert_non_null(strstr(err.text, "CPU 0 has had tasks that wait for "));
	assert_non_null(strstr(err.text, "and CPU 1, on which it may run, idles for"));
	assert_non_null(strstr(sim_breach(world.sim), "CPU 0 switch stacked("));
	script_world_release(&world);
}

/* Three that take turns of a tick each: none waits for more than 2 ms, but CPU 1 idles for 10 ms beside those that do. */
static void test_checks_find_that_tasks_take_turns_beside_an_idle_cpu(void **state)
{
	static const char *const knobs[] = { "FAULT=stack" };
	static const struct script_op turns[] = { { DO_RUN, NULL, 30000000 }, { DO_EXIT } };
	struct error err = { 0 };
	enum sim_end end;

	(void)state;
	for (uint64_t cpus = 0; cpus < 2; cpus++) {
		struct script s[3] = { { .op = turns }, { .op = turns }, { .op = turns } };
		struct script_world world;

		script_world_init(&world, 1, 1, 2, 1);
		world.setup.knobs = knobs;
		world.setup.nr_knobs = 1;
		world.setup.check = true;
		world.setup.check_idle_ns = 10000000;
		script_boot(&world);
		for (int i = 0; i < 3; i++)
			script_spawn(world.sim, "turns", &s[i], cpus);
		/* bound to CPU 0 they have to */
		if (cpus) {
			if (sim_go(world.sim, UINT64_MAX, &end, &err))
				fail_msg("%s", err.text);
		} else {
			assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, &err), -EPROTO);
			assert_non_null(strstr(err.text, "CPU 0 has had tasks that wait for "));
			assert_non_null(strstr(err.text, " us on end, 'turns' ("));
			assert_non_null(strstr(err.text, "and CPU 1, on which it may run, idles "));
		}
		script_world_release(&world);
	}
}

/* The same, but they may run on CPU 0 only: all is well. */
static void test_checks_know_affinity(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=stack", hog, 4, 1), 0);
	script_world_release(&scene.world);
}

/* Stacked twelve deep, but in a group below one with a quota: they may wait for that. Without a quota they may not. */
static void test_checks_know_quotas(void **state)
{
	static const char *const knobs[] = { "FAULT=stack" };
	static const struct script_op ops[] = { { DO_RUN, NULL, 30000000 }, { DO_EXIT } };

	(void)state;
	for (uint64_t quota_ns = 0; quota_ns <= 1000000; quota_ns += 1000000) {
		struct script s[12] = { 0 };
		struct sim_task_spec spec = { .name = "capped", .step = script_step };
		struct script_world world;
		enum sim_end end;

		script_world_init(&world, 1, 1, 2, 1);
		world.setup.knobs = knobs;
		world.setup.nr_knobs = 1;
		world.setup.check = true;
		world.setup.check_idle_ns = 10000000;
		script_boot(&world);
		spec.group = sim_group_new(world.sim, NULL, 100, quota_ns, 10000000);
		spec.group = sim_group_new(world.sim, spec.group, 100, 0, 0);
		for (int i = 0; i < 12; i++) {
			s[i].op = ops;
			spec.data = &s[i];
			sim_spawn(world.sim, &spec);
		}
		assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, NULL), quota_ns ? 0 : -EPROTO);
		script_world_release(&world);
	}
}

/*
 * Stacked on CPU 0 while CPU 1 idles, in a group within one with the CPUs of @words: right where those are CPU 0 alone, or isolated, or where
 * CPU 1 is another group's partition.
 */
static int stack_in_group(const uint64_t *words, enum core_partition partition, bool other)
{
	static const char *const knobs[] = { "FAULT=stack" };
	static const struct script_op ops[] = { { DO_RUN, NULL, 30000000 }, { DO_EXIT } };
	static const uint64_t second = 2;
	struct sim_task_spec spec = { .name = "a", .step = script_step };
	struct script s[12] = { 0 };
	struct script_world world;
	struct core_group *group;
	enum sim_end end;
	int ret;

	script_world_init(&world, 1, 1, 2, 1);
	world.setup.knobs = knobs;
	world.setup.nr_knobs = 1;
	world.setup.check = true;
	world.setup.check_idle_ns = 10000000;
	script_boot(&world);
	if (other) {
		group = sim_group_new(world.sim, NULL, 100, 0, 0);
		assert_int_equal(sim_group_cpus(world.sim, group, &second, CORE_PARTITION), 0);
	}
	if (words) {
		group = sim_group_new(world.sim, NULL, 100, 0, 0);
		sim_begin_in(world.sim, sim_group_new(world.sim, group, 100, 0, 0));
		assert_int_equal(sim_group_cpus(world.sim, group, words, partition), 0);
		assert_true(sim_may_begin_on(world.sim, 0));
		assert_int_equal(sim_may_begin_on(world.sim, 1), *words >> 1 & 1);
	}
	for (int i = 0; i < 12; i++) {
		s[i].op = ops;
		spec.data = &s[i];
		sim_spawn(world.sim, &spec);
	}
	ret = sim_go(world.sim, UINT64_MAX, &end, NULL);
	script_world_release(&world);
	return ret;
}

static void test_checks_know_cpus_of_groups(void **state)
{
	const uint64_t first = 1, both = 3;

	(void)state;
	assert_int_equal(stack_in_group(&both, CORE_MEMBER, false), -EPROTO);
	assert_int_equal(stack_in_group(&both, CORE_PARTITION, false), -EPROTO);
	assert_int_equal(stack_in_group(&both, CORE_ISOLATED, false), 0);
	assert_int_equal(stack_in_group(&first, CORE_MEMBER, false), 0);
	assert_int_equal(stack_in_group(NULL, CORE_MEMBER, false), -EPROTO);
	assert_int_equal(stack_in_group(NULL, CORE_MEMBER, true), 0);
}

/* The third wake-up is forgotten; the others go on. At the first look more than 10 ms later it is missed. */
static void test_checks_find_a_lost_task(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=lose", sleeper, 4, 0), -EPROTO);
	assert_int_equal(scene.end, SIM_INVARIANT);
	assert_non_null(strstr(scene.err.text, "us ago, and is on no runqueue"));
	assert_non_null(strstr(sim_breach(scene.world.sim), " waking "));
	script_world_release(&scene.world);
}

/* With nobody else there it is the end at once, checked or not. */
static void test_checks_find_that_all_is_lost(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=lose", sleeper, 1, 0), -EPROTO);
	assert_non_null(
		strstr(scene.err.text,
		       "all CPUs idle, and 'a' (1) is ready on CPU 0: its core has lost it"));
	script_world_release(&scene.world);
}

static void test_checks_find_a_task_in_two_places(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=double", sleeper, 4, 0), -EPROTO);
	assert_non_null(strstr(scene.err.text, "while it runs"));
	script_world_release(&scene.world);
}

/* It runs for 0.1 ms before it sleeps for the first time; the core says 0.2. */
static void test_checks_find_wrong_runtimes(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=lie", sleeper, 1, 0), -EPROTO);
	assert_string_equal(scene.err.text,
			    "at 0.001100000 s: 'a' (1) had 100000 ns, the core says 200000 ns, "
			    "which may be 0 less or 0 more");
	script_world_release(&scene.world);
}

/* Two CPUs of what costs are by default. */
static void boot_costs(struct scene *scene, const char *knob)
{
	const char *knobs[] = { knob };
	struct script_world *world = &scene->world;

	memset(scene, 0, sizeof(*scene));
	script_world_init(world, 1, 1, 2, 1);
	costs_default(&world->costs);
	world->setup.knobs = knobs;
	world->setup.nr_knobs = 1;
	world->setup.check = true;
	script_boot(world);
}

/* A task for each of @ops there. */
static int play_costs(struct scene *scene, const char *knob, const struct script_op *const *ops,
		      int nr, uint64_t cpus)
{
	struct script_world *world = &scene->world;

	boot_costs(scene, knob);
	for (int i = 0; i < nr; i++) {
		scene->script[i].op = ops[i];
		script_spawn(world->sim, "task", &scene->script[i], cpus);
	}
	return sim_go(world->sim, UINT64_MAX, &scene->end, &scene->err);
}

/* Two that compute share a CPU: the first is told 500 ns too little when its tick is over, which no switch explains. */
static void test_checks_find_a_task_that_drifts(void **state)
{
	const struct script_op *const ops[] = { hog, hog };
	struct scene scene;

	(void)state;
	assert_int_equal(play_costs(&scene, "FAULT=drift", ops, 2, 1), -EPROTO);
	assert_non_null(strstr(scene.err.text, "which may be 0 less or 0 more"));
	assert_non_null(strstr(sim_breach(scene.world.sim), "CPU 0 switch task(1) to task(2)\n"));
	script_world_release(&scene.world);
}

/*
 * Two that wake each other by futex on one CPU, which is never idle: each wake-up looks at the clock some 500 ns before the waker
 * blocks, so each task alone may be told so much too little again and again; both together may not.
 */
static int ping_pong(struct scene *scene, const char *knob)
{
	struct script_world *world = &scene->world;
	struct sim_futex *futex[2];
	struct script_op ops[2][5];

	boot_costs(scene, knob);
	for (int i = 0; i < 2; i++)
		futex[i] = sim_futex_new(world->sim);
	for (int i = 0; i < 2; i++) {
		const struct script_op list[] = { { DO_RUN, NULL, 10000 },
						  { DO_FUTEX_WAKE, futex[i], 1 },
						  { DO_FUTEX_WAIT, futex[!i], 0 },
						  { DO_AGAIN, NULL, 100 },
						  { DO_STOP } };

		memcpy(ops[i], list, sizeof(list));
		scene->script[i].op = ops[i];
		script_spawn(world->sim, "task", &scene->script[i], 1);
	}
	return sim_go(world->sim, UINT64_MAX, &scene->end, &scene->err);
}

static void test_checks_find_a_cpu_that_drifts(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(ping_pong(&scene, "FAULT=right"), 0);
	assert_int_equal(scene.end, SIM_STOPPED);
	script_world_release(&scene.world);
	assert_int_equal(ping_pong(&scene, "FAULT=drift"), -EPROTO);
	assert_non_null(strstr(scene.err.text, "the tasks of CPU 0 had "));
	assert_non_null(strstr(sim_breach(scene.world.sim), " switch "));
	script_world_release(&scene.world);
}

/* A core that leaves looks at the clock out, as kernels do, is right, whatever wakes whom from where. */
static void test_checks_allow_skipped_looks(void **state)
{
	static const struct script_op nap[] = { { DO_RUN, NULL, 30000 },
						{ DO_SLEEP, NULL, 10000 },
						{ DO_AGAIN, NULL, 30 },
						{ DO_EXIT } };
	const struct script_op *const ops[] = { nap, hog, sleeper, nap };
	struct scene scene;

	(void)state;
	assert_int_equal(ping_pong(&scene, "SKIP=1"), 0);
	script_world_release(&scene.world);
	for (uint64_t cpus = 0; cpus < 4; cpus++) {
		assert_int_equal(play_costs(&scene, "SKIP=1", ops, 4, cpus), 0);
		assert_int_equal(scene.end, SIM_ALL_EXITED);
		script_world_release(&scene.world);
	}
}

/* The core's work takes time: another CPU's event may be ahead of a CPU whose clock it looks at. */
static void test_checks_allow_work_that_takes_time(void **state)
{
	const struct script_op *const ops[] = { sleeper, hog, sleeper, sleeper };
	struct scene scene;

	(void)state;
	assert_int_equal(play_costs(&scene, "STEPS=100", ops, 4, 0), 0);
	assert_int_equal(scene.end, SIM_ALL_EXITED);
	script_world_release(&scene.world);
}

static void test_checks_find_averages_out_of_range(void **state)
{
	struct scene scene;

	(void)state;
	assert_int_equal(play(&scene, "FAULT=overflow", sleeper, 1, 0), -EPROTO);
	assert_string_equal(scene.err.text, "at 0.001000000 s: 'a' (1), nice 0: util_avg is 2000");
	script_world_release(&scene.world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checks_pass_a_core_that_is_right),
		cmocka_unit_test(test_checks_find_work_that_is_not_conserved),
		cmocka_unit_test(test_checks_find_that_tasks_take_turns_beside_an_idle_cpu),
		cmocka_unit_test(test_checks_know_affinity),
		cmocka_unit_test(test_checks_know_quotas),
		cmocka_unit_test(test_checks_know_cpus_of_groups),
		cmocka_unit_test(test_checks_find_a_lost_task),
		cmocka_unit_test(test_checks_find_that_all_is_lost),
		cmocka_unit_test(test_checks_find_a_task_in_two_places),
		cmocka_unit_test(test_checks_find_wrong_runtimes),
		cmocka_unit_test(test_checks_find_a_task_that_drifts),
		cmocka_unit_test(test_checks_find_a_cpu_that_drifts),
		cmocka_unit_test(test_checks_allow_skipped_looks),
		cmocka_unit_test(test_checks_allow_work_that_takes_time),
		cmocka_unit_test(test_checks_find_averages_out_of_range),
	};

	return cmocka_run_group_tests_name("sim/checks", tests, NULL, NULL);
}
