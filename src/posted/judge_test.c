// SPDX-License-Identifier: GPL-2.0-only
#include "posted/judge.h"

#include "check.h"
#include "posted/fixture.h"

#include <string.h>

/* A text, judged; its first table. */
struct judging {
	struct posted posted;
	struct posted_judged judged;
};

static void judge(struct judging *j, const char *text, const struct posted_rule *rule)
{
	fixture_read(&j->posted, text, 1);
	posted_judge(&j->judged, j->posted.tables[0], rule);
}

static void release(struct judging *j)
{
	posted_judged_release(&j->judged);
	posted_release(&j->posted);
}

static const char *word_of(const struct judging *j, size_t row)
{
	return posted_outcome_word(posted_outcome_at(&j->judged, row, 1));
}

/* 5 and 5 runs that don't overlap: p is 2 of the 252 ways to deal them. */
static const char runs[] = "# lower is better\nvariant,r1,r2,r3,r4,r5\n"
			   "base,10.1,10.2,10.3,10.4,10.5\npatched,9.1,9.2,9.3,9.4,9.6\n";

static void test_runs_without_a_word_on_their_order(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	const struct verdict *verdict;
	struct judging j;

	(void)state;
	judge(&j, runs, &rule);
	assert_string_equal(word_of(&j, 0), "order-confounded");
	verdict = &posted_outcome_at(&j.judged, 0, 1)->verdict;
	assert_near(verdict->p, 2.0 / 252, 1e-12);
	assert_true(verdict->has_ci && verdict->ci.hi < 0);
	release(&j);
}

static void test_runs_in_random_order(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;
	double worst;

	(void)state;
	rule.order = TRIAL_RANDOM;
	judge(&j, runs, &rule);
	assert_string_equal(word_of(&j, 0), "improved");
	assert_false(posted_worst(&j.judged, &worst));
	release(&j);
	rule.order = TRIAL_SEQUENCE;
	judge(&j, runs, &rule);
	assert_string_equal(word_of(&j, 0), "order-confounded");
	release(&j);
}

static void test_too_few_runs(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j, "# lower is better\nvariant,r1,r2,r3\nbase,10,11,12\npatched,7,8,9\n", &rule);
	assert_string_equal(word_of(&j, 0), "no conclusion");
	assert_non_null(strstr(posted_outcome_at(&j.judged, 0, 1)->why, "too few runs"));
	release(&j);
}

/* Welch by hand: 22.04 (0.342) and 20.786 (0.6435), n = 5: se = sqrt((0.11696 + 0.41409) / 5) = 0.32590, t = 3.848 */
static const char summary[] = "# lower is better\nvariant,case,avg,stddev,n\n"
			      "base,a b,22.04,0.342,5\npatched,a b,20.786,0.6435,5\n";

static void test_summary(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	const struct posted_outcome *outcome;
	struct judging j;

	(void)state;
	judge(&j, summary, &rule);
	outcome = posted_outcome_at(&j.judged, 0, 1);
	assert_int_equal(outcome->basis, POSTED_BY_SUMMARY);
	assert_string_equal(word_of(&j, 0), "improved");
	assert_near(outcome->verdict.effect, 20.786 / 22.04 - 1, 1e-12);
	/* R: pt(-3.848, df = 6.1) * 2 = 0.0082 */
	assert_near(outcome->verdict.p, 0.0082, 0.0003);
	release(&j);
	rule.order = TRIAL_SEQUENCE;
	judge(&j, summary, &rule);
	assert_string_equal(word_of(&j, 0), "order-confounded");
	release(&j);
}

/* The same figures with a standard error instead: five times the variance, no change any more. */
static void test_standard_error_is_not_standard_deviation(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j,
	      "# lower is better\nvariant,case,avg,stderr,n\nbase,a b,22.04,0.342,5\n"
	      "patched,a b,20.786,0.6435,5\n",
	      &rule);
	assert_string_equal(word_of(&j, 0), "inconclusive");
	release(&j);
}

static void test_number_of_runs_not_told(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j,
	      "# lower is better\nvariant,case,avg,stddev\nbase,a b,22.04,0.342\n"
	      "patched,a b,20.786,0.6435\n",
	      &rule);
	assert_string_equal(word_of(&j, 0), "no conclusion");
	/* t at n = 3 is 2.98 for 3.05 degrees of freedom: p = 0.057; at n = 4 it is 3.44 for 4.6: 0.021 */
	assert_int_equal(posted_outcome_at(&j.judged, 0, 1)->needs, 4);
	release(&j);
	rule.n = 5;
	judge(&j,
	      "# lower is better\nvariant,case,avg,stddev\nbase,a b,22.04,0.342\n"
	      "patched,a b,20.786,0.6435\n",
	      &rule);
	assert_string_equal(word_of(&j, 0), "improved");
	release(&j);
}

static const char means[] = "# lower is better\ncase,base,patched,runs\nx 1,0.19,0.20,50\n"
			    "x 2,0.27,0.32,50\nx 3,56.81,56.68,20\nx 4,0.51,0.51,50\n";

static void test_means_alone(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	const struct posted_overview *o;
	struct judging j;

	(void)state;
	judge(&j, means, &rule);
	assert_string_equal(word_of(&j, 0), "below resolution");
	assert_string_equal(word_of(&j, 1), "no conclusion");
	assert_string_equal(word_of(&j, 3), "below resolution");
	o = &j.judged.overview;
	assert_int_equal(o->rows, 4);
	assert_int_equal(o->words[VERDICT_BELOW_RESOLUTION], 2);
	/* 0.27 to 0.32 is beyond what 50 runs show at 4.1 %; -0.2 % is within what 20 show at 1.4 % */
	assert_int_equal(o->beyond[1], 1);
	assert_int_equal(o->within[0], 1);
	assert_int_equal(o->worse, 2);
	release(&j);
}

