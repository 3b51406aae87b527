// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hackbench.h"

#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include "check.h"

extern const struct workload workload_hackbench;

static struct hackbench_cfg config(int transport, int mode)
{
	return (struct hackbench_cfg){ .groups = 2,
				       .fds = 3,
				       .loops = 50,
				       .size_bytes = 100,
				       .mode = mode,
				       .transport = transport };
}

static struct run play(struct script_world *world, const struct hackbench_cfg *cfg)
{
	struct run run = { .workload = &workload_hackbench };
	struct error err = { 0 };

	if (hackbench_model(&run, world->sim, cfg, &err))
		fail_msg("%s", err.text);
	return run;
}

/*
 * One CPU, where only calls of the channels cost something: 2 groups x 3 x 3 x 50 = 900 messages of 100 + 50, after the
 * 100 for the byte that starts all: the last one at 135100. That all have ended costs nothing. Before, 12 tasks were forked, 10 each,
 * and have written a byte that was read: 12 x 160.
 */
static void test_hackbench_model_on_one_cpu(void **state)
{
	(void)state;
	for (int transport = TRANSPORT_SOCKET; transport <= TRANSPORT_TCP; transport++) {
		const struct hackbench_cfg cfg = config(transport, transport % 2);
		struct script_world world;
		struct run run;

		script_world_init(&world, 1, 1, 1, 1);
		for (int i = 0; i < NR_SIM_TRANSPORTS; i++) {
			world.costs.send_ns[i] = 100;
			world.costs.receive_ns[i] = 50;
		}
		world.costs.fork_ns = world.costs.thread_ns = 10;
		script_boot(&world);
		run = play(&world, &cfg);
		assert_near(metric(&run, "messages"), 135100, 0);
		assert_near(metric(&run, "time"), 135100, 0);
		assert_near(metric(&run, "teardown"), 0, 0);
		assert_near(metric(&run, "setup"), 12 * 160, 0);
		result_release(&run.result);
		script_world_release(&world);
	}
}

/* With a channel for one message only all wait for all the time, on eight CPUs, and still every message arrives. */
static void test_hackbench_model_on_eight_cpus(void **state)
{
	struct hackbench_cfg cfg = config(TRANSPORT_PIPE, MODE_PROCESS);
	struct script_world world;
	struct sim_counts counts;
	struct strbuf first = { 0 }, again = { 0 };

	(void)state;
	cfg.size_bytes = 65536;
	cfg.parent = PARENT_FIFO;
	for (int i = 0; i < 2; i++) {
		struct run run;

		script_world_init(&world, 2, 2, 1, 2);
		costs_default(&world.costs);
		world.setup.check = i;
		script_boot(&world);
		run = play(&world, &cfg);
		result_write(&run.result, i ? &again : &first);
		sim_counts(world.sim, &counts);
		assert_in_range(counts.wakeups, 900, 6000);
		assert_int_equal(counts.forks, 13);
		result_release(&run.result);
		script_world_release(&world);
	}
	/* the same bytes, whoever looks */
	assert_string_equal(first.s, again.s);
	strbuf_release(&first);
	strbuf_release(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hackbench_model_on_one_cpu),
		cmocka_unit_test(test_hackbench_model_on_eight_cpus),
	};

	return cmocka_run_group_tests_name("workload/hackbench_model", tests, NULL, NULL);
}
