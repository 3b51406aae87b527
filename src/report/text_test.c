// SPDX-License-Identifier: GPL-2.0-only
#include "report/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct point_row points[] = {
	{ .label = "hackbench",
	  .workload = "hackbench",
	  .params = "groups=1\nloops=100\n",
	  .primary = "time" },
	{ .label = "pipe", .workload = "pipe", .params = "turns=100000\n", .primary = "turn" },
};

static void check_holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("not there:\n%s\nin:\n%s", part, text);
}

static void check_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("there:\n%s\nin:\n%s", part, text);
}

static void add_counted(struct fixture *f, int64_t block, size_t variant, size_t point, double time)
{
	struct value metric = { f->experiment.points[point].primary, UNIT_NS, BETTER_LOWER, time,
				1 };
	struct value counters[] = {
		{ "cycles", UNIT_COUNT, BETTER_NONE, 2.5e9, 0.98 },
		{ "context-switches", UNIT_COUNT, BETTER_NONE,
		  variant ? 8000 * exp(fixture_steps[block]) : 16000, 0.739 },
		{ "cpu-migrations", UNIT_COUNT, BETTER_NONE, variant ? 0 : 3, 1 },
	};

	fixture_run(f, block, variant, point,
		    &(struct result){ .metrics = &metric,
				      .nr_metrics = 1,
				      .counters = counters,
				      .nr_counters = 3 });
}

/*
 * hackbench: 0.98 exp(-+0.005) - 1 = -2.5 .. -1.5 %, p = 2/2^10 alone; read with pipe, of whose 1024 labellings two
 * are as extreme, between that and 4/2^10 = 0.0039, by re-draws 0.003.
 * pipe: log 1.0006 = 0.0006; in thousandths the differences are -8.4 -6.4 -4.4 -2.4 -0.4 1.6 3.6 5.6 7.6 9.6: the
 * negative ones have the ranks 1 3 5 7 9 = 25 of 55, and twice P(W <= 25) is 0.846 in every table for n = 10. Its
 * interval is 0.06 -+ 0.5 %, and 1.43 of its half widths are 0.7 %.
 * Counters: each 50 % fewer switches, -+ 0.25 % (half of 0.5); 3 migrations less: always 2/2^10. There are six rows of
 * them, of which four have that p and two (cycles) have 1: q = 6/4 p = 0.0029.
 */
