// SPDX-License-Identifier: GPL-2.0-only
#include "sched/tunable.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TUNABLE_ROW(member_, def_, min_, max_, scaled_, help_)                                     \
	{                                                                                          \
		.name = #member_,                                                                  \
		.def = (def_),                                                                     \
		.min = (min_),                                                                     \
		.max = (max_),                                                                     \
		.scaled = (scaled_),                                                               \
		.help = (help_),                                                                   \
		.offset = offsetof(struct tunables, member_),                                      \
	},

static const struct tunable rows[] = { TUNABLES(TUNABLE_ROW) };

const struct tunable *tunable_at(size_t i)
{
	return i < ARRAY_SIZE(rows) ? &rows[i] : NULL;
}

static uint64_t *number_at(struct tunables *tunables, const struct tunable *row)
{
	return (uint64_t *)((char *)tunables + row->offset);
}

void tunables_default(struct tunables *tunables)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		*number_at(tunables, &rows[i]) = rows[i].def;
}

#define SINCE_ROW(member_, major_, minor_, value_)                                                 \
	{ .offset = offsetof(struct tunables, member_),                                            \
	  .major = (major_),                                                                       \
	  .minor = (minor_),                                                                       \
	  .value = (value_) },

static const struct since {
	size_t offset;
	unsigned int major, minor;
	uint64_t value;
} since[] = { TUNABLES_SINCE(SINCE_ROW) };

static uint64_t default_at(size_t offset)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].offset == offset)
			return rows[i].def;
	}
	assert(!"no tunable");
	return 0;
}

void tunables_release(struct tunables *tunables, unsigned int major, unsigned int minor)
{
	for (size_t i = 0; i < ARRAY_SIZE(since); i++) {
		const struct since *s = &since[i];
		uint64_t *number = (uint64_t *)((char *)tunables + s->offset);

		if (major > s->major || (major == s->major && minor >= s->minor))
			*number = s->value;
		else if (!i || since[i - 1].offset != s->offset)
			*number = default_at(s->offset);
	}
}

static uint64_t factor(uint64_t scaling, uint32_t nr_online)
{
	uint32_t cpus = nr_online < 8 ? nr_online : 8;

	if (scaling == 0)
		return 1;
	if (scaling == 2)
		return cpus;
	return 1 + (31 - (uint64_t)__builtin_clz(cpus));
}

void tunables_scale(struct tunables *actual, const struct tunables *normal, uint32_t nr_online)
{
	uint64_t f = factor(actual->tunable_scaling, nr_online);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].scaled)
			*number_at(actual, &rows[i]) =
				f * *number_at((struct tunables *)normal, &rows[i]);
	}
}

static int unknown_tunable(const char *name, struct error *err)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		nearest_offer(&nearest, rows[i].name);
	if (nearest.best)
		return error_set(err, ENOENT, "no tunable \"%s\"; did you mean \"%s\"?", name,
				 nearest.best);
	return error_set(err, ENOENT, "no tunable \"%s\"", name);
}

static int set(struct tunables *tunables, const struct tunable *row, const char *value,
	       struct error *err)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (end == value || *end || errno || *value == '-' || number < row->min ||
	    number > row->max)
		return error_set(err, EINVAL, "%s=%s: a number of %" PRIu64 " .. %" PRIu64,
				 row->name, value, row->min, row->max);
	*number_at(tunables, row) = number;
	return 0;
}

int tunables_set(struct tunables *tunables, const char *name, const char *value, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!strcmp(rows[i].name, name))
			return set(tunables, &rows[i], value, err);
	}
	return unknown_tunable(name, err);
}
