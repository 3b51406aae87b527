// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa.h"

#include "base/mem.h"
#include "workload/numa_memory.h"
#include "workload/workload.h"

#include <errno.h>
#include <string.h>

#include "check.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static void plan_of(struct numa_plan *plan, struct numa_cfg *cfg, int test, unsigned int cpus,
		    unsigned int nodes)
{
	struct error err = { 0 };

	cfg->test = test;
	assert_int_equal(numa_plan(plan, cfg, cpus, nodes, &err), 0);
}

static void assert_plan(int test, uint64_t processes, uint64_t threads, uint64_t rounds,
			uint64_t size, uint64_t thread_size)
{
	struct numa_cfg cfg = { 0 };
	struct numa_plan plan;

	plan_of(&plan, &cfg, test, 32, 4);
	assert_int_equal(plan.processes, processes);
	assert_int_equal(plan.threads, threads);
	assert_int_equal(plan.rounds, rounds);
	assert_int_equal(plan.size_bytes, size);
	assert_int_equal(plan.thread_bytes, thread_size);
	assert_int_equal(plan.global_bytes, 0);
	assert_int_equal(plan.limit_ns, 0);
}

/*
 * autonuma-benchmark: numa01 two processes of CPUs/2 threads, 3 GiB each, 50 times the whole or 1000 times its part; numa02
 * one of CPUs threads (SMT: half), 1 GiB, 800 times. perf: the command lines of the POWER list, there on 32 CPUs.
 */
static void test_numa_plan_has_the_numbers_of_the_originals(void **state)
{
	(void)state;
	assert_plan(NUMA01, 2, 16, 50, 3 * GIB, 0);
	assert_plan(NUMA01_THREAD_LOCAL, 2, 16, 1000, 3 * GIB, 0);
	assert_plan(NUMA02, 1, 32, 800, GIB, 0);
	assert_plan(NUMA02_SMT, 1, 16, 800, GIB, 0);
	assert_plan(PERF_NUMA01, 2, 16, 50, 3 * GIB, 0);
	assert_plan(PERF_NUMA02, 1, 32, 800, 0, 32 * MIB);
	assert_plan(PERF_NUMA03, 1, 32, 50, 3 * GIB, 0);
	assert_plan(PERF_NUMA04, 4, 8, 50, 3 * GIB, 0);
	assert_plan(PERF_NUMA05, 8, 4, 50, 3 * GIB, 0);
}

static void test_numa_plan_of_a_small_machine_has_one_of_each_at_least(void **state)
{
	struct numa_cfg cfg = { 0 };
	struct numa_plan plan;

	(void)state;
	plan_of(&plan, &cfg, NUMA01, 1, 1);
	assert_int_equal(plan.threads, 1);
	plan_of(&plan, &cfg, PERF_NUMA05, 3, 4);
	assert_int_equal(plan.processes, 8);
	assert_int_equal(plan.threads, 1);
}

static void test_numa_plan_of_perf_has_its_defaults(void **state)
{
	struct numa_cfg cfg = { 0 };
	struct numa_plan plan;

	(void)state;
	plan_of(&plan, &cfg, PERF_MEM, 32, 4);
	assert_int_equal(plan.global_bytes, MIB);
	assert_int_equal(plan.rounds, NUMA_ROUNDS_EVER);
	assert_int_equal(plan.limit_ns, 5000000000);
	assert_int_equal(plan.order, ORDER_RANDOM);
	cfg.rounds = 3;
	cfg.size_bytes = MIB;
	plan_of(&plan, &cfg, PERF_MEM, 32, 4);
	assert_int_equal(plan.global_bytes, 0);
	assert_int_equal(plan.rounds, 3);
	assert_int_equal(plan.limit_ns, 0);
}

static void test_numa_plan_takes_what_is_given(void **state)
{
	struct numa_cfg cfg = { .processes = 3,
				.threads = 5,
				.rounds = 7,
				.size_bytes = MIB,
				.access = ACCESS_READ,
				.order = ORDER_RANDOM,
				.first = (char *)"2" };
	struct numa_plan plan;

	(void)state;
	plan_of(&plan, &cfg, NUMA02, 32, 4);
	assert_int_equal(plan.processes, 3);
	assert_int_equal(plan.threads, 5);
	assert_int_equal(plan.rounds, 7);
	assert_int_equal(plan.size_bytes, MIB);
	assert_int_equal(plan.access, ACCESS_READ);
	assert_int_equal(plan.order, ORDER_RANDOM);
	assert_int_equal(plan.first_node, 2);
}

