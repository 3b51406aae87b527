// SPDX-License-Identifier: GPL-2.0-only
#include "sim/task.h"

#include "sim/fixture_go.h"
#include "sim/fixture_script.h"
#include "sim/state.h"

#include <errno.h>

#include "check.h"

/*
 * Two CPUs. The parent forks at 0: 10 + 500. The child is ready at 510 on the idle CPU 1, computes 2000 until 2510, exits until 2510 + 10 + 40:
 * 2560, when the parent, which waits since 520, is woken. A second wait finds nobody and returns after 10.
 */
static void test_task_fork_and_wait(void **state)
{
	static const struct script_op child_ops[] = { { DO_RUN, NULL, 2000 }, { DO_EXIT } };
	struct script child = { .op = child_ops };
	const struct script_op ops[] = {
		{ DO_FORK, &child }, { DO_WAIT }, { DO_WAIT }, { DO_EXIT }
	};
	struct script parent = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.costs.syscall_ns = 10;
	world.costs.fork_ns = 500;
	world.costs.exit_ns = 40;
	script_boot(&world);
	script_spawn(world.sim, "p", &parent, 0);
	script_go(&world);
	assert_int_equal(parent.at_ns[1], 510);
	assert_int_equal(child.at_ns[0], 510);
	assert_int_equal(child.cpu[0], 1);
	assert_int_equal(parent.at_ns[2], 2560);
	assert_int_equal(parent.at_ns[3], 2570);
	script_world_release(&world);
}

/*
 * Two fork at the same time, each on its CPU, 500 each, half of which the other one waits for as well: both have 750.
 * That a third one computes is nothing to them.
 */
static void test_task_forks_wait_for_each_other(void **state)
{
	static const struct script_op child_op[] = { { DO_EXIT } };
	struct script child[2] = { { .op = child_op }, { .op = child_op } };
	const struct script_op first[] = { { DO_FORK, &child[0] }, { DO_WAIT }, { DO_EXIT } };
	const struct script_op second[] = { { DO_FORK, &child[1] }, { DO_WAIT }, { DO_EXIT } };
	static const struct script_op computes[] = { { DO_RUN, NULL, 5000 }, { DO_EXIT } };
	struct script parent[2] = { { .op = first }, { .op = second } }, other = { .op = computes };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 3, 1);
	world.costs.fork_ns = 500;
	world.costs.paging_shared = 512;
	script_boot(&world);
	script_spawn(world.sim, "other", &other, 4);
	script_spawn(world.sim, "first", &parent[0], 1);
	script_spawn(world.sim, "second", &parent[1], 2);
	script_go(&world);
	assert_int_equal(parent[0].at_ns[1] - parent[0].at_ns[0], 750);
	assert_int_equal(parent[1].at_ns[1] - parent[1].at_ns[0], 750);
	script_world_release(&world);
}

/*
 * A child is made in 500 and has 13 faults of 10 on the other CPU, while its parent forks again: until the 130 are through both are half as fast,
 * so both take 130 longer. Then it ends, with 11 more.
 */
static void test_task_faults_wait_for_forks(void **state)
{
	static const struct script_op child_op[] = { { DO_EXIT } };
	struct script child[2] = { { .op = child_op }, { .op = child_op } };
	const struct script_op ops[] = { { DO_FORK, &child[0] },
					 { DO_FORK, &child[1] },
					 { DO_WAIT },
					 { DO_WAIT },
					 { DO_EXIT } };
	struct script parent = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.costs.fork_ns = 500;
	world.costs.fork_fault_ns = 10;
	world.costs.paging_shared = 1024;
	script_boot(&world);
	script_spawn(world.sim, "parent", &parent, 0);
	script_go(&world);
	assert_int_equal(parent.at_ns[1], 500);
	assert_int_equal(parent.at_ns[2], 1000 + 130 + 110);
	assert_int_equal(child[0].at_ns[0], 500 + 2 * 130);
	script_world_release(&world);
}

