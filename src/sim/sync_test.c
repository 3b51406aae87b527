// SPDX-License-Identifier: GPL-2.0-only
#include "sim/sync.h"

#include "sim/fixture_go.h"
#include "sim/fixture_script.h"

#include <errno.h>

#include "check.h"

static void boot(struct script_world *world, uint32_t cpus)
{
	script_world_init(world, 1, 1, cpus, 1);
	world->costs.syscall_ns = 10;
	world->costs.futex_wait_ns = 30;
	world->costs.futex_wake_ns = 20;
	world->costs.wake_ns[SIM_LLC] = 100;
	script_boot(world);
}

/*
 * Three waiters on CPUs of their own; at 1000 the waker sets the word and wakes 2 of 3: 10 + 20, and 100 for each. They go on when they
 * are told, at 1130 and 1230, in the order they came. Another wake at 1230 of 5 wakes 1: 1360. A wait for a value that isn't there returns.
 */
static void test_futex_wakes_in_order(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 4);
	{
		struct sim_futex *futex = sim_futex_new(world.sim);
		const struct script_op waits[] = { { DO_FUTEX_WAIT, futex, 0 }, { DO_EXIT } };
		const struct script_op wakes[] = {
			{ DO_RUN, NULL, 1000 },	     { DO_FUTEX_SET, futex, 1 },
			{ DO_FUTEX_WAKE, futex, 2 }, { DO_FUTEX_WAKE, futex, 5 },
			{ DO_FUTEX_WAIT, futex, 0 }, { DO_EXIT },
		};
		struct script w = { .op = wakes };
		struct script s[3] = { { .op = waits }, { .op = waits }, { .op = waits } };

		script_spawn(world.sim, "w", &w, 1);
		for (int i = 0; i < 3; i++)
			script_spawn(world.sim, "s", &s[i], 2u << i);
		script_go(&world);
		assert_int_equal(s[0].at_ns[1], 1130);
		assert_int_equal(s[1].at_ns[1], 1230);
		assert_int_equal(w.at_ns[3], 1230);
		assert_int_equal(s[2].at_ns[1], 1360);
		assert_int_equal(w.at_ns[4], 1360);
		assert_int_equal(w.at_ns[5], 1400);
		assert_int_equal(sim_futex_value(futex), 1);
	}
	script_world_release(&world);
}

/*
 * a locks at 0, for free, and computes until 1000. b, on another CPU, comes at 100: 40 of futex call, waits. a unlocks: 30 of call, 100 of
 * waking: 1130, when b has the lock. It unlocks at 1630 for free: nobody waits.
 */
static void test_mutex_is_free_or_waited_for(void **state)
{
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	boot(&world, 2);
	{
		struct sim_mutex *mutex = sim_mutex_new(world.sim);
		const struct script_op first[] = { { DO_LOCK, mutex },
						   { DO_RUN, NULL, 1000 },
						   { DO_UNLOCK, mutex },
						   { DO_EXIT } };
		const struct script_op second[] = { { DO_RUN, NULL, 100 },
						    { DO_LOCK, mutex },
						    { DO_RUN, NULL, 500 },
						    { DO_UNLOCK, mutex },
						    { DO_EXIT } };
		struct script a = { .op = first }, b = { .op = second };

		script_spawn(world.sim, "a", &a, 1);
		script_spawn(world.sim, "b", &b, 2);
		script_go(&world);
		assert_int_equal(a.at_ns[1], 0);
		assert_int_equal(a.at_ns[3], 1130);
		assert_int_equal(b.at_ns[2], 1130);
		assert_int_equal(b.at_ns[4], 1630);
	}
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.wakeups, 1);
	script_world_release(&world);
}

/*
 * c is just unlocking when a wakes b, which waits since 140: c takes the lock at 1010, before b is told at 1130; b waits until 2110. It has
 * not lost its turn to d, which waits since 240 and gets the lock when b has: 30 of call and 100 later.
 */
