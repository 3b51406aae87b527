// SPDX-License-Identifier: GPL-2.0-only
/* topo/groups.c - rings of groups; CPUs that link the same groups in the same order share a ring. */
#include "topo/linker.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/*
 * Plain levels: one group a child span, known by that span's first CPU.
 * @by_key: the group of a first CPU
 * @pos:    its place in the ring of its domain
 * @base:   by the first CPU of a span: the ring as the span's last CPU walks it, for all of them have the same groups, and each links
 *          them anew
 */
struct plain {
	struct group **by_key;
	unsigned int *pos;
	struct base_ring {
		const struct cset *span;
		const struct ring *ring;
	} * base;
};

/* Of CPUs in a word that all have the same capacity it is enough to know how many there are. */
static unsigned int sum_capacity(struct linker *l, const struct cset *span)
{
	unsigned int sum = 0;

	for (uint32_t i = 0; i < span->nr_words; i++) {
		unsigned int one = l->word_capacity[span->lo + i];
		uint64_t word = span->words[i];

		l->tree->looks++;
		if (one) {
			sum += one * (unsigned int)__builtin_popcountll(word);
			continue;
		}
		for (; word; word &= word - 1)
			sum += l->m->cpu[(span->lo + i) * 64 + (uint32_t)__builtin_ctzll(word)]
				       .capacity;
	}
	return sum;
}

static void find_word_capacities(struct linker *l)
{
	for (unsigned int cpu = 0; cpu < l->m->nr_cpus; cpu++) {
		unsigned int *word = &l->word_capacity[cpu / 64];

		if (cpu % 64 == 0)
			*word = l->m->cpu[cpu].capacity;
		else if (*word != l->m->cpu[cpu].capacity)
			*word = 0;
	}
}

struct group *linker_group(struct linker *l, const struct cset *span, const struct cset *balance,
			   unsigned int flags, unsigned int id)
{
	struct group *g = arena_alloc(l->tree->arena, sizeof(*g));
	uint32_t width = cset_pool_words(l->m->pool);

	*g = (struct group){
		.span = span,
		.balance = balance,
		.flags = flags,
		.id = id,
		.capacity = sum_capacity(l, span),
	};
	mask_ops_add(&l->tree->build, OP_COPY, 2, width);
	mask_ops_add(&l->tree->build, OP_WEIGHT, 1, width);
	return g;
}

const struct ring *linker_ring(struct linker *l, unsigned int nr)
{
	struct ring *ring =
		arena_alloc(l->tree->arena, sizeof(*ring) + nr * sizeof(struct group *));

	ring->nr = nr;
	memcpy(ring->group, l->scratch, nr * sizeof(struct group *));
	return ring;
}

bool linker_same_order(struct linker *l, struct seen_ring *seen, const struct domain *sd,
		       unsigned int cpu, const struct cset *child)
{
	if (!seen->ring || seen->span != sd->span || seen->child != child)
		return false;
	for (; seen->upto < cpu; seen->upto = cset_next(sd->span, seen->upto + 1)) {
		l->tree->looks++;
		if (!cset_test(child, seen->upto))
			return false;
	}
	return true;
}

uint32_t linker_next(struct linker *l, const struct cset *span, uint32_t from)
{
	l->tree->looks++;
	return cbits_next_outside(l->covered, span, from);
}

static unsigned int plain_key(const struct linker *l, unsigned int table, unsigned int cpu)
{
	const struct domain *child = domain_at(l->tree, cpu, table)->child;

	return child ? child->span->first : cpu;
}

static struct group *plain_group(struct linker *l, struct plain *p, unsigned int table,
				 unsigned int cpu)
{
	const struct domain *child = domain_at(l->tree, cpu, table)->child;
	unsigned int key = plain_key(l, table, cpu);
	const struct cset *span;

	if (p->by_key[key])
		return p->by_key[key];
	span = child ? child->span : cset_single(l->m->pool, key);
	return p->by_key[key] = linker_group(l, span, span, child ? child->flags : 0, key);
}

