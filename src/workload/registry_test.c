// SPDX-License-Identifier: GPL-2.0-only
#include "workload/workload.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *new_cfg(const struct workload *workload, const char *const *words)
{
	void *cfg = xcalloc(1, workload->cfg_size);

	opts_init(workload->opts, cfg);
	for (; *words; words += 2)
		assert_int_equal(opts_set(workload->opts, cfg, words[0], words[1], NULL), 0);
	return cfg;
}

static void free_cfg(const struct workload *workload, void *cfg)
{
	opts_release(workload->opts, cfg);
	free(cfg);
}

static void assert_needs(const char *name, const char *const *words, uint64_t tasks, uint64_t fds)
{
	const struct workload *workload = workload_find(name);
	void *cfg = new_cfg(workload, words);
	struct needs needs = { 0 };

	workload->needs(cfg, &needs);
	assert_int_equal(needs.tasks, tasks);
	assert_int_equal(needs.fds, fds);
	free_cfg(workload, cfg);
}

static void assert_default(const char *name, const char *key, const char *text)
{
	const struct workload *workload = workload_find(name);
	void *cfg = new_cfg(workload, (const char *const[]){ NULL });
	struct strbuf sb = { 0 };

	opt_print(opts_find(workload->opts, key), cfg, &sb);
	assert_string_equal(sb.s, text);
	strbuf_release(&sb);
	free_cfg(workload, cfg);
}

static void test_workload_at_and_find_agree(void **state)
{
	const struct workload *workload;
	size_t n = 0;

	(void)state;
	for (; (workload = workload_at(n)); n++)
		assert_ptr_equal(workload_find(workload->name), workload);
	assert_true(n >= 2);
	assert_null(workload_at(n + 1));
	assert_null(workload_find("hackbenc"));
}

static void test_workload_nearest_helps(void **state)
{
	(void)state;
	assert_string_equal(workload_nearest("hackbnech"), "hackbench");
	assert_string_equal(workload_nearest("pip"), "pipe");
	assert_null(workload_nearest("daytrader"));
}

static void test_every_workload_has_a_primary_metric_with_a_direction(void **state)
{
	const struct workload *workload;

	(void)state;
	for (size_t i = 0; (workload = workload_at(i)); i++) {
		assert_non_null(workload->metrics[0].name);
		assert_int_not_equal(workload->metrics[0].better, BETTER_NONE);
		assert_true(strlen(workload->summary) > 0);
		assert_non_null(workload->needs);
	}
}

/* What the harness takes for granted, and a table's author may get wrong. */
static void test_every_table_is_consistent(void **state)
{
	const struct workload *workload;

	(void)state;
	for (size_t i = 0; (workload = workload_at(i)); i++) {
		for (const struct metric *m = workload->metrics; m->name; m++) {
			assert_ptr_equal(metric_find(workload->metrics, m->name), m);
			assert_true(m->help && strlen(m->name) <= 63);
			assert_true(!m->of || metric_find(workload->histograms, m->of));
			assert_true(m->quantile >= 0 && m->quantile <= 1);
		}
		for (const struct metric *h = workload->histograms; h && h->name; h++) {
			assert_ptr_equal(metric_find(workload->histograms, h->name), h);
			assert_true(h->help && !h->of && strlen(h->name) <= 63);
		}
		if (workload->rest)
			assert_int_equal(opts_find(workload->opts, workload->rest)->type,
					 OPT_TYPE_STR);
	}
}

/* rt-tests' hackbench: 10 groups, 20 fds, 100 loops, 100 bytes, processes, sockets. */
static void test_hackbench_defaults_are_the_originals(void **state)
{
	(void)state;
	assert_default("hackbench", "groups", "10");
	assert_default("hackbench", "fds", "20");
	assert_default("hackbench", "loops", "100");
	assert_default("hackbench", "size", "100");
	assert_default("hackbench", "mode", "process");
	assert_default("hackbench", "transport", "socket");
	assert_default("hackbench", "flavor", "rt-tests");
	assert_default("hackbench", "parent", "fair");
}

/* perf bench sched pipe: 1,000,000 loops between two processes. */
static void test_pipe_defaults_are_the_originals(void **state)
{
	(void)state;
	assert_default("pipe", "loops", "1000000");
	assert_default("pipe", "mode", "process");
	assert_default("pipe", "cpus", "free");
	assert_default("pipe", "protocol", "strict");
}

