/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base/json_in.h - JSON read piece by piece from a text in memory, without a tree and without a library: the caller says
 * what it expects next. What it fails of is at @line, which
 * the caller puts in front of the error once.
 *
 *	json_in_open(&in, '{', err)
 *	while ((more = json_in_member(&in, key, err)) > 0)
 *		one of json_in_string(), json_in_int(), json_in_bool(), json_in_open(), json_in_skip()
 *
 * Beyond JSON it takes what people write into files: comments as in C, a comma behind the last member, one key several
 * times, texts in single quotes, True and TRUE, a key without a value.
 */
#ifndef BASE_JSON_IN_H
#define BASE_JSON_IN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest text or key, its terminator included. */
#define JSON_IN_TEXT  256
#define JSON_IN_DEPTH 32

enum json_kind {
	JSON_END,     /* of the text, or of the object or array */
	JSON_MISSING, /* the key had no value */
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_NULL,
	JSON_NEITHER,
};

/**
 * struct json_in - where the reader is; caller's storage, nothing to free
 * @line: where it is, the first one is 1
 */
struct json_in {
	const char *at;
	const char *end;
	unsigned int line;
	unsigned int depth;
	bool comma; /* one is due before the next member */
	bool missing;
};

/** json_in_init() - the @n bytes of @text are borrowed */
void json_in_init(struct json_in *in, const char *text, size_t n);

/** json_in_peek() - what the next value is */
enum json_kind json_in_peek(struct json_in *in);

/** json_in_open() - enter an object ('{') or an array ('['). Return: 0 or -EINVAL */
int json_in_open(struct json_in *in, char bracket, struct error *err);

/** json_in_member() - the next key of an object. Return: 1, 0 if the object has ended, or -EINVAL */
int json_in_member(struct json_in *in, char key[JSON_IN_TEXT], struct error *err);

/** json_in_element() - is there one more in an array? Return: 1, 0 if it has ended, or -EINVAL */
int json_in_element(struct json_in *in, struct error *err);

/** json_in_string() - a text as UTF-8; NUL in it is refused. Return: 0 or -EINVAL */
int json_in_string(struct json_in *in, char text[JSON_IN_TEXT], struct error *err);

/** json_in_text() - the same into @size bytes, at least 5; of a longer text the caller has use for */
int json_in_text(struct json_in *in, char *text, size_t size, struct error *err);

/** json_in_int() - a whole number from @min to @max. Return: 0 or -EINVAL */
int json_in_int(struct json_in *in, int64_t *value, int64_t min, int64_t max, struct error *err);

int json_in_bool(struct json_in *in, bool *value, struct error *err);

/** json_in_skip() - any value, with all that is in it. Return: 0 or -EINVAL */
int json_in_skip(struct json_in *in, struct error *err);

/** json_in_finish() - behind the last value there is nothing more. Return: 0 or -EINVAL */
int json_in_finish(struct json_in *in, struct error *err);

#endif
