// SPDX-License-Identifier: GPL-2.0-only
#include "lab/block_size.h"

#include "base/mem.h"
#include "lab/stored.h"

#include <string.h>

#include "check.h"

#define VARIANTS "[variant base]\n[variant new]\nnice = 5\n"
#define POINTS	 "[workload pipe]\n[workload hackbench]\n"
#define KERNELS	 "[variant old]\nkernel = 6.1.*\n[variant new]\nkernel = 6.12.*\n"
#define MINUTE	 UINT64_C(60000000000)

static struct experiment *parsed(const char *text)
{
	struct experiment *experiment = NULL;
	struct error err = { 0 };

	if (experiment_parse(&experiment, "x.ini", text, strlen(text), &err))
		fail_msg("%s", err.text);
	return experiment;
}

static struct store *empty_store(void)
{
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(&store, ":memory:", STORE_WRITE, &err))
		fail_msg("%s", err.text);
	return store;
}

/* The experiment with a run of @wall_ns at its @point. */
static void add_run(struct store *store, const struct experiment *experiment, size_t point,
		    uint64_t wall_ns)
{
	struct session_row session = { .boot_id = xstrdup("boot"),
				       .facts = xstrdup("{}"),
				       .notes = xstrdup("") };
	struct run_row run = { .point = point, .facts = xstrdup("{}") };

	assert_int_equal(stored_add(store, experiment, &run.experiment, NULL), 0);
	session.experiment = run.experiment;
	assert_int_equal(store_add_session(store, &session, NULL), 0);
	run.session = session.id;
	run.result.workload = xstrdup(experiment->points[point].workload->name);
	result_add_counter(&run.result, "wall", UNIT_NS, (double)wall_ns, 1);
	assert_int_equal(store_add_run(store, &run, NULL), 0);
	run_row_release(&run);
	session_row_release(&session);
}

static void assert_reason(const struct experiment *experiment, const char *reason)
{
	struct strbuf sb = { 0 };

	block_size_reason(experiment, &sb);
	assert_string_equal(strbuf_str(&sb), reason);
	strbuf_release(&sb);
}

static void assert_blocks(struct experiment *experiment, struct store *store, bool resume,
			  uint64_t runs_per_block, uint64_t blocks, const char *reason)
{
	block_size_look_up(experiment, store, resume);
	assert_int_equal(experiment->runs_per_block, runs_per_block);
	assert_int_equal(experiment->blocks, blocks);
	assert_reason(experiment, reason);
}

static void test_block_size_is_four_where_nothing_is_known(void **state)
{
	struct experiment *experiment = parsed(VARIANTS POINTS);
	struct store *store = empty_store();

	(void)state;
	assert_blocks(experiment, NULL, false, 2, 6, "");
	assert_blocks(experiment, store, true, 2, 6, "");
	store_close(store);
	experiment_free(experiment);
}

/* Four runs of 15 minutes are the hour, which isn't more than an hour; of 18, 1.2 hours. 12 runs are 12 pairs. */
static void test_block_size_is_two_where_the_longest_point_is_long(void **state)
{
	struct experiment *experiment = parsed(VARIANTS POINTS);
	struct store *store = empty_store();

	(void)state;
	add_run(store, experiment, 0, MINUTE);
	add_run(store, experiment, 1, 15 * MINUTE);
	assert_blocks(experiment, store, false, 2, 6, "");
	add_run(store, experiment, 1, 21 * MINUTE); /* the median of 15 and 21 is 18 */
	assert_blocks(experiment, store, false, 1, 12,
		      "one of each variant, since two of each would take 1.2 hours");
	store_close(store);
	experiment_free(experiment);
}

/* Two runs of each of three variants are six. */
static void test_block_size_counts_all_variants(void **state)
{
	struct experiment *experiment = parsed(VARIANTS "[variant third]\n" POINTS);
	struct store *store = empty_store();

	(void)state;
	add_run(store, experiment, 0, 10 * MINUTE);
	assert_blocks(experiment, store, false, 2, 6, "");
	add_run(store, experiment, 0, 14 * MINUTE);
	assert_blocks(experiment, store, false, 1, 12,
		      "one of each variant, since two of each would take 1.2 hours");
	store_close(store);
	experiment_free(experiment);
}

static void test_block_size_of_boots_is_two(void **state)
{
	struct experiment *experiment = parsed(KERNELS POINTS);

	(void)state;
	assert_blocks(experiment, NULL, false, 1, 8, "one of each variant, since boots are long");
	experiment_free(experiment);
}

/* Who names the size has it, and who counts blocks counts usual ones. */
static void test_block_size_that_the_file_says_stays(void **state)
{
	static const struct {
		const char *text;
		uint64_t runs, blocks;
	} cases[] = {
		{ "[experiment]\nruns_per_block = 2\n" VARIANTS POINTS, 2, 6 },
		{ "[experiment]\nruns_per_block = 1\n" VARIANTS POINTS, 1, 12 },
		{ "[experiment]\nblocks = 6\n" VARIANTS POINTS, 2, 6 },
		{ "[experiment]\nblocks = 6\n" KERNELS POINTS, 2, 6 },
		{ "[experiment]\nruns_per_block = 2\n" KERNELS POINTS, 2, 3 },
	};
	struct store *store = empty_store();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct experiment *experiment = parsed(cases[i].text);

		add_run(store, experiment, 0, 60 * MINUTE);
		assert_blocks(experiment, store, false, cases[i].runs, cases[i].blocks, "");
		experiment_free(experiment);
	}
	store_close(store);
}

/* Begun with four when runs were thought short, and with two before somebody deleted the long results. */
static void test_block_size_of_what_was_begun_is_kept(void **state)
{
	struct experiment *experiment = parsed(VARIANTS POINTS);
	struct experiment *other =
		parsed("[experiment]\nname = x\nruns_per_block = 1\n" VARIANTS POINTS);
	struct store *store = empty_store();
	struct experiment_row begun, resumed;

	(void)state;
	experiment_row(experiment, &begun);
	add_run(store, experiment, 0, 60 * MINUTE);
	assert_blocks(experiment, store, true, 2, 6, "");
	experiment_row(experiment, &resumed);
	assert_string_equal(resumed.fingerprint, begun.fingerprint);
	experiment_row_release(&resumed);
	experiment_row_release(&begun);
	assert_blocks(experiment, store, false, 1, 12,
		      "one of each variant, since two of each would take 4.0 hours");
	store_close(store);

	store = empty_store();
	add_run(store, other, 0, MINUTE);
	assert_blocks(experiment, store, true, 1, 12, "one of each variant, since it was begun so");
	store_close(store);
	experiment_free(other);
	experiment_free(experiment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_block_size_is_four_where_nothing_is_known),
		cmocka_unit_test(test_block_size_is_two_where_the_longest_point_is_long),
		cmocka_unit_test(test_block_size_counts_all_variants),
		cmocka_unit_test(test_block_size_of_boots_is_two),
		cmocka_unit_test(test_block_size_that_the_file_says_stays),
		cmocka_unit_test(test_block_size_of_what_was_begun_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
