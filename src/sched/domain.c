// SPDX-License-Identifier: GPL-2.0-only
#include "sched/domain.h"

#include "sched/lb.h"
#include "sched/mask.h"
#include "topo/print.h"

#include "base/mem.h"

#include <stdlib.h>

/* What src/topo made, and what was made of it: a hash table of pointers. */
struct pair {
	const void *from;
	void *to;
};

struct pairs {
	struct pair *pair;
	uint32_t size, used;
};

struct build {
	struct model *m;
	const struct domain_tree *tree;
	struct domains *d;
	struct pairs groups, rings;
	struct llc_shared **shared; /* by the first CPU of their span */
	uint64_t *seen;		    /* mask */
};

static struct pair *pairs_slot(const struct pairs *p, const void *from)
{
	uint64_t at = ((uintptr_t)from >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	while (p->pair[at & (p->size - 1)].from && p->pair[at & (p->size - 1)].from != from)
		at++;
	return &p->pair[at & (p->size - 1)];
}

static void pairs_grow(struct pairs *p)
{
	struct pairs old = *p;

	p->size = old.size ? old.size * 2 : 256;
	p->pair = xcalloc(p->size, sizeof(*p->pair));
	for (uint32_t i = 0; i < old.size; i++)
		if (old.pair[i].from)
			*pairs_slot(p, old.pair[i].from) = old.pair[i];
	free(old.pair);
}

/* The slot of @from; its @to is NULL if it is new. */
static struct pair *pairs_find(struct pairs *p, const void *from)
{
	struct pair *slot;

	if (p->used * 2 >= p->size)
		pairs_grow(p);
	slot = pairs_slot(p, from);
	if (!slot->from) {
		slot->from = from;
		p->used++;
	}
	return slot;
}

/* What fair tasks get: the CPU's, less what RT tasks use; at least 1. */
static uint32_t cpu_capacity_now(const struct rq *rq)
{
	uint64_t used = rq->avg_rt.util_avg;

	return used < rq->capacity ? rq->capacity - (uint32_t)used : 1;
}

static uint32_t count_cores(struct build *b, const struct cset *span)
{
	uint32_t cpu, n = 0;

	cset_for_each (cpu, span)
		mask_set(b->seen, cpu);
	cset_for_each (cpu, span) {
		if (!mask_test(b->seen, cpu))
			continue;
		mask_andnot(b->seen, cpu_rq(b->m, cpu)->smt);
		mask_clear(b->seen, cpu);
		n++;
	}
	return n;
}

static void sum_capacity(struct sgroup *g, struct model *m)
{
	uint32_t cpu;

	g->capacity = g->max_capacity = 0;
	g->min_capacity = UINT64_MAX;
	cset_for_each (cpu, g->span) {
		uint64_t capacity = cpu_rq(m, cpu)->cpu_capacity;

		g->capacity += capacity;
		g->min_capacity = capacity < g->min_capacity ? capacity : g->min_capacity;
		g->max_capacity = capacity > g->max_capacity ? capacity : g->max_capacity;
	}
}

static struct sgroup *make_group(struct build *b, const struct group *from, uint64_t next_update)
{
	struct pair *slot = pairs_find(&b->groups, from);
	struct sgroup *g;
	uint32_t cpu;