static void test_numa_plan_refuses_what_cannot_be(void **state)
{
	struct numa_cfg cfg = { .test = NUMA02, .threads = 3, .size_bytes = 8192 };
	struct numa_plan plan;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(numa_plan(&plan, &cfg, 1, 1, &err), -ERANGE);
	assert_string_equal(err.text,
			    "size: 8192 bytes are less than a page of 4096 for each of 3 threads");
	cfg.threads = 10000;
	cfg.processes = 10000;
	cfg.thread_size_bytes = UINT64_C(1000000000000000);
	assert_int_equal(numa_plan(&plan, &cfg, 1, 1, &err), -ERANGE);
}

static void test_numa_first_is_free_or_a_node(void **state)
{
	struct error err = { 0 };
	int node = 5;

	(void)state;
	assert_int_equal(numa_first_parse(&node, NULL, &err), 0);
	assert_int_equal(node, -1);
	assert_int_equal(numa_first_parse(&node, "1023", &err), 0);
	assert_int_equal(node, 1023);
	assert_int_equal(numa_first_parse(&node, "free", &err), 0);
	assert_int_equal(node, -1);
	assert_int_equal(numa_first_parse(&node, "1024", &err), -EINVAL);
	assert_int_equal(numa_first_parse(&node, "0-1", &err), -EINVAL);
	assert_int_equal(numa_first_parse(&node, "-1", &err), -EINVAL);
	assert_int_equal(numa_first_parse(&node, "10000000000000000000000", &err), -EINVAL);
}

/* 10 pages and 100 bytes for 4: pages 0-1, 2-4, 5-6, 7-9, the last with the 100 bytes. */
static void test_numa_slices_are_whole_pages_and_all_of_them(void **state)
{
	static const uint64_t begins[] = { 0, 2, 5, 7 }, ends[] = { 2, 5, 7, 10 };
	unsigned char *start = (unsigned char *)(uintptr_t)0x200000;
	const struct numa_range whole = { start, 10 * 4096 + 100 };

	(void)state;
	for (uint64_t i = 0; i < 4; i++) {
		struct numa_range slice = numa_slice(whole, i, 4, 4096);

		assert_ptr_equal(slice.start, start + 4096 * begins[i]);
		assert_int_equal(slice.bytes, 4096 * (ends[i] - begins[i]) + (i == 3 ? 100 : 0));
	}
}

/* 1000 words, task 1 of 4, round 3 of 10: 250 + 3 x 100; task 3, round 9: 750 + 900 - 1000. 1 + 3 is even: down. */
static void test_numa_walks_start_apart_and_turn(void **state)
{
	struct numa_walk walk = { .order = ORDER_BOTH };

	(void)state;
	numa_walk_set(&walk, 1000, 1, 4, 3, 10);
	assert_int_equal(walk.start, 550);
	assert_true(walk.back);
	numa_walk_set(&walk, 1000, 3, 4, 9, 10);
	assert_int_equal(walk.start, 650);
	assert_true(walk.back);
	numa_walk_set(&walk, 1000, 3, 4, 8, 10);
	assert_false(walk.back);
	numa_walk_set(&walk, 1000, 1, 4, 3, NUMA_ROUNDS_EVER);
	assert_int_equal(walk.start, 250);
	walk.order = ORDER_FORWARD;
	numa_walk_set(&walk, 1000, 0, 4, 0, 10);
	assert_false(walk.back);
}

static struct numa_range words_of(uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		words[i] = i + 1;
	return (struct numa_range){ (unsigned char *)words, n * sizeof(*words) };
}

/* Each word is met once, whatever the start and the direction: 1 + ... + 100 is 5050. */
static void test_numa_access_reads_every_word_once(void **state)
{
	uint64_t words[100];
	const struct numa_range range = words_of(words, 100);

	(void)state;
	for (uint64_t start = 0; start < 100; start += 33)
		for (int back = 0; back < 2; back++) {
			const struct numa_walk walk = { .access = ACCESS_READ,
							.order = ORDER_BOTH,
							.start = start,
							.back = back };

			assert_int_equal(numa_access(range, &walk, 7), 5057);
		}
}

