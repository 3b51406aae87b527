// SPDX-License-Identifier: GPL-2.0-only
/*
 * The formats on a report made by hand, with every word there is: what a cell may say, how wide it is, and that
 * nothing in it reaches a terminal as a command. Golden tests have whole reports.
 */
#include "report/format.h"

#include "report/layout.h"
#include "report/side_stats.h"
#include "report/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define NR_WORDS (VERDICT_NO_CONCLUSION + 1)
#define NR_ROWS	 (NR_WORDS + 1)

/* One point for each word; all rows have B 5 % below A, by what each side's mean and median are. */
struct zoo {
	struct variant_row variants[2];
	struct point_row points[NR_WORDS];
	struct report_side sides[2 * NR_WORDS];
	struct report_row rows[NR_ROWS];
	struct report_balance balances[2];
	struct report_settled settled[NR_WORDS];
	uint64_t environments[2];
	double values[20];
	unsigned char value_sides[20];
	unsigned int blocks[20];
	char labels[NR_WORDS][32];
	struct report report;
};

static void fill_row(struct zoo *zoo, size_t i)
{
	struct report_row *row = &zoo->rows[i];

	*row = (struct report_row){
		.point = zoo->labels[i],
		.metric = (char *)"time",
		.unit = UNIT_NS,
		.better = BETTER_LOWER,
		.variant = 1,
		.primary = true,
		.counted = 1,
		.verdict = {
			.word = (enum verdict_word)i,
			.has_effect = true,
			.has_ci = true,
			.relative = true,
			.effect = -0.05,
			.ci = { -0.06, -0.04 },
			.a = { 10, 10e9, 0.5e9, 9e9, 11e9, 10e9 },
			.b = { 10, 9.5e9, 0.5e9, 8.5e9, 10.5e9, 9.5e9 },
			.margin = 0.01,
			.p = 0.002,
			.p_adjusted = 0.014,
			.mde = 0.02,
			.n = 10,
		},
		.units = { zoo->values, zoo->value_sides, zoo->blocks, .n = 20 },
	};
	if (row->verdict.word == VERDICT_REGRESSED)
		row->better = BETTER_HIGHER;
	if (row->verdict.word >= VERDICT_ORDER_CONFOUNDED)
		strcpy(row->verdict.reason, "because\033[2J of this");
}

static void zoo_init(struct zoo *zoo)
{
	*zoo = (struct zoo){
		.variants = { { .name = (char *)"base",
				.settings = (char *)"",
				.asks = (char *)"" },
			      { .name = (char *)"new\033[2J",
				.settings = (char *)"slice = 3ms",
				.asks = (char *)"" } },
	};
	for (size_t i = 0; i < 20; i++) {
		zoo->values[i] = i % 2 ? 9.5e9 : 10e9;
		zoo->value_sides[i] = i % 2;
		zoo->blocks[i] = (unsigned int)i / 2;
	}
	for (size_t i = 0; i < NR_WORDS; i++) {
		snprintf(zoo->labels[i], sizeof(zoo->labels[i]), "load groups=%zu", i + 1);
		zoo->points[i] = (struct point_row){ .label = zoo->labels[i],
						     .workload = (char *)"hackbench",
						     .params = (char *)"groups=1\nloops=100\n",
						     .primary = (char *)"time" };
		zoo->sides[2 * i] = zoo->sides[2 * i + 1] = (struct report_side){ 10, 0, 1 };
		fill_row(zoo, i);
	}
	zoo->rows[NR_WORDS] = zoo->rows[0];
	zoo->rows[NR_WORDS].metric = (char *)"switches";
	zoo->rows[NR_WORDS].unit = UNIT_COUNT;
	zoo->rows[NR_WORDS].better = BETTER_NONE;
	zoo->rows[NR_WORDS].primary = false;
	zoo->rows[NR_WORDS].counter = true;
	zoo->balances[1] = (struct report_balance){ 1, 1, true };
	zoo->report = (struct report){
		.experiment = { .name = (char *)"zoo",
				.text = (char *)"",
				.seed = 7,
				.blocks = 10,
				.finished = true,
				.variants = zoo->variants,
				.nr_variants = 2,
				.points = zoo->points,
				.nr_points = NR_WORDS },
		.sides = zoo->sides,
		.environments = zoo->environments,
		.rows = zoo->rows,
		.nr_rows = NR_ROWS,
		.balances = zoo->balances,
		.settled = zoo->settled,
		.nr_judged = NR_WORDS,
		.notes = (char *)"",
		.nr_boots = 1,
	};
}

static char *render(const struct report *report, const char *format)
{
	struct strbuf sb = { 0 };

	report_format_find(format)->render(report, &(struct report_style){ 0 }, &sb);
	return strbuf_take(&sb);
}

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

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

