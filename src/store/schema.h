/* SPDX-License-Identifier: GPL-2.0-only */
/* store/schema.h - the tables, and how a database of an older program gets them. */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include "store/db.h"

/** the application id that marks a SQLite file as ours, "SPRF" */
#define SCHEMA_APPLICATION_ID 0x53505246

/**
 * schema_prepare() - check that the database is ours and has STORE_SCHEMA; make or migrate it with STORE_WRITE
 *
 * All steps are one transaction.
 *
 * Return: 0, -EINVAL, -EPROTO, -ENOENT (empty and STORE_READ), or a failure of the database.
 */
int schema_prepare(struct store *store, enum store_mode mode, struct error *err);

#endif
