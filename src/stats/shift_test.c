// SPDX-License-Identifier: GPL-2.0-only
#include "stats/shift.h"

#include "base/rng.h"
#include "stats/order.h"

#include "check.h"

/* 4 5 8 less 0 and less 3. */
static void test_shift_of_two_by_three_by_hand(void **state)
{
	const double a[] = { 3, 0 }, b[] = { 8, 4, 5 };
	const double sorted_a[] = { 0, 3 }, sorted_b[] = { 4, 5, 8 };
	const struct shift_group group = { sorted_a, sorted_b, 2, 3 };
	const double all[] = { 1, 2, 4, 5, 5, 8 };

	(void)state;
	assert_int_equal(shift_count(&group, 1), 6);
	for (uint64_t k = 1; k <= 6; k++)
		assert_near(shift_kth(&group, 1, k), all[k - 1], 0);
	assert_near(shift_median(a, 2, b, 3), 4.5, 0);
}

/* Against all differences, written out and sorted; whole numbers, so that nothing is rounded. */
static void test_shift_kth_of_several_groups(void **state)
{
	double a[5][4], b[5][4], all[80];
	struct shift_group groups[5];
	size_t count = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "shift", 0);
	for (size_t g = 0; g < 5; g++) {
		size_t n_a = 1 + rng_below(&rng, 4), n_b = 1 + rng_below(&rng, 4);

		for (size_t i = 0; i < 4; i++) {
			a[g][i] = (double)rng_below(&rng, 20) - 10;
			b[g][i] = (double)rng_below(&rng, 20) - 10;
		}
		sort_values(a[g], n_a);
		sort_values(b[g], n_b);
		groups[g] = (struct shift_group){ a[g], b[g], n_a, n_b };
		for (size_t i = 0; i < n_a; i++)
			for (size_t k = 0; k < n_b; k++)
				all[count++] = b[g][k] - a[g][i];
	}
	sort_values(all, count);
	assert_int_equal(shift_count(groups, 5), count);
	for (size_t k = 1; k <= count; k++)
		assert_near(shift_kth(groups, 5, k), all[k - 1], 0);
	assert_near(shift_middle(groups, 5), median(all, count), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shift_of_two_by_three_by_hand),
		cmocka_unit_test(test_shift_kth_of_several_groups),
	};

	return cmocka_run_group_tests_name("stats/shift", tests, NULL, NULL);
}
