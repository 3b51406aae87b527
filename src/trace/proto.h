/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/proto.h - the wire format of Protocol Buffers, as far as Perfetto's traces need it.
 *
 * Source: Protocol Buffers documentation, "Encoding": a message is fields one after the other, each a varint of
 * number << 3 | type and then a varint, 8 bytes, a length and as many bytes, or 4 bytes.
 */
#ifndef TRACE_PROTO_H
#define TRACE_PROTO_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** proto_put_int() - append a field; negative numbers take ten bytes, as int32 and int64 do in the format */
void proto_put_int(struct strbuf *sb, uint32_t number, int64_t value);
void proto_put_text(struct strbuf *sb, uint32_t number, const char *text);

/** proto_put_message() - append a message as a field, and empty it */
void proto_put_message(struct strbuf *sb, uint32_t number, struct strbuf *message);

/** struct proto - a message that is read; the bytes are borrowed */
struct proto {
	const unsigned char *at;
	const unsigned char *end;
};

/**
 * struct proto_field - one field
 * @is_bytes: @bytes[@n] is its value, else @value
 */
struct proto_field {
	uint32_t number;
	bool is_bytes;
	uint64_t value;
	const unsigned char *bytes;
	size_t n;
};

/** proto_next() - the next field. Return: 1, 0 at the end, -1 if the bytes are no message */
int proto_next(struct proto *proto, struct proto_field *field);

/** proto_varint() - one varint. Return: its bytes, 0 if there is none within @n bytes */
size_t proto_varint(const unsigned char *bytes, size_t n, uint64_t *value);

/** proto_of() - a field that is a message itself */
struct proto proto_of(const struct proto_field *field);

/** proto_text() - copy a text field, up to a NUL, cut to @size - 1 bytes and terminated */
void proto_text(const struct proto_field *field, char *text, size_t size);

#endif
