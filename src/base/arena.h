/* SPDX-License-Identifier: GPL-2.0-only */
/* base/arena.h - memory that is taken piece by piece and freed at once. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);

/**
 * arena_alloc() - @size zeroed bytes, aligned for any integer or pointer; live as long as the arena
 *
 * Ends the program when there are none, as xcalloc() does.
 */
void *arena_alloc(struct arena *arena, size_t size) __attribute__((malloc));

/** arena_alloc_lines() - the same, from the start of a cache line on, 64 bytes */
void *arena_alloc_lines(struct arena *arena, size_t size) __attribute__((malloc));

/** arena_bytes() - what the arena holds of the heap, room not yet taken included */
size_t arena_bytes(const struct arena *arena);

/** arena_free() - the arena and every piece of it; NULL is fine */
void arena_free(struct arena *arena);

#endif
