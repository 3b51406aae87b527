/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/cset.h - sets of CPUs, each kept once: two equal sets of a pool are the same pointer. Memory grows
 * with the number of distinct sets. A set can't change; work on a struct cbits and intern the outcome.
 */
#ifndef TOPO_CSET_H
#define TOPO_CSET_H

#include "base/cpumask.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

#define CSET_END UINT32_MAX

/**
 * struct cset - an interned set of CPU numbers
 * @id:     0, 1, 2 ... in the order of interning; an index for tables beside the pool
 * @weight: its members
 * @first:  the smallest member, CSET_END in the empty set
 * @lo:     index of words[0] among the 64-bit words of a full mask
 * @words:  the members from word @lo on; the first and the last of the @nr_words hold a member
 */
struct cset {
	uint32_t id;
	uint32_t weight;
	uint32_t first;
	uint32_t lo;
	uint32_t nr_words;
	uint64_t words[];
};

struct cset_pool;

/**
 * struct cbits - a set in the making
 * @words: nr_words words, the full width of the pool
 *
 * cbits_new() gives an empty one, cbits_free() takes it back.
 */
struct cbits {
	uint32_t nr_words;
	uint64_t words[];
};

/** cset_pool_new() - a pool for CPU numbers 0 .. @nr_cpus - 1, at most CPUMASK_MAX */
struct cset_pool *cset_pool_new(unsigned int nr_cpus);
void cset_pool_free(struct cset_pool *pool);
unsigned int cset_pool_cpus(const struct cset_pool *pool);
uint32_t cset_pool_words(const struct cset_pool *pool); /* of a full mask */
uint32_t cset_pool_count(const struct cset_pool *pool); /* distinct sets so far */
size_t cset_pool_bytes(const struct cset_pool *pool);

struct cbits *cbits_new(const struct cset_pool *pool);
void cbits_free(struct cbits *bits);
void cbits_zero(struct cbits *bits);
void cbits_set(struct cbits *bits, unsigned int cpu);
void cbits_clear(struct cbits *bits, unsigned int cpu);
bool cbits_test(const struct cbits *bits, unsigned int cpu);
void cbits_or(struct cbits *bits, const struct cset *set);
bool cbits_intersects(const struct cbits *bits, const struct cset *set);
bool cbits_equal(const struct cbits *bits, const struct cset *set);
bool cbits_subset(const struct cbits *inner, const struct cset *outer);

/** cbits_next_outside() - smallest member >= @from of @set that is not in @bits, or CSET_END */
uint32_t cbits_next_outside(const struct cbits *bits, const struct cset *set, uint32_t from);

/** cset_intern() - the pool's set with these members; lives as long as the pool */
const struct cset *cset_intern(struct cset_pool *pool, const struct cbits *bits);
const struct cset *cset_empty(struct cset_pool *pool);
const struct cset *cset_single(struct cset_pool *pool, unsigned int cpu);
const struct cset *cset_range(struct cset_pool *pool, unsigned int first, unsigned int last);

/** cset_of_mask() - the set of a base mask; members the pool doesn't know are left out */
const struct cset *cset_of_mask(struct cset_pool *pool, const struct cpumask *mask);

/** cset_parse() - a set from list form ("0-3,8"). Return: 0 or cpumask_parse()'s error */
int cset_parse(const struct cset **set, struct cset_pool *pool, const char *text,
	       struct error *err);

const struct cset *cset_and(struct cset_pool *pool, const struct cset *a, const struct cset *b);
const struct cset *cset_or(struct cset_pool *pool, const struct cset *a, const struct cset *b);
const struct cset *cset_andnot(struct cset_pool *pool, const struct cset *a, const struct cset *b);

bool cset_subset(const struct cset *inner, const struct cset *outer);
bool cset_intersects(const struct cset *a, const struct cset *b);

/** cset_next() - smallest member >= @from, or CSET_END */
uint32_t cset_next(const struct cset *set, uint32_t from);
uint32_t cset_last(const struct cset *set); /* the largest member, CSET_END in the empty set */

#define cset_for_each(cpu, set)                                                                    \
	for ((cpu) = (set)->first; (cpu) != CSET_END; (cpu) = cset_next((set), (cpu) + 1))

/* Word @i of the full mask; 0 outside of what is kept. */
static inline uint64_t cset_word(const struct cset *set, uint32_t i)
{
	return i >= set->lo && i - set->lo < set->nr_words ? set->words[i - set->lo] : 0;
}

static inline bool cset_test(const struct cset *set, unsigned int cpu)
{
	return cset_word(set, cpu / 64) >> cpu % 64 & 1;
}

/** cset_print() - append the kernel's list form; nothing for the empty set */
void cset_print(const struct cset *set, struct strbuf *sb);

#endif
