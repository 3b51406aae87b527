// SPDX-License-Identifier: GPL-2.0-only
#include "base/arena.h"

#include "base/mem.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct chunk {
	struct chunk *next;
	size_t used, size;
	uint64_t bytes[]; /* uint64_t for its alignment */
};

struct arena {
	struct chunk *chunks;
	size_t bytes;
};

struct arena *arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
}

static struct chunk *add_chunk(struct arena *arena, size_t size)
{
	const size_t large = XLARGE_BYTES - sizeof(struct chunk);
	size_t least = arena->bytes < XLARGE_BYTES ? CHUNK_BYTES : large;
	size_t bytes = size > least ? size : least;
	struct chunk *chunk =
		bytes < large ? xcalloc(1, sizeof(*chunk) + bytes) : xlarge(sizeof(*chunk) + bytes);

	chunk->size = bytes;
	chunk->next = arena->chunks;
	arena->bytes += sizeof(*chunk) + bytes;
	return arena->chunks = chunk;
}

static size_t padding(const struct chunk *chunk, size_t align)
{
	return -((uintptr_t)chunk->bytes + chunk->used) & (align - 1);
}

static void *alloc(struct arena *arena, size_t size, size_t align)
{
	struct chunk *chunk = arena->chunks;
	void *p;

	assert(size <= SIZE_MAX / 2);
	size = (size + 7) & ~(size_t)7;
	if (!chunk || chunk->size - chunk->used < size + padding(chunk, align))
		chunk = add_chunk(arena, size + align - 8);
	chunk->used += padding(chunk, align);
	p = (char *)chunk->bytes + chunk->used;
	chunk->used += size;
	return p;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	return alloc(arena, size, 8);
}

void *arena_alloc_lines(struct arena *arena, size_t size)
{
	return alloc(arena, size, 64);
}

size_t arena_bytes(const struct arena *arena)
{
	return arena->bytes;
}

void arena_free(struct arena *arena)
{
	struct chunk *chunk, *next;

	if (!arena)
		return;
	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(arena);
}
