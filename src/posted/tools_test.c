// SPDX-License-Identifier: GPL-2.0-only
/* What benchmarks print, one side at a time. */
#include "posted/layout.h"

#include "check.h"
#include "posted/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char perf_stat[] =
	"Before:\n\n Performance counter stats for 'perf bench sched pipe' (10 runs):\n\n"
	"         16,839.74 msec task-clock    #    1.158 CPUs utilized  ( +-  0.52% )\n"
	"       333,773,107      cycles:u      #    0.020 GHz\n            ( +-  0.70% )\n"
	"   <not supported>      branch-misses\n\n"
	"           14.5464 +- 0.0757 seconds time elapsed  ( +-  0.52% )\n\n"
	"After:\n\n Performance counter stats for 'perf bench sched pipe' (10 runs):\n\n"
	"         16,219.58 msec task-clock    #    1.130 CPUs utilized  ( +-  0.80% )\n"
	"       342,768,312      cycles:u      #    0.021 GHz\n            ( +-  0.83% )\n\n"
	"            14.358 +- 0.117 seconds time elapsed  ( +-  0.81% )\n";

static void check_perf_stat(struct posted_table *table)
{
	struct posted_row *row;

	assert_string_equal(table->layout->name, "perf-stat");
	assert_string_equal(table->sides[0], "Before");
	assert_string_equal(table->sides[1], "After");
	row = fixture_row(table, "", "elapsed");
	assert_true(row->primary);
	assert_int_equal(row->sides[0].n, 10);
	assert_int_equal(row->sides[0].spread_kind, POSTED_SE);
	assert_near(row->sides[0].spread, 14.5464 * 0.0052, 1e-9);
	row = fixture_row(table, "", "task-clock");
	assert_false(row->primary);
	assert_string_equal(row->unit, "ms");
	/* the error stands in the next line */
	row = fixture_row(table, "", "cycles:u");
	assert_near(row->sides[1].spread, 342768312 * 0.0083, 1e-3);
}

static void test_perf_stat_repeated(void **state)
{
	char *quoted = fixture_quoted(perf_stat);
	struct posted posted;

	(void)state;
	fixture_read(&posted, perf_stat, 1);
	check_perf_stat(posted.tables[0]);
	posted_release(&posted);
	fixture_read(&posted, quoted, 1);
	check_perf_stat(posted.tables[0]);
	posted_release(&posted);
	free(quoted);
}

/* Without -r each output is one run; several of a side are its runs. */
static void test_perf_stat_once_each(void **state)
{
	static const char one[] = " Performance counter stats for 'x':\n\n"
				  "  91,402      context-switches   #  10.866 K/sec\n\n"
				  "  1.079913342 seconds time elapsed\n";
	char text[1000];
	struct posted posted;

	(void)state;
	snprintf(text, sizeof(text), "old:\n%s\n%s\nnew:\n%s\n", one, one, one);
	fixture_read(&posted, text, 1);
	assert_int_equal(fixture_row(posted.tables[0], "", "elapsed")->sides[0].nr_values, 2);
	assert_int_equal(fixture_row(posted.tables[0], "", "elapsed")->sides[1].nr_values, 1);
	posted_release(&posted);
}

static void test_hackbench(void **state)
{
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read(
		&posted,
		"# baseline\n"
		"Running in process mode with 10 groups using 40 file descriptors each (== 400 "
		"tasks)\nEach sender will pass 100 messages of 100 bytes\nTime: 0.191\nTime: "
		"0.188\n"
		"Running in process mode with 20 groups using 40 file descriptors each (== 800 "
		"tasks)\nTime: 0.391\n"
		"# patched\n"
		"Running in process mode with 10 groups using 40 file descriptors each (== 400 "
		"tasks)\nTime: 0.181\nhang\nTime: 0.180\n"
		"Running in process mode with 20 groups using 40 file descriptors each (== 800 "
		"tasks)\nTime: 0.381\n",
		1);
	row = fixture_row(posted.tables[0], "process, 10 groups", "time");
	assert_int_equal(row->sides[0].nr_values, 2);
	assert_near(row->sides[1].values[1], 0.180, 1e-12);
	assert_int_equal(row->sides[1].hung, 1);
	assert_int_equal(row->sides[1].runs, 3);
	assert_near(row->sides[0].step, 0.001, 1e-12);
	row = fixture_row(posted.tables[0], "process, 20 groups", "time");
	assert_near(row->sides[1].values[0], 0.381, 1e-12);
	posted_release(&posted);
}

