// SPDX-License-Identifier: GPL-2.0-only
#include "report/run_text.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static const struct metric loop = { "loop", UNIT_NS, BETTER_LOWER, "" };
static const struct metric rate = { "rate", UNIT_PER_SECOND, BETTER_HIGHER, "" };

static struct run_row good_run(double ns, const char *samples)
{
	struct run_row run = { .result.workload = xstrdup("pipe") };

	result_add_metric(&run.result, &loop, ns);
	result_add_metric(&run.result, &rate, 1e9 / ns);
	result_add_counter(&run.result, "moves", UNIT_COUNT, ns / 1000, 1);
	result_add_samples(&run.result, &loop, samples);
	result_add_note(&run.result, "placement", "CPU 0");
	/* of --as original: not shown */
	result_add_note(&run.result, "log", "200000");
	result_add_note(&run.result, "log-0", "=SCHED_OTHER 0 t;1 2 3");
	return run;
}

static void assert_text(struct run_row *runs, size_t nr, bool all, const char *text)
{
	struct strbuf sb = { 0 };

	run_text("pipe loops=2", runs, nr, all, &sb);
	assert_string_equal(sb.s, text);
	strbuf_release(&sb);
	for (size_t i = 0; i < nr; i++)
		run_row_release(&runs[i]);
}

/* Samples 3 and 5: half of them are at most 3, 90 % need the second. */
static void test_run_text_of_one_run(void **state)
{
	struct run_row run = good_run(8000, "9;2;3;5;8;1,+1,1");

	(void)state;
	assert_text(&run, 1, true,
		    "pipe loops=2\n"
		    "  figure (better)                          value\n"
		    "  loop (lower)                  us         8.000\n"
		    "  rate (higher)                 k/s        125.0\n"
		    "\n"
		    "  loop, ns: 2 samples\n"
		    "        min        50%        90%        99%      99.9%        max\n"
		    "          3          3          5          5          5          5\n"
		    "\n"
		    "  placement: CPU 0\n"
		    "\n"
		    "  counter                                  value\n"
		    "  moves                                        8\n");
}

/* 8, 9, 16 us: the middle is 9. All six samples: 3, 3, 3, 5, 5, 5. */
static void test_run_text_of_several_has_median_and_range(void **state)
{
	struct run_row runs[] = { good_run(16000, "9;2;3;5;8;1,+1,1"),
				  good_run(8000, "9;2;3;5;8;1,+1,1"),
				  good_run(9000, "9;2;3;5;8;1,+1,1") };

	(void)state;
	free(runs[2].result.notes[0].text);
	runs[2].result.notes[0].text = xstrdup("CPU 1");
	assert_text(runs, 3, false,
		    "pipe loops=2\n"
		    "3 runs, 3 good\n"
		    "  figure (better)                         median        min        max\n"
		    "  loop (lower)                  us         9.000      8.000     16.000\n"
		    "  rate (higher)                 k/s        111.1       62.5      125.0\n"
		    "\n"
		    "  loop, ns: 6 samples\n"
		    "        min        50%        90%        99%      99.9%        max\n"
		    "          3          3          5          5          5          5\n"
		    "\n"
		    "  placement: CPU 0\n"
		    "  placement: CPU 1\n");
}

static void test_run_text_tells_what_failed(void **state)
{
	struct run_row runs[] = { good_run(8000, "9;0"), good_run(8000, "9;0") };

	(void)state;
	result_fail(&runs[0].result, RUN_HANG, "no result in 60 s");
	assert_text(runs, 2, true,
		    "pipe loops=2\n"
		    "2 runs, 1 good\n"
		    "  run 1: hang: no result in 60 s\n"
		    "  figure (better)                         median        min        max\n"
		    "  loop (lower)                  us         8.000      8.000      8.000\n"
		    "  rate (higher)                 k/s        125.0      125.0      125.0\n"
		    "\n"
		    "  placement: CPU 0\n"
		    "\n"
		    "  counter                                 median        min        max\n"
		    "  moves                                        8          8          8\n");
	runs[0] = good_run(8000, "9;0");
	result_fail(&runs[0].result, RUN_FAILED, "no memory");
	assert_text(runs, 1, true,
		    "pipe loops=2\n"
		    "1 run, 0 good\n"
		    "  run 1: failed: no memory\n"
		    "\n"
		    "  placement: CPU 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_text_of_one_run),
		cmocka_unit_test(test_run_text_of_several_has_median_and_range),
		cmocka_unit_test(test_run_text_tells_what_failed),
	};

	return cmocka_run_group_tests_name("report/run_text", tests, NULL, NULL);
}
