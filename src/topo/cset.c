// SPDX-License-Identifier: GPL-2.0-only
#include "topo/cset.h"

#include "base/arena.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct cset_pool {
	unsigned int nr_cpus;
	uint32_t nr_words;
	uint32_t count;
	uint32_t nr_slots; /* a power of two */
	const struct cset **slots;
	struct arena *arena;
	struct cbits *scratch;
};

struct cset_pool *cset_pool_new(unsigned int nr_cpus)
{
	struct cset_pool *pool = xcalloc(1, sizeof(*pool));

	assert(nr_cpus <= CPUMASK_MAX);
	pool->nr_cpus = nr_cpus;
	pool->nr_words = nr_cpus ? (nr_cpus + 63) / 64 : 1;
	pool->nr_slots = 256;
	pool->slots = xcalloc(pool->nr_slots, sizeof(*pool->slots));
	pool->arena = arena_new();
	pool->scratch = cbits_new(pool);
	return pool;
}

void cset_pool_free(struct cset_pool *pool)
{
	if (!pool)
		return;
	arena_free(pool->arena);
	free(pool->slots);
	free(pool->scratch);
	free(pool);
}

unsigned int cset_pool_cpus(const struct cset_pool *pool)
{
	return pool->nr_cpus;
}

uint32_t cset_pool_words(const struct cset_pool *pool)
{
	return pool->nr_words;
}

uint32_t cset_pool_count(const struct cset_pool *pool)
{
	return pool->count;
}

size_t cset_pool_bytes(const struct cset_pool *pool)
{
	return arena_bytes(pool->arena) + pool->nr_slots * sizeof(*pool->slots);
}

struct cbits *cbits_new(const struct cset_pool *pool)
{
	struct cbits *bits = xcalloc(1, sizeof(*bits) + pool->nr_words * sizeof(uint64_t));

	bits->nr_words = pool->nr_words;
	return bits;
}

void cbits_free(struct cbits *bits)
{
	free(bits);
}

void cbits_zero(struct cbits *bits)
{
	memset(bits->words, 0, bits->nr_words * sizeof(uint64_t));
}