/*
 * Made at 510, the child has 13 faults of 100 before it begins, and 11 in its end of 50: 510 + 1300 + 2000 + 1150. One that executes
 * another program has none in its end.
 */
static void test_task_forked_has_faults(void **state)
{
	static const struct script_op child_ops[] = { { DO_RUN, NULL, 2000 }, { DO_EXIT } };
	struct script child = { .op = child_ops }, other = { .op = child_ops };
	const struct script_op exec_ops[] = { { DO_EXEC, &other }, { DO_EXIT } };
	struct script execs = { .op = exec_ops };
	const struct script_op ops[] = {
		{ DO_FORK, &child }, { DO_WAIT }, { DO_FORK, &execs }, { DO_WAIT }, { DO_EXIT }
	};
	struct script parent = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.costs.syscall_ns = 10;
	world.costs.fork_ns = 500;
	world.costs.exit_ns = 40;
	world.costs.fork_fault_ns = 100;
	script_boot(&world);
	script_spawn(world.sim, "p", &parent, 0);
	script_go(&world);
	assert_int_equal(child.at_ns[0], 510 + 1300);
	assert_int_equal(parent.at_ns[2], 510 + 1300 + 2000 + 50 + 1100);
	assert_int_equal(execs.at_ns[0] - parent.at_ns[2], 510 + 1300);
	assert_int_equal(parent.at_ns[4] - execs.at_ns[0], 10 + 2000 + 50);
	/* the one that was there from the begin has none: 50 for its end */
	assert_int_equal(script_now(world.sim), parent.at_ns[4] + 50);
	script_world_release(&world);
}

/* A thread is made at 31 and ends in 1 + 7; the last one of the process takes the address space with it, 1 + 40. No faults. */
static void test_task_thread_ends_sooner(void **state)
{
	static const struct script_op child_ops[] = { { DO_EXIT } };
	struct script child = { .op = child_ops };
	const struct script_op ops[] = { { DO_THREAD, &child }, { DO_WAIT }, { DO_EXIT } };
	struct script parent = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.costs.thread_ns = 30;
	world.costs.syscall_ns = 1;
	world.costs.exit_ns = 40;
	world.costs.thread_exit_ns = 7;
	world.costs.fork_fault_ns = 100;
	script_boot(&world);
	script_spawn(world.sim, "p", &parent, 0);
	script_go(&world);
	assert_int_equal(parent.at_ns[2], 31 + 8);
	assert_int_equal(script_now(world.sim), 31 + 8 + 41);
	script_world_release(&world);
}

/* struct waiter - computes twice, sleeping in between */
struct waiter {
	int step;
	uint64_t waited_ns, times;
};

static void waiter_step(struct sim_task *task, void *data)
{
	struct waiter *waiter = data;

	switch (waiter->step++) {
	case 0:
	case 2:
		sim_run(task, 3000);
		break;
	case 1:
		sim_sleep(task, 1000);
		break;
	default:
		waiter->waited_ns = sim_task_waited(task, &waiter->times);
		sim_exit(task);
		break;
	}
}

/*
 * On one CPU: the first runs 0 .. 3000 and sleeps to 4000; the second, ready since 0, runs 3000 .. 6000, when the first goes on to 9000.
 * The second is ready again at 7000. The first waited 0 + 2000, the second 3000 + 2000, each got the CPU twice.
 */
static void test_task_waited(void **state)
{
	struct waiter waiters[2] = { 0 };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	script_boot(&world);
	for (int i = 0; i < 2; i++) {
		const struct sim_task_spec spec = { .name = "w",
						    .step = waiter_step,
						    .data = &waiters[i] };

		sim_spawn(world.sim, &spec);
	}
	script_go(&world);
	assert_int_equal(waiters[0].waited_ns, 2000);
	assert_int_equal(waiters[1].waited_ns, 5000);
	assert_int_equal(waiters[0].times, 2);
	assert_int_equal(waiters[1].times, 2);
	script_world_release(&world);
}

