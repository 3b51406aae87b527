// SPDX-License-Identifier: GPL-2.0-only
/* topo/groups.c - rings of groups; CPUs that link the same groups in the same order share a ring. */
#include "topo/domains.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The last ring made for the CPUs of one child span: its domain's span, and the CPU it starts from. */
struct seen_ring {
	const struct cset *span, *child;
	const struct ring *ring;
	unsigned int cpu;
};

/* Overlapping groups: one object a (level of its source, span), in a hash table. */
struct overlap_slot {
	const struct cset *span;
	unsigned int table;
	struct group *group;
};

struct linker {
	struct domain_tree *tree;
	const struct machine *m;
	struct cbits *covered;
	struct group **scratch;	  /* a ring in the making */
	struct group **by_key;	  /* plain level: the group of a first CPU */
	unsigned int *pos_of_key; /* plain level: its index in the shared ring */
	struct seen_ring *shared; /* plain level: the ring that all CPUs of a span share */
	struct seen_ring *seen;	  /* by first CPU of the child's span */
	struct overlap_slot *slots;
	uint32_t nr_slots, nr_used;
};

static unsigned int sum_capacity(const struct machine *m, const struct cset *span)
{
	unsigned int cpu, sum = 0;

	cset_for_each (cpu, span)
		sum += m->cpu[cpu].capacity;
	return sum;
}

static struct group *new_group(struct linker *l, const struct cset *span,
			       const struct cset *balance, unsigned int flags, unsigned int id)
{
	struct group *g = arena_alloc(l->tree->arena, sizeof(*g));
	uint32_t width = cset_pool_words(l->m->pool);

	*g = (struct group){
		.span = span,
		.balance = balance,
		.flags = flags,
		.id = id,
		.capacity = sum_capacity(l->m, span),
	};
	mask_ops_add(&l->tree->build, OP_COPY, 2, width);
	mask_ops_add(&l->tree->build, OP_WEIGHT, 1, width);
	return g;
}

static const struct ring *new_ring(struct linker *l, unsigned int nr)
{
	struct ring *ring =
		arena_alloc(l->tree->arena, sizeof(*ring) + nr * sizeof(struct group *));

	ring->nr = nr;
	memcpy(ring->group, l->scratch, nr * sizeof(struct group *));
	return ring;
}

static unsigned int plain_key(const struct linker *l, unsigned int table, unsigned int cpu)
{
	const struct domain *child = domain_at(l->tree, cpu, table)->child;

	return child ? child->span->first : cpu;
}

static struct group *plain_group(struct linker *l, unsigned int table, unsigned int cpu)
{
	const struct domain *child = domain_at(l->tree, cpu, table)->child;
	unsigned int key = plain_key(l, table, cpu);
	const struct cset *span;

	if (l->by_key[key])
		return l->by_key[key];
	span = child ? child->span : cset_single(l->m->pool, key);
	return l->by_key[key] = new_group(l, span, span, child ? child->flags : 0, key);
}

/* The groups of @span from @start on, around. Returns how many. */
static unsigned int plain_walk(struct linker *l, unsigned int table, const struct cset *span,
			       unsigned int start)
{
	unsigned int nr = 0;
	uint32_t i = start;

	cbits_zero(l->covered);
	do {
		if (!cbits_test(l->covered, i)) {
			struct group *g = plain_group(l, table, i);

			cbits_or(l->covered, g->span);
			l->scratch[nr++] = g;
		}
		i = cset_next(span, i + 1);
		if (i == CSET_END)
			i = span->first;
	} while (i != start);
	return nr;
}

/* Is each group one run in the order of the span's CPUs, and whole within it? */
static bool runs(struct linker *l, unsigned int table, const struct cset *span, unsigned int nr)
{
	unsigned int cpu, changes = 0, last = CSET_END;

	cset_for_each (cpu, span) {
		unsigned int key = plain_key(l, table, cpu);

		changes += key != last;
		last = key;
	}
	return changes == nr;
}

/* The ring that all CPUs of the span turn around in, or NULL if each has its own order. */
static const struct ring *shared_ring(struct linker *l, unsigned int table, const struct cset *span)
{
	struct seen_ring *known = &l->shared[span->first];
	unsigned int nr;

	if (known->span == span)
		return known->ring;
	*known = (struct seen_ring){ .span = span };
	nr = plain_walk(l, table, span, span->first);
	if (!runs(l, table, span, nr))
		return NULL;
	for (unsigned int i = 0; i < nr; i++)
		l->pos_of_key[l->scratch[i]->id] = i;
	return known->ring = new_ring(l, nr);
}

/* Nothing but CPUs of @child lies between, so the walk from @cpu meets the groups in the same order. */
static bool same_order(const struct seen_ring *seen, const struct domain *sd, unsigned int cpu,
		       const struct cset *child)
{
	if (!seen->ring || seen->span != sd->span || seen->child != child || seen->cpu > cpu)
		return false;
	for (uint32_t i = seen->cpu; i < cpu; i = cset_next(sd->span, i + 1))
		if (!cset_test(child, i))
			return false;
	return true;
}

static void link_plain(struct linker *l, unsigned int table, unsigned int cpu)
{
	struct domain *sd = domain_at(l->tree, cpu, table);
	const struct ring *ring = shared_ring(l, table, sd->span);
	unsigned int key = plain_key(l, table, cpu), pos = l->pos_of_key[key];
	struct seen_ring *seen = &l->seen[key];

	mask_ops_add(&l->tree->build, OP_TEST_BIT, sd->span->weight, 1);
	/* the place is that of the last ring that had such a group, which may be another one */
	if (ring && pos < ring->nr && ring->group[pos]->id == key) {
		sd->ring = ring;
		sd->start = pos;
		return;
	}
	if (sd->child && same_order(seen, sd, cpu, sd->child->span)) {
		sd->ring = seen->ring;
		return;
	}
	sd->ring = new_ring(l, plain_walk(l, table, sd->span, cpu));
	if (sd->child)
		*seen = (struct seen_ring){ sd->span, sd->child->span, sd->ring, cpu };
}

