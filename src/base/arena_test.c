// SPDX-License-Identifier: GPL-2.0-only
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "check.h"

static void test_arena_pieces_are_zeroed_aligned_and_apart(void **state)
{
	struct arena *arena = arena_new();
	unsigned char *piece[1000];

	(void)state;
	/* 1000 pieces of 1 to 200 bytes are more than one chunk of 64 KiB */
	for (unsigned int i = 0; i < 1000; i++) {
		size_t size = i % 200 + 1;

		piece[i] = arena_alloc(arena, size);
		assert_int_equal((uintptr_t)piece[i] % 8, 0);
		for (size_t j = 0; j < size; j++)
			assert_int_equal(piece[i][j], 0);
		memset(piece[i], (int)(i % 251) + 1, size);
	}
	for (unsigned int i = 0; i < 1000; i++)
		for (size_t j = 0; j < i % 200 + 1; j++)
			assert_int_equal(piece[i][j], i % 251 + 1);
	arena_free(arena);
}

/* Odd pieces between put each next one out of step; 1000 times 64 + 8 bytes are more than one chunk. */
static void test_arena_lines_begin_a_cache_line(void **state)
{
	struct arena *arena = arena_new();
	unsigned char *piece[1000];

	(void)state;
	for (unsigned int i = 0; i < 1000; i++) {
		arena_alloc(arena, i % 64 + 1);
		piece[i] = arena_alloc_lines(arena, 64);
		assert_int_equal((uintptr_t)piece[i] % 64, 0);
		memset(piece[i], (int)(i % 251) + 1, 64);
	}
	for (unsigned int i = 0; i < 1000; i++)
		assert_int_equal(piece[i][63], i % 251 + 1);
	piece[0] = arena_alloc_lines(arena, 1 << 20);
	assert_int_equal((uintptr_t)piece[0] % 64, 0);
	memset(piece[0], 1, 1 << 20);
	arena_free(arena);
}

static void test_arena_takes_the_heap_in_chunks(void **state)
{
	struct arena *arena = arena_new();
	size_t one;

	(void)state;
	assert_int_equal(arena_bytes(arena), 0);
	arena_alloc(arena, 8);
	one = arena_bytes(arena);
	/* 8000 more bytes fit into the first chunk of 64 KiB */
	for (unsigned int i = 0; i < 1000; i++)
		arena_alloc(arena, 8);
	assert_int_equal(arena_bytes(arena), one);
	/* a piece larger than a chunk gets one of its own size */
	memset(arena_alloc(arena, 1 << 20), 1, 1 << 20);
	assert_true(arena_bytes(arena) >= one + (1 << 20));
	assert_true(arena_bytes(arena) < one + (1 << 20) + 100);
	arena_free(arena);
}

static void test_arena_free_of_none(void **state)
{
	(void)state;
	arena_free(NULL);
	arena_free(arena_new());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(test_arena_lines_begin_a_cache_line),
		cmocka_unit_test(test_arena_takes_the_heap_in_chunks),
		cmocka_unit_test(test_arena_free_of_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
