// SPDX-License-Identifier: GPL-2.0-only
#include "trace/proto.h"

#include <string.h>

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_8_BYTES = 1,
	WIRE_BYTES = 2,
	WIRE_4_BYTES = 5,
};

static void put_varint(struct strbuf *sb, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		strbuf_addch(sb, (char)(value | 0x80));
	strbuf_addch(sb, (char)value);
}

static void put_bytes(struct strbuf *sb, uint32_t number, const char *bytes, size_t n)
{
	put_varint(sb, (uint64_t)number << 3 | WIRE_BYTES);
	put_varint(sb, n);
	strbuf_add(sb, bytes, n);
}

void proto_put_int(struct strbuf *sb, uint32_t number, int64_t value)
{
	put_varint(sb, (uint64_t)number << 3 | WIRE_VARINT);
	put_varint(sb, (uint64_t)value);
}

void proto_put_text(struct strbuf *sb, uint32_t number, const char *text)
{
	put_bytes(sb, number, text, strlen(text));
}

void proto_put_message(struct strbuf *sb, uint32_t number, struct strbuf *message)
{
	put_bytes(sb, number, strbuf_str(message), message->len);
	strbuf_reset(message);
}

size_t proto_varint(const unsigned char *bytes, size_t n, uint64_t *value)
{
	uint64_t read = 0;

	for (size_t i = 0; i < n && i < 10; i++) {
		read |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
		if (!(bytes[i] & 0x80)) {
			*value = read;
			return i + 1;
		}
	}
	return 0;
}

static bool take_varint(struct proto *proto, uint64_t *value)
{
	size_t n = proto_varint(proto->at, (size_t)(proto->end - proto->at), value);

	proto->at += n;
	return n != 0;
}

static bool take_fixed(struct proto *proto, size_t n, uint64_t *value)
{
	if ((size_t)(proto->end - proto->at) < n)
		return false;
	*value = 0;
	for (size_t i = 0; i < n; i++)
		*value |= (uint64_t)proto->at[i] << (8 * i);
	proto->at += n;
	return true;
}

static bool take_bytes(struct proto *proto, struct proto_field *field)
{
	uint64_t n;

	if (!take_varint(proto, &n) || n > (size_t)(proto->end - proto->at))
		return false;
	field->is_bytes = true;
	field->bytes = proto->at;
	field->n = n;
	proto->at += n;
	return true;
}

int proto_next(struct proto *proto, struct proto_field *field)
{
	uint64_t tag;
	bool ok;

	*field = (struct proto_field){ 0 };
	if (proto->at == proto->end)
		return 0;
	if (!take_varint(proto, &tag) || !(tag >> 3) || tag >> 3 > UINT32_MAX >> 3)
		return -1;
	field->number = (uint32_t)(tag >> 3);
	switch (tag & 7) {
	case WIRE_VARINT:
		ok = take_varint(proto, &field->value);
		break;
	case WIRE_8_BYTES:
		ok = take_fixed(proto, 8, &field->value);
		break;
	case WIRE_BYTES:
		ok = take_bytes(proto, field);
		break;
	case WIRE_4_BYTES:
		ok = take_fixed(proto, 4, &field->value);
		break;
	default:
		ok = false;
	}
	return ok ? 1 : -1;
}

struct proto proto_of(const struct proto_field *field)
{
	/* one of no bytes may have none to point to */
	return (struct proto){ field->bytes, field->n ? field->bytes + field->n : field->bytes };
}

void proto_text(const struct proto_field *field, char *text, size_t size)
{
	size_t n = field->is_bytes ? strnlen((const char *)field->bytes, field->n) : 0;

	n = n < size ? n : size - 1;
	if (n)
		memcpy(text, field->bytes, n);
	text[n] = '\0';
}
