// SPDX-License-Identifier: GPL-2.0-only
#include "store/fixture.h"

#include "base/file.h"
#include "base/mem.h"
#include "store/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static void write_file(const char *path, const void *bytes, size_t n)
{
	assert_int_equal(file_replace(AT_FDCWD, path, bytes, n, 0600, NULL), 0);
}

static void expect_refusal(struct fixture *fixture, enum store_mode mode, int code,
			   const char *words)
{
	struct store *store = NULL;

	assert_int_equal(store_open(&store, fixture->path, mode, &fixture->err), code);
	assert_null(store);
	if (!strstr(fixture->err.text, words) || !strstr(fixture->err.text, fixture->path))
		fail_msg("'%s' lacks '%s' or the path", fixture->err.text, words);
}

/* Opens with @mode, and the file must have the same bytes and no company afterwards. */
static void expect_untouched(struct fixture *fixture, enum store_mode mode, const char *words)
{
	struct strbuf before = { 0 }, after = { 0 };
	char *wal = xasprintf("%s-wal", fixture->path);

	assert_int_equal(file_read(&before, AT_FDCWD, fixture->path, 1 << 20, NULL), 0);
	expect_refusal(fixture, mode, -EINVAL, words);
	assert_int_equal(file_read(&after, AT_FDCWD, fixture->path, 1 << 20, NULL), 0);
	assert_int_equal(before.len, after.len);
	assert_memory_equal(before.s, after.s, before.len);
	assert_int_equal(access(wal, F_OK), -1);
	free(wal);
	strbuf_release(&before);
	strbuf_release(&after);
}

static void test_open_makes_folders_and_a_database_in_wal_mode(void **state)
{
	struct fixture *fixture = *state;
	struct store *store;

	free(fixture->path);
	fixture->path = xasprintf("%s/a/b/results.sqlite", fixture->folder);
	store = fixture_open(fixture, STORE_WRITE);
	store_close(store);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA application_id"),
			 SCHEMA_APPLICATION_ID);
	assert_int_equal(fixture_number(fixture->path, "PRAGMA user_version"), STORE_SCHEMA);
	assert_int_equal(fixture_number(fixture->path,
					"SELECT journal_mode = 'wal' FROM pragma_journal_mode"),
			 1);
}

static void test_open_finds_what_it_stored(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	int64_t id = sample_fill(store, 1, NULL), found = 0;

	store_close(store);
	store = fixture_open(fixture, STORE_READ);
	assert_int_equal(store_find_experiment(store, NULL, &found, NULL), 0);
	assert_int_equal(found, id);
	store_close(store);
	store_close(NULL);
}

/* SQLite would take these for a URI and a database in memory; they are files like others. */
static void test_open_takes_odd_names_as_files(void **state)
{
	static const char *const names[] = { "file:x?mode=memory", "100%# .db", "a?b" };
	struct fixture *fixture = *state;

	assert_int_equal(chdir(fixture->folder), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct store *store;

		free(fixture->path);
		fixture->path = xstrdup(names[i]);
		store_close(fixture_open(fixture, STORE_WRITE));
		assert_int_equal(access(names[i], F_OK), 0);
		store = fixture_open(fixture, STORE_READ);
		store_close(store);
	}
	assert_int_equal(chdir("/"), 0);
}

static void test_open_follows_a_link(void **state)
{
	struct fixture *fixture = *state;
	char *real = xasprintf("%s/real.sqlite", fixture->folder);

	assert_int_equal(symlink("real.sqlite", fixture->path), 0);
	store_close(fixture_open(fixture, STORE_WRITE)); /* what it points to is missing yet */
	assert_int_equal(access(real, F_OK), 0);
	store_close(fixture_open(fixture, STORE_READ));
	free(real);
}

static void test_open_to_read_needs_a_store(void **state)
{
	struct fixture *fixture = *state;

	expect_refusal(fixture, STORE_READ, -ENOENT, "nothing is stored");
	assert_int_equal(access(fixture->path, F_OK), -1);
	write_file(fixture->path, "", 0);
	expect_refusal(fixture, STORE_READ, -ENOENT, "nothing is stored");
}

