// SPDX-License-Identifier: GPL-2.0-only
/* sim/idle_test.c - sleepers on an idle CPU that takes 2000 to leave idle, 30000 more from 200000 of idling on and 90000 more from 5000000 on. */
#include "sim/fixture_go.h"
#include "sim/fixture_script.h"

#include "check.h"

static void boot(struct script_world *world)
{
	script_world_init(world, 1, 1, 1, 1);
	world->costs.idle_exit_ns = 2000;
	world->costs.idle_deep_after_ns[0] = 200000;
	world->costs.idle_deep_ns[0] = 30000;
	world->costs.idle_deep_after_ns[2] = 5000000;
	world->costs.idle_deep_ns[2] = 90000;
	script_boot(world);
}

static void check_sleeps(uint64_t limit_ns, uint64_t first, uint64_t second, uint64_t third)
{
	const struct script_op op[] = { { DO_SLEEP, NULL, 100000 },
					{ DO_SLEEP, NULL, 200000 },
					{ DO_SLEEP, NULL, 199999 },
					{ DO_EXIT } };
	struct script script = { .op = op };
	struct script_world world;

	boot(&world);
	sim_limit_idle(world.sim, limit_ns);
	script_spawn(world.sim, "sleeper", &script, 1);
	script_go(&world);
	/* where it starts is out of idle as well */
	assert_int_equal(script.at_ns[1] - script.at_ns[0], first);
	assert_int_equal(script.at_ns[2] - script.at_ns[1], second);
	assert_int_equal(script.at_ns[3] - script.at_ns[2], third);
	script_world_release(&world);
}

static void test_idle_is_deep_from_its_time_on(void **state)
{
	(void)state;
	check_sleeps(UINT64_MAX, 102000, 232000, 201999);
}

static void test_idle_is_deeper_still(void **state)
{
	const struct script_op op[] = { { DO_SLEEP, NULL, 5000000 }, { DO_EXIT } };
	struct script script = { .op = op };
	struct script_world world;

	(void)state;
	boot(&world);
	script_spawn(world.sim, "sleeper", &script, 1);
	script_go(&world);
	assert_int_equal(script.at_ns[1] - script.at_ns[0], 5092000);
	script_world_release(&world);
}

/* What is not given is no depth; of two that are over the greater counts, as far as it may be. */
static void test_idle_has_depths(void **state)
{
	struct costs costs;

	(void)state;
	costs_default(&costs);
	costs.idle_exit_ns = 2000;
	assert_int_equal(costs_idle_exit(&costs, 599999, UINT64_MAX), 2000);
	assert_int_equal(costs_idle_exit(&costs, UINT64_MAX, UINT64_MAX), 47000);
	costs.idle_deep_after_ns[1] = 10000000;
	costs.idle_deep_ns[1] = 80000;
	costs.idle_deep_after_ns[3] = 20000000;
	costs.idle_deep_ns[3] = 70000;
	assert_int_equal(costs_idle_exit(&costs, 9999999, UINT64_MAX), 47000);
	assert_int_equal(costs_idle_exit(&costs, 10000000, UINT64_MAX), 82000);
	assert_int_equal(costs_idle_exit(&costs, 20000000, UINT64_MAX), 82000);
	assert_int_equal(costs_idle_exit(&costs, 20000000, 81999), 72000);
	assert_int_equal(costs_idle_exit(&costs, 20000000, 46999), 2000);
	assert_int_equal(costs_idle_exit(&costs, 20000000, 1999), 0);
}

/* None deeper than may be; below the first, it polls. */
static void test_idle_is_limited(void **state)
{
	(void)state;
	check_sleeps(32000, 102000, 232000, 201999);
	check_sleeps(31999, 102000, 202000, 201999);
	check_sleeps(1999, 100000, 200000, 199999);
}

/* After 150000 the other one is up: the CPU idles anew for 148000 only, until 300000. */
static void test_idle_begins_again_after_each_interrupt(void **state)
{
	const struct script_op op[] = { { DO_SLEEP, NULL, 300000 }, { DO_EXIT } };
	const struct script_op other_op[] = { { DO_SLEEP, NULL, 150000 }, { DO_EXIT } };
	struct script script = { .op = op }, other = { .op = other_op };
	struct script_world world;

	(void)state;
	boot(&world);
	script_spawn(world.sim, "sleeper", &script, 1);
	script_spawn(world.sim, "other", &other, 1);
	script_go(&world);
	assert_int_equal(other.at_ns[1] - other.at_ns[0], 152000);
	assert_int_equal(script.at_ns[1] - script.at_ns[0], 302000);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_is_deep_from_its_time_on),
		cmocka_unit_test(test_idle_is_deeper_still),
		cmocka_unit_test(test_idle_has_depths),
		cmocka_unit_test(test_idle_is_limited),
		cmocka_unit_test(test_idle_begins_again_after_each_interrupt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
