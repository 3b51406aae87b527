// SPDX-License-Identifier: GPL-2.0-only
#include "store/store.h"

#include "base/mem.h"
#include "store/fixture.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct store *memory_store(void)
{
	struct store *store = NULL;

	assert_int_equal(store_open(&store, ":memory:", STORE_WRITE, NULL), 0);
	return store;
}

static int64_t add_named(struct store *store, const char *name, int64_t created_ns)
{
	struct experiment_row row;
	int64_t id;

	sample_experiment(&row);
	free(row.name);
	row.name = xstrdup(name);
	row.created_ns = created_ns;
	assert_int_equal(store_add_experiment(store, &row, NULL), 0);
	id = row.id;
	experiment_row_release(&row);
	return id;
}

static void free_runs(struct run_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_row_release(&rows[i]);
	free(rows);
}

static void test_experiment_comes_back_as_it_was(void **state)
{
	struct store *store = memory_store();
	struct experiment_row row, got = { 0 };

	(void)state;
	sample_experiment(&row);
	assert_int_equal(store_add_experiment(store, &row, NULL), 0);
	assert_true(row.id > 0);
	assert_int_equal(store_get_experiment(store, row.id, &got, NULL), 0);
	assert_int_equal(got.id, row.id);
	assert_string_equal(got.name, "first");
	assert_string_equal(got.text, row.text);
	assert_string_equal(got.fingerprint, "0123456789abcdef");
	assert_true(got.seed == UINT64_MAX);
	assert_int_equal(got.blocks, 10);
	assert_int_equal(got.budget_ns, 600000000000);
	assert_int_equal(got.runs_per_boot, 0);
	assert_int_equal(got.created_ns, 1700000000123456789);
	assert_false(got.finished);
	assert_int_equal(got.nr_variants, 2);
	assert_string_equal(got.variants[1].name, "pinned");
	assert_string_equal(got.variants[1].settings, "cpus = 0\nnice = -5\n");
	assert_string_equal(got.variants[1].asks, "cpu.online\n");
	assert_int_equal(got.nr_points, 2);
	assert_string_equal(got.points[1].label, "hackbench groups=4");
	assert_string_equal(got.points[1].workload, "hackbench");
	assert_string_equal(got.points[1].params, "groups=4\n");
	assert_string_equal(got.points[1].primary, "time");
	experiment_row_release(&got);
	assert_int_equal(store_finish_experiment(store, row.id, NULL, NULL), 0);
	assert_int_equal(store_get_experiment(store, row.id, &got, NULL), 0);
	assert_true(got.finished);
	experiment_row_release(&got);
	experiment_row_release(&row);
	store_close(store);
}

