// SPDX-License-Identifier: GPL-2.0-only
#include "sched/cpufreq.h"

#include "base/mem.h"
#include "check.h"
#include "sched/fixture.h"

#define MS UINT64_C(1000000)

/* 2 000 000 kHz * 1.25 util / 1024: T-E-12. */
static void test_headroom(void **state)
{
	static const uint64_t expected[][3] = {
		{ 100, 244140, 244140 },    { 256, 625000, 625000 },   { 400, 976562, 976562 },
		{ 512, 1250000, 1250000 },  { 819, 1998046, 1998046 }, { 820, 2000000, 2001953 },
		{ 1000, 2000000, 2441406 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(sugov_freq(2000000, 1024, expected[i][0], true), expected[i][1]);
		assert_int_equal(sugov_freq(2000000, 1024, expected[i][0], false), expected[i][2]);
	}
}

/* T-E-13. */
static void test_iowait_boost_doubles_and_halves(void **state)
{
	static const uint64_t up[] = { 128, 256, 512, 1024, 1024 }, down[] = { 512, 256, 128, 0 };
	struct sugov_cpu cpu = { 0 };
	uint64_t now_ns = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(up); i++, now_ns += MS) {
		sugov_iowait_boost(&cpu, now_ns, 4 * MS, true);
		cpu.last_update_ns = now_ns;
		assert_int_equal(sugov_iowait_apply(&cpu, now_ns, 4 * MS, 1024), up[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(down); i++, now_ns += MS) {
		sugov_iowait_boost(&cpu, now_ns, 4 * MS, false);
		cpu.last_update_ns = now_ns;
		assert_int_equal(sugov_iowait_apply(&cpu, now_ns, 4 * MS, 1024), down[i]);
	}
}

static void test_iowait_boost_begins_anew_after_a_tick(void **state)
{
	struct sugov_cpu cpu = { .iowait_boost = 1024 };

	(void)state;
	sugov_iowait_boost(&cpu, 4 * MS, 4 * MS, true);
	assert_int_equal(cpu.iowait_boost, 1024);
	cpu.iowait_pending = false;
	sugov_iowait_boost(&cpu, 4 * MS + 1, 4 * MS, true);
	assert_int_equal(cpu.iowait_boost, 128);
	assert_int_equal(sugov_iowait_apply(&cpu, 9 * MS, 4 * MS, 1024), 0);
}

/* 300 + 100 scaled by the three quarters that interrupts leave, and their quarter. */
static void test_effective_utilisation(void **state)
{
	(void)state;
	assert_int_equal(sugov_effective_util(300, 100, 0, 1024), 400);
	assert_int_equal(sugov_effective_util(300, 100, 256, 1024), 300 + 256);
	assert_int_equal(sugov_effective_util(1000, 100, 0, 1024), 1024);
	assert_int_equal(sugov_effective_util(10, 10, 1024, 1024), 1024);
	assert_int_equal(sugov_effective_util(1000, 0, 512, 1024), 500 + 512);
}

static const char *const governed[] = { "cpufreq.governor=schedutil", NULL };

/*
 * A hog ends at the highest frequency. Work of 0.5 ms with sleeps of 4.5 ms between is slowed until it fills four fifths of the
 * time, where the quarter more is what it has: 18 ms, which is 28 of 1024; ripples of utilisation add to that.
 */
static void test_frequency_follows_utilisation(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	fixture_boot(&f, 2, governed);
	fixture_nice(&f, 0, 0);
	fixture_task(&f, 1, &(struct core_sched){ 0 }, MS / 2, 9 * MS / 2);
	fixture_run(&f, 1000 * MS);
	assert_int_equal(cpu_rq(fixture_model(&f), 0)->freq, 1024);
	assert_in_range(f.perf[1], 28, 60);
	fixture_release(&f);
}

/* A change ordered takes effect when its latency is over, by the timer. */
static void test_a_slow_change_comes_by_a_timer(void **state)
{
	static const char *const slow[] = { "cpufreq.governor=schedutil",
					    "cpufreq_latency_ns=50000", NULL };
	struct fixture f = { 0 };
	const struct rq *rq;

	(void)state;
	fixture_boot(&f, 1, slow);
	fixture_task(&f, 0, &(struct core_sched){ 0 }, MS / 2, 9 * MS / 2);
	rq = cpu_rq(fixture_model(&f), 0);
	fixture_run(&f, 20 * MS);
	assert_non_null(f.timer);
	assert_int_equal(rq->freq, 1024);
	core_model.timer(f.core, 0, f.timer, f.timer_generation - 1);
	assert_int_equal(rq->freq, 1024);
	core_model.timer(f.core, 0, f.timer, f.timer_generation);
	assert_true(rq->freq < 1024);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headroom),
		cmocka_unit_test(test_iowait_boost_doubles_and_halves),
		cmocka_unit_test(test_iowait_boost_begins_anew_after_a_tick),
		cmocka_unit_test(test_effective_utilisation),
		cmocka_unit_test(test_frequency_follows_utilisation),
		cmocka_unit_test(test_a_slow_change_comes_by_a_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