/* A child that has exited before is a zombie until it is waited for. A thread costs what a thread costs. */
static void test_task_waits_for_a_zombie(void **state)
{
	static const struct script_op child_ops[] = { { DO_EXIT } };
	struct script child = { .op = child_ops };
	const struct script_op ops[] = {
		{ DO_THREAD, &child }, { DO_RUN, NULL, 1000 }, { DO_WAIT }, { DO_EXIT }
	};
	struct script parent = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.costs.fork_ns = 500;
	world.costs.thread_ns = 30;
	world.costs.syscall_ns = 1;
	script_boot(&world);
	script_spawn(world.sim, "p", &parent, 0);
	script_go(&world);
	assert_int_equal(parent.at_ns[1], 31);
	assert_int_equal(parent.at_ns[2], 1031);
	assert_int_equal(parent.at_ns[3], 1032);
	script_world_release(&world);
}

/* Children whose parent has gone, also by way of another program, end as well. */
static void test_task_orphans_end(void **state)
{
	static const struct script_op child_ops[] = { { DO_RUN, NULL, 10 }, { DO_EXIT } };
	struct script child = { .op = child_ops }, orphan = { .op = child_ops };
	const struct script_op again[] = { { DO_FORK, &orphan }, { DO_EXIT } };
	struct script last = { .op = again };
	const struct script_op ops[] = {
		{ DO_FORK, &child }, { DO_WAIT }, { DO_EXEC, &last }, { DO_EXIT }
	};
	struct script parent = { .op = ops };
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	script_boot(&world);
	script_spawn(world.sim, "p", &parent, 0);
	script_go(&world);
	assert_int_equal(orphan.at_ns[1] - orphan.at_ns[0], 10);
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.forks, 3);
	script_world_release(&world);
}

/* One that forks and waits 100000 times takes the memory of one child, whether that writes, polls and is bound or not. */
static void test_task_memory_is_used_again(void **state)
{
	size_t bytes[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct script_world world;

		script_world_init(&world, 1, 1, 2, 1);
		script_boot(&world);
		{
			struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 4096, true);
			struct sim_memory *memory = sim_memory_new(world.sim, 0, 4096);
			const struct script_op child_ops[] = {
				{ DO_WRITE, pipe, 1 },	  { DO_POLL, pipe },
				{ DO_READ, pipe, 1 },	  { DO_AFFINITY, NULL, 2 },
				{ DO_TOUCH, memory, 99 }, { DO_EXIT },
			};
			struct script child = { .op = child_ops };
			const struct script_op ops[] = { { DO_FORK, &child },
							 { DO_WAIT },
							 { DO_AGAIN, NULL, i ? 100000 : 1 },
							 { DO_EXIT } };
			struct script parent = { .op = ops };

			script_spawn(world.sim, "p", &parent, 0);
			script_go(&world);
		}
		bytes[i] = arena_bytes(world.sim->arena);
		script_world_release(&world);
	}
	assert_int_equal(bytes[0], bytes[1]);
}

/* Another program: 10 + 300, then that of the other script. */
static void test_task_exec(void **state)
{
	static const struct script_op other_ops[] = { { DO_RUN, NULL, 100 }, { DO_EXIT } };
	struct script other = { .op = other_ops };
	const struct script_op ops[] = { { DO_EXEC, &other }, { DO_EXIT } };
	struct script a = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.syscall_ns = 10;
	world.costs.exec_ns = 300;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	assert_int_equal(other.at_ns[0], 310);
	assert_int_equal(other.at_ns[1], 410);
	assert_int_equal(a.at_ns[1], 0);
	script_world_release(&world);
}

/* Two on one CPU: the yield at 1000 gives it to b, b's at 1500 back. */
static void test_task_yield(void **state)
{
	static const struct script_op first[] = { { DO_RUN, NULL, 1000 },
						  { DO_YIELD },
						  { DO_EXIT } };
	static const struct script_op second[] = { { DO_RUN, NULL, 500 },
						   { DO_YIELD },
						   { DO_EXIT } };
	struct script a = { .op = first }, b = { .op = second };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_spawn(world.sim, "b", &b, 0);
	script_go(&world);
	assert_int_equal(b.at_ns[0], 1000);
	assert_int_equal(a.at_ns[2], 1500);
	assert_int_equal(b.at_ns[2], 1500);
	script_world_release(&world);
}

