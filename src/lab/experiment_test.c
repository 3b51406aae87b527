// SPDX-License-Identifier: GPL-2.0-only
#include "lab/experiment.h"

#include "base/mem.h"
#include "lab/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define VARIANTS "[variant base]\n[variant new]\nnice = 5\n"
#define PIPE	 "[workload pipe]\n"

static int parse(struct experiment **out, const char *text, struct error *err)
{
	return experiment_parse(out, "dir/x.ini", text, strlen(text), err);
}

static struct experiment *parsed(const char *text)
{
	struct experiment *experiment;
	struct error err = { 0 };

	if (parse(&experiment, text, &err))
		fail_msg("%s", err.text);
	return experiment;
}

static void assert_fails(const char *text, int code, const char *expect)
{
	struct experiment *experiment;
	struct error err = { 0 };

	assert_int_equal(parse(&experiment, text, &err), -code);
	assert_int_equal(err.code, code);
	assert_string_equal(err.text, expect);
}

static void assert_invalid(const char *text, const char *expect)
{
	assert_fails(text, EINVAL, expect);
}

static void test_experiment_defaults(void **state)
{
	struct experiment *e = parsed(VARIANTS PIPE);

	(void)state;
	assert_string_equal(e->name, "x");
	assert_int_equal(e->blocks, 6);
	assert_int_equal(e->runs_per_block, 2);
	assert_int_equal(e->budget_ns, 0);
	assert_near(e->margin, 0, 0);
	assert_near(e->until, 0, 0);
	assert_int_equal(e->seed, 1);
	assert_int_equal(e->warmup, 1);
	assert_string_equal(e->counters, "default");
	assert_false(e->fail_on.set);
	assert_false(e->by_kernel);
	assert_int_equal(e->nr_variants, 2);
	assert_string_equal(e->variants[1].name, "new");
	assert_int_equal(e->nr_points, 1);
	assert_string_equal(e->points[0].label, "pipe");
	assert_int_equal(e->points[0].timeout_ns, 120000000000);
	assert_ptr_equal(e->points[0].workload, workload_find("pipe"));
	experiment_free(e);
}

static void test_experiment_reads_the_head(void **state)
{
	struct experiment *e = parsed(VARIANTS PIPE "[experiment]\n"
						    "name = my.exp-1_a\n"
						    "time = 1.5m\n"
						    "seed = 18446744073709551615\n"
						    "warmup = 0\n"
						    "counters = none\n"
						    "fail-on = regressed:2.5%\n");

	(void)state;
	assert_string_equal(e->name, "my.exp-1_a");
	assert_int_equal(e->blocks, 0);
	assert_int_equal(e->budget_ns, 90000000000);
	assert_true(e->seed == UINT64_MAX);
	assert_int_equal(e->warmup, 0);
	assert_string_equal(e->counters, "none");
	assert_true(e->fail_on.set);
	assert_near(e->fail_on.fraction, 0.025, 1e-15);
	experiment_free(e);
	e = parsed("[experiment]\ntime = 30h\nblocks = 3\n" VARIANTS PIPE);
	assert_int_equal(e->blocks, 3);
	assert_int_equal(e->budget_ns, INT64_C(30) * 3600 * 1000000000);
	experiment_free(e);
}

/* 3 x 2 points, the first list turns slowest; the label has what is swept, the parameters everything. */
static void test_experiment_lists_make_all_combinations_in_file_order(void **state)
{
	static const char *const labels[] = {
		"small groups=1 mode=process",	  "small groups=1 mode=thread",
		"small groups=2 mode=process",	  "small groups=2 mode=thread",
		"small groups=1000 mode=process", "small groups=1000 mode=thread",
	};
	struct experiment *e = parsed(VARIANTS "[workload small]\n"
					       "groups = 1,2 , 1k\n"
					       "type = hackbench\n"
					       "loops = 7\n"
					       "mode = process,thread\n"
					       "timeout = 5s\n" PIPE);
	struct strbuf params = { 0 };

	(void)state;
	assert_int_equal(e->nr_points, 7);
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		assert_string_equal(e->points[i].label, labels[i]);
		assert_int_equal(e->points[i].timeout_ns, 5000000000);
	}
	point_print_params(&e->points[3], &params);
	assert_non_null(strstr(params.s, "groups=2\n"));
	assert_non_null(strstr(params.s, "mode=thread\n"));
	assert_non_null(strstr(params.s, "loops=7\n"));
	assert_non_null(strstr(params.s, "fds=20\n"));
	assert_null(strstr(params.s, "timeout"));
	strbuf_release(&params);
	assert_string_equal(e->points[6].label, "pipe");
	experiment_free(e);
}

