// SPDX-License-Identifier: GPL-2.0-only
#include "store/db.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int no_space(struct store *store, struct error *err)
{
	return error_set(err, ENOSPC,
			 "%s: no space left: free some; what was stored before is safe",
			 store->path);
}

static int io_error(struct store *store, struct error *err)
{
	int code = sqlite3_system_errno(store->db);

	if (code == ENOSPC || code == EDQUOT)
		return no_space(store, err);
	if (code <= 0)
		return error_set(err, EIO, "%s: %s", store->path, sqlite3_errmsg(store->db));
	return error_set(err, code, "%s: %s: %s", store->path, sqlite3_errmsg(store->db),
			 strerror(code));
}

static int constraint_error(struct store *store, struct error *err)
{
	int code = sqlite3_extended_errcode(store->db);

	if (code == SQLITE_CONSTRAINT_FOREIGNKEY)
		return error_set(err, ENOENT, "%s: what this belongs to is not stored",
				 store->path);
	if (code == SQLITE_CONSTRAINT_UNIQUE || code == SQLITE_CONSTRAINT_PRIMARYKEY)
		return error_set(err, EEXIST, "%s: already stored (%s)", store->path,
				 sqlite3_errmsg(store->db));
	return error_set(err, EINVAL, "%s: %s", store->path, sqlite3_errmsg(store->db));
}

int db_error(struct store *store, struct error *err)
{
	const char *path = store->path, *words = sqlite3_errmsg(store->db);

	switch (sqlite3_errcode(store->db) & 0xff) {
	case SQLITE_FULL:
		return no_space(store, err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, EBUSY, "%s: locked by another process: wait for it or end it",
				 path);
	case SQLITE_READONLY:
		return error_set(err, EROFS, "%s: can't be written (%s)", path, words);
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return error_set(err, EACCES, "%s: %s", path, words);
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		return io_error(store, err);
	case SQLITE_NOTADB:
		return error_set(err, EINVAL, "%s: no SQLite database: give another file", path);
	case SQLITE_NOMEM:
		return error_set(err, ENOMEM, "%s: %s", path, words);
	case SQLITE_TOOBIG:
		return error_set(err, EINVAL, "%s: %s", path, words);
	case SQLITE_CONSTRAINT:
		return constraint_error(store, err);
	default:
		return error_set(err, EUCLEAN,
				 "%s: damaged (%s): restore a copy, or try sqlite3's .recover",
				 path, words);
	}
}

int db_exec(struct store *store, const char *sql, struct error *err)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? db_error(store, err) : 0;
}

/* A file that lost its name takes everything that is written, and keeps it for nobody. */
static int check_name(struct store *store, struct error *err)
{
	int moved = 0;

	if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) || !moved)
		return 0;
	return error_set(err, ESTALE, "%s: was removed or replaced while it was open", store->path);
}

int db_begin(struct store *store, bool write, struct error *err)
{
	int ret = 0;

	if (!store->depth && write)
		ret = check_name(store, err);
	if (!ret && !store->depth)
		ret = db_exec(store, write ? "BEGIN IMMEDIATE" : "BEGIN", err);
	if (!ret)
		store->depth++;
	return ret;
}

int db_end(struct store *store, int ret, struct error *err)
{
	assert(store->depth > 0);
	if (--store->depth)
		return ret;
	if (!ret)
		ret = db_exec(store, "COMMIT", err);
	/* some failures have rolled back by themselves */
	if (ret && !sqlite3_get_autocommit(store->db))
		db_exec(store, "ROLLBACK", NULL);
	return ret;
}

void query_init(struct query *q, struct store *store, const char *sql, struct error *err)
{
	*q = (struct query){ .store = store, .err = err };
	if (sqlite3_prepare_v2(store->db, sql, -1, &q->stmt, NULL))
		q->ret = db_error(store, err);
}

void query_reset(struct query *q)
{
	if (q->ret)
		return;
	sqlite3_reset(q->stmt);
	sqlite3_clear_bindings(q->stmt);
	q->at = 0;
}

void query_bind_int(struct query *q, int64_t value)
{
	if (!q->ret && sqlite3_bind_int64(q->stmt, ++q->at, value))
		q->ret = db_error(q->store, q->err);
}

void query_bind_double(struct query *q, double value)
{
	if (!q->ret && sqlite3_bind_double(q->stmt, ++q->at, value))
		q->ret = db_error(q->store, q->err);
}

void query_bind_str(struct query *q, const char *value)
{
	if (!q->ret && sqlite3_bind_text(q->stmt, ++q->at, value, -1, SQLITE_STATIC))
		q->ret = db_error(q->store, q->err);
}

void query_bind_text(struct query *q, const char *value)
{
	query_bind_str(q, value ? value : "");
}

bool query_next(struct query *q)
{
	int got;

	if (q->ret)
		return false;
	got = sqlite3_step(q->stmt);
	if (got != SQLITE_ROW && got != SQLITE_DONE)
		q->ret = db_error(q->store, q->err);
	q->at = -1;
	return got == SQLITE_ROW;
}

void query_damaged(struct query *q, const char *what)
{
	if (!q->ret)
		q->ret = error_set(q->err, EUCLEAN,
				   "%s: damaged (%s): restore a copy, or try sqlite3's .recover",
				   q->store->path, what);
}

static void damaged_column(struct query *q, const char *what)
{
	char *words = xasprintf("%s: %s", sqlite3_column_name(q->stmt, q->at), what);

	query_damaged(q, words);
	free(words);
}

int64_t query_int(struct query *q, int64_t min, int64_t max)
{
	int64_t value;

	if (q->ret)
		return 0;
	q->at++;
	value = sqlite3_column_int64(q->stmt, q->at);
	if (sqlite3_column_type(q->stmt, q->at) == SQLITE_INTEGER && value >= min && value <= max)
		return value;
	damaged_column(q, "not a whole number in its range");
	return 0;
}

double query_double(struct query *q)
{
	double value;

	if (q->ret)
		return 0;
	q->at++;
	value = sqlite3_column_double(q->stmt, q->at);
	if (sqlite3_column_type(q->stmt, q->at) == SQLITE_FLOAT && isfinite(value))
		return value;
	damaged_column(q, "not a finite number");
	return 0;
}

char *query_str_or_null(struct query *q)
{
	const char *text;
	size_t n;

	if (q->ret)
		return NULL;
	q->at++;
	if (sqlite3_column_type(q->stmt, q->at) == SQLITE_NULL)
		return NULL;
	if (sqlite3_column_type(q->stmt, q->at) != SQLITE_TEXT) {
		damaged_column(q, "not a text");
		return NULL;
	}
	text = (const char *)sqlite3_column_text(q->stmt, q->at);
	n = (size_t)sqlite3_column_bytes(q->stmt, q->at);
	if (text && n <= STORE_MAX_TEXT && !memchr(text, '\0', n))
		return xstrndup(text, n);
	damaged_column(q, "too long, or with NUL bytes");
	return NULL;
}

char *query_str(struct query *q)
{
	char *text = query_str_or_null(q);

	if (!text && !q->ret)
		damaged_column(q, "missing");
	return text ? text : xstrdup("");
}

int query_end(struct query *q)
{
	sqlite3_finalize(q->stmt);
	q->stmt = NULL;
	return q->ret;
}

int query_run(struct query *q)
{
	query_next(q);
	return query_end(q);
}