/* Where none of the CPUs is there the core refuses, and all stays; nice 30 is refused too. */
static void test_task_attributes(void **state)
{
	static const struct script_op ops[] = {
		{ DO_AFFINITY, NULL, 2 },
		{ DO_AFFINITY, NULL, 1 << 4 },
		{ DO_NICE, NULL, (uint64_t)-5 },
		{ DO_NICE, NULL, 30 },
		{ DO_EXIT },
	};
	struct script a = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	assert_int_equal(a.cpu[0], 0);
	assert_int_equal(a.cpu[1], 1);
	assert_int_equal(a.cpu[2], 1);
	assert_int_equal(a.result, -EINVAL);
	script_world_release(&world);
}

/*
 * CPU 1 goes down under b, which goes on on CPU 0: it had 1000 of 3000 and 2000 left, a has exited. CPU 1 comes up again, and down by
 * a task that is on it itself.
 */
static void test_task_hotplug(void **state)
{
	static const struct script_op first[] = {
		{ DO_RUN, NULL, 1000 }, { DO_DOWN, NULL, 1 }, { DO_DOWN, NULL, 1 }, { DO_EXIT }
	};
	static const struct script_op second[] = { { DO_RUN, NULL, 3000 },
						   { DO_UP, NULL, 1 },
						   { DO_AFFINITY, NULL, 2 },
						   { DO_AFFINITY, NULL, 3 },
						   { DO_DOWN, NULL, 1 },
						   { DO_RUN, NULL, 500 },
						   { DO_EXIT } };
	struct script a = { .op = first }, b = { .op = second };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_spawn(world.sim, "b", &b, 0);
	script_go(&world);
	assert_int_equal(a.at_ns[3], 1000);
	assert_int_equal(a.result, -EBUSY);
	assert_int_equal(b.cpu[0], 1);
	assert_int_equal(b.cpu[1], 0);
	assert_int_equal(b.at_ns[1], 3000);
	assert_int_equal(b.cpu[3], 1);
	assert_int_equal(b.cpu[5], 0);
	assert_int_equal(b.at_ns[6], 3500);
	script_world_release(&world);
}

/* b sleeps on CPU 1, which goes down meanwhile: CPU 0 wakes it in time. */
static void test_task_sleeps_on_a_cpu_that_goes_down(void **state)
{
	static const struct script_op first[] = { { DO_RUN, NULL, 1000 },
						  { DO_DOWN, NULL, 1 },
						  { DO_EXIT } };
	static const struct script_op second[] = { { DO_RUN, NULL, 500 },
						   { DO_SLEEP_UNTIL, NULL, 50000 },
						   { DO_EXIT } };
	struct script a = { .op = first }, b = { .op = second };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_spawn(world.sim, "b", &b, 0);
	script_go(&world);
	assert_int_equal(a.result, 0);
	assert_int_equal(b.cpu[1], 1);
	assert_int_equal(b.at_ns[2], 50000);
	assert_int_equal(b.cpu[2], 0);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_task_fork_and_wait),
		cmocka_unit_test(test_task_forks_wait_for_each_other),
		cmocka_unit_test(test_task_faults_wait_for_forks),
		cmocka_unit_test(test_task_forked_has_faults),
		cmocka_unit_test(test_task_thread_ends_sooner),
		cmocka_unit_test(test_task_waited),
		cmocka_unit_test(test_task_waits_for_a_zombie),
		cmocka_unit_test(test_task_orphans_end),
		cmocka_unit_test(test_task_memory_is_used_again),
		cmocka_unit_test(test_task_exec),
		cmocka_unit_test(test_task_yield),
		cmocka_unit_test(test_task_attributes),
		cmocka_unit_test(test_task_hotplug),
		cmocka_unit_test(test_task_sleeps_on_a_cpu_that_goes_down),
	};

	return cmocka_run_group_tests_name("sim/task", tests, NULL, NULL);
}