/* From 0 on, update makes each word the sum before it and itself and 1: 1, 2, 3 become 2, 4, 7; downwards 7, 6, 4. */
static void test_numa_access_updates_depend_on_what_was_read(void **state)
{
	uint64_t words[3];
	const struct numa_range range = words_of(words, 3);
	struct numa_walk walk = { .access = ACCESS_UPDATE, .order = ORDER_BOTH };

	(void)state;
	assert_int_equal(numa_access(range, &walk, 0), 6);
	assert_int_equal(words[0], 2);
	assert_int_equal(words[1], 4);
	assert_int_equal(words[2], 7);
	words_of(words, 3);
	walk.back = true;
	assert_int_equal(numa_access(range, &walk, 0), 6);
	assert_int_equal(words[2], 4);
	assert_int_equal(words[1], 6);
	assert_int_equal(words[0], 7);
}

static void test_numa_access_clears_all_and_nothing_else(void **state)
{
	uint64_t words[203];

	(void)state;
	for (int access = ACCESS_ZERO; access <= ACCESS_STREAM; access++) {
		const struct numa_walk walk = { .access = access, .order = ORDER_FORWARD };

		words_of(words, 203);
		numa_access((struct numa_range){ (unsigned char *)&words[1], 201 * 8 }, &walk, 0);
		assert_int_equal(words[0], 1);
		for (int i = 1; i < 202; i++)
			assert_int_equal(words[i], 0);
		assert_int_equal(words[202], 203);
	}
}

/* As many words as there are, in pieces of 1024 or less at the end; the same seed makes the same way. */
static void test_numa_access_at_random_stays_inside_and_repeats(void **state)
{
	static uint64_t words[5000];
	struct numa_walk walk = { .access = ACCESS_READ, .order = ORDER_RANDOM, .seed = 1 };
	const struct numa_range range = words_of(words, 5000);
	uint64_t first = numa_access(range, &walk, 0);

	(void)state;
	assert_true(first > 0);
	assert_int_equal(numa_access(range, &walk, 0), first);
	walk.stream = 1;
	assert_int_not_equal(numa_access(range, &walk, 0), first);
}

static void test_numa_memory_is_aligned_and_its_words_differ(void **state)
{
	struct numa_range range = { 0 };
	struct error err = { 0 };
	uint64_t *words;

	(void)state;
	assert_int_equal(numa_map(&range, 3 * 4096, false, THP_SYSTEM, "test", &err), 0);
	assert_int_equal((uintptr_t)range.start % (2 * MIB), 0);
	assert_int_equal(range.bytes, 3 * 4096);
	numa_fill(range, 1, 0);
	words = (uint64_t *)(void *)range.start;
	for (size_t i = 1; i < range.bytes / 8; i++)
		assert_int_equal(words[i], words[0] + i);
	assert_int_equal(numa_map(&range, UINT64_C(1) << 50, false, THP_SYSTEM, "test", &err),
			 -ENOMEM);
}

