// SPDX-License-Identifier: GPL-2.0-only
#include "workload/pg.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PROTOCOL_3_0 196608
#define DEFAULT_HOST "/var/run/postgresql"
#define DEFAULT_PORT 5432

/* Bytes of a message that are looked at; what follows is dropped. */
#define BODY_MAX 512

struct pg {
	int fd;
	double patience_s;
	char version[64];
	size_t at, have; /* of in, what is not taken yet */
	char in[16384];
	char out[1024];
};

/* struct message - one of the server's */
struct message {
	char type;
	size_t n;
	char body[BODY_MAX];
};

static int bad_url(const char *text, const char *what, struct error *err)
{
	return error_set(err, EINVAL,
			 "url: '%.100s' %s; expected "
			 "postgresql://USER@[HOST[:PORT]]/DBNAME[?host=FOLDER&port=PORT]",
			 text, what);
}

static bool copy_part(char *to, size_t size, const char *from, size_t n)
{
	if (!n || n >= size)
		return false;
	memcpy(to, from, n);
	to[n] = '\0';
	return true;
}

static bool parse_port(uint16_t *port, const char *text, size_t n)
{
	unsigned long value = 0;

	if (!n || n > 5 || strspn(text, "0123456789") < n)
		return false;
	for (size_t i = 0; i < n; i++)
		value = 10 * value + (unsigned long)(text[i] - '0');
	*port = (uint16_t)value;
	return value && value <= UINT16_MAX;
}

/* "host:port", "host" or "" */
static bool parse_host(struct pg_url *url, const char *text, size_t n)
{
	const char *colon = memchr(text, ':', n);
	size_t host = colon ? (size_t)(colon - text) : n;

	if (colon && !parse_port(&url->port, colon + 1, n - host - 1))
		return false;
	if (!host)
		return true;
	if (host == 9 && !memcmp(text, "localhost", 9))
		return copy_part(url->host, sizeof(url->host), "127.0.0.1", 9);
	return copy_part(url->host, sizeof(url->host), text, host);
}

static bool parse_parameters(struct pg_url *url, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "&");

		if (n > 5 && !memcmp(text, "host=", 5)) {
			if (!copy_part(url->host, sizeof(url->host), text + 5, n - 5))
				return false;
		} else if (n > 5 && !memcmp(text, "port=", 5)) {
			if (!parse_port(&url->port, text + 5, n - 5))
				return false;
		} else {
			return false;
		}
		text += n + (text[n] == '&');
	}
	return true;
}

int pg_url_parse(struct pg_url *url, const char *text, struct error *err)
{
	static const char scheme[] = "postgresql://";
	struct pg_url parsed = { .host = DEFAULT_HOST, .port = DEFAULT_PORT };
	const char *at = text + strlen(scheme), *end;

	if (strncmp(text, scheme, strlen(scheme)) != 0)
		return bad_url(text, "is no such URL", err);
	end = strchr(at, '@');
	if (!end || !copy_part(parsed.user, sizeof(parsed.user), at, (size_t)(end - at)))
		return bad_url(text, "names no user", err);
	if (strchr(parsed.user, ':'))
		return bad_url(text, "has a password, which can't be used", err);
	at = end + 1;
	end = strchr(at, '/');
	if (!end || !parse_host(&parsed, at, (size_t)(end - at)))
		return bad_url(text, "has a wrong host or port", err);
	at = end + 1;
	end = at + strcspn(at, "?");
	if (!copy_part(parsed.dbname, sizeof(parsed.dbname), at, (size_t)(end - at)))
		return bad_url(text, "names no database", err);
	if (*end && !parse_parameters(&parsed, end + 1))
		return bad_url(text, "has a wrong parameter", err);
	*url = parsed;
	return 0;
}

static int open_unix(const struct pg_url *url)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/.s.PGSQL.%u", url->host,
		 (unsigned int)url->port);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	close(fd);
	return -1;
}