static void test_mutex_may_be_taken_before_who_waits(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 4);
	{
		struct sim_mutex *mutex = sim_mutex_new(world.sim);
		const struct script_op first[] = { { DO_LOCK, mutex },
						   { DO_RUN, NULL, 1000 },
						   { DO_UNLOCK, mutex },
						   { DO_EXIT } };
		const struct script_op second[] = {
			{ DO_RUN, NULL, 100 }, { DO_LOCK, mutex }, { DO_UNLOCK, mutex }, { DO_EXIT }
		};
		const struct script_op fourth[] = {
			{ DO_RUN, NULL, 200 }, { DO_LOCK, mutex }, { DO_UNLOCK, mutex }, { DO_EXIT }
		};
		const struct script_op third[] = { { DO_RUN, NULL, 1010 },
						   { DO_LOCK, mutex },
						   { DO_RUN, NULL, 970 },
						   { DO_UNLOCK, mutex },
						   { DO_EXIT } };
		struct script a = { .op = first }, b = { .op = second }, c = { .op = third };
		struct script d = { .op = fourth };

		script_spawn(world.sim, "a", &a, 1);
		script_spawn(world.sim, "b", &b, 2);
		script_spawn(world.sim, "c", &c, 4);
		script_spawn(world.sim, "d", &d, 8);
		script_go(&world);
		assert_int_equal(c.at_ns[2], 1010);
		assert_int_equal(c.at_ns[3], 1980);
		/* 10 + 20 of c's call, and 100 */
		assert_int_equal(b.at_ns[2], 2110);
		assert_int_equal(d.at_ns[2], 2240);
	}
	script_world_release(&world);
}

/* The last of three comes at 3000 and lets all go: 30 of call, 100 for each of the others; again at 4230. */
static void test_barrier_lets_all_go(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, 3);
	{
		struct sim_barrier *barrier = sim_barrier_new(world.sim, 3);
		const struct script_op fast[] = { { DO_BARRIER, barrier },
						  { DO_BARRIER, barrier },
						  { DO_EXIT } };
		const struct script_op slow[] = { { DO_RUN, NULL, 3000 },
						  { DO_BARRIER, barrier },
						  { DO_RUN, NULL, 1000 },
						  { DO_BARRIER, barrier },
						  { DO_EXIT } };
		struct script a = { .op = fast }, b = { .op = fast }, c = { .op = slow };

		script_spawn(world.sim, "a", &a, 1);
		script_spawn(world.sim, "b", &b, 2);
		script_spawn(world.sim, "c", &c, 4);
		script_go(&world);
		assert_int_equal(a.at_ns[1], 3130);
		assert_int_equal(b.at_ns[1], 3230);
		assert_int_equal(c.at_ns[2], 3230);
		assert_int_equal(a.at_ns[2], 4360);
		assert_int_equal(b.at_ns[2], 4460);
		assert_int_equal(c.at_ns[4], 4460);
	}
	script_world_release(&world);
}

/* Each holds what the other one wants. */
static void test_mutexes_crosswise_are_a_deadlock(void **state)
{
	struct script_world world;
	struct error err = { 0 };
	enum sim_end end;

	(void)state;
	boot(&world, 2);
	{
		struct sim_mutex *x = sim_mutex_new(world.sim), *y = sim_mutex_new(world.sim);
		const struct script_op first[] = {
			{ DO_LOCK, x }, { DO_RUN, NULL, 1000 }, { DO_LOCK, y }, { DO_EXIT }
		};
		const struct script_op second[] = {
			{ DO_LOCK, y }, { DO_RUN, NULL, 2000 }, { DO_LOCK, x }, { DO_EXIT }
		};
		struct script a = { .op = first }, b = { .op = second };

		script_spawn(world.sim, "left", &a, 1);
		script_spawn(world.sim, "right", &b, 2);
		assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, &err), -EDEADLK);
	}
	assert_int_equal(end, SIM_DEADLOCK);
	/* booted at 1 ms; each call takes 40 */
	assert_string_equal(err.text,
			    "at 0.001002040 s: all 2 tasks wait, and nobody is left to wake one: "
			    "'right' (2) since 0.001002040 s locks mutex 1, which 'left' (1) "
			    "holds; 'left' (1) since 0.001001040 s locks mutex 2, which 'right' "
			    "(2) holds");
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_futex_wakes_in_order),
		cmocka_unit_test(test_mutex_is_free_or_waited_for),
		cmocka_unit_test(test_mutex_may_be_taken_before_who_waits),
		cmocka_unit_test(test_barrier_lets_all_go),
		cmocka_unit_test(test_mutexes_crosswise_are_a_deadlock),
	};

	return cmocka_run_group_tests_name("sim/sync", tests, NULL, NULL);
}
