// SPDX-License-Identifier: GPL-2.0-only
#include "sim/space.h"

#include "sim/fixture_go.h"
#include "sim/fixture_script.h"

#include "check.h"

#define KIB 1024

static void boot(struct script_world *world, const char *const *knobs, uint32_t nr_knobs)
{
	script_world_init(world, 2, 1, 1, 1);
	world->costs.memory_ns_kib[SIM_NODE] = 100;
	world->costs.memory_ns_kib[SIM_REMOTE] = 300;
	world->costs.hint_fault_ns = 1000;
	world->setup.knobs = knobs;
	world->setup.nr_knobs = nr_knobs;
	script_boot(world);
}

/* On CPU 0: 64 KiB of node 0, of node 1, and of none yet, which then are here; from CPU 1 those are far. */
static void test_space_memory_has_a_distance(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world, NULL, 0);
	{
		struct sim_memory *near = sim_memory_new(world.sim, 0, 64 * KIB);
		struct sim_memory *far = sim_memory_new(world.sim, 1, 64 * KIB);
		struct sim_memory *fresh = sim_memory_new(world.sim, -1, 64 * KIB);
		const struct script_op ops[] = {
			{ DO_TOUCH, near, 64 * KIB },  { DO_TOUCH, far, 64 * KIB },
			{ DO_TOUCH, fresh, 64 * KIB }, { DO_AFFINITY, NULL, 2 },
			{ DO_TOUCH, fresh, 64 * KIB }, { DO_EXIT },
		};
		struct script a = { .op = ops };

		script_spawn(world.sim, "a", &a, 0);
		script_go(&world);
		assert_int_equal(a.at_ns[1], 6400);
		assert_int_equal(a.at_ns[2], 6400 + 19200);
		assert_int_equal(a.at_ns[3], 6400 + 19200 + 6400);
		assert_int_equal(a.at_ns[5] - a.at_ns[4], 19200);
	}
	script_world_release(&world);
}

/*
 * 128 KiB on node 1 are two blocks. Touched from CPU 0: 38400. The tick at 1 ms marks 16 pages, the first block: a fault of 1000, by
 * which it comes to node 0, 6400; then the second one, 19200. The tick at 2 ms marks that.
 */
static void test_space_hint_faults_move_pages(void **state)
{
	static const char *const knobs[] = { "SCAN=16" };
	struct script_world world;

	(void)state;
	boot(&world, knobs, 1);
	{
		struct sim_memory *far = sim_memory_new(world.sim, 1, 128 * KIB);
		const struct script_op ops[] = {
			{ DO_TOUCH, far, 128 * KIB },
			{ DO_RUN_UNTIL, NULL, 1500000 },
			{ DO_TOUCH, far, 128 * KIB },
			{ DO_RUN_UNTIL, NULL, 2500000 },
			{ DO_TOUCH, far, 128 * KIB },
			{ DO_TOUCH, far, 128 * KIB },
			{ DO_EXIT },
		};
		struct script a = { .op = ops };

		script_spawn(world.sim, "a", &a, 1);
		script_go(&world);
		assert_int_equal(a.at_ns[1], 38400);
		assert_int_equal(a.at_ns[3] - a.at_ns[2], 1000 + 6400 + 19200);
		assert_int_equal(a.at_ns[5] - a.at_ns[4], 6400 + 1000 + 6400);
		assert_int_equal(a.at_ns[6] - a.at_ns[5], 12800);
	}
	script_world_release(&world);
}

/*
 * 192 KiB on node 1 are three blocks, which the ticks at 1, 2 and 3 ms mark; that at 4 ms finds nothing to mark and is where it began. The
 * first block is touched: a fault, and it is here. What is marked already doesn't count: the tick at 5 ms goes round to the first block.
 */
static void test_space_scan_passes_over_what_is_marked(void **state)
{
	static const char *const knobs[] = { "SCAN=16" };
	struct script_world world;

	(void)state;
	boot(&world, knobs, 1);
	{
		struct sim_memory *far = sim_memory_new(world.sim, 1, 192 * KIB);
		const struct script_op ops[] = {
			{ DO_TOUCH, far, 192 * KIB }, { DO_RUN_UNTIL, NULL, 4500000 },
			{ DO_TOUCH, far, 64 * KIB },  { DO_RUN_UNTIL, NULL, 6500000 },
			{ DO_TOUCH, far, 64 * KIB },  { DO_EXIT },
		};
		struct script a = { .op = ops };

		script_spawn(world.sim, "a", &a, 1);
		script_go(&world);
		assert_int_equal(a.at_ns[3] - a.at_ns[2], 1000 + 6400);
		assert_int_equal(a.at_ns[5] - a.at_ns[4], 1000 + 6400);
	}
	script_world_release(&world);
}

/* A gigabyte has larger blocks; 512 pages are one: 2 MiB at 100 ns a KiB are 204.8 us. */
static void test_space_large_memory_has_large_blocks(void **state)
{
	static const char *const knobs[] = { "SCAN=1" };
	struct script_world world;

	(void)state;
	boot(&world, knobs, 1);
	{
		struct sim_memory *far = sim_memory_new(world.sim, 1, UINT64_C(1) << 30);
		const struct script_op ops[] = {
			{ DO_TOUCH, far, 2048 * KIB },
			{ DO_RUN_UNTIL, NULL, 1500000 },
			{ DO_TOUCH, far, 4096 * KIB },
			{ DO_EXIT },
		};
		struct script a = { .op = ops };

		script_spawn(world.sim, "a", &a, 1);
		script_go(&world);
		assert_int_equal(a.at_ns[1], 3 * 204800);
		assert_int_equal(a.at_ns[3] - a.at_ns[2], 1000 + 204800 + 3 * 204800);
	}
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_space_memory_has_a_distance),
		cmocka_unit_test(test_space_hint_faults_move_pages),
		cmocka_unit_test(test_space_scan_passes_over_what_is_marked),
		cmocka_unit_test(test_space_large_memory_has_large_blocks),
	};

	return cmocka_run_group_tests_name("sim/space", tests, NULL, NULL);
}
