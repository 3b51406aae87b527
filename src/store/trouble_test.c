// SPDX-License-Identifier: GPL-2.0-only
/* store/trouble_test.c - full disks, locks, kills, damage. */
#include "store/fixture.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "store/jsonl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define KILLS 5

static int load_and_drop(struct store *store, int64_t id, size_t *n, struct error *err)
{
	struct run_row *rows = NULL;
	int ret = store_load_runs(store, id, &rows, n, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < *n; i++) {
		if (rows[i].result.nr_metrics != 1 || rows[i].result.nr_counters != 2)
			fail_msg("run %zu is not whole", i);
		run_row_release(&rows[i]);
	}
	free(rows);
	return 0;
}

/* As on a full disk: SQLite itself says that there is no page left. */
static void test_full_disk_rolls_the_run_back_and_the_store_stays_usable(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(store, 0, &session);
	int64_t position = 0;
	struct run_row row;
	size_t n = 0;
	int ret;

	assert_int_equal(db_exec(store, "PRAGMA max_page_count = 30", NULL), 0);
	do {
		sample_run(&row, id, session, position);
		free(row.facts); /* different each time, so that something grows */
		row.facts = xasprintf("{\"n\":\"%0500lld\"}", (long long)position);
		ret = store_add_run(store, &row, &fixture->err);
		position += !ret;
		run_row_release(&row);
	} while (!ret && position < 1000);
	assert_int_equal(ret, -ENOSPC);
	assert_non_null(strstr(fixture->err.text, "no space left"));
	assert_int_equal(load_and_drop(store, id, &n, NULL), 0);
	assert_int_equal(n, position);
	assert_int_equal(db_exec(store, "PRAGMA max_page_count = 1000", NULL), 0);
	sample_run(&row, id, session, position);
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	run_row_release(&row);
	store_close(store);
	assert_int_equal(fixture_number(fixture->path, "SELECT count(*) FROM run"), position + 1);
}

static void test_locked_store_is_an_error_after_the_timeout(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	struct store *other = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(store, 1, &session);
	struct run_row row;

	assert_int_equal(db_begin(other, true, NULL), 0);
	sqlite3_busy_timeout(store->db, 1);
	sample_run(&row, id, session, 1);
	assert_int_equal(store_add_run(store, &row, &fixture->err), -EBUSY);
	assert_non_null(strstr(fixture->err.text, "locked by another process"));
	assert_int_equal(db_end(other, 0, NULL), 0);
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	run_row_release(&row);
	store_close(other);
	store_close(store);
}

/* One reader sees the state in which it began, whatever is written meanwhile; then the new one. */
static void test_reader_goes_on_while_another_writes(void **state)
{
	struct fixture *fixture = *state;
	struct store *writer = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(writer, 3, &session);
	struct store *reader = fixture_open(fixture, STORE_READ);
	struct run_row row;
	size_t n = 0;

	assert_int_equal(db_begin(reader, false, NULL), 0);
	assert_int_equal(load_and_drop(reader, id, &n, NULL), 0);
	assert_int_equal(n, 3);
	sample_run(&row, id, session, 3);
	assert_int_equal(store_add_run(writer, &row, NULL), 0);
	run_row_release(&row);
	assert_int_equal(load_and_drop(reader, id, &n, NULL), 0);
	assert_int_equal(n, 3);
	assert_int_equal(db_end(reader, 0, NULL), 0);
	assert_int_equal(load_and_drop(reader, id, &n, NULL), 0);
	assert_int_equal(n, 4);
	store_close(reader);
	store_close(writer);
}

/* Adds runs from @position on and tells @fd of each that is stored, until it is killed. */
static void add_until_killed(struct fixture *fixture, int64_t id, int64_t session, int64_t position,
			     int fd)
{
	struct store *store;

	if (store_open(&store, fixture->path, STORE_WRITE, NULL))
		_exit(1);
	for (;; position++) {
		struct run_row row;

		sample_run(&row, id, session, position);
		if (store_add_run(store, &row, NULL) ||
		    write(fd, &position, sizeof(position)) != sizeof(position))
			_exit(1);
		run_row_release(&row);
	}
}

/* Return: how many runs the child had told of when it was dead; it is killed after @after of them. */
static int64_t kill_a_writer(struct fixture *fixture, int64_t id, int64_t session, int64_t position,
			     int64_t after)
{
	int64_t told = 0, last;
	int fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		add_until_killed(fixture, id, session, position, fds[1]);
	close(fds[1]);
	while (read(fds[0], &last, sizeof(last)) == sizeof(last)) {
		assert_int_equal(last, position + told);
		if (++told == after)
			kill(pid, SIGKILL);
	}
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return told;
}

