// SPDX-License-Identifier: GPL-2.0-only
/* sim/sim_test.c - timelines computed by hand, on sim/fixture_core.h. Times are ns after boot. */
#include "sim/sim.h"

#include "sim/fixture_go.h"
#include "sim/fixture_script.h"
#include "sim/state.h"

#include <string.h>

#include "check.h"

/* Nothing costs anything: a task that computes for 5 us is done at 5 us. */
static void test_sim_work_takes_its_time(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 5000 }, { DO_EXIT } };
	struct script script = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &script, 0);
	script_go(&world);
	assert_int_equal(script.at_ns[0], 0);
	assert_int_equal(script.at_ns[1], 5000);
	assert_int_equal(script.runtime_ns, 5000);
	script_world_release(&world);
}

/*
 * One CPU, two tasks of 1.5 ms, ticks at whole ms after boot, 1 us a switch and 10 us a tick. Spawned at 0, both: the switch to a
 * is charged when it gets the CPU, the second spawn costs nothing. a runs from 1 us. Tick at 1 ms: 10 us, b's turn: 1 us:
 * a had 999 us; b runs from 1.011 ms. Tick at 2 ms: b had 989 us, a from 2.011 ms, has 501 us to go: done at 2.512 ms. It
 * exits, b goes on at 2.513 ms with 511 us left, tick at 3 ms takes 10 us and changes nothing: done at 3.034 ms.
 */
static void test_sim_switches_and_ticks(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 1500000 }, { DO_EXIT } };
	struct script a = { .op = ops }, b = { .op = ops };
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.switch_ns = 1000;
	world.costs.tick_work_ns = 10000;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_spawn(world.sim, "b", &b, 0);
	script_go(&world);
	assert_int_equal(a.at_ns[0], 1000);
	assert_int_equal(b.at_ns[0], 1011000);
	assert_int_equal(a.at_ns[1], 2512000);
	assert_int_equal(b.at_ns[1], 3034000);
	/* a: 0 .. 1 ms, 2 .. 2.512; b: 1 .. 2, 2.512 .. 3.034 */
	assert_int_equal(a.runtime_ns, 1512000);
	assert_int_equal(b.runtime_ns, 1522000);
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.switches, 5);
	assert_int_equal(counts.ticks, 3);
	assert_int_equal(counts.busy_ns, 3034000);
	assert_int_equal(counts.overhead_ns, 5 * 1000 + 3 * 10000);
	/* b waited from 0 to 1 ms, a from 1 to 2, b from 2 to 2.512 */
	assert_int_equal(counts.waited_ns, 2512000);
	script_world_release(&world);
}

/*
 * Two CPUs of an LLC. r is spawned first, to CPU 0, and w, bound to CPU 1, by an IPI from CPU 0. Costs: switch 1000, IPI 500 in the
 * LLC and 400 for its sender, idle exit 2000, interrupt 300, wake-up of one in the LLC 700, write call 50 + 200, read call 50 + 100.
 *
 * r: the switch and w's IPI take until 1400, it calls read until 1450, blocks. CPU 0 switches to idle until 2450.
 * w: IPI sent at 0, arrives at 500, CPU 1 is out of idle at 2500, 300 of interrupt and 1000 of switch: runs at 3800.
 * Computes 6200 until 10000. Its write: 50 at 10050, 200 at 10250: the wake-up. That takes w until 10950, and
 * the IPI until 11350.
 * The IPI to CPU 0 is sent after the 700 and takes 500: 11450. Idle exit: 13450. Interrupt and switch: 14750. r reads for
 * 100 and is done at 14850.
 */
