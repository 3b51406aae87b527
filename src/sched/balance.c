// SPDX-License-Identifier: GPL-2.0-only
#include "sched/balance.h"

#include "sched/lb.h"
#include "sched/lb_sums.h"
#include "sched/mask.h"

void balance_new(struct model *m)
{
	struct balance *lb = arena_alloc(m->arena, sizeof(*lb));
	size_t bytes;

	lb->words = mask_words(m->nr_cpus);
	bytes = lb->words * sizeof(uint64_t);
	lb->cpus = arena_alloc(m->arena, bytes);
	lb->scratch = arena_alloc(m->arena, bytes);
	lb->select = arena_alloc(m->arena, bytes);
	lb->nohz.mask = arena_alloc(m->arena, bytes);
	lb->some = arena_alloc(m->arena, bytes);
	lb->more = arena_alloc(m->arena, bytes);
	lb->open = arena_alloc(m->arena, bytes);
	lb->odd = arena_alloc(m->arena, bytes);
	lb->key = arena_alloc(m->arena, m->nr_cpus * sizeof(*lb->key));
	lb->nohz.next_balance = lb->nohz.next_blocked = jiffies(m);
	lb->active = lb->cpus_of = cset_empty(m->topo->pool);
	m->changed = arena_alloc(m->arena, m->nr_cpus * sizeof(*m->changed));
	m->balance = lb;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct rq *rq = cpu_rq(m, cpu);

		rq->rd = &lb->no_rd;
		rq->smt = cset_single(m->topo->pool, cpu);
		rq->llc_size = 1;
		rq->llc_id = rq->share_id = cpu;
		rq->last_blocked_jiffy = rq->next_balance = jiffies(m);
	}
}

void balance_free(struct model *m)
{
	if (m->balance)
		domains_detach(m, m->balance->domains, &m->balance->no_rd);
}

/* Threads of each core that are active; any two of one core make SMT. */
static void find_threads(struct model *m, const struct cset *active)
{
	struct cset_pool *pool = m->topo->pool;

	m->balance->smt_active = false;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct cset *threads = m->topo->cpu[cpu].share[SHARE_THREADS];
		struct rq *rq = cpu_rq(m, cpu);

		rq->smt = threads && cset_test(active, cpu) ? cset_and(pool, threads, active)
							    : cset_single(pool, cpu);
		m->balance->smt_active |= rq->smt->weight > 1;
	}
}

/* CPUs that came up idle; where nobody knows since when, fork and exec don't see that they do. */
static void begin_idle(struct model *m, const struct cset *came)
{
	uint64_t now = *m->host->now_ns;
	uint32_t cpu;

	cset_for_each (cpu, came) {
		struct rq *rq = cpu_rq(m, cpu);

		rq->idle_stamp = now ? now : 1;
		if (rq->idle_tick_stopped)
			nohz_balance_enter_idle(rq);
	}
}

/*
 * A CPU that leaves still stands in the masks of those who shared things with it while the domains are built, unless it was the last
 * of its node: the nodes' masks are made anew before.
 */
static const struct cset *siblings(const struct model *m, const struct cset *active)
{
	const struct cset *before = m->balance->active, *up;
	const struct cset *gone = cset_andnot(m->topo->pool, before, active);
	uint32_t cpu;

	if (!m->release.hotplug_sync)
		return active;
	cset_for_each (cpu, gone)
		if (!cset_intersects(m->topo->node[m->topo->cpu[cpu].node].cpus, active))
			return active;
	up = cset_or(m->topo->pool, before, active);
	return up;
}

/* Isolated CPUs have no domains; a machine all of whose active CPUs are isolated keeps one. */
static const struct cset *map_of(const struct model *m, const struct cset *active)
{
	struct cset_pool *pool = m->topo->pool;
	const struct cset *map = cset_andnot(pool, active, m->topo->boot.isolated);

	return map->weight || !active->weight ? map : cset_single(pool, active->first);
}

static void print_null(struct model *m, const struct cset *map)
{
	uint32_t cpu;

	cset_for_each (cpu, map)
		model_print(m, "CPU%u attaching NULL sched-domain.", cpu);
}

static void rebuild(struct model *m, const struct cset *map, const struct cset *up)
{
	struct balance *lb = m->balance;

	if (lb->domains && m->verbose)
		print_null(m, lb->domains->map);
	domains_detach(m, lb->domains, &lb->no_rd);
	lb->domains = NULL;
	lb->cluster_active = lb->asym_active = false;
	if (!map->weight)
		return;
	lb->domains = domains_attach(m, map, up);
	lb_sums_new(m, lb->domains);
}

void balance_rebuild(struct model *m)
{
	struct balance *lb = m->balance;
	const struct cset *active = cset_intern(m->topo->pool, m->active);
	const struct cset *came = cset_andnot(m->topo->pool, active, lb->active);
	const struct cset *up = siblings(m, active), *map = map_of(m, active);

	lb->max_interval = lb_max_interval((unsigned int)m->tunables.hz, m->nr_online);
	lb->active = active;
	find_threads(m, active);
	if (!lb->domains || lb->domains->map != map)
		rebuild(m, map, up);
	begin_idle(m, came);
}
