/* SPDX-License-Identifier: GPL-2.0-only */
/* store/fields.h - the members of a JSON object, each asked for by name and type; what nobody asked for is an error. */
#ifndef STORE_FIELDS_H
#define STORE_FIELDS_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELDS_MAX 24

/**
 * struct fields - an object that is being read
 * @object: borrowed
 * @ret:    0 or -EINVAL: the first failure; everything after it gives 0, "" or NULL
 * @err:    says which member and what it must be
 */
struct fields {
	const json_t *object;
	struct error *err;
	int ret;
	size_t n;
	const char *known[FIELDS_MAX];
};

/** fields_init() - fails if @json is no object */
void fields_init(struct fields *fields, const json_t *json, struct error *err);

int64_t fields_int(struct fields *fields, const char *key, int64_t min, int64_t max);
bool fields_bool(struct fields *fields, const char *key);

/** fields_number_or() - @otherwise where it is null */
double fields_number_or(struct fields *fields, const char *key, double otherwise);

/** fields_str() - the caller's to free */
char *fields_str(struct fields *fields, const char *key);

/** fields_json() - an object or array, borrowed */
const json_t *fields_json(struct fields *fields, const char *key, json_type type);

/** fields_end() - Return: 0, or -EINVAL: the first failure, or a member that nobody asked for */
int fields_end(struct fields *fields);

#endif