static int open_tcp(const struct pg_url *url)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(url->port) };
	const int yes = 1;
	int fd;

	if (inet_pton(AF_INET, url->host, &address.sin_addr) != 1) {
		errno = EADDRNOTAVAIL;
		return -1;
	}
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || (!connect(fd, (struct sockaddr *)&address, sizeof(address)) &&
		       !setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes))))
		return fd;
	close(fd);
	return -1;
}

static int io_failed(const struct pg *pg, const char *call, struct error *err)
{
	if (errno == EAGAIN)
		return error_set(err, ETIMEDOUT, "PostgreSQL: no answer for %g s", pg->patience_s);
	return error_set(err, errno, "PostgreSQL: %s: %s", call, strerror(errno));
}

static int send_out(struct pg *pg, size_t n, struct error *err)
{
	ssize_t sent;

	for (size_t done = 0; done < n; done += (size_t)sent) {
		sent = send(pg->fd, pg->out + done, n - done, MSG_NOSIGNAL);
		if (sent < 0)
			return io_failed(pg, "send", err);
	}
	return 0;
}

/* @to is NULL for bytes that nobody wants. */
static int take(struct pg *pg, char *to, size_t n, struct error *err)
{
	ssize_t got;

	while (n) {
		size_t part = pg->have < n ? pg->have : n;

		if (to) {
			memcpy(to, pg->in + pg->at, part);
			to += part;
		}
		pg->at += part;
		pg->have -= part;
		n -= part;
		if (!n)
			break;
		got = recv(pg->fd, pg->in, sizeof(pg->in), 0);
		if (got < 0)
			return io_failed(pg, "recv", err);
		if (!got)
			return error_set(err, ECONNRESET, "PostgreSQL: the server is gone");
		pg->at = 0;
		pg->have = (size_t)got;
	}
	return 0;
}

static uint32_t number_at(const char *bytes)
{
	uint32_t n;

	memcpy(&n, bytes, sizeof(n));
	return ntohl(n);
}

static int next_message(struct pg *pg, struct message *message, struct error *err)
{
	char head[5];
	uint32_t n;
	int ret = take(pg, head, sizeof(head), err);

	if (ret)
		return ret;
	message->type = head[0];
	n = number_at(head + 1);
	if (n < 4 || n > 1 << 30)
		return error_set(err, EPROTO, "PostgreSQL: a message of %u bytes", n);
	n -= 4;
	message->n = n < BODY_MAX ? n : BODY_MAX;
	ret = take(pg, message->body, message->n, err);
	return ret ? ret : take(pg, NULL, n - message->n, err);
}

/* Fields are a letter and a text that ends with a zero. */
void pg_error_fields(char *words, size_t size, const char *body, size_t n)
{
	const char *severity = "ERROR", *state = "?", *text = "?";
	int lengths[3] = { 5, 1, 1 };

	while (n > 1 && *body) {
		const size_t length = strnlen(body + 1, n - 1);

		if (*body == 'S') {
			severity = body + 1;
			lengths[0] = (int)length;
		} else if (*body == 'C') {
			state = body + 1;
			lengths[1] = (int)length;
		} else if (*body == 'M') {
			text = body + 1;
			lengths[2] = (int)length;
		}
		if (length + 2 > n)
			break;
		body += length + 2;
		n -= length + 2;
	}
	snprintf(words, size, "%.*s %.*s: %.*s", lengths[0], severity, lengths[1], state,
		 lengths[2], text);
}

static int server_said(const struct message *message, struct error *err)
{
	char words[300];

	pg_error_fields(words, sizeof(words), message->body, message->n);
	return error_set(err, EIO, "PostgreSQL: %s", words);
}

static void note_parameter(struct pg *pg, const struct message *message)
{
	static const char name[] = "server_version";

	if (message->n > sizeof(name) && !memcmp(message->body, name, sizeof(name)))
		snprintf(pg->version, sizeof(pg->version), "%.*s", (int)(message->n - sizeof(name)),
			 message->body + sizeof(name));
}

