// SPDX-License-Identifier: GPL-2.0-only
#include "store/fixture.h"

#include "base/mem.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define NOBODY 65534

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int fixture_setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	strcpy(fixture->folder, "/tmp/store_test.XXXXXX");
	if (!mkdtemp(fixture->folder))
		return -1;
	fixture->path = xasprintf("%s/results.sqlite", fixture->folder);
	*state = fixture;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *fixture = *state;
	int ret;

	chmod(fixture->folder, 0700);
	ret = nftw(fixture->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(fixture->path);
	free(fixture);
	return ret;
}

struct store *fixture_open(struct fixture *fixture, enum store_mode mode)
{
	struct store *store = NULL;

	if (store_open(&store, fixture->path, mode, &fixture->err))
		fail_msg("%s", fixture->err.text);
	return store;
}

void fixture_sql(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

int64_t fixture_number(const char *path, const char *sql)
{
	sqlite3_stmt *stmt;
	int64_t value;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return value;
}

bool fixture_unprivileged(struct fixture *fixture, bool (*check)(struct fixture *fixture))
{
	int status;
	pid_t pid;

	if (!geteuid() && chown(fixture->folder, NOBODY, NOBODY))
		return false;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		if (!geteuid() &&
		    (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY)))
			_exit(2);
		_exit(check(fixture) ? 0 : 1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

void sample_experiment(struct experiment_row *row)
{
	*row = (struct experiment_row){
		.name = xstrdup("first"),
		.text = xstrdup("[experiment]\nname = first\n"),
		.fingerprint = xstrdup("0123456789abcdef"),
		.seed = UINT64_MAX, /* more than the database's numbers can say */
		.blocks = 10,
		.budget_ns = 600000000000,
		.created_ns = 1700000000123456789,
		.nr_variants = 2,
		.nr_points = 2,
	};
	row->variants = xcalloc(2, sizeof(*row->variants));
	row->variants[0].name = xstrdup("base");
	row->variants[0].settings = xstrdup("");
	row->variants[0].asks = xstrdup("");
	row->variants[1].name = xstrdup("pinned");
	row->variants[1].settings = xstrdup("cpus = 0\nnice = -5\n");
	row->variants[1].asks = xstrdup("cpu.online\n");
	row->points = xcalloc(2, sizeof(*row->points));
	row->points[0].label = xstrdup("pipe");
	row->points[0].workload = xstrdup("pipe");
	row->points[0].params = xstrdup("turns=1000\n");
	row->points[0].primary = xstrdup("turn");
	row->points[1].label = xstrdup("hackbench groups=4");
	row->points[1].workload = xstrdup("hackbench");
	row->points[1].params = xstrdup("groups=4\n");
	row->points[1].primary = xstrdup("time");
}

/* A block is base and pinned at pipe, then base and pinned at hackbench. */
void sample_run(struct run_row *row, int64_t experiment, int64_t session, int64_t position)
{
	static const struct metric turn = { .name = "turn",
					    .unit = UNIT_NS,
					    .better = BETTER_LOWER };

	*row = (struct run_row){
		.experiment = experiment,
		.session = session,
		.block = position / 4,
		.position = position,
		.variant = (size_t)position % 2,
		.point = (size_t)position / 2 % 2,
		.started_ns = 1700000001000000000 + position,
		.load = 0.25,
		.facts = xstrdup("{\"cpu.governor\":\"performance\"}"),
	};
	row->result.workload = xstrdup(row->point ? "hackbench" : "pipe");
	result_add_metric(&row->result, &turn, 0.1 + (double)position);
	result_add_counter(&row->result, "wall", UNIT_NS, 1e6 * (double)(position + 1), 1);
	result_add_counter(&row->result, "cycles", UNIT_COUNT, 3e9, 0.75);
}

int64_t sample_fill(struct store *store, int64_t n, int64_t *session)
{
	struct session_row row = { .boot_id = xstrdup("boot"), .started_ns = 5 };
	struct experiment_row experiment;
	int64_t id;

	sample_experiment(&experiment);
	assert_int_equal(store_add_experiment(store, &experiment, NULL), 0);
	id = row.experiment = experiment.id;
	experiment_row_release(&experiment);
	row.facts = xstrdup("{\"kernel.release\": \"6.1\", \"host.load\": \"0.1\"}");
	row.notes = xstrdup("no hardware counters here: none\n");
	assert_int_equal(store_add_session(store, &row, NULL), 0);
	for (int64_t i = 0; i < n; i++) {
		struct run_row run;

		sample_run(&run, id, row.id, i);
		assert_int_equal(store_add_run(store, &run, NULL), 0);
		run_row_release(&run);
	}
	if (session)
		*session = row.id;
	session_row_release(&row);
	return id;
}
