// SPDX-License-Identifier: GPL-2.0-only
#include "workload/schbench.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

extern const struct workload workload_schbench;

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

/* The defaults, and then "key=value" words. */
static struct schbench_cfg *configure(const char *const *words)
{
	struct schbench_cfg *cfg = xcalloc(1, sizeof(*cfg));

	opts_init(workload_schbench.opts, cfg);
	for (; *words; words++) {
		const char *equals = strchr(*words, '=');
		char *key = xstrndup(*words, (size_t)(equals - *words));

		assert_int_equal(opts_set(workload_schbench.opts, cfg, key, equals + 1, NULL), 0);
		free(key);
	}
	return cfg;
}

static void drop(struct schbench_cfg *cfg)
{
	opts_release(workload_schbench.opts, cfg);
	free(cfg);
}

static int plan_of(struct schbench_plan *plan, const char *const *words, struct error *err)
{
	struct schbench_cfg *cfg = configure(words);
	int ret = schbench_plan_init(plan, cfg, 5, err);

	drop(cfg);
	return ret;
}

#define WORDS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* The table of generations in doc/workloads/schbench.md: what each does without a parameter. */
static void test_plan_init_has_each_generations_defaults(void **state)
{
	struct schbench_plan plan;

	(void)state;
	assert_int_equal(plan_of(&plan, WORDS("gen=A"), NULL), 0);
	assert_int_equal(plan.messengers, 2);
	assert_int_equal(plan.threads, 16);
	assert_true(plan.work_first && plan.work == WORK_SPIN && !plan.lock);
	assert_int_equal(plan.sleep_ns, 30 * MS);
	assert_int_equal(plan.message_think_ns, 0);
	assert_int_equal(plan.warmup_ns, 0);
	assert_int_equal(plan_of(&plan, WORDS("gen=B"), NULL), 0);
	assert_true(!plan.work_first && plan.work == WORK_SPIN);
	assert_int_equal(plan.message_think_ns, 30 * MS);
	assert_int_equal(plan.think_ns, 30 * MS);
	assert_int_equal(plan.warmup_ns, 5 * S);
	assert_int_equal(plan.queue, 8);
	assert_int_equal(plan.nap_ns, 0);
	assert_int_equal(plan_of(&plan, WORDS("gen=D"), NULL), 0);
	assert_int_equal(plan.messengers, 1);
	assert_int_equal(plan.threads, 5);
	assert_true(plan.lock && plan.work == WORK_MATRIX && plan.nap_counts);
	assert_int_equal(plan.sleep_ns + plan.message_think_ns + plan.think_ns, 0);
	assert_int_equal(plan.nap_ns, 100000);
	assert_int_equal(plan.operations, 5);
}

/* 256 KiB / 3 / 8 bytes = 10922.7 = 104.5^2; 6 MiB / 24 = 262144 = 512^2. 5 CPUs for 2 message threads: 3 each. */
static void test_plan_init_derives_sides_and_threads(void **state)
{
	struct schbench_plan plan;

	(void)state;
	assert_int_equal(plan_of(&plan, WORDS("messengers=2"), NULL), 0);
	assert_int_equal(plan.side, 104);
	assert_int_equal(plan.threads, 3);
	assert_int_equal(plan_of(&plan, WORDS("gen=C", "work=matrix"), NULL), 0);
	assert_int_equal(plan.side, 512);
	assert_int_equal(plan.think_ns, 0);
	assert_int_equal(plan_of(&plan, WORDS("pipe=4KiB", "gen=B"), NULL), 0);
	assert_int_equal(plan.sleep_ns + plan.message_think_ns + plan.think_ns, 0);
	assert_int_equal(plan.work, WORK_NONE);
	assert_int_equal(plan_of(&plan, WORDS("gen=B", "warmup=250ms", "message-think=0ms"), NULL),
			 0);
	assert_int_equal(plan.warmup_ns, 250 * MS);
	assert_int_equal(plan.message_think_ns, 0);
	assert_int_equal(plan_of(&plan, WORDS("auto-rps=50", "gen=A"), NULL), 0);
	assert_int_equal(plan.rps, 10);
	assert_int_equal(plan.arrivals, REQUESTS_BATCH);
	assert_false(plan.work_first);
}

static void assert_refused(const char *const *words, const char *reason)
{
	struct schbench_plan plan;
	struct error err = { 0 };

	assert_true(plan_of(&plan, words, &err) < 0);
	assert_non_null(strstr(err.text, reason));
	schbench_plan_release(&plan);
}