/*
 * 10 s and 9.5 s: 5 % less, or 5.26 % of B. Row 1 is improved by it and row 2, of which more is better, regressed;
 * rows 3 to 7 have five other words. The deviation of 0.5 is 5 % of A and 5.26 % of B; over n instead of n - 1, as
 * the robot has it, 4.74 % and 4.99 %.
 */
static const struct {
	const char *format, *improved, *regressed, *other; /* #: the row's number */
} lines[] = {
	{ "lkp", "     10.00 ±  5%      -5.0%       9.50 ±  5%  load.groups=1.time.s\n",
	  "     10.00 ±  5%      -5.0%       9.50 ±  5%  load.groups=2.time.s\n",
	  "     10.00 ±  5%         ~        9.50 ±  5%  load.groups=#.time.s\n" },
	{ "mmtests",
	  "\nAmean     load-groups=1-time-s       10.00 (   0.00%)        9.50 *   5.00%*\n",
	  "\nHmean     load-groups=2-time-s       10.00 (   0.00%)        9.50 *  -5.00%*\n",
	  "\nAmean     load-groups=#-time-s       10.00 (   0.00%)        9.50 (      ~ )\n" },
	{ "amd", "\n 1-groups     1.00 [ -0.00]( 5.00)     0.95 [  5.00]( 5.26)\n",
	  "\n 2-groups     1.00 [  0.00]( 5.00)     0.95 [ -5.00]( 5.26)\n",
	  "\n #-groups     1.00 [ -0.00]( 5.00)     0.95 [     ~]( 5.26)\n" },
	{ "intel", "\ntime            \t1-groups\t 1.00 (  5.00)\t +5.00 (  5.26)\n",
	  "\ntime            \t2-groups\t 1.00 (  5.00)\t -5.00 (  5.26)\n",
	  "\ntime            \t#-groups\t 1.00 (  5.00)\t     ~ (  5.26)\n" },
	{ "summary",
	  "\nload groups=1              time s:        8.50       10.50        9.50        0.50   "
	  "    +5.26\n",
	  "\nload groups=2              time s:        8.50       10.50        9.50        0.50   "
	  "    -5.00\n",
	  "\nload groups=#              time s:        8.50       10.50        9.50        0.50   "
	  "        ~\n" },
	{ "benchstat", "\nload/groups=1   10.00 ± 0%   9.500 ± 0%   -5.00% (p=0.014 n=10)\n",
	  "\nload/groups=2   10.00 ± 0%   9.500 ± 0%   -5.00% (p=0.014 n=10)\n",
	  "\nload/groups=#   10.00 ± 0%   9.500 ± 0%        ~ (p=0.014 n=10)\n" },
};

static void test_only_called_rows_have_a_percent_or_a_star(void **state)
{
	struct zoo zoo;

	(void)state;
	zoo_init(&zoo);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char *text = render(&zoo.report, lines[i].format);

		check_holds(text, lines[i].improved);
		check_holds(text, lines[i].regressed);
		for (size_t word = VERDICT_EQUIVALENT; word < NR_WORDS; word++) {
			struct strbuf line = { 0 };

			strbuf_addstr(&line, lines[i].other);
			*strchr(line.s, '#') = (char)('1' + word);
			check_holds(text, line.s);
			strbuf_release(&line);
		}
		check_holds(text, "load groups=5 time, new?[2J: order-confounded: because?[2J of");
		free(text);
	}
}

static void test_robot_speaks_of_the_worst_that_is_called(void **state)
{
	struct zoo zoo;
	char *text;

	(void)state;
	zoo_init(&zoo);
	text = render(&zoo.report, "lkp");
	check_holds(text, "Subject: [zoo] new?[2J: load.groups=2.time.s -5.0% regression\n\n"
			  "schedproof noticed a 5.0% regression of load.groups=2.time.s on:\n");
	check_holds(text,
		    "| testcase: change  | new?[2J: load.groups=1.time.s 5.0% improvement |\n");
	/* the subject, the sentence below it, and the box */
	assert_int_equal(count(text, "regression"), 2);
	assert_int_equal(count(text, "improvement"), 1);
	free(text);
	for (size_t i = 0; i < 2; i++)
		zoo.rows[i].verdict.word = VERDICT_INCONCLUSIVE;
	text = render(&zoo.report, "lkp");
	check_holds(text, "Subject: [zoo] new?[2J: load.groups=5.time.s order-confounded\n");
	check_lacks(text, "regression");
	check_lacks(text, "improvement");
	free(text);
	for (size_t i = 0; i < NR_WORDS; i++)
		zoo.rows[i].verdict.word = VERDICT_INCONCLUSIVE;
	text = render(&zoo.report, "lkp");
	check_holds(text, "Subject: [zoo] new?[2J: load.groups=1.time.s within noise\n");
	free(text);
}

