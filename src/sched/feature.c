// SPDX-License-Identifier: GPL-2.0-only
#include "sched/feature.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FEATURE_ROW(member_, name_, kernel_, values_, def_, releases_, section_, help_)            \
	{                                                                                          \
		.name = (name_),                                                                   \
		.kernel = (kernel_),                                                               \
		.values = (values_),                                                               \
		.def = (def_),                                                                     \
		.releases = (releases_),                                                           \
		.section = (section_),                                                             \
		.help = (help_),                                                                   \
		.offset = offsetof(struct features, member_),                                      \
	},

static const struct feature table[] = { FEATURES(FEATURE_ROW) };

const struct feature *feature_at(size_t i)
{
	return i < ARRAY_SIZE(table) ? &table[i] : NULL;
}

/* The @i-th of words between @separator; its length in @n; NULL and 0 behind the last. */
static const char *word_at(const char *text, char separator, size_t i, size_t *n)
{
	const char *end;

	*n = 0;
	for (; i; i--) {
		text = strchr(text, separator);
		if (!text)
			return NULL;
		text++;
	}
	end = strchr(text, separator);
	*n = end ? (size_t)(end - text) : strlen(text);
	return text;
}

bool feature_value(const struct feature *feature, size_t i, struct strbuf *text)
{
	size_t n;
	const char *word = word_at(feature->values, '|', i, &n);

	if (!word)
		return false;
	strbuf_addf(text, "%.*s", (int)n, word);
	return true;
}

/* "6.12" at @text as one number that orders releases. */
static unsigned long release_number(const char *text, const char **end)
{
	char *dot;
	unsigned long major = strtoul(text, &dot, 10), minor;

	assert(*dot == '.');
	minor = strtoul(dot + 1, &dot, 10);
	*end = dot;
	return major * 1000 + minor;
}

/* Is @release in "6.6-6.11", "-6.5", "6.12-" or "-"? @end: behind it. */
static bool in_range(const char *text, unsigned long release, const char **end)
{
	bool in = true;

	*end = text;
	if (**end != '-')
		in = release >= release_number(*end, end);
	assert(**end == '-');
	(*end)++;
	if (**end && **end != ' ' && **end != ',')
		in &= release <= release_number(*end, end);
	return in;
}

bool feature_real(const struct feature *feature, size_t i, unsigned int major, unsigned int minor)
{
	size_t n;
	const char *at = word_at(feature->releases, ' ', i, &n);

	assert(at);
	if (*at == '.')
		return false;
	for (;; at++) {
		if (in_range(at, major * 1000UL + minor, &at))
			return true;
		if (*at != ',')
			return false;
	}
}

static uint8_t *member(struct features *features, const struct feature *feature)
{
	return (uint8_t *)features + feature->offset;
}

static bool set_by_name(struct features *features, const struct feature *feature, const char *value)
{
	const char *word;
	size_t n;

	for (size_t i = 0; (word = word_at(feature->values, '|', i, &n)); i++) {
		if (strlen(value) == n && !memcmp(word, value, n)) {
			*member(features, feature) = (uint8_t)i;
			return true;
		}
	}
	return false;
}

void features_default(struct features *features)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		bool known = set_by_name(features, &table[i], table[i].def);

		assert(known);
		(void)known;
	}
}

void features_release(struct features *features, unsigned int major, unsigned int minor)
{
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		for (size_t k = 0; word_at(table[i].values, '|', k, &n); k++) {
			if (feature_real(&table[i], k, major, minor)) {
				*member(features, &table[i]) = (uint8_t)k;
				break;
			}
		}
	}
}

static uint8_t last_value(const struct feature *feature)
{
	uint8_t last = 0;
	size_t n;

	while (word_at(feature->values, '|', last + 1U, &n))
		last++;
	return last;
}

/* The kernel's "NAME" and "NO_NAME". */
static const struct feature *find_kernel(const char *name, bool *on)
{
	*on = strncmp(name, "NO_", 3) != 0;
	if (!*on)
		name += 3;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (*table[i].kernel && !strcmp(table[i].kernel, name))
			return &table[i];
	}
	return NULL;
}

static int unknown(const char *name, struct error *err)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		nearest_offer(&nearest, table[i].name);
		if (*table[i].kernel)
			nearest_offer(&nearest, table[i].kernel);
	}
	if (nearest.best)
		return error_set(err, ENOENT, "no feature \"%s\"; did you mean \"%s\"?", name,
				 nearest.best);
	return error_set(err, ENOENT, "no feature \"%s\"", name);
}

int features_set(struct features *features, const char *name, const char *value, struct error *err)
{
	const struct feature *feature;
	bool on;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (strcmp(table[i].name, name) != 0)
			continue;
		if (set_by_name(features, &table[i], value))
			return 0;
		return error_set(err, EINVAL, "%s=%s: its values are %s", name, value,
				 table[i].values);
	}
	feature = find_kernel(name, &on);
	if (!feature)
		return unknown(name, err);
	if (*value && strcmp(value, "1") != 0)
		return error_set(err, EINVAL,
				 "%s=%s: it is set by its name alone, and NO_%s clears it", name,
				 value, feature->kernel);
	*member(features, feature) = on ? last_value(feature) : 0;
	return 0;
}