static void test_open_refuses_what_is_no_file(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(mkdir(fixture->path, 0700), 0);
	expect_refusal(fixture, STORE_WRITE, -EISDIR, "a folder");
	expect_refusal(fixture, STORE_READ, -EISDIR, "a folder");
	assert_int_equal(rmdir(fixture->path), 0);
	assert_int_equal(mkfifo(fixture->path, 0600), 0);
	expect_refusal(fixture, STORE_READ, -EINVAL, "no regular file");
	free(fixture->path);
	fixture->path = xstrdup("");
	expect_refusal(fixture, STORE_WRITE, -EINVAL, "empty");
	free(fixture->path);
	fixture->path = xasprintf("%s/new/", fixture->folder);
	expect_refusal(fixture, STORE_WRITE, -EISDIR, "a folder");
	free(fixture->path);
	fixture->path = xstrdup("/dev/null/results.sqlite");
	expect_refusal(fixture, STORE_WRITE, -ENOTDIR, "Not a directory");
}

static void test_open_refuses_other_files_untouched(void **state)
{
	struct fixture *fixture = *state;
	static char page[4096];

	write_file(fixture->path, "hello\n", 6);
	expect_untouched(fixture, STORE_WRITE, "no SQLite database");
	expect_untouched(fixture, STORE_READ, "no SQLite database");
	memset(page, 'x', sizeof(page));
	write_file(fixture->path, page, sizeof(page));
	expect_untouched(fixture, STORE_WRITE, "no SQLite database");
	strcpy(page, "SQLite format 3"); /* and then nothing that makes sense */
	write_file(fixture->path, page, sizeof(page));
	expect_untouched(fixture, STORE_WRITE, "another program");
}