/* The domain that CPU @i offers for a group of @sd. */
static const struct domain *overlap_source(const struct linker *l, const struct domain *sd,
					   unsigned int i)
{
	const struct domain *s = domain_at(l->tree, i, sd->table);

	if (!l->tree->release.topo_diameter_fix || !s->child ||
	    cset_subset(s->child->span, sd->span))
		return s;
	while (s->child && !cset_subset(s->child->span, sd->span))
		s = s->child;
	while (s->child && s->child->span == s->span)
		s = s->child;
	return s;
}

/* CPUs of @span whose child at the source's level spans just that: they may balance it. */
static const struct cset *balance_mask(struct linker *l, const struct domain *s,
				       const struct cset *span)
{
	struct cbits *bits = cbits_new(l->m->pool);
	const struct cset *mask;
	unsigned int cpu;

	cset_for_each (cpu, span) {
		const struct domain *other = domain_at(l->tree, cpu, s->table);

		if (other->span && other->child && other->child->span == span)
			cbits_set(bits, cpu);
	}
	mask = cset_intern(l->m->pool, bits);
	cbits_free(bits);
	return mask->weight ? mask : span;
}

static void grow_slots(struct linker *l)
{
	struct overlap_slot *old = l->slots;
	uint32_t nr_old = l->nr_slots;

	l->nr_slots = nr_old ? nr_old * 2 : 64;
	l->slots = xcalloc(l->nr_slots, sizeof(*l->slots));
	for (uint32_t i = 0; i < nr_old; i++) {
		uint32_t at = old[i].group ? old[i].span->id * 31 + old[i].table : 0;

		if (!old[i].group)
			continue;
		while (l->slots[at & (l->nr_slots - 1)].group)
			at++;
		l->slots[at & (l->nr_slots - 1)] = old[i];
	}
	free(old);
}

static struct group *overlap_group(struct linker *l, const struct domain *s)
{
	const struct cset *span = s->child ? s->child->span : s->span;
	struct overlap_slot *slot;
	const struct cset *balance;
	uint32_t at;

	if (l->nr_used * 2 >= l->nr_slots)
		grow_slots(l);
	for (at = span->id * 31 + s->table;; at++) {
		slot = &l->slots[at & (l->nr_slots - 1)];
		if (!slot->group)
			break;
		if (slot->span == span && slot->table == s->table)
			return slot->group;
	}
	balance = balance_mask(l, s, span);
	*slot = (struct overlap_slot){
		.span = span,
		.table = s->table,
		.group =
			new_group(l, span, balance, s->child ? s->child->flags : 0, balance->first),
	};
	l->nr_used++;
	return slot->group;
}

static unsigned int overlap_walk(struct linker *l, const struct domain *sd, unsigned int start)
{
	unsigned int nr = 0;
	uint32_t i = start;

	cbits_zero(l->covered);
	do {
		const struct domain *s = domain_at(l->tree, i, sd->table);

		if (!cbits_test(l->covered, i) && s->span && cset_test(s->span, i)) {
			struct group *g = overlap_group(l, overlap_source(l, sd, i));

			cbits_or(l->covered, g->span);
			l->scratch[nr++] = g;
		}
		i = cset_next(sd->span, i + 1);
		if (i == CSET_END)
			i = sd->span->first;
	} while (i != start);
	return nr;
}

static void link_overlap(struct linker *l, unsigned int table, unsigned int cpu)
{
	struct domain *sd = domain_at(l->tree, cpu, table);
	const struct cset *child = sd->child ? sd->child->span : sd->span;
	struct seen_ring *seen = &l->seen[child->first];

	mask_ops_add(&l->tree->build, OP_TEST_BIT, sd->span->weight, 1);
	if (same_order(seen, sd, cpu, child)) {
		sd->ring = seen->ring;
		return;
	}
	sd->ring = new_ring(l, overlap_walk(l, sd, cpu));
	*seen = (struct seen_ring){ sd->span, child, sd->ring, cpu };
}

static void link_level(struct linker *l, unsigned int table)
{
	const struct domain_tree *tree = l->tree;
	unsigned int n = l->m->nr_cpus, cpu;

	memset(l->by_key, 0, n * sizeof(*l->by_key));
	memset(l->shared, 0, n * sizeof(*l->shared));
	memset(l->seen, 0, n * sizeof(*l->seen));
	cset_for_each (cpu, tree->map) {
		struct domain *sd = domain_at(tree, cpu, table);

		if (!sd->span)
			continue;
		if (tree->levels.level[table].overlap)
			link_overlap(l, table, cpu);
		else
			link_plain(l, table, cpu);
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
		.by_key = xcalloc(n, sizeof(*l.by_key)),
		.pos_of_key = xcalloc(n, sizeof(*l.pos_of_key)),
		.shared = xcalloc(n, sizeof(*l.shared)),
		.seen = xcalloc(n, sizeof(*l.seen)),
	};

	for (unsigned int table = 0; table < tree->levels.nr; table++)
		link_level(&l, table);
	cbits_free(l.covered);
	free(l.scratch);
	free(l.by_key);
	free(l.pos_of_key);
	free(l.shared);
	free(l.seen);
	free(l.slots);
}
