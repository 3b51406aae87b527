// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_stats.c - a pass looks at the groups of its domain, then at the queues of the busiest. */
#include "sched/lb.h"

#include "sched/fair.h"
#include "sched/lb_sums.h"
#include "sched/mask.h"
#include "sched/wake_scan.h"
#include "sched/why.h"

/* What is known of the domain so far. */
struct view {
	struct lb_pass *pass;
	struct lb_stats slot[3];
	struct lb_stats *local, *busiest, *here; /* a slot each; the group looked at is @here */
	int64_t busiest_at; /* in the ring, from the CPU's own on; -1: none yet */
	uint64_t load, capacity, util;
	bool overloaded;
};

bool lb_whole_core_idle(const struct rq *rq)
{
	uint32_t cpu;

	cset_for_each (cpu, rq->smt)
		if (cpu != rq->cpu && !available_idle_cpu(cpu_rq(rq->model, cpu)))
			return false;
	return true;
}

bool lb_follows_priority(const struct model *m, const struct sd *sd, const struct rq *rq)
{
	if (!(sd->flags & SD_ASYM_PACKING))
		return false;
	if (!m->features.lb_asym_whole_core || !m->balance->smt_active)
		return true;
	return sd->flags & SD_SHARE_CPUCAPACITY || lb_whole_core_idle(rq);
}

bool lb_asym(const struct model *m, const struct sd *sd, const struct rq *dst, uint32_t src)
{
	return lb_follows_priority(m, sd, dst) && lb_prefers(m, dst->cpu, src);
}

/* Up to 6.4: by the busy threads of both cores. */
static bool asym_smt(const struct view *v, const struct lb_stats *s, uint32_t prefer_cpu)
{
	const struct lb_stats *local = v->local;
	bool prefers = lb_prefers(v->pass->m, v->pass->dst->cpu, prefer_cpu);
	uint32_t busy = s->weight - s->idle_cpus;

	if (!local->smt)
		return busy >= 2 || prefers;
	if (s->smt)
		return busy - (local->weight - local->idle_cpus) == 1 && prefers;
	return !local->nr_running && prefers;
}

static bool packs(const struct view *v, const struct lb_stats *s, uint32_t prefer_cpu)
{
	const struct lb_pass *pass = v->pass;

	if (!(pass->sd->flags & SD_ASYM_PACKING) || pass->idle == LB_NOT_IDLE || !s->nr_fair)
		return false;
	if (!pass->m->features.lb_asym_whole_core)
		return v->local->smt || s->smt ? asym_smt(v, s, prefer_cpu)
					       : lb_prefers(pass->m, pass->dst->cpu, prefer_cpu);
	if (s->smt && s->weight - s->idle_cpus != 1)
		return false;
	return lb_asym(pass->m, pass->sd, pass->dst, prefer_cpu);
}

/* A CPU's task is too large for it, or it has less of its capacity than usual. */
static uint64_t misfit_of(struct view *v, const struct rq *rq)
{
	const struct lb_pass *pass = v->pass;

	if (pass->sd->flags & SD_ASYM_CPUCAPACITY) {
		v->overloaded |= rq->misfit_task_load != 0;
		return rq->misfit_task_load;
	}
	if (pass->idle == LB_NOT_IDLE || lb_nr_fair(rq) != 1 ||
	    !lb_reduced(rq->cpu_capacity, rq->capacity, pass->sd->imbalance_pct))
		return 0;
	return cpu_load(rq);
}

/* CPU by CPU, where not all count. */
static void walk_group(const struct lb_pass *pass, const struct sgroup *g, struct lb_sums *sums)
{
	uint32_t cpu;

	*sums = (struct lb_sums){ 0 };
	mask_for_each(cpu, g->span, pass->cpus) lb_sums_add(sums, &cpu_rq(pass->m, cpu)->seen.own);
}