/* In a text, a comma is a comma: pipe's cpus is one. */
static void test_experiment_a_text_parameter_is_no_list(void **state)
{
	struct experiment *e = parsed(VARIANTS PIPE "cpus = 0,1\n");

	(void)state;
	assert_int_equal(e->nr_points, 1);
	assert_string_equal(e->points[0].label, "pipe");
	experiment_free(e);
}

static void test_experiment_kernel_patterns_make_it_span_boots(void **state)
{
	struct experiment *e = parsed("[experiment]\nblocks = 8\nruns_per_boot = 2\n"
				      "[variant old]\nkernel = 6.1.*\n"
				      "[variant new]\nkernel = 6.12.*\n" PIPE);

	(void)state;
	assert_true(e->by_kernel);
	assert_int_equal(e->runs_per_boot, 2);
	assert_int_equal(e->runs_per_block, 2); /* who counts blocks counts usual ones */
	experiment_free(e);
	e = parsed("[variant old]\nkernel = 6.1.*\n[variant new]\nkernel = 6.12.*\n" PIPE);
	assert_int_equal(e->runs_per_boot, 5);
	assert_int_equal(e->runs_per_block, 1);
	assert_int_equal(e->blocks, 8);
	experiment_free(e);
	e = parsed("[experiment]\nruns_per_block = 2\n"
		   "[variant old]\nkernel = 6.1.*\n[variant new]\nkernel = 6.12.*\n" PIPE);
	assert_int_equal(e->blocks, 3);
	experiment_free(e);
	e = parsed("[variant a]\nkernel = 6.1.*\n[variant b]\nkernel = 6.1.*\n" PIPE);
	assert_false(e->by_kernel);
	experiment_free(e);
}

static void test_experiment_names_the_line_and_the_nearest_name(void **state)
{
	(void)state;
	assert_invalid("[experiment]\nblokcs = 3\n",
		       "dir/x.ini:2: unknown key 'blokcs', did you mean 'blocks'?");
	assert_invalid("[varaint a]\n",
		       "dir/x.ini:1: unknown section [varaint a], did you mean [variant NAME]?");
	assert_invalid("[machine]\n", "dir/x.ini:1: unknown section [machine], there are "
				      "[experiment], [variant NAME] and [workload NAME]");
	assert_invalid("[workload hackbenhc]\n", "dir/x.ini:1: unknown workload 'hackbenhc', did "
						 "you mean 'hackbench'?");
	assert_invalid("[workload x]\ntype = hackbench2\n",
		       "dir/x.ini:2: unknown workload 'hackbench2', did you mean 'hackbench'?");
	assert_invalid("[workload hackbench]\n\ngruops = 1\n",
		       "dir/x.ini:3: unknown key 'gruops' of workload hackbench, did you mean "
		       "'groups'?");
	assert_invalid("[workload hackbench]\ntimeuot = 1s\n",
		       "dir/x.ini:2: unknown key 'timeuot' of workload hackbench, did you mean "
		       "'timeout'?");
	assert_invalid("[variant a]\npolcy = fifo\n",
		       "dir/x.ini:2: unknown key 'polcy', did you mean 'policy'?");
}

