/* SPDX-License-Identifier: GPL-2.0-only */
/* store/db.h - the module's own use of SQLite: errors in words, transactions, statements with checked columns. */
#ifndef STORE_DB_H
#define STORE_DB_H

#include "store/store.h"

#include <sqlite3.h>

/**
 * struct store - an open database
 * @path:  as the user wrote it, for errors
 * @depth: transactions begun and not ended
 */
struct store {
	sqlite3 *db;
	char *path;
	unsigned int depth;
};

/** db_error() - the last failure of SQLite as -errno and words */
int db_error(struct store *store, struct error *err);

/** db_exec() - run statements without parameters or rows */
int db_exec(struct store *store, const char *sql, struct error *err);

/**
 * db_begin() - start a transaction: one snapshot for all reads, all or nothing for writes
 *
 * They nest: only the outermost one counts, and it must be a writing one if one inside is. Each that succeeds is
 * ended by db_end().
 */
int db_begin(struct store *store, bool write, struct error *err);

/**
 * db_end() - commit, or roll back if @ret is an error
 *
 * Return: @ret, or why the commit failed (and was rolled back).
 */
int db_end(struct store *store, int ret, struct error *err);

/**
 * struct query - a statement: parameters are bound from left to right, then query_next() for each row, whose columns
 * are read from left to right
 * @at:  last parameter or column that was used
 * @ret: the first failure; everything after it does nothing and gives 0 or ""
 *
 * What is read is checked: a column of another type or out of range is -EUCLEAN, in words.
 */
struct query {
	struct store *store;
	sqlite3_stmt *stmt;
	int at;
	int ret;
	struct error *err;
};

void query_init(struct query *q, struct store *store, const char *sql, struct error *err);

/** query_reset() - begin again at the first parameter; all parameters are NULL */
void query_reset(struct query *q);

void query_bind_int(struct query *q, int64_t value);
void query_bind_double(struct query *q, double value);

/** query_bind_str() - @value is borrowed until query_reset() or query_end(); NULL binds the database's NULL */
void query_bind_str(struct query *q, const char *value);

/** query_bind_text() - the same, but NULL binds "" */
void query_bind_text(struct query *q, const char *value);

/** query_next() - go to the next row. Return: false at the end and after a failure */
bool query_next(struct query *q);

int64_t query_int(struct query *q, int64_t min, int64_t max);

/** query_double() - finite */
double query_double(struct query *q);

/** query_str() - the caller's to free, never NULL; no NUL bytes inside, at most STORE_MAX_TEXT bytes */
char *query_str(struct query *q);

/** query_str_or_null() - the same, NULL where the database has NULL */
char *query_str_or_null(struct query *q);

/** query_damaged() - fail: what is read is not what this program stored; @what says how */
void query_damaged(struct query *q, const char *what);

/** READ_WORD() - a text that must be one of a few: parse(out, word) gives 0 for them */
#define READ_WORD(q, parse, out)                                                                   \
	do {                                                                                       \
		char *word_ = query_str(q);                                                        \
		if (!(q)->ret && parse(out, word_))                                                \
			query_damaged(q, "an unknown word");                                       \
		free(word_);                                                                       \
	} while (0)

/** query_end() - Return: 0 or the first failure */
int query_end(struct query *q);

/** query_run() - the one step of a statement without rows. Return: 0 or the first failure */
int query_run(struct query *q);

#endif