static void test_plan_init_refuses_what_makes_no_sense(void **state)
{
	(void)state;
	assert_refused(WORDS("pipe=1", "rps=10"), "pipe: excludes rps");
	assert_refused(WORDS("gen=B", "calibrate=yes"), "calibrate: only generation D");
	assert_refused(WORDS("warmup=soon"), "warmup");
	assert_refused(WORDS("warmup=25h"), "warmup: '25h' is more than a day");
	assert_refused(WORDS("worker-cpus=x"), "worker-cpus");
	assert_refused(WORDS("message-cpus="), "message-cpus");
	assert_refused(WORDS("message-cpus=auto", "worker-cpus=1"), "worker-cpus");
}

static void assert_due(struct arrivals *arrivals, uint64_t due_ns, int n)
{
	for (int i = 0; i < n; i++)
		assert_int_equal(arrivals_next(arrivals), due_ns);
}

/* 2/3 of 16 workers are 10; 100 a second are 10 batches: every 100 ms. 2/3 of one worker is none, so it is one. */
static void test_requests_in_batches(void **state)
{
	struct schbench_plan plan = { .arrivals = REQUESTS_BATCH, .messengers = 1, .threads = 16 };
	struct arrivals arrivals;

	(void)state;
	schbench_requests(&arrivals, &plan, 0, 100);
	assert_due(&arrivals, 0, 10);
	assert_due(&arrivals, 100 * MS, 10);
	assert_due(&arrivals, 200 * MS, 10);
	plan.threads = 1;
	schbench_requests(&arrivals, &plan, 0, 40);
	assert_due(&arrivals, 0, 1);
	assert_due(&arrivals, 25 * MS, 1);
}

/* One by one, two message threads of 5 a second each take turns: the second one is 100 ms later. */
static void test_requests_in_bursts_and_evenly(void **state)
{
	struct schbench_plan plan = { .arrivals = REQUESTS_BURST, .messengers = 2, .threads = 16 };
	struct arrivals arrivals;

	(void)state;
	schbench_requests(&arrivals, &plan, 1, 3);
	assert_due(&arrivals, 0, 3);
	assert_due(&arrivals, S, 3);
	plan.arrivals = REQUESTS_UNIFORM;
	schbench_requests(&arrivals, &plan, 1, 5);
	assert_due(&arrivals, 100 * MS, 1);
	assert_due(&arrivals, 300 * MS, 1);
	assert_due(&arrivals, 500 * MS, 1);
}

/* In proportion, but at most twice or half; a step that rounds to none is one; never none at all. */
static void test_next_rps_goes_for_the_goal(void **state)
{
	(void)state;
	assert_int_equal(schbench_next_rps(100, 40, 50), 125);
	assert_int_equal(schbench_next_rps(100, 10, 50), 200);
	assert_int_equal(schbench_next_rps(100, 0, 50), 200);
	assert_int_equal(schbench_next_rps(100, 99, 20), 50);
	assert_int_equal(schbench_next_rps(10, 51, 50), 9);
	assert_int_equal(schbench_next_rps(10, 49, 50), 11);
	assert_int_equal(schbench_next_rps(1, 100, 50), 1);
	assert_int_equal(schbench_next_rps(10000000, 1, 50), 10000000);
}

/* user nice system idle iowait irq softirq steal guest guest_nice: of 36, 4 + 5 are idle. */
static void test_parse_stat_leaves_out_idle_and_iowait(void **state)
{
	uint64_t busy, all;

	(void)state;
	assert_int_equal(schbench_parse_stat("cpu  1 2 3 4 5 6 7 8 9 10", &busy, &all), 0);
	assert_int_equal(all, 36);
	assert_int_equal(busy, 27);
	assert_int_equal(schbench_parse_stat("cpu  1 2 3", &busy, &all), -EINVAL);
	assert_int_equal(schbench_parse_stat("cpu0 1 2 3 4 5 6 7 8", &busy, &all), -EINVAL);
	assert_int_equal(schbench_parse_stat(NULL, &busy, &all), -EINVAL);
}

/* (0 1, 2 3) (4 5, 6 7) = (6 7, 26 31) */
static void test_work_do_multiplies_matrices(void **state)
{
	struct schbench_work work = { .kind = WORK_MATRIX, .operations = 3, .side = 2 };
	struct schbench_end end = { .until_ns = UINT64_MAX };
	static const uint64_t product[] = { 6, 7, 26, 31 };
	uint64_t matrices[12];

	(void)state;
	schbench_work_fill(matrices, 2);
	assert_true(schbench_work_do(&work, matrices, &end));
	assert_memory_equal(matrices + 8, product, sizeof(product));
	assert_int_equal(schbench_work_matrices(2), 128);
	assert_int_equal(schbench_work_matrices(104), 259584); /* 3 * 104^2 * 8, whole lines */
}

