// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_access.c - the loads and stores themselves. */
#include "base/rng.h"
#include "workload/numa.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The random order goes through so many words at a time, as perf's does. */
#define CHUNK_WORDS 1024

/* Stores that go past the caches, whatever the C library thinks of the size. */
static void stream_zero(unsigned char *p, uint64_t bytes)
{
#ifdef __SSE2__
	const __m128i zero = _mm_setzero_si128();
	uint64_t head = -(uintptr_t)p % sizeof(zero);

	if (head > bytes)
		head = bytes;
	memset(p, 0, head);
	for (p += head, bytes -= head; bytes >= 64; p += 64, bytes -= 64)
		for (int i = 0; i < 4; i++)
			_mm_stream_si128((__m128i *)p + i, zero);
	_mm_sfence();
#endif
	memset(p, 0, bytes);
}

/* The compiler must not see that it clears the same bytes again and again. */
static void zero(unsigned char *p, uint64_t bytes)
{
	memset(p, 0, bytes);
	__asm__ volatile("" : : "r"(p) : "memory");
}

static uint64_t up(uint64_t *p, uint64_t n, int access, uint64_t value)
{
	for (uint64_t i = 0; access == ACCESS_READ && i < n; i++)
		value += p[i];
	for (uint64_t i = 0; access == ACCESS_WRITE && i < n; i++)
		p[i] = value + 1;
	for (uint64_t i = 0; access == ACCESS_UPDATE && i < n; i++) {
		value += p[i];
		p[i] = value + 1;
	}
	return value;
}

static uint64_t down(uint64_t *p, uint64_t n, int access, uint64_t value)
{
	for (uint64_t i = n; access == ACCESS_READ && i; i--)
		value += p[i - 1];
	for (uint64_t i = n; access == ACCESS_WRITE && i; i--)
		p[i - 1] = value + 1;
	for (uint64_t i = n; access == ACCESS_UPDATE && i; i--) {
		value += p[i - 1];
		p[i - 1] = value + 1;
	}
	return value;
}

static uint64_t piece(uint64_t *p, uint64_t n, const struct numa_walk *walk, uint64_t value)
{
	switch (walk->access) {
	case ACCESS_ZERO:
		zero((unsigned char *)p, n * sizeof(*p));
		break;
	case ACCESS_STREAM:
		stream_zero((unsigned char *)p, n * sizeof(*p));
		break;
	default:
		value = walk->back ? down(p, n, walk->access, value)
				   : up(p, n, walk->access, value);
		__asm__ volatile("" : : "r"(p) : "memory");
		break;
	}
	return value;
}

static uint64_t at_random(uint64_t *p, uint64_t n, const struct numa_walk *walk, uint64_t value)
{
	struct rng rng;

	rng_seed(&rng, walk->seed, "numa", walk->stream);
	for (uint64_t done = 0; done < n; done += CHUNK_WORDS) {
		uint64_t start = rng_below(&rng, n);
		uint64_t left = n - start;

		value = piece(p + start, left < CHUNK_WORDS ? left : CHUNK_WORDS, walk, value);
	}
	return value;
}

uint64_t numa_access(struct numa_range range, const struct numa_walk *walk, uint64_t value)
{
	uint64_t *p = (uint64_t *)(void *)range.start;
	const uint64_t n = range.bytes / sizeof(*p), start = walk->start;

	if (walk->order == ORDER_RANDOM)
		return at_random(p, n, walk, value);
	/* the originals clear a range in one go, wherever the walk would start */
	if (walk->access == ACCESS_ZERO || walk->access == ACCESS_STREAM)
		return piece(p, n, walk, value);
	if (walk->back) {
		value = piece(p, start, walk, value);
		return piece(p + start, n - start, walk, value);
	}
	value = piece(p + start, n - start, walk, value);
	return piece(p, start, walk, value);
}