/* Appends the groups of CPUs of @span in [from, to) to @scratch[nr]. Returns how many there are then. */
static unsigned int plain_part(struct linker *l, struct plain *p, unsigned int table,
			       const struct cset *span, uint32_t from, uint32_t to, unsigned int nr)
{
	uint32_t i;

	for (i = linker_next(l, span, from); i < to; i = linker_next(l, span, i + 1)) {
		struct group *g = plain_group(l, p, table, i);

		cbits_or(l->covered, g->span);
		l->scratch[nr++] = g;
	}
	return nr;
}

/* The groups of @span from @start on, around. Returns how many. */
static unsigned int plain_walk(struct linker *l, struct plain *p, unsigned int table,
			       const struct cset *span, unsigned int start)
{
	unsigned int nr;

	cbits_zero(l->covered);
	nr = plain_part(l, p, table, span, start, CSET_END, 0);
	return plain_part(l, p, table, span, 0, start, nr);
}

static const struct base_ring *base_ring(struct linker *l, struct plain *p, unsigned int table,
					 const struct cset *span)
{
	struct base_ring *base = &p->base[span->first];
	unsigned int nr;

	if (base->span == span)
		return base;
	nr = plain_walk(l, p, table, span, cset_last(span));
	for (unsigned int i = 0; i < nr; i++)
		p->pos[l->scratch[i]->id] = i;
	*base = (struct base_ring){ span, linker_ring(l, nr) };
	return base;
}

static void plain_link(struct linker *l, struct plain *p, unsigned int table, unsigned int cpu)
{
	struct domain *sd = domain_at(l->tree, cpu, table);
	const struct base_ring *base = base_ring(l, p, table, sd->span);
	unsigned int key = plain_key(l, table, cpu), pos = p->pos[key], nr;
	/* the place is that of the last ring that had such a group, which may be another one */
	bool placed = pos < base->ring->nr && base->ring->group[pos]->id == key;
	struct seen_ring *seen = &l->seen[key];

	mask_ops_add(&l->tree->build, OP_TEST_BIT, sd->span->weight, 1);
	if (placed) {
		sd->ring = base->ring;
		sd->start = pos;
		return;
	}
	if (sd->child && linker_same_order(l, seen, sd, cpu, sd->child->span)) {
		sd->ring = seen->ring;
		return;
	}
	nr = plain_walk(l, p, table, sd->span, cpu);
	sd->ring = linker_ring(l, nr);
	if (sd->child)
		*seen = (struct seen_ring){ sd->span, sd->child->span, sd->ring, cpu };
}

static void link_level(struct linker *l, struct plain *p, struct overlap *o, unsigned int table)
{
	const struct domain_tree *tree = l->tree;
	unsigned int n = l->m->nr_cpus, cpu;

	memset(p->by_key, 0, n * sizeof(*p->by_key));
	memset(p->base, 0, n * sizeof(*p->base));
	memset(l->seen, 0, n * sizeof(*l->seen));
	cset_for_each (cpu, tree->map) {
		struct domain *sd = domain_at(tree, cpu, table);

		if (!sd->span)
			continue;
		if (tree->levels.level[table].overlap)
			overlap_link(l, o, table, cpu);
		else
			plain_link(l, p, table, cpu);
		sd->first_flags = domain_group(sd, 0)->flags;
	}
}

void domains_link_groups(struct domain_tree *tree)
{
	unsigned int n = tree->machine->nr_cpus;
	struct linker l = {
		.tree = tree,
		.m = tree->machine,
		.covered = cbits_new(tree->machine->pool),
		.scratch = xcalloc(n, sizeof(*l.scratch)),
		.seen = xcalloc(n, sizeof(*l.seen)),
		.word_capacity =
			xcalloc(cset_pool_words(tree->machine->pool), sizeof(*l.word_capacity)),
	};
	struct plain p = {
		.by_key = xcalloc(n, sizeof(*p.by_key)),
		.pos = xcalloc(n, sizeof(*p.pos)),
		.base = xcalloc(n, sizeof(*p.base)),
	};
	struct overlap *o = overlap_new(&l);

	find_word_capacities(&l);
	for (unsigned int table = 0; table < tree->levels.nr; table++)
		link_level(&l, &p, o, table);
	overlap_free(o);
	free(p.by_key);
	free(p.pos);
	free(p.base);
	cbits_free(l.covered);
	free(l.scratch);
	free(l.seen);
	free(l.word_capacity);
}
