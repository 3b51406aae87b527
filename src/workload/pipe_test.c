// SPDX-License-Identifier: GPL-2.0-only
#include "workload/pipe.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

extern const struct workload workload_pipe;

static void add_tokens(struct pipe_trail *trail, unsigned int cpu, unsigned int from, int n)
{
	for (int i = 0; i < n; i++)
		pipe_trail_add(trail, cpu, from);
}

/*
 * 10 loops. First task: 6 tokens on CPU 2, then 4 on CPU 5; the second hands over from 5 all the time: 4 on one CPU, a
 * move from 0 to 2 and one to 5. Second: 10 on CPU 5, the first 6 from 2 and 4 from 5: 4, and one move. In all 8 of 20
 * are 40 %, and there are 3 moves.
 */
static void test_pipe_report_tells_where_tasks_were(void **state)
{
	struct pipe_trail *trails = xcalloc(2, sizeof(*trails));
	struct run run = { .workload = &workload_pipe };

	(void)state;
	add_tokens(&trails[0], 2, 5, 6);
	add_tokens(&trails[0], 5, 5, 4);
	add_tokens(&trails[1], 5, 2, 6);
	add_tokens(&trails[1], 5, 5, 4);
	pipe_report(&run, trails, 10);
	assert_near(result_counter(&run.result, "same-cpu")->value, 40, 1e-9);
	assert_near(result_counter(&run.result, "moves")->value, 3, 0);
	assert_string_equal(result_note(&run.result, "placement"),
			    "first task: CPU 2 60 %, CPU 5 40 %; second task: CPU 5 100 %");
	result_release(&run.result);
	free(trails);
}

/* Five CPUs with 2 tokens each: the first four by their numbers, then no more than that there are others. */
static void test_pipe_report_tells_four_cpus_at_most(void **state)
{
	struct pipe_trail *trails = xcalloc(2, sizeof(*trails));
	struct run run = { .workload = &workload_pipe };

	(void)state;
	for (unsigned int cpu = 10; cpu < 15; cpu++) {
		add_tokens(&trails[0], cpu, 0, 2);
		add_tokens(&trails[1], cpu, 0, 2);
	}
	pipe_report(&run, trails, 10);
	assert_non_null(strstr(result_note(&run.result, "placement"),
			       "first task: CPU 10 20 %, CPU 11 20 %, CPU 12 20 %, CPU 13 20 %, "
			       "others; second task: CPU 10 20 %"));
	result_release(&run.result);
	free(trails);
}

/* As perf 6.1 prints a run of 3.618 s: 3618725 us / 200000 = 18.093625 us, 200000 / 3.618725 s = 55268.09. */
static void test_pipe_original_is_what_perf_prints(void **state)
{
	static const struct metric loop = { "loop", UNIT_NS, BETTER_LOWER, "" };
	struct pipe_cfg cfg = { .loops = 200000 };
	struct result result = { .workload = xstrdup("pipe") };
	struct strbuf sb = { 0 };

	(void)state;
	result_add_metric(&result, &loop, 18093.625);
	pipe_original(&result, &cfg, &sb);
	assert_string_equal(sb.s, "# Running 'sched/pipe' benchmark:\n"
				  "# Executed 200000 pipe operations between two processes\n"
				  "\n"
				  "     Total time: 3.618 [sec]\n"
				  "\n"
				  "      18.093625 usecs/op\n"
				  "          55268 ops/sec\n");
	strbuf_reset(&sb);
	cfg.mode = PIPE_THREAD;
	pipe_original(&result, &cfg, &sb);
	assert_non_null(strstr(sb.s, " pipe operations between two threads\n"));
	strbuf_release(&sb);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipe_report_tells_where_tasks_were),
		cmocka_unit_test(test_pipe_report_tells_four_cpus_at_most),
		cmocka_unit_test(test_pipe_original_is_what_perf_prints),
	};

	return cmocka_run_group_tests_name("workload/pipe", tests, NULL, NULL);
}