static void test_text_shows_an_experiment(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1",
			"{\"kernel.release\":\"6.12.1\",\"kernel.cmdline\":\"quiet "
			"mitigations=off root=UUID=0a1b2c3d-0000-1111-2222-333344445555 ro\"}",
			"no hardware counters here: the hypervisor has no PMU\n");
	fixture_metric(&f, -1, 0, 0, UNIT_NS, BETTER_LOWER, 1);
	for (int64_t block = 0; block < 10; block++) {
		double noise = exp(fixture_steps[block]);

		add_counted(&f, block, 0, 0, 12.5e9);
		add_counted(&f, block, 1, 0, 12.5e9 * 0.98 * noise);
		add_counted(&f, block, 1, 1, 5000 * 1.0006 * noise);
		add_counted(&f, block, 0, 1, 5000);
	}
	text = fixture_render(&f, &(struct report_style){ 0 });
	assert_string_equal(
		text,
		"Experiment first, begun 2026-11-30 20:37 UTC\n"
		"  A = base: nothing changed\n"
		"  B = pinned: cpus = 0\n"
		"  10 of 10 blocks in 1 session on 1 boot: 40 runs, none failed; 1 warm-up run\n"
		"  left out; order within each block at random, seed 8123\n"
		"\n"
		"B = pinned against A = base: medians of 10 runs a side\n"
		"metric (better)             A      B change    [95% CI]     p  verdict\n"
		"hackbench time s (low)  12.50  12.25  -2.0% [-2.5,-1.5] 0.003  improved\n"
		"pipe turn us (low)      5.000  5.003  +0.1% [-0.4,+0.6] 0.846  inconclusive\n"
		"                                                          (>= 0.7% would show)\n"
		"Change of the means, on which no word rests: hackbench time -2.0% [-2.4,-1.6],\n"
		"    pipe turn +0.1% [-0.4,+0.5]\n"
		"Correlation of neighbours in time, which blocks cancel: hackbench time 0.00,\n"
		"    pipe turn 0.00\n"
		"\n"
		"What else moved, B = pinned against A = base: medians of 10 runs a side\n"
		"metric or counter             A      B  change      [95% CI]     q\n"
		"hackbench\n"
		"  context-switches ~73%  16.00k  8.00k  -50.0% [-50.2,-49.7] 0.003\n"
		"  cpu-migrations              3      0    -3.0   [-3.0,-3.0] 0.003\n"
		"pipe\n"
		"  context-switches ~73%  16.00k  8.00k  -50.0% [-50.2,-49.7] 0.003\n"
		"  cpu-migrations              3      0    -3.0   [-3.0,-3.0] 0.003\n"
		"\n"
		"Workloads:\n"
		"  hackbench: groups=1 loops=100\n"
		"  pipe: turns=100000\n"
		"\n"
		"Environment as the first session found it:\n"
		"  kernel.release  6.12.1\n"
		"  kernel.cmdline  quiet mitigations=off\n"
		"                  root=UUID=0a1b2c3d-0000-1111-2222-333344445555 ro\n"
		"\n"
		"Notes:\n"
		"  - no hardware counters here: the hypervisor has no PMU\n"
		"\n"
		"How to read: change is (B - A) / A, the middle of what all pairs say\n"
		"(Hodges-Lehmann), of the figure as measured: a time that falls has a minus,\n"
		"and the verdict says whether that is better. A change without % is B - A in\n"
		"the row's unit. CI: where the change lies with 95% confidence. p: of the exact\n"
		"test, adjusted for 2 rows. (>= x would show): so many runs find a change of x\n"
		"four times of five. q: p by Benjamini and Hochberg's method; at most 0.05 is\n"
		"moved, which is neither good nor bad. ~73%: counted in at least so much of the\n"
		"time and scaled up.\n");
	free(text);
	text = fixture_render(&f, &(struct report_style){ .all = true });
	check_holds(text, "\nAll else, B = pinned against A = base: medians of 10 runs a side\n");
	check_holds(text, "  cycles ~98%            2.500G  2.500G   0.00%   [0.00,0.00] 1.000\n");
	check_holds(text, "0.003  moved\n");
	free(text);
	fixture_close(&f);
}

static void test_text_colours_words_alone(void **state)
{
	struct fixture f = { 0 };
	char *text, *plain, *escape;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 12.5e9, 1.04);
	fixture_series(&f, 1, 1, UNIT_PER_SECOND, BETTER_HIGHER, 200000, 1.04);
	plain = fixture_render(&f, &(struct report_style){ 0 });
	check_holds(plain, "hackbench time s (low)  12.50  13.00  +4.0% [+3.5,+4.5] 0.002  "
			   "regressed\n"
			   "pipe turn k/s (high)    200.0  208.0  +4.0% [+3.5,+4.5] 0.002  "
			   "improved\n");
	text = fixture_render(&f, &(struct report_style){ .colour = true });
	check_holds(text, "0.002  \033[31mregressed\033[0m\n");
	check_holds(text, "0.002  \033[32mimproved\033[0m\n");
	while ((escape = strchr(text, '\033')))
		memmove(escape, strchr(escape, 'm') + 1, strlen(strchr(escape, 'm')));
	assert_string_equal(text, plain);
	free(text);
	free(plain);
	fixture_close(&f);
}

