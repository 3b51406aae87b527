// SPDX-License-Identifier: GPL-2.0-only
/* sim/end_test.c - each way in which a sim ends, and the words that go with it. */
#include "sim/end.h"

#include "sim/fixture_script.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void init(struct script_world *world, uint32_t cores, const char *const *knobs, uint32_t n)
{
	script_world_init(world, 1, 1, cores, 1);
	world->setup.knobs = knobs;
	world->setup.nr_knobs = n;
}

static void assert_end(struct script_world *world, enum sim_end end, int ret, const char *words)
{
	enum sim_end got;
	struct error err = { 0 };

	assert_int_equal(sim_go(world->sim, UINT64_MAX, &got, &err), ret);
	assert_int_equal(got, end);
	assert_string_equal(err.text, words);
	/* asked again it says the same */
	assert_int_equal(sim_go(world->sim, UINT64_MAX, &got, NULL), ret);
	assert_int_equal(got, end);
}

static void test_end_stopped(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 500 }, { DO_STOP }, { DO_EXIT } };
	struct script a = { .op = ops };
	struct script_world world;

	(void)state;
	init(&world, 1, NULL, 0);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	assert_end(&world, SIM_STOPPED, 0, "");
	assert_int_equal(script_now(world.sim), 500);
	script_world_release(&world);
}

static void test_end_livelock(void **state)
{
	struct script_world world;

	(void)state;
	init(&world, 1, NULL, 0);
	script_boot(&world);
	{
		struct sim_mutex *mutex = sim_mutex_new(world.sim);
		const struct script_op ops[] = { { DO_LOCK, mutex },
						 { DO_UNLOCK, mutex },
						 { DO_AGAIN, NULL, UINT64_MAX } };
		struct script a = { .op = ops };

		script_spawn(world.sim, "spinner", &a, 0);
		assert_end(&world, SIM_LIVELOCK, -ELOOP,
			   "at 0.001000000 s: 'spinner' (1) makes step after step, 1000000 so far, "
			   "and no time passes");
	}
	script_world_release(&world);
}

/* Two readers of empty pipes, and one who waits for a futex; the fourth exits at 700. */
static void test_end_deadlock(void **state)
{
	static const struct script_op runs[] = { { DO_RUN, NULL, 700 }, { DO_EXIT } };
	struct script_world world;

	(void)state;
	init(&world, 1, NULL, 0);
	script_boot(&world);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 4096, false);
		struct sim_futex *futex = sim_futex_new(world.sim);
		const struct script_op reads[] = { { DO_READ, pipe, 1 }, { DO_EXIT } };
		const struct script_op waits[] = { { DO_FUTEX_WAIT, futex, 0 }, { DO_EXIT } };
		struct script a = { .op = reads }, b = { .op = waits }, c = { .op = runs };

		script_spawn(world.sim, "a", &a, 0);
		script_spawn(world.sim, "b", &b, 0);
		script_spawn(world.sim, "c", &c, 0);
		assert_end(&world, SIM_DEADLOCK, -EDEADLK,
			   "at 0.001000700 s: all 2 tasks wait, and nobody is left to wake one: "
			   "'b' (2) since 0.001000000 s waits at futex 1; 'a' (1) since "
			   "0.001000000 s reads pipe 1, which is empty");
	}
	script_world_release(&world);
}

/*
 * A core that never gives the CPU to anybody else: 30 s are allowed. It is looked at with the
 * first event, the tick at 2 ms, and every 7.5 s after that: the fifth time b has been ready for 30.001 s.
 */
static void test_end_starved(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 100000000000 }, { DO_EXIT } };
	static const char *const knobs[] = { "FAULT=starve" };
	struct script a = { .op = ops }, b = { .op = ops };
	struct script_world world;

	(void)state;
	init(&world, 1, knobs, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_spawn(world.sim, "b", &b, 0);
	assert_end(&world, SIM_STARVED, -ETIME,
		   "at 30.002000000 s: 'b' (2) is ready on CPU 0 for 30001 ms and gets nothing; "
		   "there runs 'a'");
	script_world_release(&world);
}

static void test_end_core_warns_or_fails(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 100000000 }, { DO_EXIT } };
	static const char *const knobs[2][1] = { { "FAULT=warn" }, { "FAULT=fail" } };
	static const char *const words[2] = { "at 0.004000000 s: WARNING: the third tick < "
					      "tick+0x12 < core+0x34",
					      "at 0.004000000 s: BUG: the third tick" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct script a = { .op = ops };
		struct script_world world;

		init(&world, 1, knobs[i], 1);
		script_boot(&world);
		script_spawn(world.sim, "a", &a, 0);
		assert_end(&world, SIM_CORE, -EFAULT, words[i]);
		script_world_release(&world);
	}
}

static void test_end_before_the_begin(void **state)
{
	static const char *const fails[] = { "FAULT=boot" };
	static const char *const unknown[] = { "FEATURE=1" };
	struct core_ops old = fixture_core;
	struct script_world world;
	struct error err = { 0 };

	(void)state;
	init(&world, 1, fails, 1);
	assert_int_equal(sim_new(&world.sim, &world.setup, &err), -EFAULT);
	assert_string_equal(err.text, "fixture core: it can't boot");
	world.setup.knobs = unknown;
	assert_int_equal(sim_new(&world.sim, &world.setup, &err), -EINVAL);
	assert_string_equal(err.text, "fixture core: no such knob");
	old.abi = CORE_ABI - 1;
	world.setup.core = &old;
	assert_int_equal(sim_new(&world.sim, &world.setup, &err), -EINVAL);
	assert_non_null(strstr(err.text, "build it anew"));
	assert_null(world.sim);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end_stopped),
		cmocka_unit_test(test_end_livelock),
		cmocka_unit_test(test_end_deadlock),
		cmocka_unit_test(test_end_starved),
		cmocka_unit_test(test_end_core_warns_or_fails),
		cmocka_unit_test(test_end_before_the_begin),
	};

	return cmocka_run_group_tests_name("sim/end", tests, NULL, NULL);
}