static void find_misfit(struct view *v, const struct sgroup *g, struct lb_stats *s)
{
	struct balance *lb = v->pass->m->balance;
	uint32_t cpu;

	mask_join(lb->scratch, g->span, lb->odd, v->pass->cpus);
	mask_for_each(cpu, g->span, lb->scratch)
	{
		uint64_t load = misfit_of(v, cpu_rq(v->pass->m, cpu));

		if (v->pass->sd->flags & SD_ASYM_CPUCAPACITY &&
		    v->pass->m->features.lb_misfit_counts &&
		    !lb_capacity_greater(v->pass->dst->cpu_capacity, g->max_capacity))
			continue;
		s->misfit_load = load > s->misfit_load ? load : s->misfit_load;
	}
}

static void sum_up(struct view *v, const struct sgroup *g, bool local, struct lb_stats *s)
{
	struct lb_sums sums = g->sums;

	if (g->weight == 1 || v->pass->some_left_out)
		walk_group(v->pass, g, &sums);
	if (sums.nr_odd && !local)
		find_misfit(v, g, s);
	model_step(v->pass->m, g->weight);
	s->load = sums.load;
	s->util = sums.util;
	s->runnable = sums.runnable;
	s->nr_running = sums.nr_running;
	s->nr_fair = sums.nr_fair;
	s->idle_cpus = sums.idle_cpus;
	v->overloaded |= sums.nr_over != 0;
}

static void set_of_group(const struct lb_pass *pass, uint32_t i, struct lb_stats *s)
{
	const struct sgroup *g = sd_group(pass->sd, i);
	uint32_t flags = sd_group_flags(pass->sd, i);

	s->capacity = g->capacity;
	s->min_capacity = g->min_capacity;
	s->max_capacity = g->max_capacity;
	s->weight = g->weight;
	s->cores = g->cores;
	s->imbalanced = g->imbalanced;
	s->smt = flags & SD_SHARE_CPUCAPACITY;
	s->prefers_sibling = flags & SD_PREFER_SIBLING;
	s->priority = lb_priority(pass->m, g->prefer_cpu);
}

static void look_at(struct view *v, uint32_t i, bool local, struct lb_stats *s)
{
	const struct lb_pass *pass = v->pass;
	const struct sgroup *g = sd_group(pass->sd, i);

	*s = (struct lb_stats){ 0 };
	set_of_group(pass, i, s);
	sum_up(v, g, local, s);
	s->asym_packing = !local && packs(v, s, g->prefer_cpu);
	s->smt_balance = !local && pass->m->features.lb_smt_balance && pass->idle && s->smt &&
			 s->nr_fair > 1;
	s->type = lb_classify(s, pass->sd->imbalance_pct);
	if (s->type == LB_OVERLOADED)
		s->avg_load = lb_avg_load(s);
}

static bool is_busier(const struct view *v, const struct lb_stats *s)
{
	const struct lb_pass *pass = v->pass;
	struct lb_pick pick = {
		.features = &pass->m->features,
		.asym_capacity = pass->sd->flags & SD_ASYM_CPUCAPACITY,
		.dst_capacity = pass->dst->cpu_capacity,
		.dst_core_idle = pass->dst_core_idle,
		.local_spare = v->local->type == LB_HAS_SPARE,
	};

	return lb_busier(&pick, s, v->busiest_at < 0 ? NULL : v->busiest);
}

/* What was looked at takes the place of an older one. */
static void keep(struct view *v, struct lb_stats **as)
{
	struct lb_stats *here = v->here;

	v->here = *as;
	*as = here;
}

static void next_group(struct view *v, uint32_t i)
{
	struct lb_pass *pass = v->pass;
	const struct sgroup *g = sd_group(pass->sd, i);
	/* an overlapping ring may have more than one group with the CPU; the last counts */
	bool local = !i || (pass->sd->flags & SD_OVERLAP && cset_test(g->span, pass->dst->cpu));
	bool busier = false;
	struct lb_stats *s = v->here;

	if (local &&
	    (pass->idle != LB_NEWLY_IDLE || jiffies_reached(jiffies(pass->m), g->next_update)))
		group_refresh(pass->dst, pass->sd);
	look_at(v, i, local, s);
	if (local)
		keep(v, &v->local);
	else
		busier = is_busier(v, s);
	why_group(pass, g, s, local ? "local" : busier ? "busiest so far" : "less busy");
	if (busier) {
		keep(v, &v->busiest);
		v->busiest_at = i;
	}
	v->load += s->load;
	v->capacity += s->capacity;
	v->util += s->util;
}