/* Chance explains 1 of 10 against none, and not 8 of 10. */
static void test_robot_reproduces_what_chance_does_not_explain(void **state)
{
	struct zoo zoo;
	char *text;

	(void)state;
	zoo_init(&zoo);
	zoo.sides[1] = (struct report_side){ 10, 1, 1 };
	zoo.sides[3] = (struct report_side){ 10, 8, 0.0007 };
	text = render(&zoo.report, "lkp");
	check_holds(text, "       fail:runs  %reproduction    fail:runs\n"
			  "           |             |             |    \n"
			  "           :10           ~            1:10    load groups=1.failed\n");
	check_holds(text, "           :10          80%           8:10    load groups=2.failed\n");
	assert_int_equal(count(text, ".failed\n"), 2);
	free(text);
}

/* A change of the means that the verdict's effect contradicts is not shown, called or not. */
static void test_means_that_contradict_the_verdict_are_no_change(void **state)
{
	struct zoo zoo;
	double change;
	char *text;

	(void)state;
	zoo_init(&zoo);
	assert_true(row_mean_change(&zoo.rows[0], &change));
	assert_near(change, -0.05, 1e-12);
	assert_true(row_mean_gain(&zoo.rows[0], &change));
	assert_near(change, 0.05, 1e-12);
	zoo.rows[0].verdict.b.mean = 10.5e9;
	assert_false(row_mean_change(&zoo.rows[0], &change));
	text = render(&zoo.report, "amd");
	check_holds(text, "\n 1-groups     1.00 [ -0.00]( 5.00)     1.05 [     ~]( 4.76)\n");
	free(text);
	zoo.rows[0].verdict.a.mean = 0;
	assert_false(row_mean_change(&zoo.rows[0], &change));
	/* a counter that moved has a change, and is never a gain */
	zoo.rows[NR_WORDS].moved = true;
	assert_true(row_mean_change(&zoo.rows[NR_WORDS], &change));
	assert_false(row_mean_gain(&zoo.rows[NR_WORDS], &change));
}

static void test_ministat_proves_only_what_is_called(void **state)
{
	struct zoo zoo;
	char *text;

	(void)state;
	zoo_init(&zoo);
	text = render(&zoo.report, "ministat");
	/* -5 % -+ 1 % of 10 s */
	check_holds(text,
		    "\nload groups=1 time s\nx base\n+ new?[2J\n"
		    "    N           Min           Max        Median           Avg        Stddev\n"
		    "x  10             9            11            10            10           0.5\n"
		    "+  10           8.5          10.5           9.5           9.5           0.5\n"
		    "Difference at 95.0% confidence\n"
		    "\t-0.5 +/- 0.1\n"
		    "\t-5% +/- 1%\n");
	assert_int_equal(count(text, "Difference at 95.0% confidence"), 2);
	assert_int_equal(count(text, "No difference proven at 95.0% confidence"), NR_WORDS - 2);
	free(text);
}

/* Our own block has the figures and interval of every row, and its word beside it. */
static void test_mail_has_every_word(void **state)
{
	struct zoo zoo;
	char *text;

	(void)state;
	zoo_init(&zoo);
	text = render(&zoo.report, "mail");
	check_holds(text,
		    "\nload groups=1 s (low)   10.00  9.50  -5.0% [-6.0,-4.0] 0.014  improved\n");
	check_holds(text,
		    "\nload groups=2 s (high)  10.00  9.50  -5.0% [-6.0,-4.0] 0.014  regressed\n");
	check_holds(text, "0.014  equivalent\n");
	check_holds(text, "(within +-1.0%)\n");
	check_holds(text, "0.014  inconclusive\n");
	check_holds(text, "(MDE 2.0%)\n");
	check_holds(text, "0.014\n    order-confounded [1]\n");
	check_holds(text, "[1] because?[2J of this\n");
	check_holds(text, "\n10 runs/side, order within each block at random, seed 7; p adjusted "
			  "for 7 rows\n");
	free(text);
}

static void test_markdown_and_csv_escape_what_names_hold(void **state)
{
	struct zoo zoo;
	char *text;

	(void)state;
	zoo_init(&zoo);
	zoo.variants[1].name = (char *)"a|b_c<d";
	text = render(&zoo.report, "md");
	check_holds(text, "**B = a\\|b\\_c\\<d**");
	check_holds(text,
		    "| load groups=1 time s (lower) | 10.00 | 9.50 | -5.0% | [-6.0,-4.0] | 0.014 | "
		    "**improved** |\n");
	free(text);
	zoo.variants[1].name = (char *)"=1+1,\"x\"";
	text = render(&zoo.report, "csv");
	check_holds(text,
		    "\nload groups=1,time,ns,lower,primary,base,\"'=1+1,\"\"x\"\"\",10,1e+10,");
	check_holds(text, ",fraction,-0.05,-0.06,-0.04,0.002,0.014,0.02,improved,\n");
	free(text);
}