static void test_text_of_nothing_yet_says_so(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 2);
	f.experiment.finished = false;
	f.experiment.blocks = 0;
	fixture_open(&f);
	text = fixture_render(&f, &(struct report_style){ .all = true });
	assert_string_equal(
		text,
		"Experiment first, begun 2026-11-30 20:37 UTC\n"
		"  A = base: nothing changed\n"
		"  B = pinned: cpus = 0\n"
		"  0 blocks so far in 0 sessions on 0 boots: 0 runs; order within each block at\n"
		"  random, seed 8123\n"
		"\n"
		"B = pinned against A = base\n"
		"metric (better)  verdict\n"
		"hackbench time   no conclusion [1]\n"
		"pipe turn        no conclusion [1]\n"
		"[1] no complete pair\n"
		"\n"
		"Workloads:\n"
		"  hackbench: groups=1 loops=100\n"
		"  pipe: turns=100000\n");
	free(text);
	fixture_close(&f);
}

/* pipe under B fails 2 of 3 times; hackbench has 3 pairs, which can't give less than 2/2^3. */
static void test_text_says_why_there_is_no_conclusion(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 2);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < 3; block++) {
		for (size_t v = 0; v < 2; v++)
			fixture_metric(&f, block, v, 0, UNIT_NS, BETTER_LOWER,
				       1e6 * (double)(v + 1));
		fixture_metric(&f, block, 0, 1, UNIT_NS, BETTER_LOWER, 5000);
		if (block)
			fixture_fail(&f, block, 1, 1, "killed after 60 s");
		else
			fixture_metric(&f, block, 1, 1, UNIT_NS, BETTER_LOWER, 5000);
	}
	text = fixture_render(&f, &(struct report_style){ 0 });
	check_holds(text, "12 runs, 2 failed;");
	check_holds(text, "\nFailed runs, which are in no figure:\n"
			  "  pipe under pinned: 2 of 3: killed after 60 s\n");
	check_holds(text, "medians of n runs a side\n"
			  "metric (better)          n      A      B   change  verdict\n"
			  "hackbench time ms (low)  3  1.000  2.000  +100.0%  no conclusion [1]\n"
			  "pipe turn us (low)       1  5.000  5.000     0.0%  no conclusion [2]\n"
			  "[1] too few runs: 3 pairs");
	check_holds(text, "\n[2] B failed in 2 of 3 runs, A in 0 of 3\n");
	free(text);
	fixture_close(&f);
}

static void test_text_warns_first_of_what_nobody_asked_for(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 1);
	f.variants[1].asks = "kernel.release";
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	f.facts[0] =
		"{\"kernel.release\":\"6.11\",\"cpu.governor\":\"schedutil\",\"cpu.smt\":\"on\"}";
	f.facts[1] = "{\"kernel.release\":\"6.12\",\"cpu.governor\":\"performance\"}";
	fixture_series(&f, 1, 0, UNIT_NS, BETTER_LOWER, 12.5e9, 1);
	text = fixture_render(&f, &(struct report_style){ 0 });
	assert_ptr_equal(strstr(text, "WARNING: pinned differs from base in what neither asked to "
				      "change:\n"
				      "  cpu.governor: schedutil -> performance\n"
				      "  cpu.smt: on -> (absent)\n"
				      "\n"
				      "Experiment first,"),
			 text);
	check_holds(text, "\nDifferences that were asked for:\n"
			  "  kernel.release under pinned: 6.11 -> 6.12\n");
	free(text);
	fixture_close(&f);
}

