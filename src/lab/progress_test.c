// SPDX-License-Identifier: GPL-2.0-only
#include "lab/progress.h"

#include "base/mem.h"
#include "lab/stored.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MS INT64_C(1000000)

struct fixture {
	struct experiment *experiment;
	struct host host;
	struct store *store;
	int64_t id;
	int64_t session;
	int64_t position;
};

/* 2 variants, 2 points, 5 blocks, in a store without a run; the boot is "here". */
static int setup(void **state)
{
	static const char text[] =
		"[experiment]\nblocks = 5\nruns_per_block = 1\n[variant a]\n[variant b]\n"
		"[workload pipe]\n[workload hackbench]\n";
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->host.boot_id = xstrdup("here");
	f->host.release = xstrdup("6.1.0");
	if (experiment_parse(&f->experiment, "x.ini", text, strlen(text), NULL) ||
	    store_open(&f->store, ":memory:", STORE_WRITE, NULL) ||
	    stored_add(f->store, f->experiment, &f->id, NULL))
		return -1;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	experiment_free(f->experiment);
	store_close(f->store);
	free(f->host.boot_id);
	free(f->host.release);
	free(f);
	return 0;
}

static void add_session(struct fixture *f, int64_t started_ns)
{
	struct session_row row = { .experiment = f->id, .started_ns = started_ns };

	row.boot_id = xstrdup("there");
	assert_int_equal(store_add_session(f->store, &row, NULL), 0);
	f->session = row.id;
	session_row_release(&row);
}

static void add_run(struct fixture *f, int64_t block, size_t point, size_t variant,
		    int64_t started_ns, int64_t wall_ns)
{
	struct run_row row = {
		.experiment = f->id,
		.session = f->session,
		.block = block,
		.position = f->position++,
		.variant = variant,
		.point = point,
		.warmup = block < 0,
		.started_ns = started_ns,
	};

	row.result.workload = xstrdup(f->experiment->points[point].workload->name);
	result_add_counter(&row.result, "wall", UNIT_NS, (double)wall_ns, 1);
	assert_int_equal(store_add_run(f->store, &row, NULL), 0);
	run_row_release(&row);
}

static struct progress *load(const struct fixture *f)
{
	struct progress *progress = progress_new(f->experiment, &f->host);

	assert_int_equal(progress_load(progress, f->store, f->id, NULL), 0);
	return progress;
}

/*
 * A session from 100 to 160 ms (its last run starts at 130 and takes 30), another from 5000 to 5040 ms: 100 ms. The
 * runs of point 0 take 10, 20 and 30 ms, the mean is 20.
 */
static void test_progress_adds_up_what_sessions_took(void **state)
{
	struct fixture *f = *state;
	struct progress *progress;

	add_session(f, 100 * MS);
	add_run(f, -1, 0, 0, 110 * MS, 10 * MS);
	add_run(f, 0, 0, 1, 130 * MS, 30 * MS);
	add_session(f, 5000 * MS);
	add_run(f, 0, 0, 0, 5020 * MS, 20 * MS);
	progress = load(f);
	assert_int_equal(progress_spent_ns(progress), 100 * MS);
	assert_int_equal(progress_cost_ns(progress, 0), 20 * MS);
	assert_int_equal(progress_cost_ns(progress, 1), 0);
	assert_int_equal(progress_position(progress), 3);
	progress_free(progress);
}