/* Killed in the middle of the next run, at a moment that the machine chooses: at most that run is stored untold. */
static void test_kill_loses_no_run_that_was_stored(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(store, 0, &session);
	int64_t stored = 0;
	struct rng rng;

	store_close(store);
	rng_seed(&rng, 1, "kills", 0);
	for (int i = 0; i < KILLS; i++) {
		int64_t told = kill_a_writer(fixture, id, session, stored,
					     1 + (int64_t)rng_below(&rng, 20));
		size_t n = 0;

		store = fixture_open(fixture, STORE_READ);
		assert_int_equal(load_and_drop(store, id, &n, NULL), 0);
		store_close(store);
		assert_in_range(n, stored + told, stored + told + 1);
		stored = (int64_t)n;
	}
	assert_int_equal(
		fixture_number(fixture->path,
			       "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
		1);
	assert_int_equal(fixture_number(fixture->path, "SELECT max(position) + 1 FROM run"),
			 stored);
	assert_int_equal(fixture_number(fixture->path, "SELECT count(*) FROM value"), 3 * stored);
}

/* Return: the first failure of everything that reads. */
static int read_everything(struct store *store, struct error *err)
{
	struct experiment_row *experiments = NULL;
	struct strbuf sb = { 0 };
	struct run_counts counts;
	size_t n = 0;
	uint64_t wall;
	int ret, again;

	ret = store_list_experiments(store, &experiments, &n, err);
	for (size_t i = 0; i < n; i++)
		experiment_row_release(&experiments[i]);
	free(experiments);
	again = jsonl_export(store, 1, &sb, ret ? NULL : err);
	ret = ret ? ret : again;
	strbuf_release(&sb);
	again = store_count_runs(store, 1, &counts, ret ? NULL : err);
	ret = ret ? ret : again;
	again = store_typical_wall(store, "pipe", "turns=1000\n", &wall, ret ? NULL : err);
	return ret ? ret : again;
}

/* What somebody may do to a database that the schema's own checks would not let through. */
static const char *const edits[] = {
	"UPDATE experiment SET name = ''",
	"UPDATE experiment SET name = x'6100' || 'b'",
	"UPDATE experiment SET text = x'00'",
	"UPDATE experiment SET text = NULL",
	"UPDATE experiment SET finished = 2",
	"UPDATE experiment SET blocks = -1",
	"UPDATE experiment SET created_ns = 'now'",
	"UPDATE variant SET ordinal = ordinal + 1",
	"DELETE FROM variant WHERE ordinal = 0",
	"DELETE FROM variant",
	"UPDATE point SET label = char(0)",
	"UPDATE point SET ordinal = 2000000000 + ordinal",
	"DELETE FROM point",
	"DELETE FROM session",
	"UPDATE session SET started_ns = 1.5",
	"DELETE FROM facts",
	"UPDATE facts SET text = '[]'",
	"UPDATE facts SET text = '{\"a\":1,\"a\":2}'",
	"UPDATE run SET variant = 2",
	"UPDATE run SET variant = -1",
	"UPDATE run SET point = 9223372036854775807",
	"UPDATE run SET session = 77",
	"UPDATE run SET position = -1 - position",
	"UPDATE run SET load = 9e999",
	"UPDATE run SET load = 'high'",
	"UPDATE run SET status = 'good'",
	"UPDATE run SET status = 'failed'",
	"UPDATE run SET reason = 'why not'",
	"UPDATE value SET name = ''",
	"UPDATE value SET name = printf('%064d', 1)",
	"UPDATE value SET unit = 'furlong'",
	"UPDATE value SET better = 'bigger'",
	"UPDATE value SET better = 'lower'",
	"UPDATE value SET value = 9e999",
	"UPDATE value SET value = NULL",
	"UPDATE value SET counted = 0",
	"UPDATE value SET value = -1e300 WHERE name = 'wall'",
	"DROP TABLE value",
	"ALTER TABLE run RENAME COLUMN status TO state",
};

/* Makes every table again without what guards it: no types, keys and checks. */
static void drop_guards(const char *path)
{
	static const char *const tables[] = { "experiment", "variant", "point", "facts",
					      "session",    "run",     "value" };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		char *sql = xasprintf("PRAGMA legacy_alter_table = ON;"
				      "CREATE TABLE loose AS SELECT * FROM %s; DROP TABLE %s;"
				      "ALTER TABLE loose RENAME TO %s",
				      tables[i], tables[i], tables[i]);

		fixture_sql(path, sql);
		free(sql);
	}
}