static void test_text_has_a_table_for_each_further_variant(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 1);
	f.variants[2] = (struct variant_row){
		.name = "a-variant-that-tries-quite-a-lot-of-settings-at-once",
		.settings =
			"policy = batch\nslice = 3ms\nsysctl.kernel.sched_autogroup_enabled = 0\n"
			"env.MALLOC_ARENA_MAX = 1",
		.asks = "",
	};
	f.experiment.nr_variants = 3;
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < FIXTURE_BLOCKS; block++) {
		fixture_metric(&f, block, 0, 0, UNIT_NS, BETTER_LOWER, 1e9);
		fixture_metric(&f, block, 1, 0, UNIT_NS, BETTER_LOWER,
			       0.9e9 * exp(fixture_steps[block]));
		fixture_metric(&f, block, 2, 0, UNIT_NS, BETTER_LOWER,
			       1.1e9 * exp(fixture_steps[block]));
	}
	text = fixture_render(&f, &(struct report_style){ 0 });
	check_holds(text,
		    "  B = a-variant-that-tries-quite-a-lot-of-settings-at-once: policy = batch;\n"
		    "      slice = 3ms; sysctl.kernel.sched_autogroup_enabled = 0;\n"
		    "      env.MALLOC_ARENA_MAX = 1\n"
		    "  Each variant behind the first is B in its turn.\n");
	check_holds(text, "\nB = pinned against A = base: medians of 10 runs a side\n");
	check_holds(text,
		    "\nB = a-variant-that-tries-quite-a-lot-of-settings-at-once against A = base:\n"
		    "    medians of 10 runs a side\n");
	/* 0.9 and 1.1 times exp(-+0.005): -+ 0.4 and 0.6 % of A; both rows have the same steps: p stays 2/2^10 */
	check_holds(text, "1.000  0.900  -10.0% [-10.4,-9.5] 0.002  improved\n");
	check_holds(text, "1.000  1.100  +10.0% [+9.5,+10.6] 0.002  regressed\n");
	free(text);
	fixture_close(&f);
}

/* Labels of a sweep leave no room for the figures: they stand above them. */
static void test_text_sets_long_labels_on_lines_of_their_own(void **state)
{
	struct point_row sweep[] = {
		{ .label = "hackbench groups=1 fds=20 type=process",
		  .workload = "hackbench",
		  .params = "",
		  .primary = "time" },
		{ .label = "hackbench groups=40 fds=20 type=process "
			   "with-a-name-that-has-no-end-at-all-"
			   "whatever-happens",
		  .workload = "hackbench",
		  .params = "",
		  .primary = "time" },
		{ .label = "pipe", .workload = "pipe", .params = "", .primary = "turn" },
	};
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, sweep, 3);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (size_t point = 0; point < 3; point++)
		fixture_series(&f, 1, point, UNIT_NS, BETTER_LOWER, 1e9, 0.98);
	text = fixture_render(&f, &(struct report_style){ 0 });
	/* three rows of the same steps: 2/2^10 */
	check_holds(text, "metric (better)        A      B change    [95% CI]     p  verdict\n"
			  "hackbench groups=1 fds=20 type=process time s (low)\n"
			  "                   1.000  0.980  -2.0% [-2.5,-1.5] 0.002  improved\n"
			  "hackbench groups=40 fds=20 type=process\n"
			  "    with-a-name-that-has-no-end-at-all-whatever-happens time s (low)\n"
			  "                   1.000  0.980  -2.0% [-2.5,-1.5] 0.002  improved\n"
			  "pipe turn s (low)  1.000  0.980  -2.0% [-2.5,-1.5] 0.002  improved\n");
	free(text);
	fixture_close(&f);
}

static void test_text_names_boots_where_they_are_the_unit(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 1);
	f.experiment.runs_per_boot = 1;
	fixture_open(&f);
	for (int i = 0; i < 4; i++) {
		char boot[] = { (char)('a' + i), '\0' };

		fixture_session(&f, boot, "{}", "");
		fixture_metric(&f, i / 2, (size_t)i % 2, 0, UNIT_NS, BETTER_LOWER, 1e9);
	}
	text = fixture_render(&f, &(struct report_style){ 0 });
	check_holds(text, "in 4 sessions on 4 boots: 4 runs");
	check_holds(text, "what is compared is the boot");
	check_holds(text, ": medians of 2 boots a side\n");
	check_holds(text, "\n[1] too few boots: 2 pairs");
	free(text);
	fixture_close(&f);
}