static void test_work_do_ends_when_its_time_is_over(void **state)
{
	struct schbench_work work = { .kind = WORK_SPIN, .think_ns = UINT64_MAX / 4 };
	struct schbench_end end = { .until_ns = 1 };

	(void)state;
	assert_false(schbench_work_do(&work, NULL, &end)); /* CLOCK_MONOTONIC is above 1 */
	assert_true(schbench_is_over(&end));
	end = (struct schbench_end){ .until_ns = 100 };
	assert_false(schbench_look(&end, 99));
	assert_false(schbench_is_over(&end));
	assert_true(schbench_look(&end, 100));
	assert_true(schbench_is_over(&end));
}

static void add_samples(struct result *result, const char *name, unsigned int n[3])
{
	static const uint64_t values[] = { 10000, 100000, 2000000 };
	struct histogram *h = xcalloc(1, sizeof(*h));

	for (int i = 0; i < 3; i++)
		for (unsigned int k = 0; k < n[i]; k++)
			histogram_add(h, values[i]);
	result_add_histogram(result, metric_find(workload_schbench.histograms, name), h);
	free(h);
}

static void assert_original(const struct result *result, const char *const *words,
			    const char *expected)
{
	struct schbench_cfg *cfg = configure(words);
	struct strbuf sb = { 0 };

	schbench_original(result, cfg, &sb);
	assert_string_equal(sb.s, expected);
	strbuf_release(&sb);
	drop(cfg);
}

static void add_figure(struct result *result, const char *name, double value)
{
	const struct metric *row = metric_find(workload_schbench.metrics, name);

	if (row->better == BETTER_NONE)
		result_add_counter(result, name, row->unit, value, 1);
	else
		result_add_metric(result, row, value);
}

/*
 * 1000 samples: ranks 1 .. 500 are 10 us, .. 990 are 100 us, the rest 2 ms. 2000000 lies in the bucket 1998848 ..
 * 2000895 with the middle 1999871, so 1999 us; the maximum is exact.
 */
static void test_original_prints_old_tables(void **state)
{
	struct result result = { .workload = xstrdup("schbench") };

	(void)state;
	add_samples(&result, "wakeup", (unsigned int[]){ 500, 490, 10 });
	assert_original(&result, WORDS("gen=B", "runtime=5s"),
			"Latency percentiles (usec) runtime 5 (s) (1000 total samples)\n"
			"\t50.0th: 10 (500 samples)\n"
			"\t75.0th: 100 (490 samples)\n"
			"\t90.0th: 100 (0 samples)\n"
			"\t95.0th: 100 (0 samples)\n"
			"\t*99.0th: 100 (0 samples)\n"
			"\t99.5th: 1999 (10 samples)\n"
			"\t99.9th: 1999 (0 samples)\n"
			"\tmin=10, max=2000\n");
	assert_original(&result, WORDS("gen=A", "runtime=5s"),
			"Latency percentiles (usec)\n"
			"\t50.0th: 10\n"
			"\t75.0th: 100\n"
			"\t90.0th: 100\n"
			"\t95.0th: 100\n"
			"\t*99.0th: 100\n"
			"\t99.5th: 1999\n"
			"\t99.9th: 1999\n"
			"\tmin=10, max=2000\n");
	result_release(&result);
}

/* 100 us of 30 ms are 0.33 %; 2 message threads are told of one. */
static void test_original_of_generation_c_is_until_the_work_is_done(void **state)
{
	struct result result = { .workload = xstrdup("schbench") };

	(void)state;
	add_samples(&result, "wakeup", (unsigned int[]){ 7, 0, 0 });
	add_samples(&result, "response", (unsigned int[]){ 1, 3, 0 });
	add_figure(&result, "rps", 33);
	add_figure(&result, "goal-rps", 80);
	assert_original(
		&result, WORDS("gen=C", "runtime=2s", "rps=40"),
		"final rps was 40\n"
		"Latency percentiles (usec) runtime 2 (s) (4 total samples)\n"
		"\t  50.0th: 100        (4 samples)\n"
		"\t  75.0th: 100        (0 samples)\n"
		"\t  90.0th: 100        (0 samples)\n"
		"\t  95.0th: 100        (0 samples)\n"
		"\t* 99.0th: 100        (0 samples)\n"
		"\t  99.5th: 100        (0 samples)\n"
		"\t  99.9th: 100        (0 samples)\n"
		"\t  min=10, max=100\n"
		"rps: 33.00 p95 (usec) 100 p99 (usec) 100 p95/cputime 0.33% p99/cputime 0.33%\n");
	result_release(&result);
}

