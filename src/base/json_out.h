/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base/json_out.h - JSON written into a text. The worker has no library but libc, so it writes its result
 * with this; everything that reads JSON uses jansson.
 */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * struct json_out - a JSON text in the making, on one line
 * @sb: where it is appended; borrowed
 *
 * Initialise with { .sb = &text }. Inside an object every call has a key, elsewhere it is NULL.
 * Strings that are not UTF-8 are mended with U+FFFD; a double that JSON can't say becomes null.
 */
struct json_out {
	struct strbuf *sb;
	bool comma; /* the next element needs one before it */
};

void json_out_object(struct json_out *out, const char *key);
void json_out_end_object(struct json_out *out);
void json_out_array(struct json_out *out, const char *key);
void json_out_end_array(struct json_out *out);
void json_out_str(struct json_out *out, const char *key, const char *value); /* NULL: null */
void json_out_int(struct json_out *out, const char *key, int64_t value);
void json_out_double(struct json_out *out, const char *key, double value); /* 17 digits */
void json_out_bool(struct json_out *out, const char *key, bool value);

/** json_out_json() - @json is a JSON text already, on one line; taken as it is */
void json_out_json(struct json_out *out, const char *key, const char *json);

#endif