static void expect_no_experiment(struct experiment_row *row, const char *words)
{
	struct store *store = memory_store();
	struct error err = { 0 };
	int64_t id;

	assert_int_equal(store_add_experiment(store, row, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("'%s' lacks '%s'", err.text, words);
	assert_int_equal(row->id, 0);
	assert_int_equal(store_find_experiment(store, NULL, &id, NULL), -ENOENT);
	experiment_row_release(row);
	store_close(store);
}

static void test_experiment_that_can_not_be_is_refused(void **state)
{
	struct experiment_row row;

	(void)state;
	sample_experiment(&row);
	free(row.variants[1].name);
	row.variants[1].name = xstrdup("base");
	expect_no_experiment(&row, "one name");
	sample_experiment(&row);
	row.name[0] = '\0';
	expect_no_experiment(&row, "name");
	sample_experiment(&row);
	row.points[0].label[0] = (char)0xff;
	expect_no_experiment(&row, "UTF-8");
	sample_experiment(&row);
	row.blocks = (uint64_t)INT64_MAX + 1;
	expect_no_experiment(&row, "blocks");
	row = (struct experiment_row){ .name = xstrdup("n") };
	expect_no_experiment(&row, "no variants");
}

/* Samples are read only where they are asked for; notes come with the run. */
static void test_histograms_and_notes_come_back(void **state)
{
	static const struct metric row = { .name = "wakeup",
					   .unit = UNIT_NS,
					   .better = BETTER_LOWER };
	struct store *store = memory_store();
	struct run_row run, *rows;
	int64_t session, id = sample_fill(store, 1, &session);
	struct sample_count *counts;
	size_t n, nr_counts;

	(void)state;
	sample_run(&run, id, session, 1);
	result_add_samples(&run.result, &row, "9;2;7000;9000;16000;1,+198,1");
	result_add_note(&run.result, "placement", "both on CPU 0");
	assert_int_equal(store_add_run(store, &run, NULL), 0);
	run_row_release(&run);
	assert_int_equal(store_load_runs(store, id, &rows, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_int_equal(rows[0].result.nr_notes, 0);
	assert_int_equal(rows[1].result.nr_notes, 1);
	assert_string_equal(rows[1].result.notes[0].name, "placement");
	assert_string_equal(rows[1].result.notes[0].text, "both on CPU 0");
	assert_int_equal(rows[1].result.nr_histograms, 0);
	assert_int_equal(store_load_sample_counts(store, id, &counts, &nr_counts, NULL), 0);
	assert_int_equal(nr_counts, 1);
	assert_int_equal(counts[0].run, rows[1].id);
	assert_string_equal(counts[0].name, "wakeup");
	assert_int_equal(counts[0].count, 2);
	sample_counts_free(counts, nr_counts);
	assert_int_equal(store_load_histograms(store, &rows[1], NULL), 0);
	assert_int_equal(rows[1].result.nr_histograms, 1);
	assert_string_equal(rows[1].result.histograms[0].name, "wakeup");
	assert_int_equal(rows[1].result.histograms[0].unit, UNIT_NS);
	assert_int_equal(rows[1].result.histograms[0].better, BETTER_LOWER);
	assert_string_equal(rows[1].result.histograms[0].text, "9;2;7000;9000;16000;1,+198,1");
	free_runs(rows, n);
	store_close(store);
}

/* Of three experiments with a point "pipe", whose params are "turns=1000\n", the newest comes first. */
static void test_history_of_a_point_is_newest_first(void **state)
{
	struct store *store = memory_store();
	int64_t ids[2], first = sample_fill(store, 0, NULL), second = sample_fill(store, 0, NULL);
	int64_t third = sample_fill(store, 0, NULL);
	size_t n;

	(void)state;
	assert_true(first < second);
	assert_int_equal(store_point_history(store, "pipe", "turns=1000\n", ids, 2, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_int_equal(ids[0], third);
	assert_int_equal(ids[1], second);
	assert_int_equal(store_point_history(store, "pipe", "turns=7\n", ids, 2, &n, NULL), 0);
	assert_int_equal(n, 0);
	store_close(store);
}

static void test_unknown_experiment_is_an_error(void **state)
{
	struct store *store = memory_store();
	struct experiment_row row = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(store_get_experiment(store, 3, &row, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no experiment 3"));
	assert_int_equal(store_finish_experiment(store, 3, NULL, &err), -ENOENT);
	store_close(store);
}

/* Created at 30, 10 and 20, in this order. */
static void test_find_takes_the_newest_by_creation(void **state)
{
	struct store *store = memory_store();
	struct experiment_row *rows;
	struct error err = { 0 };
	int64_t a, b, id = 0;
	size_t n;

	(void)state;
	assert_int_equal(store_find_experiment(store, NULL, &id, &err), -ENOENT);
	assert_non_null(strstr(err.text, "nothing is stored"));
	a = add_named(store, "wakeup", 30);
	add_named(store, "migrate", 10);
	b = add_named(store, "migrate", 20);
	assert_int_equal(store_find_experiment(store, NULL, &id, NULL), 0);
	assert_int_equal(id, a);
	assert_int_equal(store_find_experiment(store, "migrate", &id, NULL), 0);
	assert_int_equal(id, b);
	assert_int_equal(store_find_experiment(store, "migrat", &id, &err), -ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'migrate'?"));
	assert_int_equal(store_find_experiment(store, "zzzzzzzzz", &id, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no experiment 'zzzzzzzzz'"));
	assert_null(strstr(err.text, "did you mean"));
	assert_int_equal(id, b);
	assert_int_equal(store_list_experiments(store, &rows, &n, NULL), 0);
	assert_int_equal(n, 3);
	assert_int_equal(rows[0].created_ns, 10);
	assert_int_equal(rows[2].created_ns, 30);
	for (size_t i = 0; i < n; i++)
		experiment_row_release(&rows[i]);
	free(rows);
	store_close(store);
}

static void test_runs_come_back_by_position(void **state)
{
	struct store *store = memory_store();
	int64_t session, id = sample_fill(store, 2, &session);
	struct run_row row, *rows;
	const struct value *value;
	size_t n;

	(void)state;
	sample_run(&row, id, session, 5);
	row.block = -1;
	row.warmup = true;
	row.load = -1;
	result_fail(&row.result, RUN_HANG, "killed after 60 s");
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	assert_true(row.id > 0);
	run_row_release(&row);
	sample_run(&row, id, session, 3);
	row.result.metrics[0].value = DBL_TRUE_MIN; /* every bit is kept */
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	run_row_release(&row);
	assert_int_equal(store_load_runs(store, id, &rows, &n, NULL), 0);
	assert_int_equal(n, 4);
	assert_int_equal(rows[2].position, 3);
	assert_int_equal(rows[2].experiment, id);
	assert_int_equal(rows[2].session, session);
	assert_int_equal(rows[2].block, 0);
	assert_int_equal(rows[2].variant, 1);
	assert_int_equal(rows[2].point, 1);
	assert_false(rows[2].warmup);
	assert_int_equal(rows[2].started_ns, 1700000001000000003);
	assert_true(rows[2].load == 0.25);
	assert_string_equal(rows[2].facts, "{\"cpu.governor\":\"performance\"}");
	assert_int_equal(rows[2].result.status, RUN_OK);
	assert_string_equal(rows[2].result.workload, "hackbench");
	assert_null(rows[2].result.reason);
	value = result_metric(&rows[2].result, "turn");
	assert_non_null(value);
	assert_true(value->value == DBL_TRUE_MIN);
	assert_int_equal(value->unit, UNIT_NS);
	assert_int_equal(value->better, BETTER_LOWER);
	assert_int_equal(rows[2].result.nr_counters, 2);
	assert_string_equal(rows[2].result.counters[1].name, "cycles");
	assert_true(rows[2].result.counters[1].counted == 0.75);
	assert_int_equal(rows[3].position, 5);
	assert_true(rows[3].warmup);
	assert_true(rows[3].load == -1);
	assert_int_equal(rows[3].result.status, RUN_HANG);
	assert_string_equal(rows[3].result.reason, "killed after 60 s");
	assert_int_equal(rows[3].result.nr_metrics, 0);
	assert_int_equal(rows[3].result.nr_counters, 2);
	free_runs(rows, n);
	store_close(store);
}

static void test_sessions_come_back(void **state)
{
	struct store *store = memory_store();
	int64_t session, id = sample_fill(store, 0, &session);
	struct session_row *rows, empty = { .experiment = id };
	size_t n;

	(void)state;
	assert_int_equal(store_add_session(store, &empty, NULL), 0);
	assert_int_equal(store_load_sessions(store, id, &rows, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_int_equal(rows[0].id, session);
	assert_string_equal(rows[0].boot_id, "boot");
	assert_string_equal(rows[0].facts, "{\"kernel.release\":\"6.1\",\"host.load\":\"0.1\"}");
	assert_string_equal(rows[0].notes, "no hardware counters here: none\n");
	assert_int_equal(rows[0].started_ns, 5);
	assert_string_equal(rows[1].boot_id, "");
	assert_string_equal(rows[1].facts, "{}");
	assert_string_equal(rows[1].notes, "");
	for (size_t i = 0; i < n; i++)
		session_row_release(&rows[i]);
	free(rows);
	store_close(store);
}

static void expect_no_run(struct store *store, struct run_row *row, int code, const char *words)
{
	struct error err = { 0 };

	assert_int_equal(store_add_run(store, row, &err), code);
	if (!strstr(err.text, words))
		fail_msg("'%s' lacks '%s'", err.text, words);
	assert_int_equal(row->id, 0);
	run_row_release(row);
}

static void test_run_that_can_not_be_is_refused(void **state)
{
	struct store *store = memory_store();
	int64_t session, id = sample_fill(store, 1, &session);
	int64_t other = add_named(store, "other", 1);
	struct run_counts counts;
	struct run_row row;

	(void)state;
	sample_run(&row, id, session, 0);
	expect_no_run(store, &row, -EEXIST, "run 0 of experiment 1 is stored already");
	sample_run(&row, id + 9, session, 1);
	expect_no_run(store, &row, -ENOENT, "not stored");
	sample_run(&row, other, session, 1); /* the session is of another experiment */
	expect_no_run(store, &row, -ENOENT, "not stored");
	sample_run(&row, id, session, 1);
	row.variant = 2;
	expect_no_run(store, &row, -ENOENT, "not stored");
	sample_run(&row, id, session, 1);
	row.point = 2;
	expect_no_run(store, &row, -ENOENT, "not stored");
	sample_run(&row, id, session, 1);
	row.point = 1;
	expect_no_run(store, &row, -EINVAL, "a result of 'pipe' at a point of 'hackbench'");
	sample_run(&row, id, session, 1);
	row.warmup = true;
	expect_no_run(store, &row, -EINVAL, "warm-up");
	sample_run(&row, id, session, 1);
	row.load = NAN;
	expect_no_run(store, &row, -EINVAL, "load");
	sample_run(&row, id, session, 1);
	free(row.facts);
	row.facts = xstrdup("[]");
	expect_no_run(store, &row, -EINVAL, "facts");
	sample_run(&row, id, session, 1);
	row.result.status = RUN_FAILED;
	expect_no_run(store, &row, -EINVAL, "reason");
	sample_run(&row, id, session, 1);
	row.result.metrics[0].value = INFINITY;
	expect_no_run(store, &row, -EINVAL, "not finite");
	sample_run(&row, id, session, 1);
	row.result.counters[1].counted = 1.5;
	expect_no_run(store, &row, -EINVAL, "share");
	assert_int_equal(store_count_runs(store, id, &counts, NULL), 0);
	assert_int_equal(counts.ok, 1);
	store_close(store);
}

/* Two whole blocks of four runs, one of them failed; a third block has three; and a warm-up run. */
static void test_count_runs_leaves_warmup_out_and_counts_whole_blocks(void **state)
{
	struct store *store = memory_store();
	int64_t session, id = sample_fill(store, 7, &session);
	struct run_counts counts;
	struct run_row row;

	(void)state;
	for (int64_t i = 7; i < 12; i++) {
		sample_run(&row, id, session, i);
		if (i == 7)
			result_fail(&row.result, RUN_FAILED, "signal 11");
		if (i == 11)
			row.block = -1;
		row.warmup = row.block < 0;
		assert_int_equal(store_add_run(store, &row, NULL), 0);
		run_row_release(&row);
	}
	assert_int_equal(store_count_runs(store, id, &counts, NULL), 0);
	assert_int_equal(counts.ok, 10);
	assert_int_equal(counts.failed, 1);
	assert_int_equal(counts.blocks, 2);
	assert_int_equal(store_count_runs(store, id + 1, &counts, NULL), 0);
	assert_int_equal(counts.ok + counts.failed + counts.blocks, 0);
	store_close(store);
}

/* A session and two runs with two texts of facts among them, one of them written in two ways. */
static void test_equal_facts_are_stored_once(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(store, 1, &session);
	struct run_row row;

	sample_run(&row, id, session, 1);
	free(row.facts);
	row.facts = xstrdup(" { \"cpu.governor\" : \"performance\" } ");
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	run_row_release(&row);
	store_close(store);
	assert_int_equal(fixture_number(fixture->path, "SELECT count(*) FROM facts"), 2);
}

/*
 * Of runs 0 .. 119 those at pipe are 0, 1, 4, 5, ..., 116, 117: 60. The newest 50 are those from 20 on, with walls of
 * 21, 22, 25, 26, ..., 117, 118 ms: symmetric about (21 + 118) / 2 = 69.5 ms, so that is their median. A failed
 * run of 1 s changes nothing.
 */
static void test_typical_wall_is_the_median_of_the_newest_good_runs(void **state)
{
	struct store *store = memory_store();
	int64_t session, id = sample_fill(store, 120, &session);
	struct error err = { 0 };
	struct run_row row;
	uint64_t wall = 0;

	(void)state;
	sample_run(&row, id, session, 1000);
	result_fail(&row.result, RUN_FAILED, "exit 1");
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	run_row_release(&row);
	assert_int_equal(store_typical_wall(store, "pipe", "turns=1000\n", &wall, NULL), 0);
	assert_int_equal(wall, 69500000);
	assert_int_equal(store_typical_wall(store, "pipe", "turns=1\n", &wall, &err), -ENOENT);
	assert_int_equal(store_typical_wall(store, "sleep", "turns=1000\n", &wall, &err), -ENOENT);
	assert_non_null(strstr(err.text, "sleep"));
	assert_int_equal(wall, 69500000);
	store_close(store);
}

#define FILE_CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_experiment_comes_back_as_it_was),
		cmocka_unit_test(test_experiment_that_can_not_be_is_refused),
		cmocka_unit_test(test_histograms_and_notes_come_back),
		cmocka_unit_test(test_history_of_a_point_is_newest_first),
		cmocka_unit_test(test_unknown_experiment_is_an_error),
		cmocka_unit_test(test_find_takes_the_newest_by_creation),
		cmocka_unit_test(test_runs_come_back_by_position),
		cmocka_unit_test(test_sessions_come_back),
		cmocka_unit_test(test_run_that_can_not_be_is_refused),
		cmocka_unit_test(test_count_runs_leaves_warmup_out_and_counts_whole_blocks),
		FILE_CASE(test_equal_facts_are_stored_once),
		cmocka_unit_test(test_typical_wall_is_the_median_of_the_newest_good_runs),
	};

	return cmocka_run_group_tests_name("store/store", tests, NULL, NULL);
}
