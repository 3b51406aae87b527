// SPDX-License-Identifier: GPL-2.0-only
#include "trace/map.h"

#include "base/mem.h"

#include <stdlib.h>

struct map_slot {
	uint64_t key;
	uint32_t value;
	bool used;
};

#define FIRST_SIZE 64

static struct map_slot *slot_of(struct map_slot *slots, size_t size, uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 by the golden ratio */
	size_t i = (hash >> 32) & (size - 1);

	while (slots[i].used && slots[i].key != key)
		i = (i + 1) & (size - 1);
	return &slots[i];
}

static void grow(struct map *map)
{
	size_t size = map->size ? 2 * map->size : FIRST_SIZE;
	struct map_slot *slots = xcalloc(size, sizeof(*slots));

	for (size_t i = 0; i < map->size; i++)
		if (map->slots[i].used)
			*slot_of(slots, size, map->slots[i].key) = map->slots[i];
	free(map->slots);
	map->slots = slots;
	map->size = size;
}

uint32_t *map_find(const struct map *map, uint64_t key)
{
	struct map_slot *slot = map->size ? slot_of(map->slots, map->size, key) : NULL;

	return slot && slot->used ? &slot->value : NULL;
}

uint32_t *map_add(struct map *map, uint64_t key, bool *is_new)
{
	struct map_slot *slot;

	if (4 * (map->n + 1) > 3 * map->size)
		grow(map);
	slot = slot_of(map->slots, map->size, key);
	if (is_new)
		*is_new = !slot->used;
	if (!slot->used) {
		*slot = (struct map_slot){ .key = key, .used = true };
		map->n++;
	}
	return &slot->value;
}

bool map_at(const struct map *map, size_t i, uint64_t *key, uint32_t *value)
{
	if (i >= map->size)
		return false;
	*key = map->slots[i].key;
	*value = map->slots[i].used ? map->slots[i].value : 0;
	return true;
}

void map_release(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}
