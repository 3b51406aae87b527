// SPDX-License-Identifier: GPL-2.0-only
#include "topo/maskops.h"

const char *const mask_op_names[NR_MASK_OPS] = {
	[OP_FIRST] = "first",
	[OP_TEST_BIT] = "test_bit",
	[OP_SET_BIT] = "set_bit",
	[OP_EQUAL] = "equal",
	[OP_INTERSECTS] = "intersects",
	[OP_SUBSET] = "subset",
	[OP_AND] = "and",
	[OP_OR] = "or",
	[OP_ANDNOT] = "andnot",
	[OP_COPY] = "copy",
	[OP_CLEAR] = "clear",
	[OP_WEIGHT] = "weight",
	[OP_ARRAY_WIPE] = "array_wipe",
};

void mask_ops_sum(struct mask_ops *to, const struct mask_ops *from)
{
	for (unsigned int i = 0; i < NR_MASK_OPS; i++) {
		to->count[i] += from->count[i];
		to->words[i] += from->words[i];
	}
}

uint64_t mask_ops_words(const struct mask_ops *ops)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < NR_MASK_OPS; i++)
		sum += ops->words[i];
	return sum;
}

static uint32_t end_of(const struct cset *set)
{
	return set->lo + set->nr_words;
}

uint32_t words_equal(const struct cset *a, const struct cset *b, uint32_t width)
{
	uint32_t i, end;

	if (a == b)
		return width;
	/* the first word in which they differ */
	i = a->lo < b->lo ? a->lo : b->lo;
	end = end_of(a) > end_of(b) ? end_of(a) : end_of(b);
	while (i < end && cset_word(a, i) == cset_word(b, i))
		i++;
	return i + 1;
}

uint32_t words_intersects(const struct cset *a, const struct cset *b, uint32_t width)
{
	uint32_t i = a->lo > b->lo ? a->lo : b->lo;
	uint32_t end = end_of(a) < end_of(b) ? end_of(a) : end_of(b);

	for (; i < end; i++)
		if (cset_word(a, i) & cset_word(b, i))
			return i + 1;
	return width;
}

uint32_t words_subset(const struct cset *inner, const struct cset *outer, uint32_t width)
{
	for (uint32_t i = inner->lo; i < end_of(inner); i++)
		if (cset_word(inner, i) & ~cset_word(outer, i))
			return i + 1;
	return width;
}

uint32_t words_first(const struct cset *set, uint32_t width)
{
	return set->weight ? set->lo + 1 : width;
}
