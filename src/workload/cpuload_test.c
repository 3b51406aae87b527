// SPDX-License-Identifier: GPL-2.0-only
#include "workload/cpuload.h"

#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"

extern const struct workload workload_cpuload;

/* As stress-ng 0.15 does it: 400 by 3 are 134 each, 402 in all; by 4 they are 100; 101 by 2 are 51, 102 in all. */
static void test_cpuload_quota_rounds_up_as_stress_ng(void **state)
{
	struct cpuload_cfg cfg = { .tasks = 3, .ops = 400 };

	(void)state;
	assert_int_equal(cpuload_quota(&cfg), 134);
	cfg.tasks = 4;
	assert_int_equal(cpuload_quota(&cfg), 100);
	cfg = (struct cpuload_cfg){ .tasks = 2, .ops = 101 };
	assert_int_equal(cpuload_quota(&cfg), 51);
	cfg.quota = QUOTA_TASK;
	assert_int_equal(cpuload_quota(&cfg), 101);
	cfg = (struct cpuload_cfg){ .tasks = 768, .ops = 1 };
	assert_int_equal(cpuload_quota(&cfg), 1);
}

static void test_cpuload_tasks_are_those_of_the_cpus_by_default(void **state)
{
	struct cpuload_cfg cfg = { .tasks = 0 };

	(void)state;
	assert_true(cpuload_tasks(&cfg) >= 1);
	assert_true(cpuload_tasks(&cfg) <= 8192);
	cfg.tasks = 7;
	assert_int_equal(cpuload_tasks(&cfg), 7);
}

/* 30 ms of CPU at 30 % last 100 ms, at 100 % 30 ms; 1 h at 1 % is 100 h and no overflow. */
static void test_cpuload_until_is_when_the_load_is_right(void **state)
{
	const uint64_t hour_ns = 3600 * UINT64_C(1000000000);

	(void)state;
	assert_int_equal(cpuload_until(5, 30000000, 30), 100000005);
	assert_int_equal(cpuload_until(5, 30000000, 100), 30000005);
	assert_int_equal(cpuload_until(0, hour_ns, 1), 100 * hour_ns);
}

/*
 * 40 ms of CPU at 80 % call for 10 ms of sleep. Of these a wait of 3 ms for a CPU and 2 ms of a sleep that was too long
 * are taken off, 5 are left; a wait of 12 ms leaves none.
 */
static void test_cpuload_sleep_takes_off_what_was_waited(void **state)
{
	struct slice slice = { .cpu_ns = 40000000, .wall_ns = 40000000 };

	(void)state;
	assert_int_equal(cpuload_sleep(&slice, 80), 10000000);
	slice.wall_ns += 3000000;
	slice.late_ns = 2000000;
	assert_int_equal(cpuload_sleep(&slice, 80), 5000000);
	slice.wall_ns += 9000000;
	assert_int_equal(cpuload_sleep(&slice, 80), 0);
	assert_int_equal(cpuload_sleep(&slice, 100), 0);
}

/* 2^57 units are 2^63 steps. 2^30 x 2^27 are as many, one more unit an operation is too much. */
static void test_cpuload_check_keeps_steps_within_64_bits(void **state)
{
	struct cpuload_cfg cfg = { .ops = 1 << 30, .work = 1 << 27 };

	(void)state;
	assert_int_equal(workload_cpuload.check(&cfg, NULL), 0);
	cfg.work++;
	assert_int_equal(workload_cpuload.check(&cfg, NULL), -ERANGE);
}

static void add(struct result *result, const char *name, double value)
{
	result_add_counter(result, name, UNIT_NS, value, 1);
}

/* The lines that stress-ng 0.15.06 printed for a run with these figures: 2000 / 0.61 s, 2000 / (1.21 + 0.01) s. */
static void test_cpuload_original_is_what_stress_ng_prints(void **state)
{
	static const struct metric row = { "finish", UNIT_NS, BETTER_LOWER, "" };
	struct cpuload_cfg cfg = { .tasks = 2, .ops = 2000 };
	struct result result = { .workload = xstrdup("cpuload") };
	struct histogram *finish = xcalloc(1, sizeof(*finish));
	struct strbuf sb = { 0 };

	(void)state;
	histogram_add(finish, 600000000);
	histogram_add(finish, 620000000);
	result_add_histogram(&result, &row, finish);
	result_add_note(&result, "pid", "13801");
	add(&result, "ops", 2000);
	add(&result, "task-user", 1.21e9);
	add(&result, "task-sys", 0.01e9);
	add(&result, "time", 0.62e9);
	add(&result, "setup", 0.04e9);
	cpuload_original(&result, &cfg, &sb);
	assert_string_equal(
		sb.s,
		"stress-ng: info:  [13801] defaulting to a 86400 second (1 day, 0.00 secs) run per "
		"stressor\n"
		"stress-ng: info:  [13801] dispatching hogs: 2 cpu\n"
		"stress-ng: metrc: [13801] stressor       bogo ops real time  usr time  sys time   "
		"bogo ops/s     bogo ops/s\n"
		"stress-ng: metrc: [13801]                           (secs)    (secs)    (secs)   "
		"(real time) (usr+sys time)\n"
		"stress-ng: metrc: [13801] cpu                2000      0.61      1.21      0.01   "
		"   "
		"3278.69        1639.34\n"
		"stress-ng: info:  [13801] successful run completed in 0.66s\n");
	strbuf_release(&sb);
	free(finish);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpuload_quota_rounds_up_as_stress_ng),
		cmocka_unit_test(test_cpuload_tasks_are_those_of_the_cpus_by_default),
		cmocka_unit_test(test_cpuload_until_is_when_the_load_is_right),
		cmocka_unit_test(test_cpuload_sleep_takes_off_what_was_waited),
		cmocka_unit_test(test_cpuload_check_keeps_steps_within_64_bits),
		cmocka_unit_test(test_cpuload_original_is_what_stress_ng_prints),
	};

	return cmocka_run_group_tests_name("workload/cpuload", tests, NULL, NULL);
}
