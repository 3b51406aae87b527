// SPDX-License-Identifier: GPL-2.0-only
#include "workload/oltp.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

extern const struct workload workload_oltp;

/*
 * Three rows, skew 1: weights 1, 1/2, 1/3, so shares 6/11, 3/11, 2/11. The k-th lies at k x 2654435761 mod 3, and
 * 2654435761 = 3 x 884811920 + 1: where it is. Of 100,000 draws the standard error is at most 0.0016.
 */
static void test_oltp_keys_follow_the_skew(void **state)
{
	struct oltp_keys keys;
	double n[3] = { 0 };
	struct rng rng;

	(void)state;
	oltp_keys_init(&keys, 3, 1);
	rng_seed(&rng, 1, "test", 0);
	for (int i = 0; i < 100000; i++)
		n[oltp_keys_draw(&keys, &rng)]++;
	assert_near(n[0] / 1e5, 6.0 / 11, 0.0064);
	assert_near(n[1] / 1e5, 3.0 / 11, 0.0064);
	assert_near(n[2] / 1e5, 2.0 / 11, 0.0064);
	oltp_keys_release(&keys);
}

/* Skew 0: of 1000 rows each is drawn 100 times of 100,000, and scattering them leaves none out. */
static void test_oltp_keys_without_skew_are_all_the_same(void **state)
{
	unsigned int n[1000] = { 0 };
	struct oltp_keys keys;
	struct rng rng;

	(void)state;
	oltp_keys_init(&keys, 1000, 0);
	rng_seed(&rng, 1, "test", 0);
	for (int i = 0; i < 100000; i++)
		n[oltp_keys_draw(&keys, &rng)]++;
	for (int i = 0; i < 1000; i++)
		assert_in_range(n[i], 50, 160);
	oltp_keys_release(&keys);
}

static void test_oltp_tx_writes_ascend_and_ranges_fit(void **state)
{
	struct oltp_keys keys;
	struct oltp_tx tx;
	struct rng rng;

	(void)state;
	oltp_keys_init(&keys, 150, 3);
	rng_seed(&rng, 1, "test", 0);
	for (int i = 0; i < 10000; i++) {
		oltp_tx_draw(&tx, &keys, &rng);
		assert_true(tx.writes[0] < tx.writes[1] && tx.writes[1] < tx.writes[2]);
		assert_true(tx.writes[2] < 150);
		for (int r = 0; r < OLTP_RANGES; r++)
			assert_true(tx.ranges[r] + OLTP_RANGE_ROWS <= 150);
	}
	oltp_keys_release(&keys);
}

/* Counted time is 100 .. 200: a transaction counts by when it ended, a latency by when it was due. */
static void test_oltp_count_counts_in_the_window(void **state)
{
	struct oltp oltp = { .window = { .count_ns = 100, .end_ns = 200 } };
	struct oltp_client client = { .oltp = &oltp,
				      .latency = xcalloc(1, sizeof(struct histogram)) };

	(void)state;
	oltp_count(&client, 10, 60);
	oltp_count(&client, 90, 110);
	oltp_count(&client, 110, 140);
	oltp_count(&client, 190, 260);
	assert_int_equal(client.all, 4);
	assert_int_equal(client.done, 2);
	assert_int_equal(client.latency->count, 2);
	assert_int_equal(client.busy_ns, 100);
	free(client.latency);
}

/*
 * Two clients, 4 transactions of 1, 2, 3 and 4 ms in 2 s: 2 a second; mean 2.5 ms, the 95th of 100 is the fourth of
 * 4, sum 10 ms, 5 ms each. The form is that of sysbench 1.0.20 on PostgreSQL with --rand-seed=7.
 */
static void test_oltp_original_is_what_sysbench_prints(void **state)
{
	struct oltp_cfg cfg = { .clients = 2, .time_ns = 2000000000, .seed = 7 };
	struct histogram *h = xcalloc(1, sizeof(*h));
	struct run run = { .workload = &workload_oltp };
	struct strbuf sb = { 0 };

	(void)state;
	for (uint64_t ms = 1; ms <= 4; ms++)
		histogram_add(h, ms * 1000000);
	run_histogram(&run, "latency", h);
	run_sample(&run, "total", 4);
	run_sample(&run, "client-events-stddev", 1);
	run_sample(&run, "client-time-stddev", 2e7);
	oltp_original(&run.result, &cfg, &sb);
	assert_string_equal(sb.s,
			    "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n"
			    "\n"
			    "Running the test with following options:\n"
			    "Number of threads: 2\n"
			    "Initializing random number generator from seed (7).\n"
			    "\n"
			    "\n"
			    "Initializing worker threads...\n"
			    "\n"
			    "Threads started!\n"
			    "\n"
			    "SQL statistics:\n"
			    "    queries performed:\n"
			    "        read:                            56\n"
			    "        write:                           16\n"
			    "        other:                           8\n"
			    "        total:                           80\n"
			    "    transactions:                        4      (2.00 per sec.)\n"
			    "    queries:                             80     (40.00 per sec.)\n"
			    "    ignored errors:                      0      (0.00 per sec.)\n"
			    "    reconnects:                          0      (0.00 per sec.)\n"
			    "\n"
			    "General statistics:\n"
			    "    total time:                          2.0000s\n"
			    "    total number of events:              4\n"
			    "\n"
			    "Latency (ms):\n"
			    "         min:                                    1.00\n"
			    "         avg:                                    2.50\n"
			    "         max:                                    4.00\n"
			    "        95th percentile:                        4.00\n"
			    "         sum:                                   10.00\n"
			    "\n"
			    "Threads fairness:\n"
			    "    events (avg/stddev):           2.0000/1.00\n"
			    "    execution time (avg/stddev):   0.0050/0.02\n"
			    "\n");
	strbuf_release(&sb);
	result_release(&run.result);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_oltp_keys_follow_the_skew),
		cmocka_unit_test(test_oltp_keys_without_skew_are_all_the_same),
		cmocka_unit_test(test_oltp_tx_writes_ascend_and_ranges_fit),
		cmocka_unit_test(test_oltp_count_counts_in_the_window),
		cmocka_unit_test(test_oltp_original_is_what_sysbench_prints),
	};

	return cmocka_run_group_tests_name("workload/oltp", tests, NULL, NULL);
}
