// SPDX-License-Identifier: GPL-2.0-only
/*
 * The expected numbers are those of the model's specification, which come from the definition: a period of 1024 units counts
 * y^n of what it did n periods later, y^32 = 1/2, in integers.
 */
#include "sched/pelt.h"

#include "base/mem.h"
#include "check.h"
#include "sched/weight.h"

#define PERIOD_NS (UINT64_C(1024) << 10)

static void go(struct pelt *pelt, uint64_t ns, bool running)
{
	if (pelt_accumulate(pelt, pelt->last_update_ns + ns, running, running, running))
		pelt_average(pelt, 1);
}

static void go_periods(struct pelt *pelt, unsigned int n, bool running)
{
	while (n--)
		go(pelt, PERIOD_NS, running);
}

/* In one update so long that nothing before counts: the sum is that of all whole periods but the current one. */
static struct pelt saturated(void)
{
	struct pelt pelt = { 0 };

	go(&pelt, 3000 * PERIOD_NS, true);
	assert_int_equal(pelt.load_sum, PELT_MIN_DIVIDER);
	return pelt;
}

static void test_one_update_after_n_periods(void **state)
{
	static const uint64_t expected[][3] = {
		{ 1, 21, 1002 },     { 2, 43, 1981 },	  { 4, 85, 3878 },	{ 8, 162, 7433 },
		{ 16, 299, 13684 },  { 32, 512, 23359 },  { 64, 768, 35039 },	{ 96, 896, 40879 },
		{ 128, 960, 43799 }, { 160, 992, 45259 }, { 345, 1023, 46692 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct pelt pelt = { 0 };

		go(&pelt, expected[i][0] * PERIOD_NS, true);
		assert_int_equal(pelt.util_avg, expected[i][1]);
		assert_int_equal(pelt.util_sum >> 10, expected[i][2]);
	}
}

static void test_an_update_each_period(void **state)
{
	static const uint64_t expected[][3] = {
		{ 8, 163, 7439 },     { 32, 512, 23380 },    { 64, 768, 35071 },
		{ 345, 1024, 46734 }, { 1000, 1024, 46761 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct pelt pelt = { 0 };

		go_periods(&pelt, (unsigned int)expected[i][0], true);
		assert_int_equal(pelt.util_avg, expected[i][1]);
		assert_int_equal(pelt.util_sum >> 10, expected[i][2]);
	}
}

static void test_idle_after_saturation(void **state)
{
	static const uint64_t expected[][2] = {
		{ 1, 1002 }, { 2, 980 },  { 4, 939 },  { 8, 861 },  { 16, 724 }, { 31, 523 },
		{ 32, 511 }, { 33, 501 }, { 64, 255 }, { 96, 127 }, { 128, 63 }, { 320, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct pelt pelt = saturated();

		go(&pelt, expected[i][0] * PERIOD_NS, false);
		assert_int_equal(pelt.util_avg, expected[i][1]);
	}
}

static void test_updates_each_ms_of_wall_clock(void **state)
{
	static const uint64_t expected[][2] = {
		{ 4, 81 },   { 10, 191 },  { 16, 288 },	  { 32, 495 },
		{ 64, 751 }, { 100, 894 }, { 200, 1008 }, { 300, 1022 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct pelt pelt = { 0 };

		for (uint64_t now_ns = 1000000; now_ns <= expected[i][0] * 1000000;
		     now_ns += 1000000) {
			if (pelt_accumulate(&pelt, now_ns, 1, 1, true))
				pelt_average(&pelt, 1);
		}
		assert_int_equal(pelt.util_avg, expected[i][1]);
	}
}

static void duty(unsigned int on, unsigned int off, uint64_t least, uint64_t most)
{
	struct pelt pelt = { 0 };

	for (int i = 0; i < 100; i++) {
		go_periods(&pelt, on, true);
		if (i == 99)
			assert_int_equal(pelt.util_avg, most);
		go_periods(&pelt, off, false);
	}
	assert_int_equal(pelt.util_avg, least);
}

static void test_duty_cycles_settle(void **state)
{
	(void)state;
	duty(8, 8, 468, 556);
	duty(10, 30, 179, 344);
}

static void test_first_period_at_which_a_level_is_reached(void **state)
{
	static const unsigned int expected[][2] = {
		{ 205, 11 }, { 410, 24 }, { 512, 32 },	{ 614, 43 },
		{ 717, 56 }, { 820, 75 }, { 922, 107 }, { 1000, 172 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct pelt pelt = { 0 };
		unsigned int n = 0;

		while (pelt.util_avg < expected[i][0]) {
			go_periods(&pelt, 1, true);
			n++;
		}
		assert_int_equal(n, expected[i][1]);
	}
}

static void test_load_of_saturated_tasks_is_their_weight(void **state)
{
	static const struct {
		int nice;
		uint64_t load;
	} expected[] = { { -20, 88761 }, { 0, 1024 }, { 19, 15 } };
	struct pelt pelt = saturated();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		pelt_average(&pelt, weight_of_nice(expected[i].nice).weight);
		assert_int_equal(pelt.load_avg, expected[i].load);
	}
}

static void test_half_a_period_changes_no_average(void **state)
{
	struct pelt pelt = { 0 };

	(void)state;
	assert_false(pelt_accumulate(&pelt, PERIOD_NS / 2, 1, 1, true));
	assert_int_equal(pelt.contrib, 512);
	assert_int_equal(pelt.util_avg, 0);
	go(&pelt, PERIOD_NS, true);
	assert_int_equal(pelt.contrib, 512);
	assert_int_equal(pelt.util_avg, 32);
}

/* 2^-1 at 32 periods, 799 from 800 by rounding down. */
static void test_half_is_forgotten_after_32_periods(void **state)
{
	struct pelt pelt = { .util_sum = 800 * PELT_MIN_DIVIDER };

	(void)state;
	for (unsigned int n = 1;; n++) {
		struct pelt idle = pelt;

		go(&idle, n * PERIOD_NS, false);
		if (idle.util_avg <= 400) {
			assert_int_equal(n, 32);
			assert_int_equal(idle.util_avg, 399);
			return;
		}
	}
}

static void test_time_back_is_no_time(void **state)
{
	struct pelt pelt = saturated(), before = pelt;

	(void)state;
	assert_false(pelt_accumulate(&pelt, pelt.last_update_ns - 5000, 1, 1, true));
	assert_int_equal(pelt.util_sum, before.util_sum);
	assert_int_equal(pelt.last_update_ns, before.last_update_ns - 5000);
}

static void test_nothing_is_left_after_2016_periods(void **state)
{
	(void)state;
	assert_int_equal(pelt_decay(UINT64_MAX, 2017), 0);
	assert_int_equal(pelt_decay(1000, 0), 999); /* even y^0 rounds down */
	/* 2^39 less its 2^32nd part, as y^0 is 1 - 2^-32 */
	assert_int_equal(pelt_decay(UINT64_C(1) << 40, 32), (UINT64_C(1) << 39) - (1 << 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_update_after_n_periods),
		cmocka_unit_test(test_an_update_each_period),
		cmocka_unit_test(test_idle_after_saturation),
		cmocka_unit_test(test_updates_each_ms_of_wall_clock),
		cmocka_unit_test(test_duty_cycles_settle),
		cmocka_unit_test(test_first_period_at_which_a_level_is_reached),
		cmocka_unit_test(test_load_of_saturated_tasks_is_their_weight),
		cmocka_unit_test(test_half_a_period_changes_no_average),
		cmocka_unit_test(test_half_is_forgotten_after_32_periods),
		cmocka_unit_test(test_time_back_is_no_time),
		cmocka_unit_test(test_nothing_is_left_after_2016_periods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