/*
 * Tasks: 2 x 3 groups x 5 fds + the worker = 31. Two gates are 4 files. As threads: 2 ends of 15 channels, 34.
 * As processes the parent has most when it made a group's last channel: 5 write ends and 1 read end, 10.
 */
static void test_hackbench_needs(void **state)
{
	(void)state;
	assert_needs("hackbench",
		     (const char *const[]){ "groups", "3", "fds", "5", "mode", "thread", NULL }, 31,
		     34);
	assert_needs("hackbench", (const char *const[]){ "groups", "3", "fds", "5", NULL }, 31, 10);
	/* a socket that listens; a guard, and what it talks by */
	assert_needs("hackbench",
		     (const char *const[]){ "groups", "3", "fds", "5", "transport", "tcp", NULL },
		     31, 11);
	assert_needs("hackbench",
		     (const char *const[]){ "groups", "3", "fds", "5", "transport", "fifo", NULL },
		     32, 11);
}

/* The most that the options allow: 2 x 10000 x 1000 tasks, and as many files as threads. */
static void test_hackbench_needs_of_the_largest(void **state)
{
	(void)state;
	assert_needs(
		"hackbench",
		(const char *const[]){ "groups", "10000", "fds", "1000", "mode", "thread", NULL },
		20000001, 20000004);
}

static void test_pipe_needs(void **state)
{
	(void)state;
	assert_needs("pipe", (const char *const[]){ NULL }, 2, 4);
	assert_needs("pipe", (const char *const[]){ "mode", "thread", NULL }, 3, 4);
}

static int check_pipe_cpus(const char *cpus, struct error *err)
{
	const struct workload *workload = workload_find("pipe");
	void *cfg = new_cfg(workload, (const char *const[]){ "cpus", cpus, NULL });
	int ret = workload_check(workload, cfg, err);

	free_cfg(workload, cfg);
	return ret;
}

static void test_workload_check_refuses_cpus_that_are_no_list(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(check_pipe_cpus("", &err), 0);
	assert_int_equal(check_pipe_cpus("free", &err), 0);
	assert_int_equal(check_pipe_cpus("0", &err), 0);
	assert_int_equal(check_pipe_cpus("0-1,3", &err), 0);
	assert_int_equal(check_pipe_cpus(" ", &err), -EINVAL);
	assert_int_equal(check_pipe_cpus("fre", &err), -EINVAL);
	assert_non_null(strstr(err.text, "cpus: 'fre'"));
	assert_int_equal(check_pipe_cpus("8192", &err), -ERANGE);
}

/* 20,000,001 tasks are more than any machine lets be: kernel.pid_max is 4,194,304 at most. */
static void test_workload_check_names_the_workload(void **state)
{
	const struct workload *workload = workload_find("hackbench");
	void *cfg = new_cfg(workload, (const char *const[]){ "groups", "10000", "fds", "1000",
							     "mode", "thread", NULL });
	struct error err = { 0 };
	int ret = workload_check(workload, cfg, &err);

	(void)state;
	/* the files are looked at first */
	assert_true(ret == -EMFILE || ret == -EAGAIN);
	assert_int_equal(strncmp(err.text, "hackbench: needs 20000", 22), 0);
	free_cfg(workload, cfg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workload_at_and_find_agree),
		cmocka_unit_test(test_workload_nearest_helps),
		cmocka_unit_test(test_every_workload_has_a_primary_metric_with_a_direction),
		cmocka_unit_test(test_every_table_is_consistent),
		cmocka_unit_test(test_hackbench_defaults_are_the_originals),
		cmocka_unit_test(test_pipe_defaults_are_the_originals),
		cmocka_unit_test(test_hackbench_needs),
		cmocka_unit_test(test_hackbench_needs_of_the_largest),
		cmocka_unit_test(test_pipe_needs),
		cmocka_unit_test(test_workload_check_refuses_cpus_that_are_no_list),
		cmocka_unit_test(test_workload_check_names_the_workload),
	};

	return cmocka_run_group_tests_name("workload/registry", tests, NULL, NULL);
}