static const char schbench[] =
	"Wakeup Latencies percentiles (usec) runtime 10 (s) (100 total samples)\n"
	"\t  50.0th: 5          (36 samples)\n\t  90.0th: 8          (12 samples)\n"
	"\t* 99.0th: 12         (9 samples)\n\t  99.9th: 30         (1 samples)\n"
	"\t  min=1, max=40\n"
	"Wakeup Latencies percentiles (usec) runtime 30 (s) (300 total samples)\n"
	"\t  50.0th: 6          (36 samples)\n\t  90.0th: 9          (12 samples)\n"
	"\t* 99.0th: 13         (9 samples)\n\t  99.9th: 31         (1 samples)\n"
	"\t  min=1, max=41\n"
	"RPS percentiles (requests) runtime 30 (s) (31 total samples)\n"
	"\t  20.0th: 100    (6 samples)\n\t* 50.0th: 200    (9 samples)\n"
	"\t  90.0th: 300    (9 samples)\n\t  min=50, max=400\n"
	"average rps: 201.5\n";

/* A later table of the same run takes the place of an earlier one. */
static void test_schbench_interim_tables(void **state)
{
	struct posted_table *table;
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read_two(&posted, schbench, schbench, 1);
	table = posted.tables[0];
	assert_string_equal(table->sides[1], "b.txt");
	row = fixture_row(table, "wakeup latency", "99.0th");
	assert_int_equal(row->sides[0].nr_values, 1);
	assert_near(row->sides[0].values[0], 13, 0);
	assert_near(row->quantile, 0.99, 1e-12);
	assert_int_equal(row->better, BETTER_LOWER);
	row = fixture_row(table, "rps", "50.0th");
	assert_int_equal(row->better, BETTER_HIGHER);
	assert_near(row->sides[1].max, 400, 0);
	assert_near(fixture_row(table, "rps", "average")->sides[0].values[0], 201.5, 1e-12);
	posted_release(&posted);
}

static void test_schbench_old_form(void **state)
{
	static const char text[] = "Latency percentiles (usec)\n\t50.0th: 9\n\t75.0th: 12\n"
				   "\t*99.0th: 27\n\tmin=0, max=1733\n";
	struct posted posted;

	(void)state;
	fixture_read_two(&posted, text, text, 1);
	assert_near(fixture_row(posted.tables[0], "latency", "99.0th")->sides[0].values[0], 27, 0);
	posted_release(&posted);
}

static void test_sysbench(void **state)
{
	static const char text[] =
		"SQL statistics:\n    queries performed:\n        read:          1402170\n"
		"    transactions:                        100155 (1669.12 per sec.)\n"
		"    queries:                             2003100 (33382.36 per sec.)\n\n"
		"General statistics:\n    total time:                          60.0037s\n\n"
		"Latency (ms):\n         min:       2.12\n         avg:       9.58\n"
		"         95th percentile:     14.21\n\nThreads fairness:\n"
		"    execution time (avg/stddev):   59.9833/0.00\n";
	struct posted posted;
	struct posted_row *row;

	(void)state;
	fixture_read_two(&posted, text, text, 1);
	row = fixture_row(posted.tables[0], "", "transactions");
	assert_near(row->sides[0].values[0], 1669.12, 1e-9);
	assert_int_equal(row->better, BETTER_HIGHER);
	assert_near(fixture_row(posted.tables[0], "", "latency 95th")->sides[1].values[0], 14.21,
		    1e-9);
	posted_release(&posted);
}

