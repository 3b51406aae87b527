// SPDX-License-Identifier: GPL-2.0-only
/*
 * Databases that older programs wrote. OLD_STORES is their folder.
 *
 * schema-1.sqlite: the program of 30 November 2026, with a script for a worker and a folder for a machine.
 *   1 "plain": 6 blocks of pairs, base and other, after one warm-up run each.
 *   2 "boots": 4 blocks, old (6.1.*) and new (6.12.*), runs_per_boot = 2, warmup = 0; boots 1 and 3 are old, 2 and 4 new.
 */
#include "store/fixture.h"

#include "base/file.h"
#include "store/jsonl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void copy_old(struct fixture *fixture)
{
	struct strbuf bytes = { 0 };

	assert_int_equal(file_read(&bytes, AT_FDCWD, OLD_STORES "/schema-1.sqlite", 1 << 20, NULL),
			 0);
	assert_int_equal(file_replace(AT_FDCWD, fixture->path, bytes.s, bytes.len, 0600, NULL), 0);
	strbuf_release(&bytes);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), 1);
}

static void test_schema_1_is_not_read_before_it_is_migrated(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = NULL;

	copy_old(fixture);
	assert_int_equal(store_open(&store, fixture->path, STORE_READ, &fixture->err), -EPROTO);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), 1);
	store_close(fixture_open(fixture, STORE_WRITE));
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), STORE_SCHEMA);
	store_close(fixture_open(fixture, STORE_READ));
}

/* It had pairs and no other design; its runs are as they were. */
static void test_schema_1_experiment_of_pairs(void **state)
{
	struct fixture *fixture = *state;
	struct experiment_row row = { 0 };
	struct run_counts counts;
	struct run_row *runs;
	struct store *store;
	size_t n;

	copy_old(fixture);
	store = fixture_open(fixture, STORE_WRITE);
	assert_int_equal(store_get_experiment(store, 1, &row, NULL), 0);
	assert_string_equal(row.name, "plain");
	assert_int_equal(row.blocks, 6);
	assert_int_equal(row.runs_per_block, 1);
	assert_int_equal(row.purpose, PURPOSE_AB);
	assert_near(row.margin + row.until, 0, 0);
	assert_true(row.finished);
	assert_string_equal(row.ended, "");
	assert_int_equal(store_count_runs(store, 1, &counts, NULL), 0);
	assert_int_equal(counts.blocks, 6);
	assert_int_equal(counts.ok, 12);
	assert_int_equal(store_load_runs(store, 1, &runs, &n, NULL), 0);
	assert_int_equal(n, 14);
	for (size_t i = 2; i < n; i++)
		assert_int_equal(runs[i].block, (i - 2) / 2);
	for (size_t i = 0; i < n; i++)
		run_row_release(&runs[i]);
	free(runs);
	experiment_row_release(&row);
	store_close(store);
}

/* A block is now a boot of each variant with its two runs: 4 / 2 = 2 blocks of 2 x 2 runs. */
static void test_schema_1_blocks_of_runs_become_blocks_of_boots(void **state)
{
	struct fixture *fixture = *state;
	struct experiment_row row = { 0 };
	struct run_counts counts;
	struct run_row *runs;
	struct store *store;
	size_t n;

	copy_old(fixture);
	store = fixture_open(fixture, STORE_WRITE);
	assert_int_equal(store_get_experiment(store, 2, &row, NULL), 0);
	assert_int_equal(row.blocks, 2);
	assert_int_equal(row.runs_per_boot, 2);
	assert_int_equal(row.runs_per_block, 1);
	assert_int_equal(store_count_runs(store, 2, &counts, NULL), 0);
	assert_int_equal(counts.blocks, 2);
	assert_int_equal(store_load_runs(store, 2, &runs, &n, NULL), 0);
	assert_int_equal(n, 8);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(runs[i].block, i / 4);
		assert_int_equal(runs[i].variant, i / 2 % 2);
		run_row_release(&runs[i]);
	}
	free(runs);
	experiment_row_release(&row);
	store_close(store);
}

/* The JSON lines of schema 1, with the same change of what a block is. */
static void test_schema_1_lines_are_migrated_alike(void **state)
{
#define HEAD                                                                                       \
	"{\"schema\":1,\"kind\":\"experiment\",\"name\":\"e\",\"text\":\"\",\"fingerprint\":"      \
	"\"f\","                                                                                   \
	"\"seed\":\"1\",\"blocks\":5,\"budget_ns\":0,\"runs_per_boot\":2,\"created_ns\":7,"        \
	"\"finished\":true,\"variants\":[{\"name\":\"a\",\"settings\":\"\",\"asks\":\"\"}],"       \
	"\"points\":[{\"label\":\"pipe\",\"workload\":\"pipe\",\"params\":\"\",\"primary\":\"x\"}" \
	"]}\n"                                                                                     \
	"{\"schema\":1,\"kind\":\"session\",\"session\":0,\"boot_id\":\"x\",\"started_ns\":8,"     \
	"\"notes\":\"\",\"facts\":{}}\n"
#define RUN(block, position, warmup)                                                               \
	"{\"schema\":1,\"kind\":\"run\",\"session\":0,\"block\":" #block                           \
	",\"position\":" #position ",\"variant\":\"a\",\"point\":\"pipe\",\"warmup\":" #warmup     \
	",\"started_ns\":9,\"load\":null,\"facts\":{},\"result\":{\"schema\":1,"                   \
	"\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,\"metrics\":[],\"counters\":[]}}" \
	"\n"
	static const char text[] =
		HEAD RUN(-1, 0, true) RUN(0, 1, false) RUN(1, 2, false) RUN(4, 3, false);
	static const int64_t blocks[] = { -1, 0, 0, 2 };
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	struct experiment_row row = { 0 };
	struct run_row *runs;
	int64_t *ids;
	size_t n;

	assert_int_equal(jsonl_import(store, "old", text, strlen(text), &ids, &n, &fixture->err),
			 0);
	assert_int_equal(store_get_experiment(store, ids[0], &row, NULL), 0);
	assert_int_equal(row.blocks, 3); /* 5 / 2 */
	assert_int_equal(row.runs_per_block, 1);
	assert_int_equal(store_load_runs(store, ids[0], &runs, &n, NULL), 0);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(runs[i].block, blocks[i]);
		run_row_release(&runs[i]);
	}
	free(runs);
	free(ids);
	experiment_row_release(&row);
	store_close(store);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_schema_1_is_not_read_before_it_is_migrated),
		CASE(test_schema_1_experiment_of_pairs),
		CASE(test_schema_1_blocks_of_runs_become_blocks_of_boots),
		CASE(test_schema_1_lines_are_migrated_alike),
	};

	return cmocka_run_group_tests_name("store/migrate", tests, NULL, NULL);
}