static void test_experiment_says_what_a_value_may_be(void **state)
{
	(void)state;
	assert_fails("[experiment]\nblocks = 1001\n", ERANGE,
		     "dir/x.ini:2: blocks: '1001' is out of range, allowed is 1 .. 1000");
	assert_fails("[experiment]\nblocks = 0\n", ERANGE,
		     "dir/x.ini:2: blocks: '0' is out of range, allowed is 1 .. 1000");
	assert_fails("[experiment]\nwarmup = 101\n", ERANGE,
		     "dir/x.ini:2: warmup: '101' is out of range, allowed is 0 .. 100");
	assert_invalid("[experiment]\nseed =\n", "dir/x.ini:2: seed: there is no value");
	assert_invalid("[workload hackbench]\nloops = ; none\n",
		       "dir/x.ini:2: loops: there is no value");
	assert_invalid("[workload hackbench]\ngroups = 1, two, 3\n",
		       "dir/x.ini:2: groups: 'two' is not valid, expected 1 .. 10000");
	assert_invalid("[workload hackbench]\ngroups = 1,,3\n",
		       "dir/x.ini:2: groups: place 2 of the list '1,,3' is empty");
	assert_invalid("[workload hackbench]\ngroups = 1,\n",
		       "dir/x.ini:2: groups: place 2 of the list '1,' is empty");
	assert_fails("[workload pipe]\ntimeout = 25h\n", ERANGE,
		     "dir/x.ini:2: timeout: '25h' is out of range, allowed is 1s .. 24h");
	assert_invalid("[experiment]\nfail-on = worse\n",
		       "dir/x.ini:2: fail-on: 'worse' is not valid, expected regressed or "
		       "regressed:2%, at most 1000%");
	assert_invalid("[experiment]\nname = a b\n",
		       "dir/x.ini:2: 'a b' is no name: 1 to 40 letters, digits, '_', '.' and '-', "
		       "which can't be the first");
}

static void test_experiment_refuses_what_is_there_twice(void **state)
{
	(void)state;
	assert_invalid("[variant a]\n[variant b]\n[variant  a]\n",
		       "dir/x.ini:3: [variant  a] is there twice, first in line 1");
	assert_invalid("[workload pipe]\n[workload pipe]\n",
		       "dir/x.ini:2: [workload pipe] is there twice, first in line 1");
	assert_invalid("[experiment]\n[experiment]\n",
		       "dir/x.ini:2: [experiment] is there twice, first in line 1");
	assert_invalid("[experiment]\nseed = 1\nseed = 2\n",
		       "dir/x.ini:3: 'seed' is given twice, first in line 2");
	/* 1000 and 1k are the same */
	assert_invalid("[workload hackbench]\ngroups = 1000, 1k\n",
		       "dir/x.ini:2: 'hackbench groups=1000' is there twice");
}

static void test_experiment_refuses_what_can_not_go_together(void **state)
{
	(void)state;
	assert_invalid("[variant a]\n" PIPE, "dir/x.ini: a comparison needs two [variant NAME] "
					     "sections, there is one");
	assert_invalid("", "dir/x.ini: a comparison needs two [variant NAME] sections, there are "
			   "none");
	assert_invalid(VARIANTS, "dir/x.ini: there is no [workload NAME] section");
	assert_invalid("[variant]\n", "dir/x.ini:1: [variant] needs a name: [variant NAME]");
	assert_invalid("[experiment x]\n",
		       "dir/x.ini:1: [experiment] takes no name here, write name = x");
	assert_invalid("[experiment]\nruns_per_boot = 2\n" VARIANTS PIPE,
		       "dir/x.ini:2: runs_per_boot is for variants with different kernel = "
		       "patterns");
	assert_invalid("[variant a]\nkernel = 6.1*\n[variant b]\n" PIPE,
		       "dir/x.ini:3: variant b has no kernel pattern while a has: give it to all "
		       "or to none");
	assert_invalid("[variant a]\n[variant b]\nkernel = 6.1*\n" PIPE,
		       "dir/x.ini:1: variant a has no kernel pattern while b has: give it to all "
		       "or to none");
	assert_invalid(
		"[experiment]\ntime = 5m\n[variant a]\nkernel = a\n[variant b]\nkernel = b\n" PIPE,
		"dir/x.ini:2: a time budget can't be shared between boots: with kernel = in "
		"the variants, give blocks instead");
}

static void test_experiment_names_the_variant_of_impossible_settings(void **state)
{
	struct experiment *e;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(parse(&e, "[variant a]\n[variant b]\npriority = 5\n" PIPE, &err), -EINVAL);
	assert_int_equal(strncmp(err.text, "dir/x.ini:2: variant b: 'priority' ", 35), 0);
}

