// SPDX-License-Identifier: GPL-2.0-only
#include "topo/spancheck.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct cset *mask_of(const struct span_check_in *in, unsigned int level,
				  unsigned int cpu)
{
	if (in->node_mask && !strcmp(in->level[level].name, "NODE"))
		return in->node_mask[cpu];
	return in->level[level].mask[cpu];
}

/* One pair as the kernel compares it. Return: true if it is insane. */
static bool compare_pair(struct mask_ops *ops, const struct cset *a, const struct cset *b,
			 uint32_t width)
{
	mask_ops_add(ops, OP_EQUAL, 1, words_equal(a, b, width));
	if (a == b)
		return false;
	mask_ops_add(ops, OP_INTERSECTS, 1, words_intersects(a, b, width));
	return cset_intersects(a, b);
}

/* The pairs one by one, in the kernel's order, to the first insane one. */
static void pairwise_walk(struct span_check_out *out, bool half, const struct span_check_in *in)
{
	uint32_t width = cset_pool_words(in->pool);
	unsigned int cpu, i;

	cset_for_each (cpu, in->map)
		for (unsigned int level = 0; level < in->nr && level < in->built[cpu]; level++) {
			if (in->level[level].overlap)
				continue;
			for (i = half ? cset_next(in->map, cpu + 1) : in->map->first; i != CSET_END;
			     i = cset_next(in->map, i + 1)) {
				if (i == cpu || !compare_pair(&out->ops, mask_of(in, level, cpu),
							      mask_of(in, level, i), width))
					continue;
				out->sane = false;
				out->level = level;
				out->cpu = cpu;
				return;
			}
		}
}

/* CPUs of one mask at one level. */
struct mask_class {
	const struct cset *mask;
	uint64_t members;
};

/* By the first word with a member, the empty mask last; equal masks side by side. */
static int compare_class(const void *a, const void *b)
{
	const struct mask_class *x = a, *y = b;
	uint32_t lo_x = x->mask->weight ? x->mask->lo : UINT32_MAX;
	uint32_t lo_y = y->mask->weight ? y->mask->lo : UINT32_MAX;

	if (lo_x != lo_y)
		return lo_x < lo_y ? -1 : 1;
	return x->mask->id < y->mask->id ? -1 : x->mask->id > y->mask->id;
}

/* Fills class[]; returns how many. Masks of the map's CPUs only. */
static unsigned int find_classes(struct mask_class *class, const struct span_check_in *in,
				 unsigned int level)
{
	unsigned int cpu, n = 0, nr = 0;

	cset_for_each (cpu, in->map)
		class[n++] = (struct mask_class){ mask_of(in, level, cpu), 1 };
	qsort(class, n, sizeof(*class), compare_class);
	for (unsigned int i = 0; i < n; i++) {
		if (nr && class[nr - 1].mask == class[i].mask)
			class[nr - 1].members++;
		else
			class[nr++] = class[i];
	}
	return nr;
}

/*
 * Words that intersects reads of all pairs of classes: of two sane masks none meets, so each pair reads
 * the whole width. Words of equal: the whole width within a class; else to the first word in which one
 * has a member, which is that of the class that comes first in this order.
 */
static void count_pairs(struct mask_ops *ops, const struct mask_class *class, unsigned int nr,
			uint64_t cpus, uint32_t width, bool half)
{
	uint64_t later = cpus;

	for (unsigned int i = 0; i < nr; i++) {
		uint64_t members = class[i].members, same = members * (members - 1);
		uint64_t pairs;

		later -= members;
		pairs = members * later * 2;
		mask_ops_add(ops, OP_EQUAL, half ? same / 2 : same, width);
		mask_ops_add(ops, OP_EQUAL, half ? pairs / 2 : pairs, class[i].mask->lo + 1);
		mask_ops_add(ops, OP_INTERSECTS, half ? pairs / 2 : pairs, width);
	}
}

/* Is this level checked by every CPU, or by none? */
static bool uniform(const struct span_check_in *in, unsigned int level, bool *checked)
{
	unsigned int cpu;

	*checked = level < in->built[in->map->first];
	cset_for_each (cpu, in->map)
		if ((level < in->built[cpu]) != *checked)
			return false;
	return true;
}

static bool classes_sane(const struct mask_class *class, unsigned int nr, struct cbits *covered)
{
	cbits_zero(covered);
	for (unsigned int i = 0; i < nr; i++) {
		if (cbits_intersects(covered, class[i].mask))
			return false;
		cbits_or(covered, class[i].mask);
	}
	return true;
}

static void pairwise(struct span_check_out *out, bool half, const struct span_check_in *in)
{
	struct mask_class *class = xcalloc(in->map->weight, sizeof(*class));
	struct cbits *covered = cbits_new(in->pool);
	uint32_t width = cset_pool_words(in->pool);
	bool plain = true, checked;

	for (unsigned int level = 0; level < in->nr && plain; level++) {
		unsigned int nr;

		if (in->level[level].overlap)
			continue;
		plain = uniform(in, level, &checked);
		if (!plain || !checked)
			continue;
		nr = find_classes(class, in, level);
		plain = classes_sane(class, nr, covered);
		if (plain)
			count_pairs(&out->ops, class, nr, in->map->weight, width, half);
	}
	cbits_free(covered);
	free(class);
	if (plain)
		return;
	out->ops = (struct mask_ops){ 0 };
	pairwise_walk(out, half, in);
}

