// SPDX-License-Identifier: GPL-2.0-only
#include "store/fixture.h"

#include "store/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define CHILDREN 4

static void expect_working_store(struct fixture *fixture)
{
	struct store *store = fixture_open(fixture, STORE_WRITE);
	struct run_counts counts;
	int64_t id = sample_fill(store, 4, NULL);

	assert_int_equal(store_count_runs(store, id, &counts, NULL), 0);
	assert_int_equal(counts.ok, 4);
	store_close(store);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), STORE_SCHEMA);
}

static void test_schema_is_made_in_an_empty_file(void **state)
{
	struct fixture *fixture = *state;

	fclose(fopen(fixture->path, "w"));
	expect_working_store(fixture);
}

static void test_schema_0_is_migrated_by_a_writer_only(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = NULL;

	/* 0x53505246 */
	fixture_sql(fixture->path, "PRAGMA application_id = 1397772870; PRAGMA user_version = 0");
	assert_int_equal(store_open(&store, fixture->path, STORE_READ, &fixture->err), -ENOENT);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), 0);
	expect_working_store(fixture);
}

static void test_schema_of_a_newer_program_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = NULL;

	store_close(fixture_open(fixture, STORE_WRITE));
	fixture_sql(fixture->path, "PRAGMA user_version = 7");
	assert_int_equal(store_open(&store, fixture->path, STORE_READ, &fixture->err), -EPROTO);
	assert_non_null(strstr(fixture->err.text, "newer schedproof (schema 7, this one knows 2)"));
	assert_int_equal(store_open(&store, fixture->path, STORE_WRITE, &fixture->err), -EPROTO);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), 7);
}

/* The migration stumbles over a table that is there already; nothing of it stays. */
static void test_schema_migration_is_one_transaction(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = NULL;

	fixture_sql(fixture->path, "PRAGMA application_id = 1397772870; CREATE TABLE value(x)");
	assert_int_equal(store_open(&store, fixture->path, STORE_WRITE, &fixture->err), -EUCLEAN);
	assert_int_equal(fixture_number(fixture->path, "SELECT count(*) FROM sqlite_schema"), 1);
}

/* Processes that make the same store at the same time: all succeed. */
static void test_schema_is_made_once(void **state)
{
	struct fixture *fixture = *state;
	int status;

	fflush(NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid) {
			struct store *store = NULL;
			int ret = store_open(&store, fixture->path, STORE_WRITE, &fixture->err);

			store_close(store);
			if (ret)
				fprintf(stderr, "%s\n", fixture->err.text);
			_exit(ret ? 1 : 0);
		}
	}
	for (int i = 0; i < CHILDREN; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	expect_working_store(fixture);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_schema_is_made_in_an_empty_file),
		CASE(test_schema_0_is_migrated_by_a_writer_only),
		CASE(test_schema_of_a_newer_program_is_refused),
		CASE(test_schema_migration_is_one_transaction),
		CASE(test_schema_is_made_once),
	};

	return cmocka_run_group_tests_name("store/schema", tests, NULL, NULL);
}