static void test_experiment_bounds_the_points(void **state)
{
	static const char list[] = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,"
				   "25,26,27,28,29,30,31,32";
	char text[2000];
	struct experiment *e;

	(void)state;
	snprintf(text, sizeof(text), VARIANTS "[workload hackbench]\ngroups=%s\nloops=%s\n", list,
		 list);
	/* 32 x 32 = 1024 */
	assert_fails(text, ERANGE,
		     "dir/x.ini:4: its lists make too many points, allowed are 1000 "
		     "in all workloads");
	snprintf(text, sizeof(text),
		 "[experiment]\nblocks=%d\n" VARIANTS
		 "[workload hackbench]\ngroups=%s\nfds=%s\nloops=%s\n",
		 1000, list, "1,2,3,4,5", "1,2,3,4");
	/* (1000 blocks of 2 runs + 1 for warm-up) x 2 variants x 640 points */
	assert_fails(text, ERANGE,
		     "dir/x.ini: 2561280 runs in all (blocks x variants x workload "
		     "points), at most 1000000 are allowed");
	snprintf(text, sizeof(text), VARIANTS "[workload hackbench]\ngroups=%s\nfds=%s\nloops=%s\n",
		 list, "1,2,3,4,5", "1,2,3,4");
	e = parsed(text);
	assert_int_equal(e->nr_points, 640);
	experiment_free(e);
}

static void test_experiment_bounds_the_variants(void **state)
{
	struct strbuf text = { 0 };

	(void)state;
	for (int i = 0; i < EXPERIMENT_MAX_VARIANTS + 1; i++)
		strbuf_addf(&text, "[variant v%d]\n", i);
	assert_fails(text.s, ERANGE, "dir/x.ini:65: more than 64 variants");
	strbuf_release(&text);
}

static void test_experiment_file_name_must_make_a_name(void **state)
{
	struct experiment *e;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(
		experiment_parse(&e, "my file.ini", VARIANTS PIPE, strlen(VARIANTS PIPE), &err),
		-EINVAL);
	assert_non_null(strstr(err.text, "give it a name ="));
}

static void assert_same_fingerprint(const char *a, const char *b, bool same)
{
	struct experiment *ea = parsed(a), *eb = parsed(b);
	struct experiment_row ra, rb;

	experiment_row(ea, &ra);
	experiment_row(eb, &rb);
	assert_int_equal(!strcmp(ra.fingerprint, rb.fingerprint), same);
	experiment_row_release(&ra);
	experiment_row_release(&rb);
	experiment_free(ea);
	experiment_free(eb);
}