/* Both sides rise by 1 % a block: Theil and Sen's slope times 9 is 9 log 1.01, 9.4 % in all. */
/* Twenty units in pairs of one level each: half a step of 1 % a unit, so exp(19 / 2 x ln 1.01) - 1 = 9.9 %. */
static void test_text_tells_of_drift(void **state)
{
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, points, 1);
	fixture_open(&f);
	fixture_session(&f, "b1", "{}", "");
	for (int64_t block = 0; block < FIXTURE_BLOCKS; block++) {
		double level = 1e9 * pow(1.01, (double)block);

		fixture_metric(&f, block, 0, 0, UNIT_NS, BETTER_LOWER, level);
		fixture_metric(&f, block, 1, 0, UNIT_NS, BETTER_LOWER, level * 0.98);
	}
	text = fixture_render(&f, &(struct report_style){ 0 });
	check_holds(text, "\nBoth sides drifted, which blocks cancel: hackbench time +9.9%\n");
	free(text);
	fixture_close(&f);
}

static void test_text_bears_every_size_of_figure(void **state)
{
	static const double sizes[] = { 0, 5e-324, 1e-300, 1e-9, 1, 1e9, 1e18, 1e300 };
	static const size_t n = sizeof(sizes) / sizeof(sizes[0]);

	(void)state;
	for (size_t i = 0; i < n * n; i++) {
		struct fixture f = { 0 };
		double a = sizes[i / n], b = sizes[i % n];

		fixture_pair(&f, points, 2);
		fixture_open(&f);
		fixture_session(&f, "b1", "{}", "");
		for (int64_t block = 0; block < 7; block++) {
			fixture_metric(&f, block, 0, 0, UNIT_NS, BETTER_LOWER, a);
			fixture_metric(&f, block, 1, 0, UNIT_NS, BETTER_LOWER, b);
			fixture_metric(&f, block, 0, 1, UNIT_COUNT, BETTER_HIGHER, -a);
			fixture_metric(&f, block, 1, 1, UNIT_COUNT, BETTER_HIGHER, -b);
		}
		/* it checks the width of each line itself */
		free(fixture_render(&f, &(struct report_style){ .all = true, .colour = true }));
		fixture_close(&f);
	}
}

static void test_text_gives_no_command_to_a_terminal(void **state)
{
	struct point_row evil[] = {
		{ .label = "pi\033[2Jpe",
		  .workload = "pipe",
		  .params = "x=\033[2J",
		  .primary = "t" },
	};
	struct fixture f = { 0 };
	char *text;

	(void)state;
	fixture_pair(&f, evil, 1);
	f.variants[1].name = "b\033[2J";
	f.experiment.name = "e\033[2J";
	fixture_open(&f);
	fixture_session(&f, "b1", "{\"a\":\"\\u001b[2J\"}", "n\033[2J");
	f.facts[1] = "{\"a\":\"\\u001b[2J\"}";
	fixture_metric(&f, 0, 0, 0, UNIT_NS, BETTER_LOWER, 1);
	fixture_fail(&f, 0, 1, 0, "\033[2J");
	text = fixture_render(&f, &(struct report_style){ 0 });
	check_lacks(text, "\033");
	check_holds(text, "pi?[2Jpe");
	free(text);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_shows_an_experiment),
		cmocka_unit_test(test_text_colours_words_alone),
		cmocka_unit_test(test_text_of_nothing_yet_says_so),
		cmocka_unit_test(test_text_says_why_there_is_no_conclusion),
		cmocka_unit_test(test_text_warns_first_of_what_nobody_asked_for),
		cmocka_unit_test(test_text_has_a_table_for_each_further_variant),
		cmocka_unit_test(test_text_sets_long_labels_on_lines_of_their_own),
		cmocka_unit_test(test_text_names_boots_where_they_are_the_unit),
		cmocka_unit_test(test_text_tells_of_drift),
		cmocka_unit_test(test_text_bears_every_size_of_figure),
		cmocka_unit_test(test_text_gives_no_command_to_a_terminal),
	};

	return cmocka_run_group_tests_name("report/text", tests, NULL, NULL);
}