/* The highest rank is the maximum, which is exact. */
static void test_original_prints_new_tables(void **state)
{
	struct result result = { .workload = xstrdup("schbench") };
	struct histogram *rps = xcalloc(1, sizeof(*rps));

	(void)state;
	add_samples(&result, "wakeup", (unsigned int[]){ 2, 0, 0 });
	add_samples(&result, "request", (unsigned int[]){ 0, 1, 1 });
	for (uint64_t i = 550; i < 553; i++)
		histogram_add(rps, i);
	result_add_histogram(&result, metric_find(workload_schbench.histograms, "rps"), rps);
	free(rps);
	add_figure(&result, "rps", 559.8);
	add_figure(&result, "message-delay", 3000);
	add_figure(&result, "worker-delay", 10759000);
	add_figure(&result, "workers", 2);
	assert_original(&result, WORDS("runtime=5s"),
			"setting worker threads to 2\n"
			"Wakeup Latencies percentiles (usec) runtime 5 (s) (2 total samples)\n"
			"\t  50.0th: 10         (2 samples)\n"
			"\t  90.0th: 10         (0 samples)\n"
			"\t* 99.0th: 10         (0 samples)\n"
			"\t  99.9th: 10         (0 samples)\n"
			"\t  min=10, max=10\n"
			"Request Latencies percentiles (usec) runtime 5 (s) (2 total samples)\n"
			"\t  50.0th: 100        (1 samples)\n"
			"\t  90.0th: 2000       (1 samples)\n"
			"\t* 99.0th: 2000       (0 samples)\n"
			"\t  99.9th: 2000       (0 samples)\n"
			"\t  min=100, max=2000\n"
			"RPS percentiles (requests) runtime 5 (s) (3 total samples)\n"
			"\t  20.0th: 550        (1 samples)\n"
			"\t* 50.0th: 551        (1 samples)\n"
			"\t  90.0th: 552        (1 samples)\n"
			"\t  min=550, max=552\n"
			"average rps: 559.80\n"
			"sched delay: message 3 (usec) worker 10759 (usec)\n");
	result_release(&result);
}

/* As a run printed it: 51845.38 x 4096 bytes are 202.52 MiB. Of two workers, so twice as many in all. */
static void test_original_prints_what_a_worker_transferred(void **state)
{
	struct result result = { .workload = xstrdup("schbench") };

	(void)state;
	add_samples(&result, "wakeup", (unsigned int[]){ 1, 0, 0 });
	add_figure(&result, "rps", 103690.76);
	add_figure(&result, "workers", 2);
	assert_original(&result, WORDS("threads=2", "runtime=2s", "pipe=4KiB"),
			"Wakeup Latencies percentiles (usec) runtime 2 (s) (1 total samples)\n"
			"\t  20.0th: 10         (1 samples)\n"
			"\t  50.0th: 10         (0 samples)\n"
			"\t  90.0th: 10         (0 samples)\n"
			"\t* 99.0th: 10         (0 samples)\n"
			"\t  99.9th: 10         (0 samples)\n"
			"\t  min=10, max=10\n"
			"avg worker transfer: 51845.38 ops/sec 202.52MB/s\n");
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_init_has_each_generations_defaults),
		cmocka_unit_test(test_plan_init_derives_sides_and_threads),
		cmocka_unit_test(test_plan_init_refuses_what_makes_no_sense),
		cmocka_unit_test(test_requests_in_batches),
		cmocka_unit_test(test_requests_in_bursts_and_evenly),
		cmocka_unit_test(test_next_rps_goes_for_the_goal),
		cmocka_unit_test(test_parse_stat_leaves_out_idle_and_iowait),
		cmocka_unit_test(test_work_do_multiplies_matrices),
		cmocka_unit_test(test_work_do_ends_when_its_time_is_over),
		cmocka_unit_test(test_original_prints_old_tables),
		cmocka_unit_test(test_original_of_generation_c_is_until_the_work_is_done),
		cmocka_unit_test(test_original_prints_new_tables),
		cmocka_unit_test(test_original_prints_what_a_worker_transferred),
	};

	return cmocka_run_group_tests_name("workload/schbench", tests, NULL, NULL);
}
