// SPDX-License-Identifier: GPL-2.0-only
/* workload/pipe_model_test.c - round trips whose length follows from the costs. */
#include "workload/pipe.h"

#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <errno.h>

#include "check.h"

extern const struct workload workload_pipe;

static void boot(struct script_world *world, uint32_t nodes, uint32_t cores)
{
	script_world_init(world, nodes, 1, cores, 1);
	world->costs.syscall_ns = 100;
	world->costs.send_ns[SIM_PIPE] = 200;
	world->costs.receive_ns[SIM_PIPE] = 150;
	world->costs.wake_ns[SIM_SAME] = 300;
	world->costs.wake_ns[SIM_LLC] = 400;
	world->costs.wake_ns[SIM_REMOTE] = 800;
	world->costs.ipi_ns[SIM_LLC] = 500;
	world->costs.ipi_ns[SIM_REMOTE] = 900;
	world->costs.idle_exit_ns = 2000;
	world->costs.switch_ns = 1000;
	script_boot(world);
}

static struct run play(struct script_world *world, int mode, int protocol, char *cpus)
{
	const struct pipe_cfg cfg = {
		.loops = 1000, .mode = mode, .protocol = protocol, .cpus = cpus
	};
	struct run run = { .workload = &workload_pipe };
	struct error err = { 0 };

	if (pipe_model(&run, world->sim, &cfg, &err))
		fail_msg("%s", err.text);
	return run;
}

/*
 * On one CPU. Half a round trip: a task that has just got the CPU takes the token, 150, writes it, 100 + 200, wakes the other one,
 * 300, calls read, 100, and waits: switch, 1000. 1850, so a round trip is 3700. A histogram tells it to 1/512.
 */
static void test_pipe_model_on_one_cpu(void **state)
{
	struct script_world world;

	(void)state;
	for (int mode = PIPE_PROCESS; mode <= PIPE_THREAD; mode++) {
		struct run run;

		boot(&world, 1, 1);
		run = play(&world, mode, PROTOCOL_STRICT, NULL);
		assert_near(metric(&run, "loop-p50"), 3700, 3700. / 512);
		assert_near(metric(&run, "loop"), 3700, 20);
		assert_near(metric(&run, "same-cpu"), 100, 0);
		assert_near(metric(&run, "moves"), 0, 0);
		result_release(&run.result);
		script_world_release(&world);
	}
}

/*
 * Two tokens under way: each time it has the CPU a task makes two loops, with one block and one wake-up. Two tasks make a loop:
 * 2 x (300 + 250) of calls, and half of 2 x (300 + 1000): 2400.
 */
static void test_pipe_model_with_two_tokens(void **state)
{
	struct script_world world;
	struct run run;

	(void)state;
	boot(&world, 1, 1);
	run = play(&world, PIPE_PROCESS, PROTOCOL_INFLIGHT2, NULL);
	assert_near(metric(&run, "loop"), 2400, 24);
	result_release(&run.result);
	script_world_release(&world);
}

/*
 * A CPU for each, in two nodes: half a round trip: 150, 300, wake-up 800, interprocessor interrupt 900, out of idle 2000, switch 1000:
 * 5150. In an LLC 150 + 300 + 400 + 500 + 2000 + 1000 = 4350.
 */
static void test_pipe_model_at_a_distance(void **state)
{
	char remote[] = "remote", llc[] = "llc";
	struct script_world world;
	struct run run;

	(void)state;
	boot(&world, 2, 1);
	run = play(&world, PIPE_PROCESS, PROTOCOL_STRICT, remote);
	assert_near(metric(&run, "loop-p50"), 10300, 10300. / 512);
	assert_near(metric(&run, "same-cpu"), 0, 0);
	assert_string_equal(result_note(&run.result, "placement"),
			    "first task: CPU 0 100 %; second task: CPU 1 100 %");
	result_release(&run.result);
	script_world_release(&world);

	boot(&world, 1, 2);
	run = play(&world, PIPE_THREAD, PROTOCOL_STRICT, llc);
	assert_near(metric(&run, "loop-p50"), 8700, 8700. / 512);
	result_release(&run.result);
	script_world_release(&world);
}

static void test_pipe_model_needs_the_distance(void **state)
{
	char smt[] = "smt";
	const struct pipe_cfg cfg = { .loops = 10, .cpus = smt };
	struct run run = { .workload = &workload_pipe };
	struct error err = { 0 };
	struct script_world world;

	(void)state;
	boot(&world, 2, 1);
	assert_int_equal(pipe_model(&run, world.sim, &cfg, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "cpus: no two CPUs of the machine are 'smt'");
	script_world_release(&world);
}

/* 1000 round trips take 3.7 ms; 1 ms is not enough. */
static void test_pipe_model_has_a_limit(void **state)
{
	const struct pipe_cfg cfg = { .loops = 1000 };
	struct run run = { .workload = &workload_pipe, .limit_ns = 1000000 };
	struct error err = { 0 };
	struct script_world world;

	(void)state;
	boot(&world, 1, 1);
	assert_int_equal(pipe_model(&run, world.sim, &cfg, &err), -ETIME);
	assert_string_equal(err.text, "not done after 1 ms of simulated time");
	result_release(&run.result);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe_model_on_one_cpu),
		cmocka_unit_test(test_pipe_model_with_two_tokens),
		cmocka_unit_test(test_pipe_model_at_a_distance),
		cmocka_unit_test(test_pipe_model_needs_the_distance),
		cmocka_unit_test(test_pipe_model_has_a_limit),
	};

	return cmocka_run_group_tests_name("workload/pipe_model", tests, NULL, NULL);
}
