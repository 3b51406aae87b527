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

/* 16 CPUs less 1 and 3: the others are 0, 2, 4, 5, ... 15. The 2nd from 0 on is 4; the 14th is 0 again, the 16th is 4. */
static void test_model_cpus(void **state)
{
	struct script_world world;

	(void)state;
	boot(&world);
	assert_int_equal(model_cpus(world.sim), 14);
	assert_int_equal(*model_cpu(world.sim, 0), 1 << 0);
	assert_int_equal(*model_cpu(world.sim, 1), 1 << 2);
	assert_int_equal(*model_cpu(world.sim, 2), 1 << 4);
	assert_int_equal(*model_cpu(world.sim, 13), 1 << 15);
	assert_int_equal(*model_cpu(world.sim, 14), 1 << 0);
	assert_int_equal(*model_cpu(world.sim, 16), 1 << 4);
	script_world_release(&world);
}

/* A unit of 84.5 ns: 3 are 253.5, told as 254. */
static void test_model_work(void **state)
{
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.work_unit_ps = 84500;
	script_boot(&world);
	assert_near(model_unit(world.sim), 84.5, 0);
	assert_int_equal(model_work(world.sim, 3), 254);
	assert_int_equal(model_work(world.sim, 1000000000), UINT64_C(84500000000));
	script_world_release(&world);
}

/* struct gate_users - two pass, at 0 and at 2500 us; the third looks each 1000 us and opens it at 3000 us */
struct gate_users {
	struct model_gate gate;
	uint64_t full_ns, passed_ns[2];
};

static void opener_step(struct sim_task *task, void *data)
{
	struct gate_users *users = data;

	if (users->full_ns) {
		sim_exit(task);
	} else if (model_gate_is_full(&users->gate, task, 2)) {
		users->full_ns = script_now(sim_of(task));
		model_gate_open(&users->gate, task);
	}
}

static void passer_step(struct sim_task *task, void *data)
{
	struct gate_users *users = data;
	const bool late = sim_task_name(task)[0] == 'l';
	const uint64_t now_ns = script_now(sim_of(task));

	if (users->full_ns) {
		users->passed_ns[late] = now_ns;
		sim_exit(task);
	} else if (late && !now_ns) {
		sim_sleep(task, 2500000);
	} else {
		model_gate_pass(&users->gate, task);
	}
}

static void test_model_gate(void **state)
{
	struct gate_users users = { .full_ns = 0 };
	const struct sim_task_spec specs[] = {
		{ .name = "opener", .step = opener_step, .data = &users },
		{ .name = "early", .step = passer_step, .data = &users },
		{ .name = "late", .step = passer_step, .data = &users },
	};
	struct script_world world;
	enum sim_end end;

	(void)state;
	script_world_init(&world, 1, 1, 4, 1);
	script_boot(&world);
	model_gate_init(&users.gate, world.sim);
	for (int i = 0; i < 3; i++)
		sim_spawn(world.sim, &specs[i]);
	assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, NULL), 0);
	assert_int_equal(users.full_ns, 3000000);
	assert_int_equal(users.passed_ns[0], 3000000);
	assert_int_equal(users.passed_ns[1], 3000000);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model_distances), cmocka_unit_test(test_model_places),
		cmocka_unit_test(test_model_capacity),	cmocka_unit_test(test_model_cpus),
		cmocka_unit_test(test_model_work),	cmocka_unit_test(test_model_gate),
	};

	return cmocka_run_group_tests_name("workload/model", tests, NULL, NULL);
}
