// SPDX-License-Identifier: GPL-2.0-only
#include "store/fields.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

static void bad(struct fields *fields, const char *key, const char *must)
{
	if (!fields->ret)
		fields->ret = error_set(fields->err, EINVAL, "'%s' must be %s", key, must);
}

/* The member, or NULL after a failure. */
static const json_t *get(struct fields *fields, const char *key)
{
	const json_t *json;

	if (fields->ret)
		return NULL;
	assert(fields->n < FIELDS_MAX);
	fields->known[fields->n++] = key;
	json = json_object_get(fields->object, key);
	if (!json)
		fields->ret = error_set(fields->err, EINVAL, "'%s' is missing", key);
	return json;
}

void fields_init(struct fields *fields, const json_t *json, struct error *err)
{
	*fields = (struct fields){ .object = json, .err = err };
	if (!json_is_object(json))
		fields->ret = error_set(err, EINVAL, "not an object");
}

int64_t fields_int(struct fields *fields, const char *key, int64_t min, int64_t max)
{
	const json_t *json = get(fields, key);

	if (!json)
		return 0;
	if (json_is_integer(json) && json_integer_value(json) >= min &&
	    json_integer_value(json) <= max)
		return json_integer_value(json);
	if (!fields->ret)
		fields->ret =
			error_set(fields->err, EINVAL, "'%s' must be a whole number %lld .. %lld",
				  key, (long long)min, (long long)max);
	return 0;
}

bool fields_bool(struct fields *fields, const char *key)
{
	const json_t *json = get(fields, key);

	if (json && !json_is_boolean(json))
		bad(fields, key, "true or false");
	return json_is_true(json);
}

double fields_number_or(struct fields *fields, const char *key, double otherwise)
{
	const json_t *json = get(fields, key);

	if (!json || json_is_null(json))
		return otherwise;
	if (!json_is_number(json))
		bad(fields, key, "a number or null");
	return json_number_value(json);
}

char *fields_str(struct fields *fields, const char *key)
{
	const json_t *json = get(fields, key);

	if (json && !json_is_string(json))
		bad(fields, key, "a text");
	return xstrdup(json_is_string(json) ? json_string_value(json) : "");
}

const json_t *fields_json(struct fields *fields, const char *key, json_type type)
{
	const json_t *json = get(fields, key);

	if (!json || json_typeof(json) == type)
		return json;
	bad(fields, key, type == JSON_ARRAY ? "an array" : "an object");
	return NULL;
}

static bool is_known(const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->n; i++)
		if (!strcmp(fields->known[i], key))
			return true;
	return false;
}

int fields_end(struct fields *fields)
{
	const char *key;
	json_t *value;

	if (fields->ret)
		return fields->ret;
	json_object_foreach((json_t *)fields->object, key, value)
	{
		if (!is_known(fields, key))
			return error_set(fields->err, EINVAL, "'%s' is unknown", key);
	}
	return 0;
}
