// SPDX-License-Identifier: GPL-2.0-only
#include "sched/feature.h"

#include "base/strbuf.h"
#include "check.h"

#include <errno.h>
#include <string.h>

static uint8_t value_of(const struct features *features, const struct feature *row)
{
	return *((const uint8_t *)features + row->offset);
}

/* Each row is whole: its default is a value, each value has releases, and no release has two values. */
static void test_the_table_is_sound(void **state)
{
	const struct feature *row;
	struct features features;

	(void)state;
	features_default(&features);
	for (size_t i = 0; (row = feature_at(i)); i++) {
		struct strbuf text = { 0 };
		size_t n = 0;

		while (feature_value(row, n, &text))
			n++;
		assert_true(n >= 2);
		assert_true(value_of(&features, row) < n);
		assert_true(*row->help && *row->section);
		for (unsigned int minor = 0; minor < 30; minor++) {
			int real = 0;

			for (size_t k = 0; k < n; k++)
				real += feature_real(row, k, 6, minor);
			assert_in_range(real, 0, 1);
		}
		strbuf_release(&text);
	}
}

/* Section G of the specification, line by line. */
static void test_presets_are_those_of_the_releases(void **state)
{
	struct features f;

	(void)state;
	features_default(&f);
	features_release(&f, 6, 1);
	assert_int_equal(f.topo_span_check, 0); /* pairwise_full */
	assert_int_equal(f.topo_cluster, 1);
	assert_int_equal(f.wake_cluster, CLUSTER_OFF);
	assert_int_equal(f.scan_limit, SCAN_SIS_UTIL);
	assert_int_equal(f.newidle_cost, NEWIDLE_PLAIN);
	assert_int_equal(f.newidle_random, 0);
	assert_int_equal(f.cpufreq_headroom, HEADROOM_EARLY);
	assert_int_equal(f.core, CORE_CFS);
	assert_int_equal(f.lb_smt_balance, 0);
	assert_int_equal(f.lb_swb_core, 0);
	assert_int_equal(f.schedstat_version, 0); /* 15 */
	features_release(&f, 6, 6);
	assert_int_equal(f.core, CORE_EEVDF66);
	assert_int_equal(f.lb_smt_balance, 1);
	assert_int_equal(f.lb_swb_core, 1);
	assert_int_equal(f.wake_cluster, CLUSTER_OFF);
	features_release(&f, 6, 8);
	assert_int_equal(f.wake_cluster, CLUSTER_MAINLINE);
	assert_int_equal(f.cpufreq_headroom, HEADROOM_LATE);
	features_release(&f, 6, 12);
	assert_int_equal(f.topo_span_check, 1); /* pairwise_half */
	assert_int_equal(f.core, CORE_EEVDF612);
	assert_int_equal(f.schedstat_version, 1); /* 16 */
	assert_int_equal(f.delay_dequeue, 1);
	features_release(&f, 6, 17);
	assert_int_equal(f.topo_span_check, 3); /* linear_idset */
	assert_int_equal(f.newidle_cost, NEWIDLE_BUMP);
	assert_int_equal(f.schedstat_version, 2); /* 17 */
	features_release(&f, 6, 19);
	assert_int_equal(f.newidle_cost, NEWIDLE_PLAIN);
	assert_int_equal(f.newidle_random, 1);
	assert_int_equal(f.lb_serialize, SERIALIZE_INNER);
}

static void test_names_of_ours_and_of_the_kernel(void **state)
{
	struct features f;

	(void)state;
	features_default(&f);
	assert_int_equal(features_set(&f, "wake.cluster", "rfc_v6", NULL), 0);
	assert_int_equal(f.wake_cluster, CLUSTER_RFC_V6);
	assert_int_equal(features_set(&f, "NO_TTWU_QUEUE", "", NULL), 0);
	assert_int_equal(f.ttwu_queue, 0);
	assert_int_equal(features_set(&f, "TTWU_QUEUE", "1", NULL), 0);
	assert_int_equal(f.ttwu_queue, 1);
	assert_int_equal(features_set(&f, "NO_SIS_UTIL", "", NULL), 0);
	assert_int_equal(f.scan_limit, SCAN_NONE);
	assert_int_equal(features_set(&f, "SIS_UTIL", "", NULL), 0);
	assert_int_equal(f.scan_limit, SCAN_SIS_UTIL);
}

static void test_mistakes_are_told_with_what_there_is(void **state)
{
	struct features f;
	struct error err = { 0 };

	(void)state;
	features_default(&f);
	assert_int_equal(features_set(&f, "wake.clutser", "off", &err), -ENOENT);
	assert_non_null(strstr(err.text, "\"wake.cluster\""));
	assert_int_equal(features_set(&f, "NO_TTWU_QEUE", "", &err), -ENOENT);
	assert_non_null(strstr(err.text, "TTWU_QUEUE"));
	assert_int_equal(features_set(&f, "wake.cluster", "mainlin", &err), -EINVAL);
	assert_non_null(strstr(err.text, "rfc_v2|rfc_v3"));
	assert_int_equal(features_set(&f, "wake.cluster", "", &err), -EINVAL);
	assert_int_equal(features_set(&f, "TTWU_QUEUE", "0", &err), -EINVAL);
	assert_int_equal(f.wake_cluster, CLUSTER_MAINLINE);
	assert_int_equal(f.ttwu_queue, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_table_is_sound),
		cmocka_unit_test(test_presets_are_those_of_the_releases),
		cmocka_unit_test(test_names_of_ours_and_of_the_kernel),
		cmocka_unit_test(test_mistakes_are_told_with_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
