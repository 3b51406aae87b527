// SPDX-License-Identifier: GPL-2.0-only
#include "store/schema.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

/* migrations[v] makes schema v + 1 of schema v. A step that a release has shipped is never changed. */
static const char *const migrations[] = {
	"CREATE TABLE experiment("
	" id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, fingerprint TEXT NOT "
	"NULL,"
	" seed INTEGER NOT NULL," /* its 64 bits as a signed number */
	" blocks INTEGER NOT NULL, budget_ns INTEGER NOT NULL, runs_per_boot INTEGER NOT NULL,"
	" created_ns INTEGER NOT NULL, finished INTEGER NOT NULL CHECK (finished IN (0, 1))"
	") STRICT;"
	"CREATE INDEX experiment_by_name ON experiment(name, created_ns);"

	"CREATE TABLE variant("
	" experiment INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,"
	" name TEXT NOT NULL, settings TEXT NOT NULL, asks TEXT NOT NULL,"
	" PRIMARY KEY (experiment, ordinal), UNIQUE (experiment, name)"
	") STRICT, WITHOUT ROWID;"

	"CREATE TABLE point("
	" experiment INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,"
	" label TEXT NOT NULL, workload TEXT NOT NULL, params TEXT NOT NULL,"
	" primary_metric TEXT NOT NULL,"
	" PRIMARY KEY (experiment, ordinal), UNIQUE (experiment, label)"
	") STRICT, WITHOUT ROWID;"
	"CREATE INDEX point_by_workload ON point(workload, params);"

	/* Equal facts are stored once: most runs of an experiment share them. */
	"CREATE TABLE facts("
	" id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL"
	") STRICT;"
	"CREATE INDEX facts_by_hash ON facts(hash);"

	"CREATE TABLE session("
	" id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiment,"
	" boot_id TEXT NOT NULL, facts INTEGER NOT NULL REFERENCES facts, notes TEXT NOT NULL,"
	" started_ns INTEGER NOT NULL,"
	" UNIQUE (experiment, id)"
	") STRICT;"

	"CREATE TABLE run("
	" id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL, session INTEGER NOT NULL,"
	" block INTEGER NOT NULL, position INTEGER NOT NULL,"
	" variant INTEGER NOT NULL, point INTEGER NOT NULL,"
	" started_ns INTEGER NOT NULL, load REAL NOT NULL,"
	" facts INTEGER NOT NULL REFERENCES facts,"
	" status TEXT NOT NULL CHECK (status IN ('ok', 'failed', 'hang')), reason TEXT,"
	" UNIQUE (experiment, position),"
	" FOREIGN KEY (experiment, session) REFERENCES session(experiment, id),"
	" FOREIGN KEY (experiment, variant) REFERENCES variant(experiment, ordinal),"
	" FOREIGN KEY (experiment, point) REFERENCES point(experiment, ordinal),"
	" CHECK ((status = 'ok') = (reason IS NULL))"
	") STRICT;"
	"CREATE INDEX run_by_point ON run(experiment, point);"

	"CREATE TABLE value("
	" run INTEGER NOT NULL REFERENCES run,"
	" kind TEXT NOT NULL CHECK (kind IN ('metric', 'counter')), ordinal INTEGER NOT NULL,"
	" name TEXT NOT NULL, unit TEXT NOT NULL, better TEXT NOT NULL,"
	" value REAL NOT NULL, counted REAL NOT NULL,"
	" PRIMARY KEY (run, kind, ordinal)"
	") STRICT, WITHOUT ROWID;",

	"ALTER TABLE experiment ADD COLUMN runs_per_block INTEGER NOT NULL DEFAULT 1;"
	"ALTER TABLE experiment ADD COLUMN margin REAL NOT NULL DEFAULT 0;"
	"ALTER TABLE experiment ADD COLUMN until REAL NOT NULL DEFAULT 0;"
	"ALTER TABLE experiment ADD COLUMN purpose TEXT NOT NULL DEFAULT 'ab' "
	" CHECK (purpose IN ('ab', 'aa', 'pilot'));"
	"ALTER TABLE experiment ADD COLUMN ended TEXT NOT NULL DEFAULT '';"

	/* Where variants differ by kernel, a block was one run of each; now it is a boot of each. */
	"UPDATE run SET block = block / (SELECT runs_per_boot FROM experiment e WHERE e.id = "
	"run.experiment) WHERE block >= 0 AND "
	"(SELECT runs_per_boot FROM experiment e WHERE e.id = run.experiment) > 1;"
	"UPDATE experiment SET blocks = (blocks + runs_per_boot - 1) / runs_per_boot "
	"WHERE runs_per_boot > 1;"

	/* Large, and needed for tails alone: read by themselves. */
	"CREATE TABLE histogram("
	" id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run,"
	" name TEXT NOT NULL, unit TEXT NOT NULL, better TEXT NOT NULL, samples TEXT NOT NULL,"
	" UNIQUE (run, name)"
	") STRICT;"
	"CREATE TABLE note("
	" run INTEGER NOT NULL REFERENCES run, ordinal INTEGER NOT NULL,"
	" name TEXT NOT NULL, text TEXT NOT NULL,"
	" PRIMARY KEY (run, ordinal)"
	") STRICT, WITHOUT ROWID;",
};