static void test_open_refuses_other_programs_databases_untouched(void **state)
{
	struct fixture *fixture = *state;

	fixture_sql(fixture->path, "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
	expect_untouched(fixture, STORE_WRITE, "another program");
	expect_untouched(fixture, STORE_READ, "another program");
	fixture_sql(fixture->path, "PRAGMA application_id = 7");
	expect_untouched(fixture, STORE_WRITE, "another program");
}

/* A log that another program left is not folded into its database. */
static void test_open_leaves_the_log_of_another_program_alone(void **state)
{
	struct fixture *fixture = *state;
	char *wal = xasprintf("%s-wal", fixture->path);
	struct stat before, after;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), 0);
	assert_int_equal(
		sqlite3_exec(db, "PRAGMA journal_mode = WAL; CREATE TABLE t(x)", NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
	assert_int_equal(stat(wal, &before), 0);
	assert_true(before.st_size > 0);
	expect_refusal(fixture, STORE_WRITE, -EINVAL, "another program");
	expect_refusal(fixture, STORE_READ, -EINVAL, "another program");
	assert_int_equal(stat(wal, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	free(wal);
}

static void test_open_refuses_a_damaged_header(void **state)
{
	struct fixture *fixture = *state;
	int fd;

	store_close(fixture_open(fixture, STORE_WRITE));
	fd = open(fixture->path, O_WRONLY);
	assert_int_equal(pwrite(fd, "\0\0", 2, 16), 2); /* the page size */
	close(fd);
	expect_refusal(fixture, STORE_READ, -EINVAL, "no SQLite database");
	expect_refusal(fixture, STORE_WRITE, -EINVAL, "no SQLite database");
}

static bool check_refusal(struct fixture *fixture, enum store_mode mode, int code)
{
	struct store *store = NULL;
	int ret = store_open(&store, fixture->path, mode, &fixture->err);

	store_close(store);
	return ret == code && strstr(fixture->err.text, "Permission denied");
}

static bool check_reading(struct fixture *fixture)
{
	struct store *store = NULL;
	struct run_row *rows;
	bool good = false;
	size_t n = 0;

	if (store_open(&store, fixture->path, STORE_READ, NULL))
		return false;
	if (!store_load_runs(store, 1, &rows, &n, NULL)) {
		good = n == 3 && store_finish_experiment(store, 1, NULL, NULL) == -EROFS;
		for (size_t i = 0; i < n; i++)
			run_row_release(&rows[i]);
		free(rows);
	}
	store_close(store);
	return good;
}

static bool check_locked_file(struct fixture *fixture)
{
	return check_refusal(fixture, STORE_WRITE, -EACCES) && check_reading(fixture);
}

static bool check_unreadable(struct fixture *fixture)
{
	return check_refusal(fixture, STORE_READ, -EACCES);
}

static bool check_no_new_file(struct fixture *fixture)
{
	return check_refusal(fixture, STORE_WRITE, -EACCES);
}

static void test_open_reads_what_may_not_be_written(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);

	sample_fill(store, 3, NULL);
	store_close(store);
	assert_true(fixture_unprivileged(fixture, check_reading));
	chmod(fixture->path, 0444);
	assert_true(fixture_unprivileged(fixture, check_locked_file));
	chmod(fixture->folder, 0555);
	assert_true(fixture_unprivileged(fixture, check_locked_file));
	chmod(fixture->path, 0);
	assert_true(fixture_unprivileged(fixture, check_unreadable));
}

static void test_open_can_not_make_a_store_in_a_locked_folder(void **state)
{
	struct fixture *fixture = *state;

	chmod(fixture->folder, 0555);
	assert_true(fixture_unprivileged(fixture, check_no_new_file));
	free(fixture->path);
	fixture->path = xasprintf("%s/new/results.sqlite", fixture->folder);
	assert_true(fixture_unprivileged(fixture, check_no_new_file));
}

static bool check_log_needed(struct fixture *fixture)
{
	struct store *store = NULL;

	return store_open(&store, fixture->path, STORE_READ, &fixture->err) == -EACCES &&
	       strstr(fixture->err.text, "-wal, which can't be read") && !store;
}

/* What a killed writer left: the last runs are in the log alone. With its index they can be read, else not. */
static void test_open_reads_a_left_log_where_it_can(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	char *shm = xasprintf("%s-shm", fixture->path), *wal = xasprintf("%s-wal", fixture->path);

	sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sample_fill(store, 3, NULL);
	store_close(store);
	assert_int_equal(access(wal, F_OK), 0);
	chmod(fixture->path, 0444);
	chmod(wal, 0444);
	chmod(shm, 0444);
	chmod(fixture->folder, 0555);
	assert_true(fixture_unprivileged(fixture, check_reading));
	assert_int_equal(chmod(fixture->folder, 0755), 0);
	assert_int_equal(unlink(shm), 0);
	chmod(fixture->folder, 0555);
	assert_true(fixture_unprivileged(fixture, check_log_needed));
	chmod(fixture->folder, 0755);
	chmod(fixture->path, 0644);
	chmod(wal, 0644);
	store = fixture_open(fixture, STORE_READ);
	store_close(store);
	assert_int_equal(fixture_number(fixture->path, "SELECT count(*) FROM run"), 3);
	free(shm);
	free(wal);
}

static void test_open_in_memory_leaves_no_file(void **state)
{
	struct fixture *fixture = *state;
	struct store *store;

	free(fixture->path);
	fixture->path = xstrdup(":memory:");
	store = fixture_open(fixture, STORE_WRITE);
	assert_true(sample_fill(store, 1, NULL) > 0);
	store_close(store);
	assert_int_equal(access(":memory:", F_OK), -1);
	expect_refusal(fixture, STORE_READ, -ENOENT, "nothing is stored");
}

static void test_default_path_is_in_the_data_folder(void **state)
{
	char *path;

	(void)state;
	setenv("HOME", "/home/u", 1);
	setenv("XDG_DATA_HOME", "/data", 1);
	path = store_default_path();
	assert_string_equal(path, "/data/schedproof/results.sqlite");
	free(path);
	setenv("XDG_DATA_HOME", "relative", 1); /* which the XDG specification forbids */
	path = store_default_path();
	assert_string_equal(path, "/home/u/.local/share/schedproof/results.sqlite");
	free(path);
	unsetenv("HOME");
	path = store_default_path();
	assert_int_equal(path[0], '/');
	free(path);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_open_makes_folders_and_a_database_in_wal_mode),
		CASE(test_open_finds_what_it_stored),
		CASE(test_open_takes_odd_names_as_files),
		CASE(test_open_follows_a_link),
		CASE(test_open_to_read_needs_a_store),
		CASE(test_open_refuses_what_is_no_file),
		CASE(test_open_refuses_other_files_untouched),
		CASE(test_open_refuses_other_programs_databases_untouched),
		CASE(test_open_leaves_the_log_of_another_program_alone),
		CASE(test_open_refuses_a_damaged_header),
		CASE(test_open_reads_what_may_not_be_written),
		CASE(test_open_can_not_make_a_store_in_a_locked_folder),
		CASE(test_open_reads_a_left_log_where_it_can),
		CASE(test_open_in_memory_leaves_no_file),
		cmocka_unit_test(test_default_path_is_in_the_data_folder),
	};

	return cmocka_run_group_tests_name("store/open", tests, NULL, NULL);
}
