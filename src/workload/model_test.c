// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model.h"

#include "sim/fixture_script.h"

#include <errno.h>
#include <string.h>

#include "check.h"

/* Two nodes of two LLCs of two cores of two threads: CPU 0 is beside 1, in an LLC with 2, in a node with 4, far from 8. */
static void boot(struct script_world *world)
{
	script_world_init(world, 2, 2, 2, 2);
	world->machine.online[1] = false;
	world->machine.online[3] = false;
	script_boot(world);
}

static void test_model_distances(void **state)
{
	struct script_world world;
	const struct core_machine *m;

	(void)state;
	boot(&world);
	m = sim_machine(world.sim);
	assert_int_equal(model_distance(m, 3, 3), DISTANCE_SAME);
	assert_int_equal(model_distance(m, 0, 1), DISTANCE_SMT);
	assert_int_equal(model_distance(m, 0, 2), DISTANCE_LLC);
	assert_int_equal(model_distance(m, 0, 4), DISTANCE_NODE);
	assert_int_equal(model_distance(m, 0, 8), DISTANCE_REMOTE);
	script_world_release(&world);
}

/* The first pair that is online: 1 and 3 are not. */
static void test_model_places(void **state)
{
	const uint64_t *side[2];
	struct script_world world;
	struct error err = { 0 };

	(void)state;
	boot(&world);
	assert_int_equal(model_places(side, "free", world.sim, &err), 0);
	assert_null(side[0]);
	assert_null(side[1]);
	assert_int_equal(model_places(side, "smt", world.sim, &err), 0);
	assert_int_equal(*side[0], 1 << 4);
	assert_int_equal(*side[1], 1 << 5);
	assert_int_equal(model_places(side, "remote", world.sim, &err), 0);
	assert_int_equal(*side[0], 1 << 0);
	assert_int_equal(*side[1], 1 << 8);
	assert_int_equal(model_places(side, "same", world.sim, &err), 0);
	assert_int_equal(*side[1], 1 << 0);
	assert_int_equal(model_places(side, "1-4", world.sim, &err), 0);
	assert_int_equal(*side[0], 1 << 2 | 1 << 4);
	assert_ptr_equal(side[0], side[1]);
	assert_int_equal(model_places(side, "3", world.sim, &err), -EOPNOTSUPP);
	assert_int_equal(model_places(side, "4-", world.sim, &err), -EINVAL);
	script_world_release(&world);
}

/*
 * 100 bytes: 420 are 512 for the allocator, and 256: 277.3 of 768 fit in 212992, and the kernel lets one begin while there is room. 4096
 * bytes: 8192 + 256: 25.2.
 */
static void test_model_capacity(void **state)
{
	(void)state;
	assert_int_equal(model_capacity(SIM_UNIX_STREAM, 100), 278 * 100);
	assert_int_equal(model_capacity(SIM_UNIX_STREAM, 4096), 26 * 4096);
	assert_int_equal(model_capacity(SIM_PIPE, 100), 65536);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model_distances),
		cmocka_unit_test(test_model_places),
		cmocka_unit_test(test_model_capacity),
	};

	return cmocka_run_group_tests_name("workload/model", tests, NULL, NULL);
}