	if (slot->to)
		return slot->to;
	slot->to = g = arena_alloc(b->d->arena, sizeof(*g));
	g->span = from->span;
	g->balance = from->balance;
	g->flags = from->flags;
	g->weight = from->span->weight;
	g->cores = count_cores(b, from->span);
	g->prefer_cpu = from->span->first;
	cset_for_each (cpu, from->span)
		if (lb_prefers(b->m, cpu, g->prefer_cpu))
			g->prefer_cpu = cpu;
	sum_capacity(g, b->m);
	g->next_update = next_update;
	return g;
}

static const struct group_ring *make_ring(struct build *b, const struct ring *from,
					  uint64_t next_update)
{
	struct pair *slot = pairs_find(&b->rings, from);
	struct group_ring *ring;

	if (slot->to)
		return slot->to;
	slot->to = ring =
		arena_alloc(b->d->arena, sizeof(*ring) + from->nr * sizeof(ring->group[0]));
	ring->nr = from->nr;
	for (uint32_t i = 0; i < from->nr; i++)
		ring->group[i] = make_group(b, from->group[i], next_update);
	return ring;
}

static void set_intervals(struct sd *sd, const struct domain *from, struct model *m)
{
	sd->min_interval = sd->balance_interval = from->weight;
	sd->max_interval = 2 * from->weight;
	sd->last_balance = jiffies(m);
	newidle_init(&sd->newidle, jiffies(m), *m->host->now_ns);
}

static void make_sd(struct build *b, struct sd *sd, const struct domain *from)
{
	struct model *m = b->m;
	uint64_t next = ms_to_jiffies(m, from->weight), max = m->balance->max_interval;

	sd->span = from->span;
	sd->name = domain_name(b->tree, from);
	sd->level = from->level;
	sd->flags = from->flags;
	sd->first_flags = from->first_flags;
	sd->imbalance_pct = domain_imbalance_pct(from);
	sd->cache_nice_tries = domain_cache_nice_tries(from);
	sd->imb_numa_nr = from->imb_numa_nr;
	set_intervals(sd, from, m);
	next = next < 1 ? 1 : next > max ? max : next;
	sd->ring = make_ring(b, from->ring, jiffies(m) + next);
	sd->start = from->start;
}

/* The domains of a CPU, side by side, bottom first. */
static struct sd *make_chain(struct build *b, const struct domain *from)
{
	const struct domain *f;
	struct sd *sd;
	uint32_t n = 0;

	for (f = from; f; f = f->parent)
		n++;
	sd = arena_alloc(b->d->arena, n * sizeof(*sd));
	for (uint32_t i = 0; i < n; i++, from = from->parent) {
		make_sd(b, &sd[i], from);
		sd[i].parent = i + 1 < n ? &sd[i + 1] : NULL;
		sd[i].child = i ? &sd[i - 1] : NULL;
	}
	return sd;
}

static struct sd *lowest(struct sd *sd, uint32_t flag)
{
	while (sd && !(sd->flags & flag))
		sd = sd->parent;
	return sd;
}

/* @below: who has the flag has it at all levels below too, so the walk ends at the first without */
static struct sd *highest(struct sd *sd, uint32_t flag, bool below)
{
	struct sd *found = NULL;

	for (; sd; sd = sd->parent) {
		if (sd->flags & flag)
			found = sd;
		else if (below)
			break;
	}
	return found;
}

static struct llc_shared *share(struct build *b, const struct sd *llc)
{
	struct llc_shared **shared = &b->shared[llc->span->first];

