// SPDX-License-Identifier: GPL-2.0-only
#include "lab/shelf.h"

#include "lab/experiment.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void test_shelf_small_and_big_are_all(void **state)
{
	struct shelf_pick small, big, all;

	(void)state;
	assert_int_equal(shelf_choose(&small, "small", NULL, NULL), 0);
	assert_int_equal(shelf_choose(&big, "big", NULL, NULL), 0);
	assert_int_equal(shelf_choose(&all, "all", NULL, NULL), 0);
	assert_true(small.nr_machines > 0 && big.nr_machines > 0);
	assert_int_equal(small.nr_machines + big.nr_machines, all.nr_machines);
	assert_true(all.nr_workloads > 0);
	shelf_release(&small);
	shelf_release(&big);
	shelf_release(&all);
}

/* Every machine is one, and its experiment is a good file with a point for each workload. */
static void test_shelf_experiments_parse(void **state)
{
	const struct shelf_trial trial = { "model:k6.1", "model:k6.12", 3, 5 };
	struct shelf_pick pick;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(shelf_choose(&pick, "all", NULL, NULL), 0);
	for (size_t i = 0; i < pick.nr_machines; i++) {
		struct experiment *experiment = NULL;
		struct strbuf text = { 0 };
		uint32_t cpus = 0;

		if (shelf_cpus(pick.machines[i].source, &cpus, &err))
			fail_msg("%s", err.text);
		assert_true(cpus >= 2);
		shelf_experiment(&pick, i, cpus, &trial, &text);
		if (experiment_parse(&experiment, "shelf", text.s, text.len, &err))
			fail_msg("%s", err.text);
		assert_true(experiment->sim);
		assert_int_equal(experiment->nr_points, pick.nr_workloads);
		assert_int_equal(experiment->blocks, 3);
		experiment_free(experiment);
		strbuf_release(&text);
	}
	shelf_release(&pick);
}

static void test_shelf_by_names(void **state)
{
	struct shelf_pick pick;
	uint32_t cpus = 0;

	(void)state;
	assert_int_equal(shelf_choose(&pick, "8-smt,phone-3cap", "pipe, hackbench", NULL), 0);
	assert_int_equal(pick.nr_machines, 2);
	assert_string_equal(pick.machines[1].name, "phone-3cap");
	assert_int_equal(pick.nr_workloads, 2);
	assert_string_equal(pick.workloads[0], "pipe");
	assert_string_equal(pick.left_out, "");
	assert_int_equal(shelf_cpus(pick.machines[0].source, &cpus, NULL), 0);
	assert_int_equal(cpus, 8);
	shelf_release(&pick);
}

static void assert_refused(const char *machines, const char *workloads, const char *words)
{
	struct shelf_pick pick;
	struct error err = { 0 };

	assert_int_equal(shelf_choose(&pick, machines, workloads, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("'%s' isn't in: %s", words, err.text);
}

static void test_shelf_refuses(void **state)
{
	(void)state;
	assert_refused("power10-786", NULL, "did you mean 'power10-768'?");
	assert_refused("!", NULL, "small, big, all, or names");
	assert_refused("small", "cook", "no standard workload, these are: hackbench");
	assert_refused(",", NULL, "no machine is named");
	assert_refused("small", "", "no workload is named");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shelf_small_and_big_are_all),
		cmocka_unit_test(test_shelf_experiments_parse),
		cmocka_unit_test(test_shelf_by_names),
		cmocka_unit_test(test_shelf_refuses),
	};

	return cmocka_run_group_tests_name("lab/shelf", tests, NULL, NULL);
}
