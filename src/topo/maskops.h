/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/maskops.h - how many mask operations a kernel does, and how many 64-bit words they touch. The
 * sets here are interned and cost next to nothing; these are the operations of the kernel's own masks.
 */
#ifndef TOPO_MASKOPS_H
#define TOPO_MASKOPS_H

#include "topo/cset.h"

enum mask_op {
	OP_FIRST,
	OP_TEST_BIT,
	OP_SET_BIT,
	OP_EQUAL,
	OP_INTERSECTS,
	OP_SUBSET,
	OP_AND,
	OP_OR,
	OP_ANDNOT,
	OP_COPY,
	OP_CLEAR,
	OP_WEIGHT,
	OP_ARRAY_WIPE, /* linear_array clears an array of pointers, a word a CPU */
	NR_MASK_OPS,
};

extern const char *const mask_op_names[NR_MASK_OPS];

/**
 * struct mask_ops - operations and words
 * @count: by enum mask_op
 * @words: touched, by enum mask_op. test_bit and set_bit touch one; first, equal, intersects and
 *         subset stop at the word that decides; the rest take the full width of a mask
 */
struct mask_ops {
	uint64_t count[NR_MASK_OPS];
	uint64_t words[NR_MASK_OPS];
};

static inline void mask_ops_add(struct mask_ops *ops, enum mask_op op, uint64_t n, uint64_t words)
{
	ops->count[op] += n;
	ops->words[op] += n * words;
}

void mask_ops_sum(struct mask_ops *to, const struct mask_ops *from);
uint64_t mask_ops_words(const struct mask_ops *ops);

/* Words that the operation reads before it knows; @width is that of a full mask. */
uint32_t words_equal(const struct cset *a, const struct cset *b, uint32_t width);
uint32_t words_intersects(const struct cset *a, const struct cset *b, uint32_t width);
uint32_t words_subset(const struct cset *inner, const struct cset *outer, uint32_t width);
uint32_t words_first(const struct cset *set, uint32_t width);

#endif
