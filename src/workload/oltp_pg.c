// SPDX-License-Identifier: GPL-2.0-only
/* workload/oltp_pg.c - the transactions of oltp on a PostgreSQL server, in a table of their own that is dropped. */
#include "workload/oltp.h"

#include "base/mem.h"
#include "workload/guard.h"
#include "workload/pg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define DROP_PATIENCE_NS UINT64_C(10000000000)
#define DROP_TRIES	 50
#define TABLE_NAME	 "schedproof_oltp_"
#define SQL_MAX		 256

struct database {
	struct pg_url url;
	struct guard *guard;
	char table[40];
};

static uint64_t pg_tasks(const struct oltp_cfg *cfg)
{
	(void)cfg;
	return 1; /* the guard */
}

static int try_to_drop(const struct database *db, struct error *err)
{
	char sql[SQL_MAX];
	struct pg *pg;
	int ret = pg_connect(&pg, &db->url, DROP_PATIENCE_NS, err);

	if (ret)
		return ret;
	snprintf(sql, sizeof(sql), "DROP TABLE IF EXISTS %s", db->table);
	ret = pg_query(pg, sql, err);
	pg_free(pg);
	return ret;
}

/* In the guard's process. A server that lost a process starts again, and takes nobody meanwhile. */
static int drop_table(void *state, struct error *err)
{
	const struct timespec moment = { .tv_nsec = 200000000 };
	int ret = try_to_drop(state, err);

	for (int i = 0; ret && ret != -ETIMEDOUT && i < DROP_TRIES; i++) {
		nanosleep(&moment, NULL);
		ret = try_to_drop(state, err);
	}
	return ret;
}

__attribute__((format(printf, 3, 4))) static int query(struct pg *pg, struct error *err,
						       const char *fmt, ...)
{
	char sql[SQL_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sql, sizeof(sql), fmt, ap);
	va_end(ap);
	return pg_query(pg, sql, err);
}

static int fill_table(struct pg *pg, const struct database *db, uint64_t rows, struct error *err)
{
	const char *t = db->table;
	int ret;

	ret = query(pg, err,
		    "CREATE TABLE %s (id int PRIMARY KEY, k int NOT NULL, pad text NOT NULL)", t);
	if (!ret)
		ret = query(pg, err,
			    "INSERT INTO %s SELECT i, i, md5(i::text) || repeat('-', 68) "
			    "FROM generate_series(0, %" PRIu64 ") AS i",
			    t, rows - 1);
	if (!ret)
		ret = query(pg, err, "CREATE INDEX ON %s (k)", t);
	return ret ? ret : query(pg, err, "VACUUM ANALYZE %s", t);
}

static int pg_start(struct oltp *oltp, struct error *err)
{
	const struct oltp_cfg *cfg = oltp->cfg;
	struct database *db = xcalloc(1, sizeof(*db));
	struct pg *pg = NULL;
	int ret = pg_url_parse(&db->url, cfg->url, err);

	oltp->private = db;
	snprintf(db->table, sizeof(db->table), TABLE_NAME "%d", (int)getpid());
	if (!ret)
		ret = guard_new(&db->guard, drop_table, db, err);
	if (!ret)
		ret = pg_connect(&pg, &db->url, cfg->patience_ns, err);
	if (!ret)
		ret = fill_table(pg, db, cfg->rows, err);
	for (uint64_t i = 0; !ret && i < cfg->clients; i++) {
		struct pg *own;

		ret = pg_connect(&own, &db->url, cfg->patience_ns, err);
		if (!ret)
			oltp->clients[i].backend = own;
	}
	pg_free(pg);
	return ret;
}

static int read_rows(struct pg *pg, const char *t, const struct oltp_tx *tx, struct error *err)
{
	static const char *const ranges[OLTP_RANGES] = {
		"SELECT pad FROM %s WHERE id BETWEEN %u AND %u",
		"SELECT sum(k) FROM %s WHERE id BETWEEN %u AND %u",
		"SELECT pad FROM %s WHERE id BETWEEN %u AND %u ORDER BY pad",
		"SELECT DISTINCT pad FROM %s WHERE id BETWEEN %u AND %u ORDER BY pad",
	};
	int ret = 0;

	for (int i = 0; !ret && i < OLTP_POINTS; i++)
		ret = query(pg, err, "SELECT pad FROM %s WHERE id = %u", t, tx->points[i]);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	for (int i = 0; !ret && i < OLTP_RANGES; i++)
		ret = query(pg, err, ranges[i], t, tx->ranges[i],
			    tx->ranges[i] + OLTP_RANGE_ROWS - 1);
#pragma GCC diagnostic pop
	return ret;
}

/* Another one may have put the deleted row back first. */
static int write_rows(struct pg *pg, const char *t, const struct oltp_tx *tx, struct error *err)
{
	const uint32_t *rows = tx->writes;
	int ret;

	ret = query(pg, err, "UPDATE %s SET k = k + 1 WHERE id = %u", t, rows[0]);
	if (!ret)
		ret = query(pg, err,
			    "UPDATE %s SET pad = md5(pad) || repeat('-', 68) WHERE id = %u", t,
			    rows[1]);
	if (!ret)
		ret = query(pg, err, "DELETE FROM %s WHERE id = %u", t, rows[2]);
	if (!ret)
		ret = query(
			pg, err,
			"INSERT INTO %s VALUES (%u, %u, repeat('-', 100)) ON CONFLICT DO NOTHING",
			t, rows[2], rows[2]);
	return ret;
}

static int pg_transact(struct oltp_client *client, const struct oltp_tx *tx, struct error *err)
{
	const struct database *db = client->oltp->private;
	struct pg *pg = client->backend;
	int ret = pg_query(pg, "BEGIN", err);

	if (!ret)
		ret = read_rows(pg, db->table, tx, err);
	if (!ret)
		ret = write_rows(pg, db->table, tx, err);
	return ret ? ret : pg_query(pg, "COMMIT", err);
}

static void pg_close(struct oltp *oltp)
{
	(void)oltp;
}

static int pg_report(struct run *run, struct oltp *oltp, struct error *err)
{
	(void)err;
	run_note(run, "server", "PostgreSQL %s", pg_version(oltp->clients[0].backend));
	return 0;
}

/* Connections first: a transaction that was cut off keeps its locks as long as it is there. */
static int pg_stop(struct oltp *oltp, struct error *err)
{
	struct database *db = oltp->private;
	int ret;

	for (uint64_t i = 0; i < oltp->cfg->clients; i++)
		pg_free(oltp->clients[i].backend);
	ret = guard_free(db->guard, err);
	free(db);
	return ret;
}

const struct oltp_backend oltp_pg = {
	.tasks = pg_tasks,
	.start = pg_start,
	.transact = pg_transact,
	.close = pg_close,
	.report = pg_report,
	.stop = pg_stop,
};