_Static_assert(ARRAY_SIZE(migrations) == STORE_SCHEMA, "one step for each version");

static int get_number(struct store *store, const char *sql, int64_t *value, struct error *err)
{
	struct query q;

	query_init(&q, store, sql, err);
	if (query_next(&q))
		*value = query_int(&q, INT64_MIN, INT64_MAX);
	return query_end(&q);
}

static int set_number(struct store *store, const char *pragma, int64_t value, struct error *err)
{
	char *sql = xasprintf("PRAGMA %s = %lld", pragma, (long long)value);
	int ret = db_exec(store, sql, err);

	free(sql);
	return ret;
}

static int migrate(struct store *store, int64_t version, struct error *err)
{
	int ret = 0;

	while (!ret && version < STORE_SCHEMA)
		ret = db_exec(store, migrations[version++], err);
	if (!ret)
		ret = set_number(store, "application_id", SCHEMA_APPLICATION_ID, err);
	if (!ret)
		ret = set_number(store, "user_version", STORE_SCHEMA, err);
	return ret;
}

/* One snapshot, for another process may be making the store right now. */
static int get_marks(struct store *store, int64_t *id, int64_t *version, int64_t *tables,
		     struct error *err)
{
	int ret = db_begin(store, false, err);

	if (ret)
		return ret;
	ret = get_number(store, "PRAGMA application_id", id, err);
	if (!ret)
		ret = get_number(store, "PRAGMA user_version", version, err);
	if (!ret)
		ret = get_number(store, "SELECT count(*) FROM sqlite_schema", tables, err);
	return db_end(store, ret, err);
}

/* Sets *version; a database without anything in it is ours and has version 0. */
static int check(struct store *store, int64_t *version, struct error *err)
{
	int64_t id = 0, tables = 0;
	int ret = get_marks(store, &id, version, &tables, err);

	if (ret)
		return ret;
	if (id != SCHEMA_APPLICATION_ID && (id || *version || tables))
		return error_set(err, EINVAL,
				 "%s: a database of another program: give another file",
				 store->path);
	if (*version < 0 || *version > STORE_SCHEMA)
		return error_set(
			err, EPROTO,
			"%s: written by a newer schedproof (schema %lld, this one knows %d): use "
			"that one, or another file",
			store->path, (long long)*version, STORE_SCHEMA);
	return 0;
}

static int prepare_for_reading(struct store *store, struct error *err)
{
	int64_t version = 0;
	int ret = check(store, &version, err);

	if (ret || version == STORE_SCHEMA)
		return ret;
	if (!version)
		return error_set(err, ENOENT, "%s: nothing is stored there yet", store->path);
	return error_set(err, EPROTO,
			 "%s: written by an older schedproof (schema %lld): a command that stores "
			 "something there brings it up to date",
			 store->path, (long long)version);
}

int schema_prepare(struct store *store, enum store_mode mode, struct error *err)
{
	int64_t version = 0;
	int ret;

	if (mode == STORE_READ)
		return prepare_for_reading(store, err);
	ret = check(store, &version, err);
	if (ret || version == STORE_SCHEMA)
		return ret;
	ret = db_begin(store, true, err);
	if (ret)
		return ret;
	/* again: another process may have been faster */
	ret = check(store, &version, err);
	if (!ret && version < STORE_SCHEMA)
		ret = migrate(store, version, err);
	return db_end(store, ret, err);
}
