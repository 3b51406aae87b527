// SPDX-License-Identifier: GPL-2.0-only
/* sim/switch_test.c - what a switch takes by what the CPU had before: 50 more to another address space, 300 more to a task that is cold. */
#include "sim/fixture_go.h"
#include "sim/fixture_script.h"

#include "base/mem.h"
#include "check.h"

/* So many spaces are kept, and one that isn't takes 100 more; 0: that takes nothing. */
static void boot(struct script_world *world, uint64_t kept)
{
	script_world_init(world, 1, 1, 1, 1);
	world->costs.switch_space_ns = 50;
	world->costs.switch_cold_ns = 300;
	world->costs.space_cold_ns = kept ? 100 : 0;
	world->costs.spaces_kept = kept ? kept : 1;
	script_boot(world);
}

/* How long a sleep of 100000 takes, while @nr others begin, sleep for a bit and end. */
static uint64_t sleep_beside_keeping(size_t nr, bool threads, uint64_t kept)
{
	const struct script_op other_op[] = { { DO_SLEEP, NULL, 20000 }, { DO_EXIT } };
	struct script others[3] = { { .op = other_op }, { .op = other_op }, { .op = other_op } };
	const struct script_op op[] = { { DO_SLEEP, NULL, 100000 }, { DO_EXIT } };
	const struct script_op makes[] = { { DO_THREAD, &others[0] },
					   { DO_SLEEP, NULL, 100000 },
					   { DO_EXIT } };
	struct script script = { .op = threads ? makes : op };
	const size_t at = threads;
	struct script_world world;

	boot(&world, kept);
	script_spawn(world.sim, "sleeper", &script, 1);
	for (size_t i = 0; !threads && i < nr; i++)
		script_spawn(world.sim, "other", &others[i], 1);
	script_go(&world);
	script_world_release(&world);
	return script.at_ns[at + 1] - script.at_ns[at];
}

static uint64_t sleep_beside(size_t nr, bool threads)
{
	return sleep_beside_keeping(nr, threads, 0);
}

/* The CPU that idled is still in the space of who was there last. */
static void test_switch_to_another_space_takes_longer(void **state)
{
	(void)state;
	assert_int_equal(sleep_beside(0, false), 100000);
	assert_int_equal(sleep_beside(1, false), 100050);
	assert_int_equal(sleep_beside(1, true), 100000);
}

/* Each other one had the CPU twice: COSTS_OTHERS times are two of them. */
static void test_switch_to_a_cold_task_takes_longer(void **state)
{
	(void)state;
	assert_int_equal(COSTS_OTHERS, 4);
	assert_int_equal(sleep_beside(2, false), 100350);
	assert_int_equal(sleep_beside(3, false), 100350);
}

/* Two others between: of two spaces that are kept the sleeper's is none, of three it is. */
static void test_switch_to_a_space_that_is_not_kept(void **state)
{
	static const struct {
		uint64_t kept, took;
	} cases[] = { { 2, 100450 }, { 3, 100350 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(sleep_beside_keeping(2, false, cases[i].kept), cases[i].took);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switch_to_another_space_takes_longer),
		cmocka_unit_test(test_switch_to_a_cold_task_takes_longer),
		cmocka_unit_test(test_switch_to_a_space_that_is_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
