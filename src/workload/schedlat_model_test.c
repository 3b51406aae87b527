// SPDX-License-Identifier: GPL-2.0-only
/* workload/schedlat_model_test.c - wakeups whose delays follow from the costs and the core's ticks. */
#include "workload/schedlat.h"

#include "base/mem.h"
#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <stdlib.h>

#include "check.h"

extern const struct workload workload_schedlat;

#define US 1000

/* An idle CPU is left within @idle_ns, and from 0.5 ms on within 30 us more. */
static struct run play_idle(uint32_t cpus, uint64_t idle_ns, const struct schedlat_cfg *cfg)
{
	struct run run = { .workload = &workload_schedlat };
	struct script_world world;
	struct error err = { 0 };

	script_world_init(&world, 1, 1, cpus, 1);
	world.costs.timer_slack_ns = 50 * US;
	world.costs.idle_exit_ns = idle_ns;
	world.costs.idle_deep_after_ns[0] = 500 * US;
	world.costs.idle_deep_ns[0] = idle_ns ? 30 * US : 0;
	script_boot(&world);
	if (schedlat_model(&run, world.sim, cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(&world);
	return run;
}

static struct run play(uint32_t cpus, const struct schedlat_cfg *cfg)
{
	return play_idle(cpus, 0, cfg);
}

/*
 * Nobody else is there: every wakeup is late by the timer's slack, and by nothing where there is none. 10 ms: the first task has times at 1, 2,
 * ... 9 ms, the second at 1.5, 3, ... 9 ms.
 */
static void test_schedlat_model_by_itself(void **state)
{
	struct schedlat_cfg cfg = { .tasks = 2,
				    .interval_ns = 1000 * US,
				    .distance_ns = 500 * US,
				    .runtime_ns = 10000 * US,
				    .duty = 100,
				    .idle = 3 };
	static const double late[3] = { 50 * US, 10 * US, 0 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct histogram *h = xcalloc(1, sizeof(*h));
		struct run run;

		cfg.slack_ns = i == 1 ? 10 * US : 0;
		cfg.prio = i == 2;
		run = play(4, &cfg);
		assert_near(metric(&run, "late-max"), late[i], 0);
		assert_near(metric(&run, "wakeup-min"), late[i], 0);
		assert_near(metric(&run, "missed"), 0, 0);
		assert_true(result_histogram(&run.result, "late", h));
		assert_int_equal(h->count, 15);
		assert_int_equal(run.stop_ns - run.start_ns, 10000 * US);
		if (i == 1)
			assert_string_equal(result_note(&run.result, "tasks-0"),
					    "1 9 10000 10000 10000 10000; "
					    "2 6 10000 10000 10000 10000; ");
		free(h);
		result_release(&run.result);
	}
}

/*
 * One CPU; times in us since the boot. The main task sleeps 1000 + 50, and opens the gate at 1050: the base is 21050. A load that computes half of
 * each 10 ms sleeps to 21100 and computes to 26050, 31100 to 36050, and 41100 to 46050: 3 x 4950 of 21000.
 *
 * The task is due each 3000 from 24050 on and woken 50 later. At 24100 and 33100 the load computes, to the next tick at 25000 and at 34000: 950 late.
 * The other four times, 27050, 30050, 36050 and 39050, are 50 late. The mean is (2 x 950 + 4 x 50) / 6 = 350.
 */
static void test_schedlat_model_beside_a_load(void **state)
{
	const struct schedlat_cfg cfg = { .tasks = 1,
					  .interval_ns = 3000 * US,
					  .runtime_ns = 21000 * US,
					  .load = 1,
					  .duty = 50,
					  .load_nice = 5 };
	struct run run = play(1, &cfg);

	(void)state;
	assert_near(metric(&run, "late-max"), 950 * US, 0);
	assert_near(metric(&run, "wakeup-min"), 50 * US, 0);
	assert_near(metric(&run, "wakeup-mean"), 350 * US, 0);
	assert_near(metric(&run, "load-cpu"), 100 * 3 * 4950 / 21000., 1e-9);
	result_release(&run.result);
}

/*
 * A load that never sleeps, and a time each 300: due at 21350, woken at 21400 and running at the tick, 22000: 650 late; 21650 and 21950 were
 * missed, 350 and 50 late. Next due 22250, runs at 23000: 750, 450, 150. Then 23150: at 24000: 850, 550, 250. All ends at 21050 + 2500 = 23550:
 * no time from then on counts, so the last one has 850 and 550 alone.
 */
static void test_schedlat_model_misses_times(void **state)
{
	const struct schedlat_cfg cfg = {
		.tasks = 1, .interval_ns = 300 * US, .runtime_ns = 2500 * US, .load = 1, .duty = 100
	};
	struct run run = play(1, &cfg);
	struct histogram *late = xcalloc(1, sizeof(*late));

	(void)state;
	assert_true(result_histogram(&run.result, "late", late));
	assert_int_equal(late->count, 8);
	assert_int_equal(late->sum, (650 + 350 + 50 + 750 + 450 + 150 + 850 + 550) * US);
	assert_near(metric(&run, "late-max"), 850 * US, 0);
	assert_near(metric(&run, "missed"), 5, 0);
	assert_near(metric(&run, "wakeup-mean"), 750 * US, 0);
	free(late);
	result_release(&run.result);
}

/* Two tasks on the first two CPUs, whoever they were created beside. */
static void test_schedlat_model_binds(void **state)
{
	const struct schedlat_cfg cfg = { .tasks = 2,
					  .interval_ns = 1000 * US,
					  .runtime_ns = 5000 * US,
					  .load = 0,
					  .duty = 100,
					  .bind = BIND_EACH };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "late-max"), 50 * US, 0);
	result_release(&run.result);
}

/* After a ms the CPU is in deep idle: 2 and 30 us are needed to leave that, where it may be so deep. */
static void test_schedlat_model_keeps_cpus_awake(void **state)
{
	struct schedlat_cfg cfg = {
		.tasks = 1, .interval_ns = 1000 * US, .runtime_ns = 5000 * US, .duty = 100
	};
	struct run run = play_idle(1, 2 * US, &cfg);

	(void)state;
	assert_near(metric(&run, "late-max"), 82 * US, 0);
	result_release(&run.result);
	cfg.awake = true;
	run = play_idle(1, 2 * US, &cfg);
	assert_near(metric(&run, "late-max"), 50 * US, 0);
	result_release(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schedlat_model_by_itself),
		cmocka_unit_test(test_schedlat_model_beside_a_load),
		cmocka_unit_test(test_schedlat_model_misses_times),
		cmocka_unit_test(test_schedlat_model_binds),
		cmocka_unit_test(test_schedlat_model_keeps_cpus_awake),
	};

	return cmocka_run_group_tests_name("workload/schedlat_model", tests, NULL, NULL);
}
