// SPDX-License-Identifier: GPL-2.0-only
/* workload/cpuload_model_test.c - loads whose times follow from the length of an operation. */
#include "workload/cpuload.h"

#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include "check.h"

extern const struct workload workload_cpuload;

#define US 1000.

static struct run play(uint32_t cpus, const struct cpuload_cfg *cfg)
{
	struct run run = { .workload = &workload_cpuload };
	struct error err = { 0 };
	struct script_world world;

	script_world_init(&world, 1, 1, cpus, 1);
	world.costs.work_unit_ps = 1000;
	world.costs.timer_slack_ns = 50000;
	script_boot(&world);
	if (cpuload_model(&run, world.sim, cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(&world);
	return run;
}

/*
 * One CPU, that changes to the other task each ms; two operations of 1300 us for each of two tasks. They arrive while the main task sleeps for 1
 * ms + 50 us; at 1050 they start. The first runs to 2000, the second to 3000, and so on: the first has had 950, 1950, and ends at 5650, 4600
 * after the start. The second has the rest: 5200.
 */
static void test_cpuload_model_on_one_cpu(void **state)
{
	const struct cpuload_cfg cfg = {
		.tasks = 2, .ops = 3, .work = 1300000, .load = 100, .slice = 1
	};
	struct run run = play(1, &cfg);

	(void)state;
	assert_near(metric(&run, "setup"), 1050 * US, 0);
	assert_near(metric(&run, "finish-min"), 4600 * US, 0);
	assert_near(metric(&run, "finish-max"), 5200 * US, 0);
	assert_near(metric(&run, "time"), 5200 * US, 0);
	assert_near(metric(&run, "spread"), 100 * 600 / 5200., 1e-9);
	assert_near(metric(&run, "ops"), 4, 0); /* 3 by 2 tasks, rounded up */
	assert_near(metric(&run, "task-user"), 5200 * US, 0);
	assert_near(metric(&run, "task-sys"), 0, 0);
	assert_near(metric(&run, "load-least"), 50, 1e-9);
	assert_near(metric(&run, "load-most"), 100 * 2600 / 4600., 1e-9);
	assert_near(metric(&run, "work-unit"), 1, 0);
	assert_string_equal(result_note(&run.result, "work"),
			    "2 ops for each of 2 tasks, 1.3 ms each");
	result_release(&run.result);
}

/*
 * A quarter of the time, four operations of 1 ms. Each sleep ends 50 us late, which makes the next one shorter: the operations begin at 0,
 * 4050, 8050 and 12050, by either way of pacing.
 */
static void test_cpuload_model_at_a_duty_cycle(void **state)
{
	(void)state;
	for (int pacing = PACING_DEADLINE; pacing <= PACING_STRESS_NG; pacing++) {
		const struct cpuload_cfg cfg = { .tasks = 1,
						 .ops = 4,
						 .work = 1000000,
						 .load = 25,
						 .slice = 1,
						 .pacing = pacing };
		struct run run = play(2, &cfg);

		assert_near(metric(&run, "time"), 13050 * US, 0);
		assert_near(metric(&run, "late-max"), 50 * US, 0);
		assert_near(metric(&run, "late-p50"), 50 * US, 50);
		assert_near(metric(&run, "load-mean"), 100 * 4000 / 13050., 1e-9);
		result_release(&run.result);
	}
}

/* Two tasks on a CPU, half of the time each, slices of 1 ms: time that a task waited is none that it sleeps. */
static void test_cpuload_model_takes_off_what_it_waited(void **state)
{
	struct cpuload_cfg cfg = { .tasks = 2, .ops = 8, .work = 1000000, .load = 50, .slice = 1 };
	struct run deadline, stress_ng;

	(void)state;
	deadline = play(1, &cfg);
	cfg.pacing = PACING_STRESS_NG;
	stress_ng = play(1, &cfg);
	/* 8 ms of work, so the CPU never idles but for the late ends of sleeps; a sleep for each wait would make it 12 */
	assert_in_range((uint64_t)metric(&deadline, "time"), 8000000, 8300000);
	assert_in_range((uint64_t)metric(&stress_ng, "time"), 8000000, 8300000);
	result_release(&deadline.result);
	result_release(&stress_ng.result);
}

/*
 * A task for each CPU that is there. When they are woken the main task is on one of the four, and this core balances nothing: two tasks of
 * 500 ns have one CPU.
 */
static void test_cpuload_model_has_a_task_for_each_cpu(void **state)
{
	const struct cpuload_cfg cfg = {
		.ops = 5, .quota = QUOTA_TASK, .work = 100, .load = 100, .slice = 64
	};
	struct run run = play(4, &cfg);

	(void)state;
	assert_near(metric(&run, "ops"), 20, 0);
	assert_near(metric(&run, "finish-min"), 500, 0);
	assert_near(metric(&run, "time"), 1000, 0);
	result_release(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpuload_model_on_one_cpu),
		cmocka_unit_test(test_cpuload_model_at_a_duty_cycle),
		cmocka_unit_test(test_cpuload_model_takes_off_what_it_waited),
		cmocka_unit_test(test_cpuload_model_has_a_task_for_each_cpu),
	};

	return cmocka_run_group_tests_name("workload/cpuload_model", tests, NULL, NULL);
}