static void test_sim_wakes_another_cpu(void **state)
{
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.costs.switch_ns = 1000;
	world.costs.ipi_ns[SIM_LLC] = 500;
	world.costs.ipi_send_ns = 400;
	world.costs.idle_exit_ns = 2000;
	world.costs.interrupt_ns = 300;
	world.costs.wake_ns[SIM_LLC] = 700;
	world.costs.syscall_ns = 50;
	world.costs.send_ns[SIM_PIPE] = 200;
	world.costs.receive_ns[SIM_PIPE] = 100;
	script_boot(&world);
	{
		struct sim_pipe *pipe = sim_pipe_new(world.sim, SIM_PIPE, 65536, false);
		const struct script_op reads[] = { { DO_READ, pipe, 1 }, { DO_EXIT } };
		const struct script_op writes[] = { { DO_RUN, NULL, 6200 },
						    { DO_WRITE, pipe, 1 },
						    { DO_EXIT } };
		struct script r = { .op = reads }, w = { .op = writes };

		script_spawn(world.sim, "r", &r, 1);
		script_spawn(world.sim, "w", &w, 2);
		script_go(&world);
		assert_int_equal(r.at_ns[0], 1400);
		assert_int_equal(w.at_ns[0], 3800);
		assert_int_equal(w.at_ns[1], 10000);
		assert_int_equal(w.at_ns[2], 11350);
		assert_int_equal(r.at_ns[1], 14850);
		assert_int_equal(r.cpu[1], 0);
	}
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.ipis[CORE_IPI_RESCHED], 2);
	assert_int_equal(counts.wakeups, 1);
	/* w came to CPU 1 */
	assert_int_equal(counts.migrations[CORE_MIGRATE_FORK][SIM_LLC], 1);
	script_world_release(&world);
}

/*
 * Two threads of a core, speed 512 of 1024 together. a computes 10 us on CPU 0 from 0; b is there on CPU 1 from 4 us on (it sleeps
 * before) and computes 2 us. Both at half speed from 4 us: b is done at 8 us, a has had 4 + 2 then and is done at 12 us.
 */
static void test_sim_threads_of_a_core_slow_each_other_down(void **state)
{
	static const struct script_op first[] = { { DO_RUN, NULL, 10000 }, { DO_EXIT } };
	static const struct script_op second[] = { { DO_SLEEP_UNTIL, NULL, 4000 },
						   { DO_RUN, NULL, 2000 },
						   { DO_EXIT } };
	struct script a = { .op = first }, b = { .op = second };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 2);
	world.costs.smt_speed = 512;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 1);
	script_spawn(world.sim, "b", &b, 2);
	script_go(&world);
	assert_int_equal(b.at_ns[2], 8000);
	assert_int_equal(a.at_ns[1], 12000);
	script_world_release(&world);
}

/* A CPU of half the capacity at a quarter of its frequency: 1 us takes 8. */
static void test_sim_capacity_and_frequency_are_speed(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 1000 }, { DO_EXIT } };
	const char *knobs[] = { "PERF=256" };
	struct script a = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.machine.cpu[0].capacity = 512;
	world.setup.knobs = knobs;
	world.setup.nr_knobs = 1;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	assert_int_equal(a.at_ns[1], 8000);
	script_world_release(&world);
}

/*
 * a computes 50 us on CPU 0, then moves to CPU 1 in another node, where 30 us of cold caches await it, and computes 20 us: at 100.
 * Then back, after those 20 us that it had there beside the 30: the 30 again.
 */
static void test_sim_caches_are_cold_after_a_move(void **state)
{
	static const struct script_op ops[] = {
		{ DO_AFFINITY, NULL, 1 }, { DO_RUN, NULL, 50000 },  { DO_AFFINITY, NULL, 2 },
		{ DO_RUN, NULL, 20000 },  { DO_AFFINITY, NULL, 1 }, { DO_RUN, NULL, 1000 },
		{ DO_AFFINITY, NULL, 2 }, { DO_RUN, NULL, 1000 },   { DO_EXIT },
	};
	struct script a = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 2, 1, 1, 1);
	world.costs.cold_ns[SIM_REMOTE] = 30000;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	assert_int_equal(a.at_ns[2], 50000);
	/* what is asked for next is asked when the caches are warm again */
	assert_int_equal(a.at_ns[3], 80000);
	assert_int_equal(a.cpu[3], 1);
	assert_int_equal(a.at_ns[4], 100000);
	assert_int_equal(a.at_ns[5], 130000);
	assert_int_equal(a.at_ns[6], 131000);
	assert_int_equal(a.at_ns[7], 161000);
	script_world_release(&world);
}