/* To the message that says that the server is ready for the next one. The first error is kept: after it the server may go. */
static int receive_answer(struct pg *pg, struct error *err)
{
	struct message message;
	int ret, failed = 0;

	for (;;) {
		ret = next_message(pg, &message, failed ? NULL : err);
		if (ret)
			return failed ? failed : ret;
		if (message.type == 'Z')
			return failed;
		if (message.type == 'E' && !failed)
			failed = server_said(&message, err);
		else if (message.type == 'S')
			note_parameter(pg, &message);
	}
}

static int authenticate(struct pg *pg, struct error *err)
{
	struct message message;
	int ret = next_message(pg, &message, err);

	if (ret)
		return ret;
	if (message.type == 'E')
		return server_said(&message, err);
	if (message.type != 'R' || message.n < 4)
		return error_set(err, EPROTO, "PostgreSQL: it is no server of protocol 3.0");
	if (number_at(message.body))
		return error_set(err, EACCES,
				 "PostgreSQL: the server wants a password: let the user in by "
				 "'peer' or 'trust' on the local socket (pg_hba.conf)");
	return 0;
}

static int start_up(struct pg *pg, const struct pg_url *url, struct error *err)
{
	const uint32_t version = htonl(PROTOCOL_3_0);
	uint32_t n;
	int ret;

	memcpy(pg->out + 4, &version, sizeof(version));
	n = 8 + (uint32_t)snprintf(pg->out + 8, sizeof(pg->out) - 8,
				   "user%c%s%cdatabase%c%s%capplication_name%cschedproof%c%c", 0,
				   url->user, 0, 0, url->dbname, 0, 0, 0, 0);
	memcpy(pg->out, &(uint32_t){ htonl(n) }, sizeof(n));
	ret = send_out(pg, n, err);
	if (!ret)
		ret = authenticate(pg, err);
	return ret ? ret : receive_answer(pg, err);
}

int pg_connect(struct pg **out, const struct pg_url *url, uint64_t patience_ns, struct error *err)
{
	const struct timeval patience = { .tv_sec = (time_t)(patience_ns / 1000000000),
					  .tv_usec =
						  (suseconds_t)(patience_ns % 1000000000 / 1000) };
	struct pg *pg = xcalloc(1, sizeof(*pg));
	int ret;

	pg->patience_s = (double)patience_ns / 1e9;
	pg->fd = *url->host == '/' ? open_unix(url) : open_tcp(url);
	if (pg->fd < 0) {
		ret = error_set(err, errno, "PostgreSQL at %s, port %u: %s", url->host,
				(unsigned int)url->port, strerror(errno));
		free(pg);
		return ret;
	}
	setsockopt(pg->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(pg->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	ret = start_up(pg, url, err);
	if (ret)
		pg_free(pg);
	else
		*out = pg;
	return ret;
}

const char *pg_version(const struct pg *pg)
{
	return pg->version;
}

int pg_query(struct pg *pg, const char *sql, struct error *err)
{
	const size_t n = strlen(sql) + 1;
	int ret;

	if (n + 5 > sizeof(pg->out))
		return error_set(err, E2BIG, "PostgreSQL: a query of %zu bytes", n);
	pg->out[0] = 'Q';
	memcpy(pg->out + 1, &(uint32_t){ htonl((uint32_t)n + 4) }, 4);
	memcpy(pg->out + 5, sql, n);
	ret = send_out(pg, n + 5, err);
	return ret ? ret : receive_answer(pg, err);
}

/* The goodbye is a courtesy: the server's log has a line less. */
void pg_free(struct pg *pg)
{
	static const char goodbye[] = { 'X', 0, 0, 0, 4 };

	if (!pg)
		return;
	send(pg->fd, goodbye, sizeof(goodbye), MSG_NOSIGNAL | MSG_DONTWAIT);
	close(pg->fd);
	free(pg);
}