static void test_experiment_fingerprint_is_of_the_meaning(void **state)
{
	static const char plain[] = "[experiment]\nseed = 1\n" VARIANTS PIPE;
	static const char *const same[] = {
		"; hello\n\n[experiment]\n\tseed=1\n" VARIANTS PIPE,
		VARIANTS PIPE,
		PIPE "timeout = 2m\nloops = 1M\n" VARIANTS "[experiment]\nfail-on = regressed\n",
	};
	static const char *const other[] = {
		"[experiment]\nseed = 2\n" VARIANTS PIPE,
		"[experiment]\nblocks = 11\n" VARIANTS PIPE,
		"[experiment]\nwarmup = 2\n" VARIANTS PIPE,
		"[experiment]\nname = y\n" VARIANTS PIPE,
		"[experiment]\ncounters = none\n" VARIANTS PIPE,
		"[experiment]\ntime = 1h\nblocks = 6\n" VARIANTS PIPE,
		"[experiment]\nruns_per_block = 1\nblocks = 6\n" VARIANTS PIPE,
		"[experiment]\nmargin = 1%\n" VARIANTS PIPE,
		"[experiment]\nuntil = 2%\nblocks = 6\n" VARIANTS PIPE,
		VARIANTS "cpus = 0\n" PIPE,
		VARIANTS "[variant third]\n" PIPE,
		VARIANTS PIPE "timeout = 3m\n",
		VARIANTS PIPE "loops = 5\n",
		VARIANTS "[workload p]\ntype = pipe\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		assert_same_fingerprint(plain, same[i], true);
	for (size_t i = 0; i < ARRAY_SIZE(other); i++)
		assert_same_fingerprint(plain, other[i], false);
}

static void test_experiment_row_has_what_the_store_keeps(void **state)
{
	static const char text[] = "[variant base]\n[variant new]\npolicy = batch\nnice = 5\n"
				   "[workload h]\ntype = hackbench\ngroups = 3, 4\n";
	struct experiment *e = parsed(text);
	struct experiment_row row;

	(void)state;
	experiment_row(e, &row);
	assert_string_equal(row.name, "x");
	assert_string_equal(row.text, text);
	assert_int_equal(strlen(row.fingerprint), 16);
	assert_int_equal(row.blocks, 6);
	assert_int_equal(row.runs_per_block, 2);
	assert_int_equal(row.runs_per_boot, 0);
	assert_int_equal(row.nr_variants, 2);
	assert_string_equal(row.variants[0].settings, "");
	assert_non_null(strstr(row.variants[1].settings, "nice = 5\n"));
	assert_int_equal(row.nr_points, 2);
	assert_string_equal(row.points[1].label, "h groups=4");
	assert_string_equal(row.points[1].workload, "hackbench");
	assert_non_null(strstr(row.points[1].params, "groups=4\n"));
	assert_string_equal(row.points[1].primary, workload_find("hackbench")->metrics[0].name);
	experiment_row_release(&row);
	experiment_free(e);
}

/* 12 runs of each variant; at most 25 blocks where it may stop early. */
static void test_experiment_default_number_of_blocks(void **state)
{
	static const struct {
		const char *head;
		uint64_t blocks;
	} cases[] = {
		{ "runs_per_block = 1\n", 12 },
		{ "runs_per_block = 3\n", 4 },
		{ "runs_per_block = 8\n", 2 },
		{ "until = 2%\n", 25 },
		{ "time = 1h\n", 0 },
		{ "time = 1h\nuntil = 2%\n", 25 },
		{ "until = 2%\nblocks = 9\n", 9 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = xasprintf("[experiment]\n%s" VARIANTS PIPE, cases[i].head);
		struct experiment *e = parsed(text);

		assert_int_equal(e->blocks, cases[i].blocks);
		experiment_free(e);
		free(text);
	}
}

static void test_experiment_against_itself(void **state)
{
	struct experiment *e = parsed("[variant old]\nkernel = 6.1.*\n"
				      "[variant new]\nkernel = 6.12.*\nnice = 5\nenv.A = a = b\n"
				      "[variant third]\nkernel = 6.18.*\n" PIPE);
	struct experiment_row row;

	(void)state;
	experiment_against_itself(e, 1);
	assert_int_equal(e->nr_variants, 2);
	assert_false(e->by_kernel);
	assert_int_equal(e->runs_per_block, 2);
	assert_int_equal(e->blocks, 6);
	experiment_row(e, &row);
	assert_string_equal(row.variants[0].name, "new");
	assert_string_equal(row.variants[1].name, "new-again");
	assert_string_equal(row.variants[0].settings, row.variants[1].settings);
	assert_non_null(strstr(row.variants[1].settings, "nice = 5\n"));
	assert_non_null(strstr(row.variants[1].settings, "a = b\n"));
	assert_int_equal(row.runs_per_boot, 0);
	experiment_row_release(&row);
	experiment_free(e);
}

/* What [experiment] says is for variants that say nothing, and each has all of it in the end. */
static void test_experiment_simulated_variants_are_completed(void **state)
{
	struct experiment *e = parsed("[experiment]\nbackend = sim\nmachine = x4600\n"
				      "[variant a]\n"
				      "[variant b]\nmachine = altra-80\ncore = model:k6.1\n"
				      "features = wake.cluster=off, NO_TTWU_QUEUE\n" PIPE);
	const struct settings *a = e->variants[0].settings, *b = e->variants[1].settings;
	struct experiment_row row;

	(void)state;
	assert_true(e->sim);
	assert_string_equal(settings_get(a, "backend"), "sim");
	assert_string_equal(settings_get(a, "machine"), "x4600");
	assert_string_equal(settings_get(a, "core"), "model");
	assert_string_equal(settings_get(b, "machine"), "altra-80");
	assert_string_equal(settings_get(b, "core"), "model:k6.1");
	assert_string_equal(settings_get(b, "features"), "NO_TTWU_QUEUE,wake.cluster=off");
	/* one seed a block, and none to warm up */
	assert_int_equal(e->runs_per_block, 1);
	assert_int_equal(e->blocks, 12);
	assert_int_equal(e->warmup, 0);
	experiment_row(e, &row);
	/* a machine's own costs go with it */
	assert_string_equal(row.variants[0].asks, "sim.machine\nsim.core\nsim.costs\n");
	assert_string_equal(row.variants[1].asks, "sim.machine\nsim.core\nsim.costs\nsim.knobs\n");
	assert_non_null(strstr(row.points[0].params, "backend=sim\n"));
	experiment_row_release(&row);
	experiment_free(e);
}

static void test_experiment_machine_or_core_makes_it_simulated(void **state)
{
	static const char *const texts[] = {
		"[experiment]\nmachine = x4600\n[variant a]\n[variant b]\n" PIPE,
		"[experiment]\ncore = model\n[variant a]\n[variant b]\n" PIPE,
		"[variant a]\nmachine = x4600\n[variant b]\ncore = model\n" PIPE,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct experiment *e = parsed(texts[i]);

		assert_true(e->sim);
		experiment_free(e);
	}
}

static void test_experiment_host_may_be_said(void **state)
{
	struct experiment *e = parsed(
		"[experiment]\nbackend = host\n[variant a]\n[variant b]\nbackend = host\n" PIPE);

	(void)state;
	assert_false(e->sim);
	assert_int_equal(e->runs_per_block, 2);
	assert_int_equal(e->warmup, 1);
	experiment_free(e);
}

static void test_percent_parse(void **state)
{
	static const char *const bad[] = {
		"", "%", "2", "0%", "-1%", "101%", "1e0%", "2 %", "2%%"
	};
	struct error err = { 0 };
	double fraction = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(percent_parse(&fraction, "until", bad[i], &err), -EINVAL);
	assert_string_equal(err.text, "until: '2%%' is not valid, expected a percentage such as "
				      "2%, at most 100%");
	assert_near(fraction, 7, 0);
	assert_int_equal(percent_parse(&fraction, "until", "0.5%", NULL), 0);
	assert_near(fraction, 0.005, 1e-15);
}

static void test_fail_on_parse(void **state)
{
	static const char *const bad[] = { "",
					   "regressed:",
					   "regressed:%",
					   "regressed:2",
					   "regressed:-2%",
					   "regressed:2%%",
					   "regressed:1e1%",
					   "regressed:nan%",
					   "regressed 2%",
					   "regressed:1001%",
					   "regressed:1.2.3%",
					   "regressed:0x2%" };
	struct fail_on fail_on = { 0 };

	(void)state;
	assert_int_equal(fail_on_parse(&fail_on, "regressed", NULL), 0);
	assert_true(fail_on.set);
	assert_near(fail_on.fraction, 0, 0);
	assert_int_equal(fail_on_parse(&fail_on, "regressed:150%", NULL), 0);
	assert_near(fail_on.fraction, 1.5, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(fail_on_parse(&fail_on, bad[i], NULL), -EINVAL);
	assert_near(fail_on.fraction, 1.5, 0);
}

static void test_experiment_load_names_the_file_that_is_not_there(void **state)
{
	struct experiment *e;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(experiment_load(&e, "/no/such.ini", &err), -ENOENT);
	assert_string_equal(err.text, "/no/such.ini: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_experiment_defaults),
		cmocka_unit_test(test_experiment_reads_the_head),
		cmocka_unit_test(test_experiment_lists_make_all_combinations_in_file_order),
		cmocka_unit_test(test_experiment_a_text_parameter_is_no_list),
		cmocka_unit_test(test_experiment_kernel_patterns_make_it_span_boots),
		cmocka_unit_test(test_experiment_names_the_line_and_the_nearest_name),
		cmocka_unit_test(test_experiment_says_what_a_value_may_be),
		cmocka_unit_test(test_experiment_refuses_what_is_there_twice),
		cmocka_unit_test(test_experiment_refuses_what_can_not_go_together),
		cmocka_unit_test(test_experiment_names_the_variant_of_impossible_settings),
		cmocka_unit_test(test_experiment_bounds_the_points),
		cmocka_unit_test(test_experiment_bounds_the_variants),
		cmocka_unit_test(test_experiment_file_name_must_make_a_name),
		cmocka_unit_test(test_experiment_fingerprint_is_of_the_meaning),
		cmocka_unit_test(test_experiment_row_has_what_the_store_keeps),
		cmocka_unit_test(test_experiment_default_number_of_blocks),
		cmocka_unit_test(test_experiment_against_itself),
		cmocka_unit_test(test_experiment_simulated_variants_are_completed),
		cmocka_unit_test(test_experiment_machine_or_core_makes_it_simulated),
		cmocka_unit_test(test_experiment_host_may_be_said),
		cmocka_unit_test(test_percent_parse),
		cmocka_unit_test(test_fail_on_parse),
		cmocka_unit_test(test_experiment_load_names_the_file_that_is_not_there),
	};

	return cmocka_run_group_tests_name("lab/experiment", tests, NULL, NULL);
}
