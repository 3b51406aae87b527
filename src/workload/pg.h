/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/pg.h - a connection to a PostgreSQL server of this machine: protocol 3.0, as much as text queries need. libpq
 * can't be had, for the worker is static and uses libc alone; this part of the protocol is some 200 lines. No passwords
 * and no encryption: a local socket lets a user in by "peer" or "trust".
 */
#ifndef WORKLOAD_PG_H
#define WORKLOAD_PG_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/**
 * struct pg_url - where a server is
 * @host: folder of its socket, or an IPv4 address
 */
struct pg_url {
	char user[64];
	char host[80];
	char dbname[64];
	uint16_t port;
};

/**
 * pg_url_parse() - postgresql://USER@[HOST[:PORT]]/DBNAME[?host=FOLDER&port=PORT], as libpq reads it
 *
 * HOST is 127.0.0.1, another IPv4 address or localhost; without one the socket in /var/run/postgresql is used. Nothing
 * is %-decoded.
 *
 * Return: 0, or -EINVAL with what is wrong.
 */
int pg_url_parse(struct pg_url *url, const char *text, struct error *err);

struct pg;

/**
 * pg_connect() - a new connection that is ready for queries
 * @patience_ns: no answer for so long is an error
 *
 * Return: 0, or -errno with what the server said.
 */
int pg_connect(struct pg **out, const struct pg_url *url, uint64_t patience_ns, struct error *err);

/** pg_version() - of the server, "15.4" or "" */
const char *pg_version(const struct pg *pg);

/**
 * pg_query() - send @sql and receive all of the answer; its rows are not kept
 *
 * Return: 0; -EIO with SQLSTATE and words of an error of the server; -errno.
 */
int pg_query(struct pg *pg, const char *sql, struct error *err);

/** pg_free() - @pg may be NULL */
void pg_free(struct pg *pg);

/**
 * pg_error_fields() - words of an ErrorResponse: "SEVERITY SQLSTATE: message"
 * @body: body[n] as received, of any bytes; cut off or not
 */
void pg_error_fields(char *words, size_t size, const char *body, size_t n);

#endif