static void assert_prints(struct numa_cfg *cfg, const struct result *result, const char *text)
{
	struct strbuf sb = { 0 };

	numa_original(result, cfg, &sb);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static void add(struct result *result, const char *name, double value)
{
	const struct metric row = { name, UNIT_NS, BETTER_LOWER, "" };

	result_add_metric(result, &row, value);
}

/* time -f %e cuts. */
static void test_numa_original_of_autonuma_benchmark(void **state)
{
	struct numa_cfg cfg = { 0 };
	struct result result = { .workload = xstrdup("numa") };

	(void)state;
	add(&result, "time", 123459999999.0);
	assert_prints(&cfg, &result, "numa01\n123.45\n");
	cfg.test = NUMA01_THREAD_LOCAL;
	assert_prints(&cfg, &result, "numa01_THREAD_ALLOC\n123.45\n");
	cfg.test = NUMA02;
	cfg.bind = BIND_INVERSE;
	assert_prints(&cfg, &result, "numa02_INVERSE_BIND\n123.45\n");
	cfg.test = NUMA02_SMT;
	cfg.bind = BIND_HARD;
	assert_prints(&cfg, &result, "numa02_SMT_HARD_BIND\n123.45\n");
	cfg = (struct numa_cfg){ .first = (char *)"1" };
	assert_prints(&cfg, &result, "numa01_NO_BIND_FORCE_SAME_NODE\n123.45\n");
	result_release(&result);
}

/*
 * Lines as perf 6.1 printed them for perf bench numa mem -p 1 -t 2 -P 64 -l 5 with the sizes spelled out; figures by its
 * rules from 2.5 s, 1.9 s (the quickest), 2.25 s (mean) and 2 GB: (2.5 - 1) / 2 / 2.5 = 30 %, 2.5 s / 1 GB = 2.5 ns a byte.
 */
static void test_numa_original_of_perf(void **state)
{
	struct numa_cfg cfg = { .test = PERF_MEM,
				.rounds = 5,
				.limit_ns = 5000000000,
				.size_bytes = 64 * MIB,
				.global_size_bytes = MIB };
	struct result result = { .workload = xstrdup("numa") };

	(void)state;
	add(&result, "time", 2.5e9);
	add(&result, "finish-min", 1.9e9);
	add(&result, "finish-mean", 2.25e9);
	add(&result, "setup", 213807000);
	result_add_counter(&result, "bytes", UNIT_BYTES, 2e9, 1);
	result_add_counter(&result, "nodes", UNIT_COUNT, 1, 1);
	result_add_counter(&result, "cpus", UNIT_COUNT, 2, 1);
	result_add_counter(&result, "processes", UNIT_COUNT, 1, 1);
	result_add_counter(&result, "threads", UNIT_COUNT, 2, 1);
	assert_prints(
		&cfg, &result,
		"# Running 'numa/mem' benchmark:\n"
		"\n"
		" # Running main, \"perf bench numa numa-mem -p 1 -t 2 -G 1 -P 64 -T 0 -l 5 -s "
		"5\"\n"
		"#\n"
		"#\n"
		"\n"
		" ###\n"
		" # 2 tasks will execute (on 1 nodes, 2 CPUs):\n"
		" #          5x     1MB global  shared mem operations\n"
		" #          5x    64MB process shared mem operations\n"
		" #          5x     0MB thread  local  mem operations\n"
		" ###\n"
		"\n"
		" ###\n"
		" #\n"
		" # Startup synchronization: ... threads initialized in 0.213807 seconds.\n"
		" #\n"
		"\n"
		" ###\n"
		"\n"
		" main,                                    2.500, secs,           "
		"runtime-max/thread\n"
		" main,                                    1.000, secs,           "
		"runtime-min/thread\n"
		" main,                                    2.250, secs,           "
		"runtime-avg/thread\n"
		" main,                                   30.000, %,              "
		"spread-runtime/thread\n"
		" main,                                    1.000, GB,             data/thread\n"
		" main,                                    2.000, GB,             data-total\n"
		" main,                                    2.500, nsecs,          "
		"runtime/byte/thread\n"
		" main,                                    0.400, GB/sec,         thread-speed\n"
		" main,                                    0.800, GB/sec,         total-speed\n");
	result_release(&result);
}

static void test_numa_check_judges_the_text(void **state)
{
	const struct workload *workload = workload_find("numa");
	struct numa_cfg cfg = { .bind = BIND_HARD, .first = (char *)"0" };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(workload->check(&cfg, &err), -EINVAL);
	assert_string_equal(err.text, "first: only with bind=free");
	cfg.bind = BIND_FREE;
	assert_int_equal(workload->check(&cfg, &err), 0);
	cfg.order = ORDER_BOTH;
	assert_int_equal(workload->check(&cfg, &err), -EINVAL);
	cfg.access = ACCESS_WRITE;
	assert_int_equal(workload->check(&cfg, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numa_plan_has_the_numbers_of_the_originals),
		cmocka_unit_test(test_numa_plan_of_a_small_machine_has_one_of_each_at_least),
		cmocka_unit_test(test_numa_plan_of_perf_has_its_defaults),
		cmocka_unit_test(test_numa_plan_takes_what_is_given),
		cmocka_unit_test(test_numa_plan_refuses_what_cannot_be),
		cmocka_unit_test(test_numa_first_is_free_or_a_node),
		cmocka_unit_test(test_numa_slices_are_whole_pages_and_all_of_them),
		cmocka_unit_test(test_numa_walks_start_apart_and_turn),
		cmocka_unit_test(test_numa_access_reads_every_word_once),
		cmocka_unit_test(test_numa_access_updates_depend_on_what_was_read),
		cmocka_unit_test(test_numa_access_clears_all_and_nothing_else),
		cmocka_unit_test(test_numa_access_at_random_stays_inside_and_repeats),
		cmocka_unit_test(test_numa_memory_is_aligned_and_its_words_differ),
		cmocka_unit_test(test_numa_original_of_autonuma_benchmark),
		cmocka_unit_test(test_numa_original_of_perf),
		cmocka_unit_test(test_numa_check_judges_the_text),
	};

	return cmocka_run_group_tests_name("workload/numa", tests, NULL, NULL);
}