static void write_bytes(const char *path, const struct strbuf *bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->s, bytes->len), bytes->len);
	close(fd);
}

static void make_sample(struct fixture *fixture, struct strbuf *bytes, bool guarded)
{
	struct store *store = fixture_open(fixture, STORE_WRITE);

	sample_fill(store, 12, NULL);
	assert_int_equal(read_everything(store, NULL), 0);
	store_close(store);
	if (!guarded)
		drop_guards(fixture->path);
	assert_int_equal(file_read(bytes, AT_FDCWD, fixture->path, 1 << 20, NULL), 0);
}

static void test_edited_database_gives_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf bytes = { 0 };
	struct store *store;

	make_sample(fixture, &bytes, false);
	store = fixture_open(fixture, STORE_READ);
	assert_int_equal(read_everything(store, NULL), 0);
	store_close(store);
	for (size_t i = 0; i < ARRAY_SIZE(edits); i++) {
		int ret;

		write_bytes(fixture->path, &bytes);
		fixture_sql(fixture->path, edits[i]);
		store = fixture_open(fixture, STORE_READ);
		fixture->err = (struct error){ 0 };
		ret = read_everything(store, &fixture->err);
		if (ret != -EUCLEAN || !strstr(fixture->err.text, "damaged ("))
			fail_msg("%s: %d '%s'", edits[i], ret, fixture->err.text);
		store_close(store);
	}
	strbuf_release(&bytes);
}

/* The schema's triggers and views are not obeyed. */
static void test_hostile_schema_does_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(store, 1, &session);
	struct run_row row;

	store_close(store);
	fixture_sql(fixture->path,
		    "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM value; END;"
		    "DROP TABLE facts; CREATE VIEW facts AS SELECT 1 AS id, 1 AS hash, "
		    "'{}' AS text");
	store = fixture_open(fixture, STORE_WRITE);
	sample_run(&row, id, session, 1);
	assert_int_equal(store_add_run(store, &row, &fixture->err), -EUCLEAN);
	run_row_release(&row);
	store_close(store);
	fixture_sql(fixture->path,
		    "DROP VIEW facts; CREATE TABLE facts(id INTEGER PRIMARY KEY, hash, text)");
	store = fixture_open(fixture, STORE_WRITE);
	sample_run(&row, id, session, 1);
	assert_int_equal(store_add_run(store, &row, &fixture->err), 0);
	run_row_release(&row);
	store_close(store);
	assert_int_equal(fixture_number(fixture->path, "SELECT count(*) FROM value"), 6);
}

/* Any byte may be another: an error in words or a value within bounds, but no crash. */
static void test_flipped_bytes_give_errors_or_rows(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf bytes = { 0 };
	size_t refused = 0;
	struct rng rng;

	make_sample(fixture, &bytes, true);
	rng_seed(&rng, 1, "flips", 0);
	for (int i = 0; i < 100; i++) {
		size_t at = rng_below(&rng, bytes.len);
		struct store *store = NULL;
		char old = bytes.s[at];
		int ret;

		bytes.s[at] ^= (char)(1 + rng_below(&rng, 255));
		write_bytes(fixture->path, &bytes);
		fixture->err = (struct error){ 0 };
		ret = store_open(&store, fixture->path, STORE_READ, &fixture->err);
		if (!ret)
			ret = read_everything(store, &fixture->err);
		assert_int_equal(ret, -fixture->err.code);
		refused += ret < 0;
		store_close(store);
		bytes.s[at] = old;
	}
	assert_in_range(refused, 1, 99);
	strbuf_release(&bytes);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

static void test_a_file_that_was_removed_takes_no_more_runs(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture, STORE_WRITE);
	int64_t session, id = sample_fill(store, 1, &session);
	struct run_row row;

	assert_int_equal(unlink(fixture->path), 0);
	sample_run(&row, id, session, 1);
	assert_int_equal(store_add_run(store, &row, &fixture->err), -ESTALE);
	assert_non_null(strstr(fixture->err.text, "was removed or replaced"));
	run_row_release(&row);
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_full_disk_rolls_the_run_back_and_the_store_stays_usable),
		CASE(test_locked_store_is_an_error_after_the_timeout),
		CASE(test_reader_goes_on_while_another_writes),
		CASE(test_kill_loses_no_run_that_was_stored),
		CASE(test_edited_database_gives_an_error),
		CASE(test_hostile_schema_does_nothing),
		CASE(test_flipped_bytes_give_errors_or_rows),
		CASE(test_a_file_that_was_removed_takes_no_more_runs),
	};

	return cmocka_run_group_tests_name("store/trouble", tests, NULL, NULL);
}
