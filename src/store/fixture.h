/* SPDX-License-Identifier: GPL-2.0-only */
/* store/fixture.h - what the tests of this folder share: a temporary folder, and rows to store. */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include "store/db.h"

#include <stdbool.h>

/**
 * struct fixture - a folder of its own and the path of a store in it
 * @path: "FOLDER/results.sqlite", not made yet
 */
struct fixture {
	char folder[32];
	char *path;
	struct error err;
};

/** for cmocka_unit_test_setup_teardown(): *state is a struct fixture; the folder goes with all that lies in it */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/** fixture_open() - open the fixture's store, or fail the test */
struct store *fixture_open(struct fixture *fixture, enum store_mode mode);

/** fixture_sql() - run statements on a database file behind the store's back, or fail the test */
void fixture_sql(const char *path, const char *sql);

/** fixture_number() - the first column of the first row as a whole number, or fail the test */
int64_t fixture_number(const char *path, const char *sql);

/**
 * fixture_unprivileged() - call @check in a child process that root's privileges were taken from
 *
 * Return: what @check returned: true for as expected.
 */
bool fixture_unprivileged(struct fixture *fixture, bool (*check)(struct fixture *fixture));

/** sample_experiment() - two variants "base" and "pinned" at two points "pipe" and "hackbench groups=4" */
void sample_experiment(struct experiment_row *row);

/** sample_run() - a good run in @session, that is @position of @experiment; its wall time is @position + 1 ms */
void sample_run(struct run_row *row, int64_t experiment, int64_t session, int64_t position);

/** sample_fill() - an experiment with a session and @n runs. Return: its id; *session is set too unless NULL */
int64_t sample_fill(struct store *store, int64_t n, int64_t *session);

#endif