/* A sleep of 100 us with a slack of 50 us is over at 150; that of a nearer end at a tick, at 1 ms, which comes within its slack. */
static void test_sim_sleep_has_slack(void **state)
{
	static const struct script_op ops[] = { { DO_SLEEP_UNTIL, NULL, 100000 },
						{ DO_SLEEP_UNTIL, NULL, 970000 },
						{ DO_EXIT } };
	static const struct script_op runs[] = { { DO_RUN, NULL, 3000000 }, { DO_EXIT } };
	struct script a = { .op = ops }, b = { .op = runs };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.timer_slack_ns = 50000;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	assert_int_equal(a.at_ns[1], 150000);
	assert_int_equal(a.at_ns[2], 1020000);
	script_world_release(&world);

	a = (struct script){ .op = ops };
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.timer_slack_ns = 50000;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_spawn(world.sim, "b", &b, 0);
	script_go(&world);
	/* woken by the tick, it has the CPU at the next one */
	assert_int_equal(a.at_ns[1], 1000000);
	script_world_release(&world);
}

/* None of a real-time task's: it sleeps as long as it says. */
static void test_sim_sleep_of_real_time_has_no_slack(void **state)
{
	static const struct script_op ops[] = { { DO_SLEEP_UNTIL, NULL, 100000 }, { DO_EXIT } };
	static const struct core_sched fifo = { .policy = CORE_FIFO, .priority = 1 };
	struct script a = { .op = ops };
	const struct sim_task_spec spec = {
		.name = "a", .step = script_step, .data = &a, .sched = &fifo
	};
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.timer_slack_ns = 50000;
	script_boot(&world);
	sim_spawn(world.sim, &spec);
	script_go(&world);
	assert_int_equal(a.at_ns[1], 100000);
	script_world_release(&world);
}

/* It computes until a time, however fast the CPU is, and not at all if that has passed. */
static void test_sim_run_until(void **state)
{
	static const struct script_op ops[] = { { DO_RUN_UNTIL, NULL, 7000 },
						{ DO_RUN_UNTIL, NULL, 3000 },
						{ DO_EXIT } };
	struct script a = { .op = ops };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.machine.cpu[0].capacity = 100;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	assert_int_equal(a.at_ns[1], 7000);
	assert_int_equal(a.at_ns[2], 7000);
	script_world_release(&world);
}

/* Each settle is 10 steps of 7 ns: the spawn's, so a runs from 70 ns on; it computes 1 us, and the exit's come after that. */
static void test_sim_core_work_takes_time(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 1000 }, { DO_EXIT } };
	const char *knobs[] = { "STEPS=10" };
	struct script a = { .op = ops };
	struct script_world world;
	struct sim_counts counts;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.core_step_ns = 7;
	world.setup.knobs = knobs;
	world.setup.nr_knobs = 1;
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	script_go(&world);
	/* the boot's settle was 70 ns */
	assert_int_equal(a.at_ns[0], 140);
	assert_int_equal(a.at_ns[1], 1140);
	sim_counts(world.sim, &counts);
	assert_int_equal(counts.core_steps, 30);
	script_world_release(&world);
}

/* Stopping at a time and going on is the same as going on. */
static void test_sim_go_in_pieces(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 5000 }, { DO_EXIT } };
	struct script a = { .op = ops };
	struct script_world world;
	enum sim_end end = SIM_CORE;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	script_boot(&world);
	script_spawn(world.sim, "a", &a, 0);
	for (uint64_t t = 1000; t <= 4000; t += 1000) {
		assert_int_equal(sim_go(world.sim, SIM_BOOT_NS + t, &end, NULL), 0);
		assert_int_equal(end, SIM_TIME);
		assert_int_equal(script_now(world.sim), t);
	}
	script_go(&world);
	assert_int_equal(a.at_ns[1], 5000);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sim_work_takes_its_time),
		cmocka_unit_test(test_sim_switches_and_ticks),
		cmocka_unit_test(test_sim_wakes_another_cpu),
		cmocka_unit_test(test_sim_threads_of_a_core_slow_each_other_down),
		cmocka_unit_test(test_sim_capacity_and_frequency_are_speed),
		cmocka_unit_test(test_sim_caches_are_cold_after_a_move),
		cmocka_unit_test(test_sim_sleep_has_slack),
		cmocka_unit_test(test_sim_sleep_of_real_time_has_no_slack),
		cmocka_unit_test(test_sim_run_until),
		cmocka_unit_test(test_sim_core_work_takes_time),
		cmocka_unit_test(test_sim_go_in_pieces),
	};

	return cmocka_run_group_tests_name("sim/sim", tests, NULL, NULL);
}