static void test_unixbench(void **state)
{
	static const char text[] =
		"Before:\n8 CPUs in system; running 1 parallel copy of tests\n\n"
		"Pipe-based Context Switching    172455.5 lps   (10.0 s, 7 samples)\n"
		"Shell Scripts (8 concurrent)      4462.7 lpm   (60.0 s, 2 samples)\n"
		"System Benchmarks Index Score (Partial Only)     1210.4\nAfter:\n"
		"8 CPUs in system; running 1 parallel copy of tests\n\n"
		"Pipe-based Context Switching    174586.6 lps   (10.0 s, 7 samples)\n"
		"Shell Scripts (8 concurrent)      4392.7 lpm   (60.0 s, 2 samples)\n"
		"System Benchmarks Index Score (Partial Only)     1215.9\n";
	struct posted posted;

	(void)state;
	fixture_read(&posted, text, 1);
	assert_near(fixture_row(posted.tables[0], "1 x", "Pipe-based Context Switching")
			    ->sides[1]
			    .values[0],
		    174586.6, 1e-9);
	assert_string_equal(
		fixture_row(posted.tables[0], "1 x", "Shell Scripts (8 concurrent)")->unit, "lpm");
	assert_near(fixture_row(posted.tables[0], "1 x", "index score")->sides[0].values[0], 1210.4,
		    1e-9);
	posted_release(&posted);
}

static void test_stress_ng(void **state)
{
	static const char text[] =
		"stress-ng: metrc: [4711] cpu    100001      1.58    905.10      0.21     63291.77 "
		"   "
		"110.46\n"
		"stress-ng: info:  [4711] successful run completed in 1 min, 1.58 secs\n";
	static const char newer[] =
		"stress-ng: info:  [4712] successful run completed in 61.53s (1 min, 1.53 secs)\n"
		"stress-ng: metrc: [4712] cpu    100003      1.53    899.60      0.20     65361.44 "
		"   "
		"111.14\n";
	struct posted posted;

	(void)state;
	fixture_read_two(&posted, text, newer, 1);
	assert_near(fixture_row(posted.tables[0], "", "completed in")->sides[0].values[0], 61.58,
		    1e-9);
	assert_near(fixture_row(posted.tables[0], "", "completed in")->sides[1].values[0], 61.53,
		    1e-9);
	assert_near(fixture_row(posted.tables[0], "cpu", "bogo ops/s real")->sides[1].values[0],
		    65361.44, 1e-9);
	posted_release(&posted);
}

static void test_perf_bench(void **state)
{
	static const char text[] =
		"# Running 'sched/pipe' benchmark:\n# Executed 1000000 pipe operations between two "
		"processes\n\n     Total time: 14.538 [sec]\n\n      14.538123 usecs/op\n"
		"          68784 ops/sec\n"
		"# Running sched/messaging benchmark...\n"
		"# 20 sender and receiver processes per group\n# 10 groups == 400 processes run\n\n"
		"     Total time: 0.091 [sec]\n";
	struct posted posted;

	(void)state;
	fixture_read_two(&posted, text, text, 1);
	assert_near(fixture_row(posted.tables[0], "sched/pipe", "total time")->sides[0].values[0],
		    14.538, 1e-9);
	assert_near(
		fixture_row(posted.tables[0], "sched/messaging", "total time")->sides[1].values[0],
		0.091, 1e-9);
	posted_release(&posted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perf_stat_repeated),
		cmocka_unit_test(test_perf_stat_once_each),
		cmocka_unit_test(test_hackbench),
		cmocka_unit_test(test_schbench_interim_tables),
		cmocka_unit_test(test_schbench_old_form),
		cmocka_unit_test(test_sysbench),
		cmocka_unit_test(test_unixbench),
		cmocka_unit_test(test_stress_ng),
		cmocka_unit_test(test_perf_bench),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
