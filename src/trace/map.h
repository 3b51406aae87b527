/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/map.h - from a number to a place in a table: process numbers, pairs of CPUs. */
#ifndef TRACE_MAP_H
#define TRACE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot;

/** struct map - initialise with { 0 }; heap inside, freed by map_release() */
struct map {
	struct map_slot *slots;
	size_t size; /* a power of two */
	size_t n;
};

/** map_find() - where the number of @key is kept, or NULL; valid until the next map_add() */
uint32_t *map_find(const struct map *map, uint64_t key);

/** map_add() - the same; made, and 0, where there was none. @is_new may be NULL */
uint32_t *map_add(struct map *map, uint64_t key, bool *is_new);

/** map_at() - what is kept in place @i: @value is 0 where nothing is. Return: false behind the last place */
bool map_at(const struct map *map, size_t i, uint64_t *key, uint32_t *value);

void map_release(struct map *map);

#endif
