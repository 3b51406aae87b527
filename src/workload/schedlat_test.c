// SPDX-License-Identifier: GPL-2.0-only
#include "workload/schedlat.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

#include "check.h"
#include "workload/workload.h"

extern const struct workload workload_schedlat;

/*
 * Every 10 from 10 on. Awake at 13: 3 late. Awake at 47 for what was due at 20: 27 late, and the times 30 and 40 were
 * missed, 17 and 7 late; the next is 50. Awake at 95 for 50, where all ends at 80: 45 late, and 60 and 70 were missed, 35
 * and 25 late.
 */
static void test_awake_counts_each_time_that_was_missed(void **state)
{
	struct schedlat_times times = { .next_ns = 10, .interval_ns = 10 };

	(void)state;
	times.wakeup = xcalloc(1, sizeof(*times.wakeup));
	times.late = xcalloc(1, sizeof(*times.late));
	schedlat_awake(&times, 13, 80);
	assert_int_equal(times.next_ns, 20);
	schedlat_awake(&times, 47, 80);
	assert_int_equal(times.next_ns, 50);
	assert_int_equal(times.missed, 2);
	assert_int_equal(times.last_ns, 27);
	schedlat_awake(&times, 95, 80);
	assert_true(times.next_ns >= 80);
	assert_int_equal(times.missed, 4);
	assert_int_equal(times.wakeup->count, 3);
	assert_int_equal(times.wakeup->sum, 3 + 27 + 45);
	assert_int_equal(times.late->count, 7);
	assert_int_equal(times.late->sum, 3 + 27 + 17 + 7 + 45 + 35 + 25);
	free(times.wakeup);
	free(times.late);
}

/* As cyclictest printed two tasks; of the 11th it is the second note that tells. */
static void test_original_is_what_cyclictest_prints(void **state)
{
	struct schedlat_cfg cfg = { .tasks = 2, .interval_ns = 1000000, .distance_ns = 500000 };
	struct result result = { .workload = xstrdup("schedlat") };
	struct schedlat_told told;
	struct strbuf sb = { 0 };

	(void)state;
	schedlat_tell(&sb, &(struct schedlat_told){ 12792, 1920, 35999, 68000, 131500, 16235001 });
	schedlat_tell(&sb, &(struct schedlat_told){ 12793, 1185, 32000, 68000, 319000, 78758000 });
	result_add_note(&result, "tasks-0", sb.s);
	result_add_note(&result, "tasks-1", "1 2 3 4 5 6; ");
	strbuf_reset(&sb);
	schedlat_original(&result, &cfg, &sb);
	assert_string_equal(
		sb.s,
		"T: 0 (12792) P: 0 I:1000 C:   1920 Min:     35 Act:   68 Avg:  131 Max:   16235\n"
		"T: 1 (12793) P: 0 I:1500 C:   1185 Min:     32 Act:   68 Avg:  319 Max:   "
		"78758\n");
	assert_false(schedlat_read(&result, 2, &told));
	assert_true(schedlat_read(&result, 10, &told));
	assert_int_equal(told.max_ns, 6);
	assert_false(schedlat_read(&result, 20, &told));
	strbuf_reset(&sb);
	cfg.awake = true;
	cfg.tasks = 1;
	schedlat_original(&result, &cfg, &sb);
	assert_memory_equal(sb.s, "# /dev/cpu_dma_latency set to 0us\nT: 0 ", 38);
	strbuf_release(&sb);
	result_release(&result);
}

/* 1 ms and 9 times 500 us more are 5.5 ms. */
static void test_check_wants_one_time_of_every_task(void **state)
{
	struct schedlat_cfg cfg = { .tasks = 10, .interval_ns = 1000000, .distance_ns = 500000 };

	(void)state;
	cfg.runtime_ns = 5500000;
	assert_int_equal(workload_schedlat.check(&cfg, NULL), -ERANGE);
	cfg.runtime_ns = 5500001;
	assert_int_equal(workload_schedlat.check(&cfg, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_awake_counts_each_time_that_was_missed),
		cmocka_unit_test(test_original_is_what_cyclictest_prints),
		cmocka_unit_test(test_check_wants_one_time_of_every_task),
	};

	return cmocka_run_group_tests_name("workload/schedlat", tests, NULL, NULL);
}