/* MDE of 50 and 50 runs at 3 %: (1.984 + 0.846) * 0.03 * sqrt(2 / 50) = 1.70 % with t instead of z */
static void test_spread_that_the_user_states(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	const struct posted_outcome *outcome;
	struct judging j;

	(void)state;
	rule.spread = 0.03;
	judge(&j, means, &rule);
	outcome = posted_outcome_at(&j.judged, 1, 1);
	assert_true(outcome->can_show);
	assert_near(outcome->show_low, 0.0170, 0.0003);
	assert_near(outcome->show_high, outcome->show_low, 0);
	assert_string_equal(word_of(&j, 1), "no conclusion");
	release(&j);
}

/* 4 runs a side find some 10 % at a spread of 4.1 %: 118.9 % is beyond that, 5 % between, 1 % within. */
static void test_percents_alone(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j,
	      "# positive change is a regression; iterations 4 each\n"
	      "machine,setup,change_percent\nbig,one,118.9\nbig,two,5\nbig,three,-1\n",
	      &rule);
	assert_string_equal(word_of(&j, 0), "no conclusion");
	assert_non_null(strstr(posted_outcome_at(&j.judged, 0, 1)->why, "exceeds"));
	assert_int_equal(j.judged.overview.beyond[1], 1);
	assert_int_equal(j.judged.overview.between[1], 1);
	assert_int_equal(j.judged.overview.within[0], 1);
	release(&j);
}

/* The same p alone would do, among eight rows it does not. */
static void test_rows_are_read_together(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j,
	      "# lower is better; n = 5\nvariant,case,avg,stddev\n"
	      "base,a,38.48,0.63\npatched,a,36.206,1.66\n",
	      &rule);
	assert_string_equal(word_of(&j, 0), "improved");
	release(&j);
	judge(&j,
	      "# lower is better; n = 5\nvariant,case,avg,stddev\n"
	      "base,a,38.48,0.63\npatched,a,36.206,1.66\nbase,b,10,1\npatched,b,10.1,1\n",
	      &rule);
	assert_string_equal(word_of(&j, 0), "inconclusive");
	assert_non_null(strstr(posted_outcome_at(&j.judged, 0, 1)->why, "among 2 rows"));
	release(&j);
}

static void test_unknown_direction_moves(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j, "variant,case,avg,stddev,n\nbase,a b,22,0.3,5\npatched,a b,20,0.3,5\n", &rule);
	assert_string_equal(word_of(&j, 0), "moved");
	release(&j);
	rule.better = BETTER_HIGHER;
	judge(&j, "variant,case,avg,stddev,n\nbase,a b,22,0.3,5\npatched,a b,20,0.3,5\n", &rule);
	assert_string_equal(word_of(&j, 0), "regressed");
	release(&j);
}

/*
 * Five figures with ends 4.6 apart have a standard deviation of at least 4.6 / sqrt(8) = 1.63 and at most
 * 4.6 * sqrt(5 / 16) = 2.57; divided by n instead, of 1.45 to 2.3.
 */
static void test_contradictions_are_named(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j,
	      "# lower is better; n = 5\nvariant,case,min,max,avg,stddev\n"
	      "base,fine,33.4,38.0,36.2,1.66\npatched,fine,33.4,38.0,36.2,2.5\n"
	      "base,by n,33.4,38.0,36.2,1.5\npatched,by n,33.4,38.0,36.2,1.7\n"
	      "base,wrong,33.4,38.0,36.2,0.5\npatched,wrong,33.4,38.0,39.5,1.7\n",
	      &rule);
	assert_true(fixture_says(j.judged.table,
				 "divided by n and not by n - 1, as is taken for "
				 "granted here: the standard deviation of: by n (A)"));
	assert_true(fixture_says(j.judged.table, "that standard deviation: wrong (A)"));
	assert_true(fixture_says(j.judged.table, "row: wrong (B)"));
	release(&j);
}

/* A spread of 0 on both sides is one figure that was repeated. */
static void test_no_spread_at_all(void **state)
{
	struct posted_rule rule = FIXTURE_RULE;
	struct judging j;

	(void)state;
	judge(&j,
	      "# lower is better\nvariant,min,max,avg,stddev\nwithout,4014,4014,4014,0\n"
	      "with,2017,2017,2017,0\n",
	      &rule);
	assert_int_equal(posted_outcome_at(&j.judged, 0, 1)->basis, POSTED_BY_MEANS);
	assert_string_equal(word_of(&j, 0), "no conclusion");
	release(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_without_a_word_on_their_order),
		cmocka_unit_test(test_runs_in_random_order),
		cmocka_unit_test(test_too_few_runs),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_standard_error_is_not_standard_deviation),
		cmocka_unit_test(test_number_of_runs_not_told),
		cmocka_unit_test(test_means_alone),
		cmocka_unit_test(test_spread_that_the_user_states),
		cmocka_unit_test(test_percents_alone),
		cmocka_unit_test(test_rows_are_read_together),
		cmocka_unit_test(test_unknown_direction_moves),
		cmocka_unit_test(test_contradictions_are_named),
		cmocka_unit_test(test_no_spread_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
