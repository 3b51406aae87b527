// SPDX-License-Identifier: GPL-2.0-only
/* topo/arena.c - memory that is freed at once. */
#include "topo/domains.h"

#include "base/mem.h"

#include <stdlib.h>

#define ARENA_CHUNK ((size_t)256 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	uint64_t bytes[]; /* uint64_t for its alignment */
};

struct arena {
	struct arena_chunk *chunks;
};

struct arena *arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_chunk *chunk = arena->chunks;
	void *p;

	size = (size + 7) & ~(size_t)7;
	if (!chunk || chunk->size - chunk->used < size) {
		size_t bytes = size > ARENA_CHUNK ? size : ARENA_CHUNK;

		chunk = xcalloc(1, sizeof(*chunk) + bytes);
		chunk->size = bytes;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	p = (char *)chunk->bytes + chunk->used;
	chunk->used += size;
	return p;
}

void arena_free(struct arena *arena)
{
	struct arena_chunk *chunk, *next;

	if (!arena)
		return;
	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}
