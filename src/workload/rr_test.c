// SPDX-License-Identifier: GPL-2.0-only
#include "workload/rr.h"

#include "base/mem.h"
#include "workload/run.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

extern const struct workload workload_rr;

/*
 * tbench's file holds 458,000 requests, 39,502 of them writes of 25,719.6 bytes on average and 124,199 reads of 11,852.7
 * (counted with awk). Of 16384 steps that is 0.0862 and 0.2711 of those that the table has (458,344 less 3 that it
 * leaves out and 3 lines that are no request).
 */
static void test_rr_script_has_the_shares_of_tbench(void **state)
{
	struct rr_cfg cfg = { .flavor = RR_TBENCH, .seed = 1 };
	struct rr_script script;
	double writes = 0, reads = 0, written = 0, read = 0;

	(void)state;
	rr_script_init(&script, &cfg);
	for (size_t i = 0; i < script.nr; i++) {
		const struct rr_step *step = &script.steps[i];

		if (!strcmp(rr_op_name(step->op), "WriteX")) {
			writes++;
			written += step->payload;
			assert_int_equal(step->request, step->payload + 59);
		}
		if (!strcmp(rr_op_name(step->op), "ReadX")) {
			reads++;
			read += step->payload;
			assert_int_equal(step->response, step->payload + 59);
		}
	}
	assert_near(writes / (double)script.nr, 39502.0 / 458341, 0.0003);
	assert_near(reads / (double)script.nr, 124199.0 / 458341, 0.0003);
	assert_near(written / writes, 25719.6, 100);
	assert_near(read / reads, 11852.7, 100);
	assert_int_equal(script.longest, 65536 + 59);
	rr_script_release(&script);
}

static void test_rr_script_order_is_the_seeds(void **state)
{
	struct rr_cfg cfg = { .flavor = RR_TBENCH, .seed = 1 };
	struct rr_script a, b, c;

	(void)state;
	rr_script_init(&a, &cfg);
	rr_script_init(&b, &cfg);
	cfg.seed = 2;
	rr_script_init(&c, &cfg);
	assert_memory_equal(a.steps, b.steps, a.nr * sizeof(*a.steps));
	assert_int_not_equal(memcmp(a.steps, c.steps, a.nr * sizeof(*a.steps)), 0);
	rr_script_release(&a);
	rr_script_release(&b);
	rr_script_release(&c);
}

/* Counted time is 100 .. 200: an answer counts by when it came, a latency by when the request was due. */
static void test_rr_tally_counts_in_the_window(void **state)
{
	struct rr_window window = { .start_ns = 0, .count_ns = 100, .end_ns = 200 };
	struct rr_step step = { .payload = 10, .op = 2 };
	struct rr_tally tally = { 0 };
	struct rr_pair pair = { .window = &window,
				.tally = &tally,
				.latency = xcalloc(1, sizeof(struct histogram)) };

	(void)state;
	rr_tally_add(&pair, &step, 10, 60);   /* neither */
	rr_tally_add(&pair, &step, 90, 110);  /* came in time: done, but due in the warm-up */
	rr_tally_add(&pair, &step, 110, 140); /* both */
	rr_tally_add(&pair, &step, 190, 260); /* due in time, came after the end */
	assert_int_equal(tally.done, 2);
	assert_int_equal(tally.payload, 20);
	assert_int_equal(pair.latency->count, 2);
	assert_int_equal(pair.latency->max, 70);
	assert_int_equal(tally.ops[2].count, 2);
	assert_int_equal(tally.ops[2].sum_ns, 100);
	assert_int_equal(tally.ops[2].max_ns, 70);
	free(pair.latency);
}

/* 10, 20 and 30: the mean is 20, the least has half of it. */
static void test_rr_fairness_is_the_least_of_the_mean(void **state)
{
	struct rr_tally tallies[3] = { { .done = 20 }, { .done = 10 }, { .done = 30 } };

	(void)state;
	assert_near(rr_fairness(tallies, 3), 50, 1e-9);
	tallies[1].done = 0;
	assert_near(rr_fairness(tallies, 3), 0, 0);
	assert_near(rr_fairness(&tallies[1], 1), 100, 0);
}

static void add(struct run *run, const char *name, double value)
{
	run_sample(run, name, value);
}

/* As netperf 2.7 prints a TCP_RR of 100 bytes each way (its banner with the usual build's "first burst 0"). */
static void test_rr_original_is_what_netperf_prints(void **state)
{
	struct rr_cfg cfg = { .request_bytes = 100, .response_bytes = 100, .time_ns = 1000000000 };
	struct run run = { .workload = &workload_rr };
	struct strbuf sb = { 0 };

	(void)state;
	add(&run, "transactions", 15988.034);
	add(&run, "send-buffer", 16384);
	add(&run, "receive-buffer", 131072);
	rr_original(&run.result, &cfg, &sb);
	assert_string_equal(
		sb.s, "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to "
		      "127.0.0.1 () port 0 AF_INET : first burst 0\n"
		      "Local /Remote\n"
		      "Socket Size   Request  Resp.   Elapsed  Trans.\n"
		      "Send   Recv   Size     Size    Time     Rate         \n"
		      "bytes  Bytes  bytes    bytes   secs.    per sec   \n"
		      "\n"
		      "16384  131072 100      100     1.00     15988.03   \n"
		      "16384  131072\n");
	strbuf_release(&sb);
	result_release(&run.result);
}

/* The lines of dbench 4.0's tbench for a run of 2 s. */
static void test_rr_original_is_what_tbench_prints(void **state)
{
	static const struct metric max = { "latency-max", UNIT_NS, BETTER_LOWER, "" };
	struct rr_cfg cfg = { .flavor = RR_TBENCH, .pairs = 1, .time_ns = 2000000000 };
	struct run run = { .workload = &workload_rr };
	struct strbuf sb = { 0 };

	(void)state;
	add(&run, "payload", 40065300);
	result_add_metric(&run.result, &max, 5273000);
	run_note(&run, "operations",
		 "NTCreateX 1165 0.242 5.718, Find 0 0.000 0.000, "
		 "WriteX 991 0.196 5.674");
	rr_original(&run.result, &cfg, &sb);
	assert_string_equal(
		sb.s, "dbench version 4.00 - Copyright Andrew Tridgell 1999-2004\n"
		      "\n"
		      "Running for 2 seconds with load 'client.txt' and minimum warmup 0 secs\n"
		      "\n"
		      " Operation      Count    AvgLat    MaxLat\n"
		      " ----------------------------------------\n"
		      " NTCreateX       1165     0.242     5.718\n"
		      " WriteX           991     0.196     5.674\n"
		      "\n"
		      "Throughput 40.0653 MB/sec  1 clients  1 procs  max_latency=5.273 ms\n");
	strbuf_release(&sb);
	result_release(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rr_script_has_the_shares_of_tbench),
		cmocka_unit_test(test_rr_script_order_is_the_seeds),
		cmocka_unit_test(test_rr_tally_counts_in_the_window),
		cmocka_unit_test(test_rr_fairness_is_the_least_of_the_mean),
		cmocka_unit_test(test_rr_original_is_what_netperf_prints),
		cmocka_unit_test(test_rr_original_is_what_tbench_prints),
	};

	return cmocka_run_group_tests_name("workload/rr", tests, NULL, NULL);
}
