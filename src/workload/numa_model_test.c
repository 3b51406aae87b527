// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_model_test.c - 64 KiB take 6400 ns on their own node and twice as long from the other; nothing else takes any time. */
#include "workload/numa.h"

#include "base/mem.h"
#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <errno.h>

#include "check.h"

extern const struct workload workload_numa;

#define KIB64 65536

static int try(struct run *run, uint32_t nodes, const struct costs_pairs *pairs,
	       const struct numa_cfg *cfg, struct error *err)
{
	struct script_world world;
	int ret;

	*run = (struct run){ .workload = &workload_numa };
	script_world_init(&world, nodes, 1, 1, 1);
	for (int i = 0; i < NR_SIM_DISTANCES; i++)
		world.costs.memory_ns_kib[i] = i == SIM_REMOTE ? 200 : 100;
	world.setup.pairs = pairs;
	script_boot(&world);
	ret = numa_model(run, world.sim, cfg, err);
	script_world_release(&world);
	return ret;
}

static struct run play_with(uint32_t nodes, const struct costs_pairs *pairs,
			    const struct numa_cfg *cfg)
{
	struct error err = { 0 };
	struct run run;

	if (try(&run, nodes, pairs, cfg, &err))
		fail_msg("%s", err.text);
	return run;
}

static struct run play(uint32_t nodes, const struct numa_cfg *cfg)
{
	return play_with(nodes, NULL, cfg);
}

/*
 * One CPU, two processes of a thread. Each clears its memory and goes through it five times, 6 x 6400, without being interrupted: done at 38400 and
 * at 76800. The second has touched its memory at 38400 + 6400.
 */
static void test_numa_model_on_one_cpu(void **state)
{
	const struct numa_cfg cfg = {
		.test = NUMA01, .processes = 2, .threads = 1, .rounds = 5, .size_bytes = KIB64
	};
	struct run run = play(1, &cfg);

	(void)state;
	assert_near(metric(&run, "time"), 76800, 0);
	assert_near(metric(&run, "finish-min"), 38400, 0);
	assert_near(metric(&run, "finish-max"), 76800, 0);
	assert_near(metric(&run, "first-touch"), 44800, 0);
	assert_near(metric(&run, "round-p99"), 6400, 7);
	assert_near(metric(&run, "bytes"), 2 * 5 * KIB64, 0);
	assert_near(metric(&run, "speed"), 2 * KIB64 * 1e9 / 6400, 1);
	assert_null(result_metric(&run.result, "local-end"));
	result_release(&run.result);
}

/* What is touched before the start isn't counted. Two threads share 64 KiB, and each has as much for itself: 2 x 6400 a round. */
static void test_numa_model_set_up(void **state)
{
	const struct numa_cfg cfg = { .test = PERF_NUMA03,
				      .processes = 1,
				      .threads = 2,
				      .rounds = 5,
				      .size_bytes = KIB64,
				      .thread_size_bytes = KIB64 };
	struct run run = play(1, &cfg);

	(void)state;
	assert_near(metric(&run, "time"), 2 * 5 * 12800, 0);
	assert_null(result_metric(&run.result, "first-touch"));
	result_release(&run.result);
}

/*
 * Two nodes with a CPU each; all memory is on node 0. numa02: the first task clears 128 KiB, then two threads go through 64 KiB each ten times: 64000 on
 * node 0, 128000 on node 1. Half of the memory is where its thread is.
 */
static void test_numa_model_on_two_nodes(void **state)
{
	const struct numa_cfg cfg = { .test = NUMA02,
				      .processes = 1,
				      .threads = 2,
				      .rounds = 10,
				      .size_bytes = 2 * KIB64,
				      .first = (char *)"0" };
	struct run run = play(2, &cfg);
	double touched;

	(void)state;
	touched = metric(&run, "first-touch");
	assert_true(touched == 12800 || touched == 25600); /* from node 0 or 1 */
	assert_near(metric(&run, "finish-min") - touched, 64000, 0);
	assert_near(metric(&run, "finish-max") - touched, 128000, 0);
	assert_near(metric(&run, "local-end"), 50, 0);
	result_release(&run.result);
}

/*
 * As before, with all memory on node 0, of which 64 KiB take node 1's CPU 32000, and on node 1, of which they take node 0's CPU 19200: ten times
 * that for the farther thread.
 */
static void test_numa_model_on_nodes_of_unequal_ways(void **state)
{
	static const double far[] = { 320000, 192000 };
	struct costs_pair pair[] = { { COSTS_PAIR_NS_KIB, 0, 1, 0, 300 },
				     { COSTS_PAIR_NS_KIB, 1, 0, 0, 500 } };
	const struct costs_pairs pairs = { pair, 2 };
	char first[] = "0";

	(void)state;
	for (int node = 0; node < 2; node++, first[0]++) {
		const struct numa_cfg cfg = { .test = NUMA02,
					      .processes = 1,
					      .threads = 2,
					      .rounds = 10,
					      .size_bytes = 2 * KIB64,
					      .first = first };
		struct run run = play_with(2, &pairs, &cfg);
		double touched = metric(&run, "first-touch");

		assert_near(metric(&run, "finish-min") - touched, 64000, 0);
		assert_near(metric(&run, "finish-max") - touched, far[node], 0);
		result_release(&run.result);
	}
}

/* A round of 6400, and no further one after 10000: two. */
static void test_numa_model_has_a_limit(void **state)
{
	const struct numa_cfg cfg = { .test = PERF_MEM,
				      .global_size_bytes = KIB64,
				      .limit_ns = 10000 };
	struct run run = play(1, &cfg);

	(void)state;
	assert_near(metric(&run, "finish-max"), 12800, 0);
	assert_near(metric(&run, "bytes"), 2 * KIB64, 0);
	result_release(&run.result);
}

static void test_numa_model_refuses(void **state)
{
	static const struct {
		struct numa_cfg cfg;
		const char *words;
	} rows[] = {
		{ { .bind = BIND_HARD }, "bind: simulated memory has no policy" },
		{ { .order = ORDER_RANDOM },
		  "access, order: simulated memory costs the same by any way" },
		{ { .thp = THP_ALWAYS }, "thp: simulated memory has pages of its own" },
		{ { .first = (char *)"2" }, "first: there is no node 2" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { 0 };
		struct run run;

		assert_int_equal(try(&run, 2, NULL, &rows[i].cfg, &err), -EOPNOTSUPP);
		assert_string_equal(err.text, rows[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numa_model_on_one_cpu),
		cmocka_unit_test(test_numa_model_set_up),
		cmocka_unit_test(test_numa_model_on_two_nodes),
		cmocka_unit_test(test_numa_model_on_nodes_of_unequal_ways),
		cmocka_unit_test(test_numa_model_has_a_limit),
		cmocka_unit_test(test_numa_model_refuses),
	};

	return cmocka_run_group_tests_name("workload/numa_model", tests, NULL, NULL);
}
