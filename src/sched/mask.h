/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/mask.h - words of 64 CPUs each, for sets that change within an event; those that stay are csets. */
#ifndef SCHED_MASK_H
#define SCHED_MASK_H

#include "topo/cset.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MASK_END UINT32_MAX

static inline uint32_t mask_words(uint32_t nr_cpus)
{
	return (nr_cpus + 63) / 64;
}

static inline bool mask_test(const uint64_t *mask, uint32_t cpu)
{
	return mask[cpu / 64] >> cpu % 64 & 1;
}

static inline void mask_set(uint64_t *mask, uint32_t cpu)
{
	mask[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static inline void mask_clear(uint64_t *mask, uint32_t cpu)
{
	mask[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

static inline void mask_put(uint64_t *mask, uint32_t cpu, bool in)
{
	uint64_t bit = UINT64_C(1) << cpu % 64;

	mask[cpu / 64] = in ? mask[cpu / 64] | bit : mask[cpu / 64] & ~bit;
}

/** mask_next() - the smallest member from @from on, or MASK_END; @words of the mask */
static inline uint32_t mask_next(const uint64_t *mask, uint32_t words, uint32_t from)
{
	uint32_t i = from / 64;
	uint64_t word;

	if (i >= words)
		return MASK_END;
	for (word = mask[i] & UINT64_MAX << from % 64; !word; word = mask[i])
		if (++i == words)
			return MASK_END;
	return i * 64 + (uint32_t)__builtin_ctzll(word);
}

/** mask_of() - the members of @a and @b into the words of @a; the others stay as they are */
static inline void mask_of(uint64_t *mask, const struct cset *a, const struct cset *b)
{
	for (uint32_t i = 0; i < a->nr_words; i++)
		mask[a->lo + i] = a->words[i] & cset_word(b, a->lo + i);
}

/** mask_copy() - words of @set; the others stay as they are. mask_drop(): they become empty */
static inline void mask_copy(uint64_t *mask, const struct cset *set)
{
	memcpy(mask + set->lo, set->words, set->nr_words * sizeof(*mask));
}

static inline void mask_drop(uint64_t *mask, const struct cset *set)
{
	memset(mask + set->lo, 0, set->nr_words * sizeof(*mask));
}

/** mask_join() - the members of @a, @b and @set into the words of @set */
static inline void mask_join(uint64_t *mask, const struct cset *set, const uint64_t *a,
			     const uint64_t *b)
{
	for (uint32_t i = 0; i < set->nr_words; i++)
		mask[set->lo + i] = set->words[i] & a[set->lo + i] & b[set->lo + i];
}

/** mask_meets() - is a member of @set in the mask? */
static inline bool mask_meets(const uint64_t *mask, const struct cset *set)
{
	for (uint32_t i = 0; i < set->nr_words; i++)
		if (mask[set->lo + i] & set->words[i])
			return true;
	return false;
}

/** mask_rank() - members of @set up to @cpu */
static inline uint32_t mask_rank(const struct cset *set, uint32_t cpu)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < set->nr_words && set->lo + i < cpu / 64; i++)
		n += (uint32_t)__builtin_popcountll(set->words[i]);
	return n + (uint32_t)__builtin_popcountll(cset_word(set, cpu / 64) &
						  (UINT64_MAX >> (63 - cpu % 64)));
}

static inline void mask_andnot(uint64_t *mask, const struct cset *set)
{
	for (uint32_t i = 0; i < set->nr_words; i++)
		mask[set->lo + i] &= ~set->words[i];
}

/** mask_within() - are all members those of @set too? */
static inline bool mask_within(const uint64_t *mask, uint32_t words, const struct cset *set)
{
	for (uint32_t i = 0; i < words; i++)
		if (mask[i] & ~cset_word(set, i))
			return false;
	return true;
}

/** struct mask_walk - through the members of a set that are in a mask too, ascending; each word is read once */
struct mask_walk {
	const struct cset *set;
	const uint64_t *mask;
	uint32_t i;
	uint64_t word;
};

static inline uint64_t mask_walk_word(const struct mask_walk *w)
{
	return w->i < w->set->nr_words ? w->set->words[w->i] & w->mask[w->set->lo + w->i] : 0;
}

static inline struct mask_walk mask_walk(const struct cset *set, const uint64_t *mask)
{
	struct mask_walk w = { .set = set, .mask = mask };

	w.word = mask_walk_word(&w);
	return w;
}

static inline bool mask_walk_next(struct mask_walk *w, uint32_t *cpu)
{
	while (!w->word) {
		if (++w->i >= w->set->nr_words)
			return false;
		w->word = mask_walk_word(w);
	}
	*cpu = (w->set->lo + w->i) * 64 + (uint32_t)__builtin_ctzll(w->word);
	w->word &= w->word - 1;
	return true;
}

#define mask_for_each(cpu, set, mask)                                                              \
	for (struct mask_walk walk_ = mask_walk(set, mask); mask_walk_next(&walk_, &(cpu));)

/** struct mask_turn - through words @lo up to @end of a mask that may lose members meanwhile, from one CPU on around */
struct mask_turn {
	const uint64_t *mask;
	uint32_t lo, end;
	uint32_t start;
	uint32_t next;
	bool around;
};

static inline struct mask_turn mask_turn(const uint64_t *mask, uint32_t lo, uint32_t end,
					 uint32_t start)
{
	return (struct mask_turn){ mask, lo, end, start, start > lo * 64 ? start : lo * 64, false };
}

static inline bool mask_turn_next(struct mask_turn *t, uint32_t *cpu)
{
	uint32_t found = mask_next(t->mask, t->end, t->next);

	if (found == MASK_END && !t->around) {
		t->around = true;
		found = mask_next(t->mask, t->end, t->lo * 64);
	}
	if (found == MASK_END || (t->around && found >= t->start))
		return false;
	*cpu = found;
	t->next = found + 1;
	return true;
}

#define mask_for_each_from(cpu, mask, words, start)                                                \
	for (struct mask_turn turn_ = mask_turn(mask, 0, words, start);                            \
	     mask_turn_next(&turn_, &(cpu));)

/** mask_for_each_of() - the same within the words of @set */
#define mask_for_each_of(cpu, mask, set, start)                                                    \
	for (struct mask_turn turn_ =                                                              \
		     mask_turn(mask, (set)->lo, (set)->lo + (set)->nr_words, start);               \
	     mask_turn_next(&turn_, &(cpu));)

#endif
