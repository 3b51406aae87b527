// SPDX-License-Identifier: GPL-2.0-only
/* topo/overlap.c - rings of levels whose groups may overlap. */
#include "topo/linker.h"

#include "base/mem.h"

#include <stdlib.h>

/* One group object a (level of its source, span), in a hash table. */
struct slot {
	const struct cset *span;
	unsigned int table;
	struct group *group;
};

/* CPUs of one level whose child spans the same: they may balance a group of that span. */
struct balancers {
	uint32_t child; /* id of the child's span */
	uint32_t cpu;
};

/*
 * @balancers: balancers[table]: CPUs by child's span, so that all CPUs of a span stand side by side; made when
 *             the first group of the level is
 */
struct overlap {
	struct slot *slots;
	uint32_t nr_slots, nr_used;
	struct balancers **balancers;
	unsigned int nr_tables, nr_cpus;
};

struct overlap *overlap_new(const struct linker *l)
{
	struct overlap *o = xcalloc(1, sizeof(*o));

	o->nr_tables = l->tree->levels.nr;
	o->nr_cpus = l->tree->map->weight;
	o->balancers = xcalloc(o->nr_tables, sizeof(struct balancers *));
	return o;
}

void overlap_free(struct overlap *o)
{
	for (unsigned int i = 0; i < o->nr_tables; i++)
		free(o->balancers[i]);
	free(o->balancers);
	free(o->slots);
	free(o);
}

static int compare_balancers(const void *a, const void *b)
{
	const struct balancers *x = a, *y = b;

	if (x->child != y->child)
		return x->child < y->child ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static struct balancers *find_balancers(struct linker *l, struct overlap *o, unsigned int table)
{
	struct balancers *list = o->balancers[table];
	unsigned int cpu, n = 0;

	if (list)
		return list;
	list = o->balancers[table] = xcalloc(o->nr_cpus, sizeof(*list));
	cset_for_each (cpu, l->tree->map) {
		const struct domain *sd = domain_at(l->tree, cpu, table);

		/* CPUs without such a domain come last */
		list[n++] = (struct balancers){ sd->span && sd->child ? sd->child->span->id
								      : UINT32_MAX,
						cpu };
	}
	l->tree->looks += n;
	qsort(list, n, sizeof(*list), compare_balancers);
	return list;
}

/* CPUs of @span whose child at the source's level spans just that: they may balance it. */
static const struct cset *balance_mask(struct linker *l, struct overlap *o, const struct domain *s,
				       const struct cset *span)
{
	const struct balancers *list = find_balancers(l, o, s->table);
	struct cbits *bits = cbits_new(l->m->pool);
	unsigned int from = 0, to = o->nr_cpus;
	const struct cset *mask;

	while (from < to) {
		unsigned int middle = from + (to - from) / 2;

		if (list[middle].child < span->id)
			from = middle + 1;
		else
			to = middle;
	}
	for (; from < o->nr_cpus && list[from].child == span->id; from++)
		if (cset_test(span, list[from].cpu))
			cbits_set(bits, list[from].cpu);
	mask = cset_intern(l->m->pool, bits);
	cbits_free(bits);
	return mask->weight ? mask : span;
}

static uint32_t slot_of(const struct overlap *o, const struct cset *span, unsigned int table)
{
	uint32_t at = span->id * 31 + table;

	for (;; at++) {
		const struct slot *slot = &o->slots[at & (o->nr_slots - 1)];

		if (!slot->group || (slot->span == span && slot->table == table))
			return at & (o->nr_slots - 1);
	}
}

static void grow_slots(struct overlap *o)
{
	struct slot *old = o->slots;
	uint32_t nr_old = o->nr_slots;

	o->nr_slots = nr_old ? nr_old * 2 : 64;
	o->slots = xcalloc(o->nr_slots, sizeof(*o->slots));
	for (uint32_t i = 0; i < nr_old; i++)
		if (old[i].group)
			o->slots[slot_of(o, old[i].span, old[i].table)] = old[i];
	free(old);
}

static struct group *overlap_group(struct linker *l, struct overlap *o, const struct domain *s)
{
	const struct cset *span = s->child ? s->child->span : s->span, *balance;
	struct slot *slot;

	if (o->nr_used * 2 >= o->nr_slots)
		grow_slots(o);
	slot = &o->slots[slot_of(o, span, s->table)];
	if (slot->group)
		return slot->group;
	balance = balance_mask(l, o, s, span);
	*slot = (struct slot){
		.span = span,
		.table = s->table,
		.group = linker_group(l, span, balance, s->child ? s->child->flags : 0,
				      balance->first),
	};
	o->nr_used++;
	return slot->group;
}

static bool child_within(struct linker *l, unsigned int cpu, unsigned int table,
			 const struct cset *span)
{
	const struct domain *child = domain_at(l->tree, cpu, table)->child;

	l->tree->looks++;
	return !child || cset_subset(child->span, span);
}

/*
 * The domain that @cpu offers for a group of @sd: the highest up to @sd's level whose child stays within
 * @sd. Spans of a CPU grow from level to level, so the levels can be halved. (The kernel then goes down
 * through levels of equal span; there are none, for what it has found reaches out of @sd.)
 */
static const struct domain *overlap_source(struct linker *l, const struct domain *sd,
					   unsigned int cpu)
{
	unsigned int low = 0, high = sd->table;

	if (!l->tree->release.topo_diameter_fix || child_within(l, cpu, high, sd->span))
		return domain_at(l->tree, cpu, high);
	while (low + 1 < high) {
		unsigned int middle = low + (high - low) / 2;

		if (child_within(l, cpu, middle, sd->span))
			low = middle;
		else
			high = middle;
	}
	return domain_at(l->tree, cpu, low);
}

static unsigned int overlap_part(struct linker *l, struct overlap *o, const struct domain *sd,
				 uint32_t from, uint32_t to, unsigned int nr)
{
	uint32_t i;

	for (i = linker_next(l, sd->span, from); i < to; i = linker_next(l, sd->span, i + 1)) {
		const struct domain *s = domain_at(l->tree, i, sd->table);
		struct group *g;

		if (!s->span || !cset_test(s->span, i))
			continue;
		g = overlap_group(l, o, overlap_source(l, sd, i));
		cbits_or(l->covered, g->span);
		l->scratch[nr++] = g;
	}
	return nr;
}

void overlap_link(struct linker *l, struct overlap *o, unsigned int table, unsigned int cpu)
{
	struct domain *sd = domain_at(l->tree, cpu, table);
	const struct cset *child = sd->child ? sd->child->span : sd->span;
	struct seen_ring *seen = &l->seen[child->first];
	unsigned int nr;

	mask_ops_add(&l->tree->build, OP_TEST_BIT, sd->span->weight, 1);
	if (linker_same_order(l, seen, sd, cpu, child)) {
		sd->ring = seen->ring;
		return;
	}
	cbits_zero(l->covered);
	nr = overlap_part(l, o, sd, cpu, CSET_END, 0);
	nr = overlap_part(l, o, sd, 0, cpu, nr);
	sd->ring = linker_ring(l, nr);
	*seen = (struct seen_ring){ sd->span, child, sd->ring, cpu };
}