void cbits_set(struct cbits *bits, unsigned int cpu)
{
	assert(cpu / 64 < bits->nr_words);
	bits->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

void cbits_clear(struct cbits *bits, unsigned int cpu)
{
	assert(cpu / 64 < bits->nr_words);
	bits->words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

bool cbits_test(const struct cbits *bits, unsigned int cpu)
{
	return cpu / 64 < bits->nr_words && bits->words[cpu / 64] >> cpu % 64 & 1;
}

void cbits_or(struct cbits *bits, const struct cset *set)
{
	for (uint32_t i = 0; i < set->nr_words; i++)
		bits->words[set->lo + i] |= set->words[i];
}

bool cbits_intersects(const struct cbits *bits, const struct cset *set)
{
	for (uint32_t i = 0; i < set->nr_words; i++)
		if (bits->words[set->lo + i] & set->words[i])
			return true;
	return false;
}

bool cbits_equal(const struct cbits *bits, const struct cset *set)
{
	for (uint32_t i = 0; i < bits->nr_words; i++)
		if (bits->words[i] != cset_word(set, i))
			return false;
	return true;
}

bool cbits_subset(const struct cbits *inner, const struct cset *outer)
{
	for (uint32_t i = 0; i < inner->nr_words; i++)
		if (inner->words[i] & ~cset_word(outer, i))
			return false;
	return true;
}

uint32_t cbits_next_outside(const struct cbits *bits, const struct cset *set, uint32_t from)
{
	uint32_t i = from / 64 > set->lo ? from / 64 : set->lo;
	uint64_t word;

	for (; i - set->lo < set->nr_words; i++) {
		word = set->words[i - set->lo] & ~bits->words[i];
		if (i == from / 64)
			word &= ~UINT64_C(0) << from % 64;
		if (word)
			return i * 64 + (uint32_t)__builtin_ctzll(word);
	}
	return CSET_END;
}

static uint64_t hash_words(const uint64_t *words, uint32_t lo, uint32_t n)
{
	uint64_t h = lo * UINT64_C(0x9e3779b97f4a7c15) + n;

	for (uint32_t i = 0; i < n; i++) {
		h = (h ^ words[i]) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return h;
}

static void grow(struct cset_pool *pool)
{
	uint32_t nr_old = pool->nr_slots;
	const struct cset **old = pool->slots;

	pool->nr_slots *= 2;
	pool->slots = xcalloc(pool->nr_slots, sizeof(*pool->slots));
	for (uint32_t i = 0; i < nr_old; i++) {
		uint64_t at;

		if (!old[i])
			continue;
		at = hash_words(old[i]->words, old[i]->lo, old[i]->nr_words);
		while (pool->slots[at & (pool->nr_slots - 1)])
			at++;
		pool->slots[at & (pool->nr_slots - 1)] = old[i];
	}
	free(old);
}

static const struct cset *add(struct cset_pool *pool, const uint64_t *words, uint32_t lo,
			      uint32_t n)
{
	struct cset *set = arena_alloc(pool->arena, sizeof(*set) + n * sizeof(uint64_t));

	*set = (struct cset){ .id = pool->count++, .first = CSET_END, .lo = lo, .nr_words = n };
	memcpy(set->words, words, n * sizeof(uint64_t));
	for (uint32_t i = 0; i < n; i++)
		set->weight += (uint32_t)__builtin_popcountll(words[i]);
	if (n)
		set->first = lo * 64 + (uint32_t)__builtin_ctzll(words[0]);
	return set;
}

/* The set of words[n], which stand at word @lo of the full mask; zero words around are allowed. */
static const struct cset *intern_words(struct cset_pool *pool, const uint64_t *words, uint32_t lo,
				       uint32_t n)
{
	uint64_t at;

	while (n && !words[n - 1])
		n--;
	while (n && !words[0]) {
		words++;
		lo++;
		n--;
	}
	if (!n)
		lo = 0;
	if (pool->count * 2 >= pool->nr_slots)
		grow(pool);
	at = hash_words(words, lo, n);
	for (;; at++) {
		const struct cset **slot = &pool->slots[at & (pool->nr_slots - 1)];

		if (!*slot)
			return *slot = add(pool, words, lo, n);
		if ((*slot)->lo == lo && (*slot)->nr_words == n &&
		    !memcmp((*slot)->words, words, n * sizeof(uint64_t)))
			return *slot;
	}
}

const struct cset *cset_intern(struct cset_pool *pool, const struct cbits *bits)
{
	return intern_words(pool, bits->words, 0, bits->nr_words);
}

const struct cset *cset_empty(struct cset_pool *pool)
{
	return intern_words(pool, pool->scratch->words, 0, 0);
}

const struct cset *cset_single(struct cset_pool *pool, unsigned int cpu)
{
	uint64_t word = UINT64_C(1) << cpu % 64;

	assert(cpu / 64 < pool->nr_words);
	return intern_words(pool, &word, cpu / 64, 1);
}

const struct cset *cset_range(struct cset_pool *pool, unsigned int first, unsigned int last)
{
	cbits_zero(pool->scratch);
	for (unsigned int cpu = first; cpu <= last; cpu++)
		cbits_set(pool->scratch, cpu);
	return cset_intern(pool, pool->scratch);
}

const struct cset *cset_of_mask(struct cset_pool *pool, const struct cpumask *mask)
{
	unsigned int cpu;

	cbits_zero(pool->scratch);
	cpumask_for_each (cpu, mask)
		if (cpu < pool->nr_cpus)
			cbits_set(pool->scratch, cpu);
	return cset_intern(pool, pool->scratch);
}

int cset_parse(const struct cset **set, struct cset_pool *pool, const char *text, struct error *err)
{
	struct cpumask mask = { 0 };
	int ret = cpumask_parse(&mask, text, err);

	if (!ret)
		*set = cset_of_mask(pool, &mask);
	cpumask_release(&mask);
	return ret;
}

const struct cset *cset_and(struct cset_pool *pool, const struct cset *a, const struct cset *b)
{
	if (a == b || cset_subset(a, b))
		return a;
	for (uint32_t i = 0; i < a->nr_words; i++)
		pool->scratch->words[i] = a->words[i] & cset_word(b, a->lo + i);
	return intern_words(pool, pool->scratch->words, a->lo, a->nr_words);
}

const struct cset *cset_or(struct cset_pool *pool, const struct cset *a, const struct cset *b)
{
	if (a == b || cset_subset(b, a))
		return a;
	cbits_zero(pool->scratch);
	cbits_or(pool->scratch, a);
	cbits_or(pool->scratch, b);
	return cset_intern(pool, pool->scratch);
}

const struct cset *cset_andnot(struct cset_pool *pool, const struct cset *a, const struct cset *b)
{
	for (uint32_t i = 0; i < a->nr_words; i++)
		pool->scratch->words[i] = a->words[i] & ~cset_word(b, a->lo + i);
	return intern_words(pool, pool->scratch->words, a->lo, a->nr_words);
}

bool cset_subset(const struct cset *inner, const struct cset *outer)
{
	if (inner->weight > outer->weight || inner->first < outer->first)
		return inner == outer || !inner->weight;
	for (uint32_t i = 0; i < inner->nr_words; i++)
		if (inner->words[i] & ~cset_word(outer, inner->lo + i))
			return false;
	return true;
}

bool cset_intersects(const struct cset *a, const struct cset *b)
{
	uint32_t lo = a->lo > b->lo ? a->lo : b->lo;
	uint32_t end_a = a->lo + a->nr_words, end_b = b->lo + b->nr_words;
	uint32_t end = end_a < end_b ? end_a : end_b;

	for (uint32_t i = lo; i < end; i++)
		if (a->words[i - a->lo] & b->words[i - b->lo])
			return true;
	return false;
}

uint32_t cset_next(const struct cset *set, uint32_t from)
{
	uint32_t i = from / 64;
	uint64_t word;

	if (i < set->lo)
		return set->first;
	i -= set->lo;
	if (i >= set->nr_words)
		return CSET_END;
	word = set->words[i] & ~UINT64_C(0) << from % 64;
	while (!word) {
		if (++i >= set->nr_words)
			return CSET_END;
		word = set->words[i];
	}
	return (set->lo + i) * 64 + (uint32_t)__builtin_ctzll(word);
}

uint32_t cset_last(const struct cset *set)
{
	if (!set->nr_words)
		return CSET_END;
	return (set->lo + set->nr_words) * 64 - 1 -
	       (uint32_t)__builtin_clzll(set->words[set->nr_words - 1]);
}

void cset_print(const struct cset *set, struct strbuf *sb)
{
	const char *comma = "";
	uint32_t first, last;

	for (first = set->first; first != CSET_END; first = cset_next(set, last)) {
		for (last = first + 1; cset_test(set, last); last++)
			;
		strbuf_addf(sb, "%s%u", comma, first);
		if (last - first > 1)
			strbuf_addf(sb, "-%u", last - 1);
		comma = ",";
	}
}
