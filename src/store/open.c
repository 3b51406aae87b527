// SPDX-License-Identifier: GPL-2.0-only
#include "store/db.h"

#include "base/mem.h"
#include "store/place.h"
#include "store/schema.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_TIMEOUT_MS	   10000
#define MAX_CELL	   (64 << 20)
#define HEADER_SIZE	   100
#define HEADER_MAGIC	   "SQLite format 3" /* with its terminator */
#define HEADER_APPLICATION 68

char *store_default_path(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data && data[0] == '/')
		return xasprintf("%s/schedproof/results.sqlite", data);
	if (!home || home[0] != '/') {
		const struct passwd *user = getpwuid(geteuid());

		home = user ? user->pw_dir : "";
	}
	return xasprintf("%s/.local/share/schedproof/results.sqlite", home);
}

static bool has_bytes(const char *path, const char *suffix)
{
	char *name = xasprintf("%s%s", path, suffix);
	struct stat st;
	bool has = !stat(name, &st) && st.st_size > 0;

	free(name);
	return has;
}

static char *immutable_uri(const char *path)
{
	struct strbuf sb = { 0 };

	strbuf_addstr(&sb, "file:");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			strbuf_addf(&sb, "%%%02x", (unsigned char)*path);
		else
			strbuf_addch(&sb, *path);
	}
	strbuf_addstr(&sb, "?immutable=1");
	return strbuf_take(&sb);
}

/*
 * A database in WAL mode is read through an index in shared memory, the file "-shm". Where it can't be made, the
 * database is read without one as if nobody wrote, which is right if there is no log beside it.
 */
static int open_locked(struct store *store, const struct place *place, struct error *err)
{
	char *uri;
	int got;

	if (has_bytes(place->real, "-shm")) {
		got = sqlite3_open_v2(place->real, &store->db, SQLITE_OPEN_READONLY, NULL);
		return got ? db_error(store, err) : 0;
	}
	if (has_bytes(place->real, "-wal"))
		return error_set(err, place->locked,
				 "%s: its last runs are in %s-wal, which can't be read where "
				 "nothing can be written: copy both files and read the copy",
				 place->path, place->path);
	uri = immutable_uri(place->real);
	got = sqlite3_open_v2(uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	free(uri);
	return got ? db_error(store, err) : 0;
}

static int open_file(struct store *store, enum store_mode mode, struct error *err)
{
	struct place place = { 0 };
	int flags = SQLITE_OPEN_READWRITE | (mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
	int ret = place_find(&place, store->path, mode, err);

	if (!ret && place.locked)
		ret = open_locked(store, &place, err);
	else if (!ret && sqlite3_open_v2(place.real, &store->db, flags, NULL))
		ret = db_error(store, err);
	place_release(&place);
	return ret;
}

/*
 * Looks at the file before SQLite does: even to read a database, SQLite may roll back or check-point it, and
 * somebody else's must not be touched. Ours has its mark in the file itself before it gets a log. Read through
 * SQLite's descriptor, since closing another one would drop this process's locks on the file.
 */
static int check_header(struct store *store, struct error *err)
{
	unsigned char header[HEADER_SIZE] = { 0 };
	const unsigned char *id = header + HEADER_APPLICATION;
	sqlite3_file *file = NULL;
	sqlite3_int64 size = 0;
	int got;

	if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) ||
	    !file->pMethods || file->pMethods->xFileSize(file, &size))
		return error_set(err, EIO, "%s: can't be read", store->path);
	if (!size)
		return 0; /* fresh */
	got = file->pMethods->xRead(file, header, HEADER_SIZE, 0);
	if (got && got != SQLITE_IOERR_SHORT_READ)
		return error_set(err, EIO, "%s: can't be read", store->path);
	if (memcmp(header, HEADER_MAGIC, sizeof(HEADER_MAGIC)) != 0)
		return error_set(err, EINVAL, "%s: no SQLite database: give another file",
				 store->path);
	if (((uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3]) !=
	    SCHEMA_APPLICATION_ID)
		return error_set(err, EINVAL,
				 "%s: a database of another program: give another file",
				 store->path);
	return 0;
}

/* What the file holds may be anybody's: its triggers and views don't run, its functions are not trusted. */
static int configure(struct store *store, enum store_mode mode, struct error *err)
{
	sqlite3 *db = store->db;

	sqlite3_busy_timeout(db, BUSY_TIMEOUT_MS);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MAX_CELL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	return db_exec(store,
		       mode == STORE_READ
			       ? "PRAGMA cell_size_check = ON; PRAGMA query_only = ON"
			       : "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL",
		       err);
}

static int ask_for_log(struct store *store, struct error *err)
{
	char *mode = NULL;
	struct query q;
	int ret;

	query_init(&q, store, "PRAGMA journal_mode = WAL", err);
	if (query_next(&q))
		mode = query_str(&q);
	ret = query_end(&q);
	if (!ret && (!mode || strcmp(mode, "wal") != 0))
		ret = error_set(err, EOPNOTSUPP,
				"%s: this file system has no shared memory, which the store needs: "
				"give a file on a local one",
				store->path);
	free(mode);
	return ret;
}

/*
 * Last of all, so that a database that has a log also has its mark. SQLite doesn't wait here if another process reads
 * or does the same at this moment, once in a store's life; so we do.
 */
static int use_log(struct store *store, struct error *err)
{
	int ret = ask_for_log(store, err);

	for (int ms = 0; ret == -EBUSY && ms < BUSY_TIMEOUT_MS; ms += 10) {
		sqlite3_sleep(10);
		ret = ask_for_log(store, err);
	}
	return ret;
}

int store_open(struct store **out, const char *path, enum store_mode mode, struct error *err)
{
	struct store *store = xcalloc(1, sizeof(*store));
	bool in_memory = !strcmp(path, ":memory:");
	int ret;

	store->path = xstrdup(path);
	if (!in_memory)
		ret = open_file(store, mode, err);
	else
		ret = sqlite3_open(path, &store->db) ? db_error(store, err) : 0;
	if (!ret && !in_memory)
		ret = check_header(store, err);
	if (!ret)
		ret = configure(store, mode, err);
	if (!ret)
		ret = schema_prepare(store, mode, err);
	if (!ret && !in_memory && mode == STORE_WRITE)
		ret = use_log(store, err);
	if (ret) {
		store_close(store);
		return ret;
	}
	*out = store;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}
