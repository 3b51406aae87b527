// SPDX-License-Identifier: GPL-2.0-only
/* The small parts: latencies, map, distance. */
#include "check.h"
#include "topo/source.h"
#include "trace/distance.h"
#include "trace/latencies.h"
#include "trace/map.h"

#include <string.h>

/* Nearest rank: of 3, 1, 2 the median is the ceil(1.5) = 2nd. Of 1 .. 20, past what is kept as it is, the 99 % one is
 * the 20th; values below 1024 are exact in a histogram too. */
static void test_latencies_few_and_many(void **state)
{
	struct latencies l = { 0 };

	(void)state;
	assert_int_equal(latencies_quantile(&l, 0.5), 0);
	latencies_add(&l, 3);
	latencies_add(&l, 1);
	latencies_add(&l, 2);
	assert_int_equal(latencies_quantile(&l, 0), 1);
	assert_int_equal(latencies_quantile(&l, 0.5), 2);
	assert_int_equal(latencies_quantile(&l, 1), 3);
	for (uint64_t i = 4; i <= 20; i++)
		latencies_add(&l, i);
	assert_int_equal(l.count, 20);
	assert_int_equal(latencies_quantile(&l, 0.5), 10);
	assert_int_equal(latencies_quantile(&l, 0.99), 20);
	latencies_release(&l);
}

static void test_map_keeps_what_was_put_in(void **state)
{
	struct map map = { 0 };
	uint64_t key, sum = 0;
	uint32_t value;
	bool is_new;

	(void)state;
	assert_null(map_find(&map, 0));
	for (uint64_t i = 0; i < 1000; i++)
		*map_add(&map, i << 20, &is_new) = (uint32_t)i + 1;
	assert_true(is_new);
	assert_int_equal(*map_add(&map, 999ull << 20, &is_new), 1000);
	assert_false(is_new);
	assert_null(map_find(&map, 1));
	for (size_t i = 0; map_at(&map, i, &key, &value); i++)
		sum += value;
	assert_int_equal(sum, 1000 * 1001 / 2);
	map_release(&map);
}

/* Two packages of two L3s of two cores of two threads: 0-1 a core, 0-3 an L3, 0-7 a package; each package a node. */
static void test_distance_by_what_is_shared(void **state)
{
	struct release release;
	const struct source_opts opts = { .release = &release };
	struct machine *m;

	(void)state;
	assert_int_equal(release_parse(&release, "6.12", ARCH_X86, NULL), 0);
	assert_int_equal(source_open(&m, "node:2 pack:1 l3:2 core:2 pu:2", &opts, NULL), 0);
	assert_int_equal(trace_distance(m, 5, 5), TRACE_SAME);
	assert_int_equal(trace_distance(m, 0, 1), TRACE_SMT);
	assert_int_equal(trace_distance(m, 0, 3), TRACE_LLC);
	assert_int_equal(trace_distance(m, 0, 7), TRACE_NODE);
	assert_int_equal(trace_distance(m, 0, 8), TRACE_REMOTE);
	assert_int_equal(trace_distance(m, 0, 16), TRACE_REMOTE);
	assert_string_equal(trace_distance_name(TRACE_NODE), "node");
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_latencies_few_and_many),
		cmocka_unit_test(test_map_keeps_what_was_put_in),
		cmocka_unit_test(test_distance_by_what_is_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