/* The periodic pass over a cache's domain says how much a wake-up may look at there. */
static void set_idle_scan(const struct view *v)
{
	const struct lb_pass *pass = v->pass;
	const struct rq *dst = pass->dst;

	if (pass->m->features.scan_limit != SCAN_SIS_UTIL || pass->idle == LB_NEWLY_IDLE ||
	    pass->sd->span->weight != dst->llc_size || !dst->llc_shared)
		return;
	dst->llc_shared->nr_idle_scan =
		scan_by_util(v->util, dst->llc_size, pass->sd->imbalance_pct);
}

static struct lb_decision decide(struct view *v)
{
	struct lb_pass *pass = v->pass;
	const struct sd *sd = pass->sd;
	struct lb_case c = {
		.features = &pass->m->features,
		.local = v->local,
		.busiest = v->busiest_at < 0 ? NULL : v->busiest,
		.total_load = v->load,
		.total_capacity = v->capacity,
		.pct = sd->imbalance_pct,
		.imb_numa_nr = sd->imb_numa_nr,
		.dst_idle = pass->idle != LB_NOT_IDLE,
		.asym_capacity = sd->flags & SD_ASYM_CPUCAPACITY,
		.llc = sd->flags & SD_SHARE_LLC,
		.numa = sd->flags & SD_NUMA,
		.child_prefers = sd->child && sd->child->flags & SD_PREFER_SIBLING,
	};
	struct lb_decision decision = lb_decide(&c);

	why_domain(pass, &decision);
	return decision;
}

/* Groups that are asked of memory before they are looked at: both lines of one. */
#define AHEAD 8

static void fetch_group(const struct sd *sd, uint32_t i)
{
	const struct sgroup *g = sd_group(sd, i);

	__builtin_prefetch(g);
	__builtin_prefetch((const char *)g + 64);
}

int64_t lb_find_group(struct lb_pass *pass)
{
	struct model *m = pass->m;
	struct view v = { .pass = pass, .busiest_at = -1 };
	struct lb_decision decision;

	v.local = &v.slot[0];
	v.busiest = &v.slot[1];
	v.here = &v.slot[2];
	lb_sums_update(m, m->balance->domains);
	pass->dst_core_idle = !m->balance->smt_active || lb_whole_core_idle(pass->dst);
	for (uint32_t i = 0; i < pass->sd->ring->nr && i < AHEAD; i++)
		fetch_group(pass->sd, i);
	for (uint32_t i = 0; i < pass->sd->ring->nr; i++) {
		if (i + AHEAD < pass->sd->ring->nr)
			fetch_group(pass->sd, i + AHEAD);
		next_group(&v, i);
	}
	if (!pass->sd->parent)
		pass->dst->rd->overloaded = v.overloaded;
	set_idle_scan(&v);
	decision = decide(&v);
	pass->imbalance = decision.imbalance;
	if (!decision.imbalance)
		return -1;
	pass->migrate = decision.migrate;
	return v.busiest_at;
}

/* The busiest queue so far. */
struct queue {
	struct rq *rq;
	uint64_t load, util;
	uint64_t capacity;
	uint32_t nr;
};

uint64_t lb_util(const struct rq *rq)
{
	uint64_t util = cpu_util_cfs(rq), waits = cpu_runnable(rq);

	if (!rq->model->features.lb_util_boost)
		return util;
	waits = waits < rq->capacity ? waits : rq->capacity;
	return waits > util ? waits : util;
}