static void fell(struct span_check_out *out, unsigned int level, unsigned int cpu)
{
	out->sane = false;
	out->level = level;
	out->cpu = cpu;
}

static uint32_t words_with_bits(const struct cbits *bits, const struct cset *set, uint32_t width)
{
	for (uint32_t i = 0; i < set->nr_words; i++)
		if (bits->words[set->lo + i] & set->words[i])
			return set->lo + i + 1;
	return width;
}

struct linear {
	const struct span_check_in *in;
	struct span_check_out *out;
	struct cbits *covered;
	const struct cset **of_first; /* the mask that was seen with this first CPU */
	uint32_t width;
};

/* Return: false if it is insane. */
static bool linear_idset_one(struct linear *l, const struct cset *mask, const struct cset *id_mask)
{
	struct mask_ops *ops = &l->out->ops;

	mask_ops_add(ops, OP_TEST_BIT, 1, 1);
	if (l->of_first[mask->first]) {
		/* the mask of the CPU that is the first, not the one that was seen */
		mask_ops_add(ops, OP_EQUAL, 1, words_equal(id_mask, mask, l->width));
		return id_mask == mask;
	}
	mask_ops_add(ops, OP_INTERSECTS, 1, words_with_bits(l->covered, mask, l->width));
	if (cbits_intersects(l->covered, mask))
		return false;
	mask_ops_add(ops, OP_OR, 1, l->width);
	mask_ops_add(ops, OP_SET_BIT, 1, 1);
	cbits_or(l->covered, mask);
	l->of_first[mask->first] = mask;
	return true;
}

static bool linear_array_one(struct linear *l, const struct cset *mask)
{
	struct mask_ops *ops = &l->out->ops;

	mask_ops_add(ops, OP_INTERSECTS, 1, words_with_bits(l->covered, mask, l->width));
	if (!cbits_intersects(l->covered, mask)) {
		mask_ops_add(ops, OP_OR, 1, l->width);
		cbits_or(l->covered, mask);
		l->of_first[mask->first] = mask;
		return true;
	}
	if (!l->of_first[mask->first])
		return false;
	mask_ops_add(ops, OP_EQUAL, 1, words_equal(l->of_first[mask->first], mask, l->width));
	return l->of_first[mask->first] == mask;
}

static const struct cset *linear_mask(const struct span_check_in *in, enum span_check how,
				      unsigned int level, unsigned int cpu)
{
	if (how == SPAN_SDSPAN)
		return in->span[(size_t)cpu * in->nr + level];
	return mask_of(in, level, cpu);
}

/* Return: false if it is insane. */
static bool linear_level(struct linear *l, enum span_check how, unsigned int level)
{
	const struct span_check_in *in = l->in;
	unsigned int cpu;

	mask_ops_add(&l->out->ops, OP_CLEAR, how == SPAN_LINEAR_ARRAY ? 1 : 2, l->width);
	if (how == SPAN_LINEAR_ARRAY)
		mask_ops_add(&l->out->ops, OP_ARRAY_WIPE, 1, cset_pool_cpus(in->pool));
	cbits_zero(l->covered);
	memset(l->of_first, 0, cset_pool_cpus(in->pool) * sizeof(struct cset *));
	cset_for_each (cpu, in->map) {
		const struct cset *mask = linear_mask(in, how, level, cpu);
		bool sane;

		if (!mask)
			continue; /* sdspan: this level was not built for the CPU */
		mask_ops_add(&l->out->ops, OP_FIRST, 1, words_first(mask, l->width));
		if (!mask->weight)
			continue;
		if (how == SPAN_LINEAR_ARRAY)
			sane = linear_array_one(l, mask);
		else
			sane = linear_idset_one(l, mask, linear_mask(in, how, level, mask->first));
		if (!sane) {
			fell(l->out, level, cpu);
			return false;
		}
	}
	return true;
}

static void linear(struct span_check_out *out, enum span_check how, const struct span_check_in *in)
{
	struct linear l = {
		.in = in,
		.out = out,
		.covered = cbits_new(in->pool),
		.of_first = xcalloc(cset_pool_cpus(in->pool), sizeof(struct cset *)),
		.width = cset_pool_words(in->pool),
	};

	for (unsigned int level = 0; level < in->nr; level++)
		if (!in->level[level].overlap && !linear_level(&l, how, level))
			break;
	cbits_free(l.covered);
	free(l.of_first);
}

void span_check_run(struct span_check_out *out, enum span_check how, const struct span_check_in *in)
{
	*out = (struct span_check_out){ .sane = true };
	if (how == SPAN_PAIRWISE_FULL || how == SPAN_PAIRWISE_HALF)
		pairwise(out, how == SPAN_PAIRWISE_HALF, in);
	else
		linear(out, how, in);
}