	if (!*shared) {
		*shared = arena_alloc(b->d->arena, sizeof(**shared));
		(*shared)->nr_busy = (int32_t)llc->span->weight;
	}
	return *shared;
}

static void set_pointers(struct rq *rq, struct sd *base)
{
	const struct sd *cluster = lowest(base, SD_CLUSTER);
	/* threads of a core can have no priorities among them, where cores have */
	const bool from_threads = rq->model->features.lb_asym_top == ASYM_TOP_THREADS;

	rq->sd = base;
	rq->sd_llc = highest(base, SD_SHARE_LLC, true);
	rq->sd_numa = lowest(base, SD_NUMA);
	rq->sd_asym_packing = highest(base, SD_ASYM_PACKING, from_threads);
	rq->sd_asym_capacity = lowest(base, SD_ASYM_CPUCAPACITY_FULL);
	rq->llc_size = rq->sd_llc ? rq->sd_llc->span->weight : 1;
	rq->llc_id = rq->sd_llc ? rq->sd_llc->span->first : rq->cpu;
	rq->share_id = cluster ? cluster->span->first : rq->llc_id;
	rq->llc_shared = NULL;
}

static void attach(struct build *b, uint32_t cpu)
{
	struct rq *rq = cpu_rq(b->m, cpu);
	struct balance *lb = b->m->balance;
	struct sd *base = b->tree->base[cpu] ? make_chain(b, b->tree->base[cpu]) : NULL;

	set_pointers(rq, base);
	rq->rd = &b->d->rd;
	if (rq->sd_llc)
		rq->llc_shared = rq->sd_llc->shared = share(b, rq->sd_llc);
	lb->cluster_active |= lowest(base, SD_CLUSTER) != NULL;
	lb->asym_active |= lowest(base, SD_ASYM_CPUCAPACITY) != NULL;
}

/* Each CPU's groups of more than one, in one array. */
static void list_groups(struct build *b)
{
	struct domains *d = b->d;
	uint32_t n = b->m->nr_cpus, cpu, total = 0;
	uint32_t *at = xcalloc(n, sizeof(*at));

	d->first_group = arena_alloc(d->arena, (n + 1) * sizeof(*d->first_group));
	for (uint32_t i = 0; i < b->groups.size; i++) {
		const struct sgroup *g = b->groups.pair[i].to;

		if (g && g->weight > 1)
			cset_for_each (cpu, g->span)
				at[cpu]++;
	}
	for (cpu = 0; cpu < n; cpu++) {
		d->first_group[cpu] = total;
		total += at[cpu];
		at[cpu] = d->first_group[cpu];
	}
	d->first_group[n] = total;
	d->groups = arena_alloc(d->arena, (total + 1) * sizeof(struct sgroup *));
	for (uint32_t i = 0; i < b->groups.size; i++) {
		struct sgroup *g = b->groups.pair[i].to;

		if (g && g->weight > 1)
			cset_for_each (cpu, g->span)
				d->groups[at[cpu]++] = g;
	}
	free(at);
}

static void print_lines(struct model *m, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		model_print(m, "%.*s", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

static void print_domains(struct model *m, const struct domain_tree *tree)
{
	struct strbuf text = { 0 };

	print_dump(tree, &text);
	print_lines(m, strbuf_str(&text));
	strbuf_release(&text);
}

struct domains *domains_attach(struct model *m, const struct cset *map, const struct cset *up)
{
	struct domain_tree *tree = domains_build(m->topo, &m->release, map, up);
	struct domains *d = xcalloc(1, sizeof(*d));
	struct build b = { .m = m, .tree = tree, .d = d };
	uint32_t cpu;

	d->map = map;
	d->arena = arena_new();
	b.shared = xcalloc(m->nr_cpus, sizeof(struct llc_shared *));
	b.seen = xcalloc(mask_words(m->nr_cpus), sizeof(*b.seen));
	if (m->verbose)
		print_domains(m, tree);
	cset_for_each (cpu, map) {
		struct rq *rq = cpu_rq(m, cpu);

		rq->cpu_capacity = cpu_capacity_now(rq);
		if (rq->capacity > d->rd.max_capacity)
			d->rd.max_capacity = rq->capacity;
	}
	cset_for_each (cpu, map)
		attach(&b, cpu);
	list_groups(&b);
	free(b.groups.pair);
	free(b.rings.pair);
	free(b.shared);
	free(b.seen);
	domain_tree_free(tree);
	return d;
}

void domains_detach(struct model *m, struct domains *d, struct root_domain *rd)
{
	uint32_t cpu;

	if (!d)
		return;
	cset_for_each (cpu, d->map) {
		set_pointers(cpu_rq(m, cpu), NULL);
		cpu_rq(m, cpu)->rd = rd;
	}
	arena_free(d->arena);
	free(d);
}

static void set_capacity(struct rq *rq, struct sgroup *g)
{
	rq->cpu_capacity = cpu_capacity_now(rq);
	rq_changed(rq);
	g->capacity = g->min_capacity = g->max_capacity = rq->cpu_capacity;
}

void group_refresh(struct rq *rq, struct sd *sd)
{
	struct model *m = rq->model;
	struct sgroup *g = sd_group(sd, 0);
	const struct sd *child = sd->child;
	uint64_t interval = ms_to_jiffies(m, sd->balance_interval), max = m->balance->max_interval;

	interval = interval < 1 ? 1 : interval > max ? max : interval;
	g->next_update = jiffies(m) + interval;
	if (!child) {
		set_capacity(rq, g);
		return;
	}
	if (child->flags & (m->features.lb_capacity_sum ? SD_NUMA : SD_OVERLAP)) {
		sum_capacity(g, m);
		return;
	}
	g->capacity = g->max_capacity = 0;
	g->min_capacity = UINT64_MAX;
	for (uint32_t i = 0; i < child->ring->nr; i++) {
		const struct sgroup *part = child->ring->group[i];

		g->capacity += part->capacity;
		g->min_capacity =
			part->min_capacity < g->min_capacity ? part->min_capacity : g->min_capacity;
		g->max_capacity =
			part->max_capacity > g->max_capacity ? part->max_capacity : g->max_capacity;
	}
}