/* NULL: it is the busiest so far; else why not. */
static const char *compare_queue(const struct lb_pass *pass, struct rq *rq, struct queue *q)
{
	uint64_t value;

	switch (pass->migrate) {
	case LB_MIGRATE_LOAD:
		value = cpu_load(rq);
		if (lb_nr_fair(rq) == 1 && (int64_t)value > pass->imbalance &&
		    !lb_reduced(rq->cpu_capacity, rq->capacity, pass->sd->imbalance_pct))
			return "one task of more load";
		if (value * q->capacity <= q->load * rq->cpu_capacity)
			return "lower load";
		q->load = value;
		q->capacity = rq->cpu_capacity;
		break;
	case LB_MIGRATE_UTIL:
		value = lb_util(rq);
		if (lb_nr_fair(rq) <= 1)
			return "one task";
		if (value <= q->util)
			return "lower utilisation";
		q->util = value;
		break;
	case LB_MIGRATE_TASK:
		if (lb_nr_fair(rq) <= q->nr)
			return "fewer tasks";
		q->nr = lb_nr_fair(rq);
		break;
	default:
		if (rq->misfit_task_load <= q->load)
			return "no larger misfit";
		q->load = rq->misfit_task_load;
	}
	q->rq = rq;
	return NULL;
}

/* lb.asym_one=shared: it leaves a core with a busy thread, or goes to a cluster of the same capacity. */
static bool may_leave(const struct lb_pass *pass, const struct rq *rq)
{
	const struct balance *lb = pass->m->balance;

	if (lb_capacity_greater(pass->dst->cpu_capacity, rq->cpu_capacity))
		return true;
	if (pass->m->features.lb_asym_one == ASYM_ONE_BIGGER)
		return false;
	return (lb->smt_active && !lb_whole_core_idle(rq)) ||
	       (lb->cluster_active && pass->dst->capacity == rq->capacity);
}

static const char *look_at_queue(const struct lb_pass *pass, struct rq *rq, struct queue *q)
{
	const struct model *m = pass->m;
	bool one = lb_nr_fair(rq) == 1;

	if (!lb_nr_fair(rq))
		return "no task";
	if (one && pass->sd->flags & SD_ASYM_CPUCAPACITY && !may_leave(pass, rq))
		return "capacity no greater here";
	if (one && lb_asym(m, pass->sd, rq, pass->dst->cpu))
		return "preferred CPU";
	return compare_queue(pass, rq, q);
}

/* CPUs of the group that can be it. Whoever asks why is told of all. */
static const uint64_t *candidates(const struct lb_pass *pass, const struct sgroup *group)
{
	const struct balance *lb = pass->m->balance;
	const uint64_t *of = lb->some;

	mask_join(lb->scratch, group->span, pass->cpus, lb->more);
	if (model_why(pass->m))
		return pass->cpus;
	if (pass->migrate == LB_MIGRATE_UTIL ||
	    (pass->migrate == LB_MIGRATE_TASK && mask_meets(lb->scratch, group->span)))
		return lb->scratch;
	if (pass->migrate == LB_MIGRATE_MISFIT)
		of = lb->odd;
	mask_join(lb->scratch, group->span, pass->cpus, of);
	return lb->scratch;
}

/* Is it clear without a look at the runqueue that the CPU is no busier? */
static bool is_beaten(const struct lb_pass *pass, const struct queue *q, uint32_t cpu)
{
	const struct lb_key *key = &pass->m->balance->key[cpu];

	if (model_why(pass->m) || key->nr == UINT16_MAX)
		return false;
	if (pass->migrate == LB_MIGRATE_TASK)
		return key->nr <= q->nr;
	return pass->migrate == LB_MIGRATE_UTIL && key->util <= q->util;
}

struct rq *lb_find_queue(struct lb_pass *pass, const struct sgroup *group)
{
	const uint64_t *mask = candidates(pass, group);
	struct queue q = { .capacity = 1 };
	uint32_t cpu;

	model_step(pass->m, group->weight);
	mask_for_each(cpu, group->span, mask)
	{
		struct rq *rq = cpu_rq(pass->m, cpu);
		const char *why;

		if (is_beaten(pass, &q, cpu))
			continue;
		why = look_at_queue(pass, rq, &q);
		why_queue(pass, rq, why ? why : "busiest so far");
	}
	return q.rq;
}