/* JSON escapes; every other format must. Widths: those of the layouts are theirs. */
static void test_formats_keep_their_width_and_give_no_commands(void **state)
{
	static const char *const narrow[] = { "text", "mail", "ministat" };
	struct zoo zoo;

	(void)state;
	zoo_init(&zoo);
	for (size_t i = 0; report_format_at(i); i++) {
		const char *name = report_format_at(i)->name;
		char *text = render(&zoo.report, name);
		bool is_narrow = false;

		for (size_t k = 0; k < sizeof(narrow) / sizeof(narrow[0]); k++)
			is_narrow |= !strcmp(name, narrow[k]);
		check_lacks(text, "\033");
		for (char *line = text, *end; *line; line = end + 1) {
			end = strchr(line, '\n');
			if (!end)
				fail_msg("%s: the last line has no end", name);
			*end = '\0';
			if (is_narrow && text_width(line) > PAGE_WIDTH)
				fail_msg("%s: wider than the page: %s", name, line);
		}
		free(text);
	}
}

/* One variant, no rows, or rows without figures: no format falls over it. */
static void test_formats_bear_what_has_no_figures(void **state)
{
	struct zoo zoo;

	(void)state;
	zoo_init(&zoo);
	for (size_t i = 0; i < NR_ROWS; i++)
		zoo.rows[i].verdict = (struct verdict){ .word = VERDICT_NO_CONCLUSION };
	for (size_t i = 0; report_format_at(i); i++)
		free(render(&zoo.report, report_format_at(i)->name));
	zoo.report.nr_rows = 0;
	zoo.report.experiment.nr_variants = 1;
	for (size_t i = 0; report_format_at(i); i++)
		free(render(&zoo.report, report_format_at(i)->name));
}

/* Of its seven rows one is improved and one regressed: whoever reads one format only has to learn that it is no win. */
static void test_every_format_names_the_trade_off(void **state)
{
	struct zoo zoo;

	(void)state;
	zoo_init(&zoo);
	for (size_t i = 0; report_format_at(i); i++) {
		const char *name = report_format_at(i)->name;
		char *text = render(&zoo.report, name);

		if (!strcmp(name, "json"))
			check_holds(text, "\"better\":1,\"worse\":1,\"trade_off\":true");
		else if (!strcmp(name, "csv"))
			check_holds(text, ",trade-off,\"Trade-off, new");
		else
			check_holds(text, "Trade-off, new");
		free(text);
	}
}

/* 1 / ((1 + 1/2 + 1/4) / 3) = 12/7. */
static void test_side_statistics(void **state)
{
	static const double x[] = { 1, 2, 4, 8, 16, 32, 64 };
	const double *first;

	(void)state;
	assert_near(harmonic_mean(x, 3), 12. / 7, 1e-12);
	assert_near(harmonic_mean((const double[]){ 0, 1 }, 2), 0, 0);
	assert_int_equal(best_part(x, 7, 50, BETTER_LOWER, &first), 3);
	assert_near(*first, 1, 0);
	assert_int_equal(best_part(x, 7, 50, BETTER_HIGHER, &first), 3);
	assert_near(*first, 16, 0);
	assert_int_equal(best_part(x, 1, 50, BETTER_LOWER, &first), 1);
	/* n = 5 covers at most 1 - 2/2^5 = 0.9375; n = 6 and 7 take the outermost values: 2/2^7, but 16/2^7 for the next */
	assert_true(isinf(median_spread(x, 5)));
	assert_near(median_spread(x, 6), 100 * (32 - 6) / 6., 1e-9);
	assert_near(median_spread(x, 7), 100 * (64 - 8) / 8., 1e-9);
	assert_true(isinf(median_spread(x, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_called_rows_have_a_percent_or_a_star),
		cmocka_unit_test(test_robot_speaks_of_the_worst_that_is_called),
		cmocka_unit_test(test_robot_reproduces_what_chance_does_not_explain),
		cmocka_unit_test(test_means_that_contradict_the_verdict_are_no_change),
		cmocka_unit_test(test_ministat_proves_only_what_is_called),
		cmocka_unit_test(test_mail_has_every_word),
		cmocka_unit_test(test_markdown_and_csv_escape_what_names_hold),
		cmocka_unit_test(test_formats_keep_their_width_and_give_no_commands),
		cmocka_unit_test(test_formats_bear_what_has_no_figures),
		cmocka_unit_test(test_every_format_names_the_trade_off),
		cmocka_unit_test(test_side_statistics),
	};

	return cmocka_run_group_tests_name("report/formats", tests, NULL, NULL);
}
