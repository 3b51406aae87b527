// SPDX-License-Identifier: GPL-2.0-only
#include "core/host.h"

#include "check.h"

static void assert_zeroed_at(const unsigned char *p, size_t size, uintptr_t alignment)
{
	assert_int_equal((uintptr_t)p % alignment, 0);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(p[i], 0);
}

/* core.h: zeroed, aligned to 64 bytes, to the page from a page on. */
static void test_memory_is_zeroed_and_aligned(void **state)
{
	static const size_t sizes[] = { 0, 1, 64, 4095, 4096, 10000 };
	struct core_memory memory = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		assert_zeroed_at(core_memory_alloc(&memory, sizes[i]), sizes[i],
				 sizes[i] < 4096 ? 64 : 4096);
	core_memory_release(&memory);
	assert_null(memory.first);
}

/* First, middle and last of the list; what is left goes at the end, or the sanitizer finds it. */
static void test_memory_is_freed_in_any_order(void **state)
{
	struct core_memory memory = { 0 };
	void *p[5];

	(void)state;
	for (size_t i = 0; i < 5; i++)
		p[i] = core_memory_alloc(&memory, 100 * i);
	core_memory_free(NULL, p[4]);
	core_memory_free(NULL, p[2]);
	core_memory_free(NULL, p[0]);
	core_memory_free(NULL, NULL);
	assert_non_null(memory.first);
	core_memory_free(NULL, p[3]);
	core_memory_free(NULL, p[1]);
	assert_null(memory.first);
	core_memory_alloc(&memory, 1);
	core_memory_alloc(&memory, 5000);
	core_memory_release(&memory);
}

/* Within a fiftieth of the kernel's table. */
static void test_weight_is_near_the_kernels(void **state)
{
	static const struct {
		struct core_sched sched;
		uint64_t weight;
	} rows[] = {
		{ { .nice = 0 }, 1024 },
		{ { .nice = -20 }, 88761 },
		{ { .nice = -5 }, 3121 },
		{ { .nice = 5 }, 335 },
		{ { .policy = CORE_BATCH, .nice = 10 }, 110 },
		{ { .policy = CORE_IDLE, .nice = 5 }, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_in_range(core_weight(&rows[i].sched), rows[i].weight - rows[i].weight / 50,
				rows[i].weight + rows[i].weight / 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_is_zeroed_and_aligned),
		cmocka_unit_test(test_memory_is_freed_in_any_order),
		cmocka_unit_test(test_weight_is_near_the_kernels),
	};

	return cmocka_run_group_tests_name("core/host", tests, NULL, NULL);
}