/* Block 0 lacks one run, block 1 has one; 2 warm-up runs for each point, then 1 + 3 + 3 x 4. */
static void test_progress_todo_is_what_is_missing(void **state)
{
	struct fixture *f = *state;
	struct progress *progress;
	struct planned_run *todo;
	size_t n, first = 0;

	add_session(f, 0);
	add_run(f, 0, 0, 0, 0, MS);
	add_run(f, 0, 0, 1, 0, MS);
	add_run(f, 0, 1, 1, 0, MS);
	add_run(f, 1, 1, 0, 0, MS);
	progress = load(f);
	assert_true(progress_started(progress, 1));
	assert_false(progress_started(progress, 2));
	assert_int_equal(progress_blocks_done(progress), 0);
	todo = progress_todo(progress, &n);
	assert_int_equal(n, 4 + 1 + 3 + 12);
	while (todo[first].warmup)
		first++;
	assert_int_equal(first, 4);
	assert_int_equal(todo[4].block, 0);
	assert_int_equal(todo[4].point, 1);
	assert_int_equal(todo[4].variant, 0);
	for (size_t i = 5; i < 8; i++) {
		assert_int_equal(todo[i].block, 1);
		assert_false(todo[i].point == 1 && todo[i].variant == 0);
	}
	free(todo);
	progress_free(progress);
}

static void test_progress_with_all_runs_has_nothing_to_do_and_no_warmup(void **state)
{
	struct fixture *f = *state;
	struct progress *progress;
	struct planned_run *todo;
	size_t n;

	add_session(f, 0);
	for (int64_t block = 0; block < 5; block++)
		for (size_t i = 0; i < 4; i++)
			add_run(f, block, i / 2, i % 2, 0, MS);
	progress = load(f);
	assert_true(progress_finished(progress));
	assert_int_equal(progress_blocks_done(progress), 5);
	assert_null(progress_left(progress));
	todo = progress_todo(progress, &n);
	assert_int_equal(n, 0);
	free(todo);
	progress_free(progress);
}

/* Of two runs a side one of variant 1 is there, which was the first of them: the second is left, in its place. */
static void test_progress_todo_in_a_block_of_four(void **state)
{
	struct fixture *f = *state;
	struct progress *progress;
	struct planned_run planned[8], *todo;
	bool skipped = false;
	size_t n;

	f->experiment->runs_per_block = 2;
	add_session(f, 0);
	add_run(f, 0, 1, 1, 0, MS);
	progress = load(f);
	todo = progress_todo(progress, &n);
	assert_int_equal(n, 4 + 5 * 8 - 1);
	plan_block(f->experiment, 0, planned);
	for (size_t i = 0, at = 4; i < 8; i++) {
		if (!skipped && planned[i].point == 1 && planned[i].variant == 1) {
			skipped = true;
			continue;
		}
		assert_int_equal(todo[at].point, planned[i].point);
		assert_int_equal(todo[at++].variant, planned[i].variant);
	}
	assert_true(skipped);
	free(todo);
	progress_free(progress);
}

static void add_outcome(struct progress *progress, int64_t block, enum run_status status)
{
	struct run_row row = { .block = block, .point = 1, .variant = 1, .position = block };

	row.result.status = status;
	progress_add(progress, &row, 0);
}

/* Three failures that are not the first three runs are no reason. */
static void test_progress_gives_up_after_the_first_three_only(void **state)
{
	struct fixture *f = *state;
	struct progress *progress = progress_new(f->experiment, &f->host);

	add_outcome(progress, 0, RUN_OK);
	for (int64_t block = 1; block < 5; block++)
		add_outcome(progress, block, RUN_FAILED);
	assert_false(progress_given_up(progress, 1));
	assert_null(progress_failures(progress));
	progress_free(progress);

	progress = progress_new(f->experiment, &f->host);
	add_outcome(progress, 0, RUN_FAILED);
	add_outcome(progress, 1, RUN_HANG);
	assert_false(progress_given_up(progress, 1));
	add_outcome(progress, 2, RUN_FAILED);
	assert_true(progress_given_up(progress, 1));
	assert_false(progress_given_up(progress, 0));
	progress_free(progress);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_progress_adds_up_what_sessions_took),
		TEST(test_progress_todo_is_what_is_missing),
		TEST(test_progress_with_all_runs_has_nothing_to_do_and_no_warmup),
		TEST(test_progress_todo_in_a_block_of_four),
		TEST(test_progress_gives_up_after_the_first_three_only),
	};

	return cmocka_run_group_tests_name("lab/progress", tests, NULL, NULL);
}
