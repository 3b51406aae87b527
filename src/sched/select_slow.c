// SPDX-License-Identifier: GPL-2.0-only
/* sched/select_slow.c - fork and exec: the idlest CPU of the idlest group, from the widest domain down. */
#include "sched/select_env.h"

#include "sched/lb_sums.h"
#include "sched/why.h"

/* A task that looks for a CPU. */
struct seeker {
	struct model *m;
	struct task *p;
	const char *decision;
	uint32_t flag;
	uint32_t cpu;	/* where it would stay */
	struct rq *own; /* whose averages have the task in them; NULL: none */
};

static const char *decision_of(uint32_t flag)
{
	return flag == SD_BALANCE_FORK ? "fork" : flag == SD_BALANCE_EXEC ? "exec" : "wake";
}

static uint64_t rest(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Of past activations alone. */
static uint64_t estimate(const struct seeker *s)
{
	const struct entity *se = &s->p->se;

	if (s->m->features.util_est_form == UTIL_EST_PAIR && se->util_est_enqueued > se->util_est)
		return se->util_est_enqueued;
	return se->util_est;
}

static uint64_t util_without(const struct seeker *s)
{
	const struct rq *rq = s->own;
	uint64_t util = rest(rq->cfs.avg.util_avg, task_util(s->p)), est = rq->cfs.util_est;

	if (s->m->features.util_est) {
		/* asleep it isn't in the queue's estimate */
		if (s->p->on_rq == TASK_QUEUED || rq->curr == s->p)
			est = rest(est, estimate(s));
		util = util > est ? util : est;
	}
	return util < rq->capacity ? util : rq->capacity;
}

static uint64_t load_without(const struct seeker *s)
{
	return rest(cpu_load(s->own), task_h_load(s->p));
}

/* The task's own CPU, as it would be without it. */
static struct lb_sums look_without(const struct seeker *s)
{
	const struct rq *rq = s->own;
	struct lb_sums seen = lb_look(rq);
	uint32_t local = s->p->on_rq == TASK_QUEUED;

	seen.load = load_without(s);
	seen.util = (uint32_t)util_without(s);
	seen.runnable = rest(cpu_runnable(rq), s->p->se.avg.runnable_avg);
	seen.nr_running -= local;
	seen.nr_fair -= local;
	seen.idle_cpus =
		!seen.nr_running && (rq_is_idle(rq) || rq->curr == s->p) && !rq->ttwu_pending;
	return seen;
}

static void walk_without(const struct seeker *s, const struct sgroup *g, struct lb_sums *sums)
{
	uint32_t cpu;

	for (cpu = g->span->first; cpu != CSET_END; cpu = cset_next(g->span, cpu + 1)) {
		struct rq *rq = cpu_rq(s->m, cpu);
		struct lb_sums seen;

		if (!task_allowed(s->p, cpu))
			continue;
		seen = rq == s->own ? look_without(s) : lb_look(rq);
		lb_sums_add(sums, &seen);
	}
}

/* Sums that are kept, with the task taken out of its own CPU's part. */
static void from_sums(const struct seeker *s, const struct sgroup *g, struct lb_sums *sums)
{
	struct lb_sums without;

	*sums = g->sums;
	if (!s->own || !cset_test(g->span, s->own->cpu))
		return;
	without = look_without(s);
	lb_sums_take(sums, &s->own->seen.own);
	lb_sums_add(sums, &without);
}

/* Where capacities differ: is there a CPU in the group that the task fits on? */
static bool fits_group(const struct seeker *s, const struct sgroup *g)
{
	uint64_t util = task_util_est(s->p);
	uint32_t cpu;

	cset_for_each (cpu, g->span)
		if (task_allowed(s->p, cpu) && fits_cpu(s->m, util, cpu_rq(s->m, cpu)))
			return true;
	return false;
}

static void stats_of(const struct seeker *s, const struct sd *sd, const struct sgroup *g,
		     struct lb_stats *stats)
{
	struct lb_sums sums = { 0 };

	if (g->weight > 1 && cset_subset(g->span, s->p->allowed))
		from_sums(s, g, &sums);
	else
		walk_without(s, g, &sums);
	model_step(s->m, g->weight);
	*stats = (struct lb_stats){
		.load = sums.load,
		.util = sums.util,
		.runnable = sums.runnable,
		.nr_running = sums.nr_running,
		.nr_fair = sums.nr_fair,
		.idle_cpus = sums.idle_cpus,
		.capacity = g->capacity,
		.min_capacity = g->min_capacity,
		.max_capacity = g->max_capacity,
		.weight = g->weight,
		.imbalanced = g->imbalanced,
		.misfit_load = sd->flags & SD_ASYM_CPUCAPACITY && !fits_group(s, g),
	};
	stats->type = lb_classify(stats, sd->imbalance_pct);
	if (stats->type == LB_FULLY_BUSY || stats->type == LB_OVERLOADED)
		stats->avg_load = lb_avg_load(stats);
}

/* Up to so many tasks a node may have more; of pinned ones, no more than CPUs they may use. */
static uint32_t allowance(const struct seeker *s, const struct sd *sd, const struct sgroup *local)
{
	uint32_t n;

	if (!s->m->features.lb_numa_allowed || s->p->nr_allowed == s->m->nr_cpus)
		return sd->imb_numa_nr;
	n = cset_and(s->m->topo->pool, local->span, s->p->allowed)->weight;
	return n < sd->imb_numa_nr ? n : sd->imb_numa_nr;
}

static bool stays(const struct seeker *s, const struct sd *sd, const struct sgroup *group,
		  const struct lb_stats *local, const struct lb_stats *idlest)
{
	struct lb_stay stay = {
		.local = local,
		.idlest = idlest,
		.pct = sd->imbalance_pct,
		.limit = allowance(s, sd, group),
		.numa = sd->flags & SD_NUMA,
		.by_running = !s->m->features.lb_numa_allowed,
	};
	const char *why;
	bool ret = lb_stays(&stay, &why);

	why_stats(s->m, s->decision, s->p, group, local, why);
	return ret;
}

/* NULL: the local one, or there is no other. */
static const struct sgroup *find_idlest_group(const struct seeker *s, const struct sd *sd)
{
	const struct sgroup *idlest = NULL, *local = NULL;
	struct lb_stats stats, local_stats, idlest_stats;

	for (uint32_t i = 0; i < sd->ring->nr; i++) {
		const struct sgroup *g = sd_group(sd, i);
		bool idler;

		if (!cset_intersects(g->span, s->p->allowed))
			continue;
		stats_of(s, sd, g, &stats);
		if (cset_test(g->span, s->cpu)) {
			local = g;
			local_stats = stats;
			continue;
		}
		idler = lb_idler(&stats, idlest ? &idlest_stats : NULL);
		why_stats(s->m, s->decision, s->p, g, &stats,
			  idler ? "idlest so far" : "less idle");
		if (!idler)
			continue;
		idlest = g;
		idlest_stats = stats;
	}
	if (!idlest || !local)
		return idlest;
	return stays(s, sd, local, &local_stats, &idlest_stats) ? NULL : idlest;
}

static uint32_t least_loaded(const struct seeker *s, const struct sgroup *g)
{
	uint64_t least = UINT64_MAX;
	uint32_t cpu, found = s->cpu;

	cset_for_each (cpu, g->span) {
		const struct rq *rq = cpu_rq(s->m, cpu);

		if (!task_allowed(s->p, cpu) || available_idle_cpu(rq) || cpu_load(rq) >= least)
			continue;
		least = cpu_load(rq);
		found = cpu;
	}
	return found;
}

/* One that has tasks of the idle policy only; else that which idles since the shortest time; else that of the least load. */
static uint32_t find_in_group(const struct seeker *s, const struct sgroup *g)
{
	uint64_t stamp = 0;
	uint32_t cpu, idle = NO_CPU;

	if (g->weight == 1)
		return g->span->first;
	model_step(s->m, g->weight);
	mask_for_each(cpu, g->span, s->m->balance->open)
	{
		const struct rq *rq = cpu_rq(s->m, cpu);

		if (!task_allowed(s->p, cpu))
			continue;
		if (yields_to(rq, s->p))
			return cpu;
		if (!available_idle_cpu(rq) || rq->idle_stamp <= stamp)
			continue;
		stamp = rq->idle_stamp;
		idle = cpu;
	}
	return idle == NO_CPU ? least_loaded(s, g) : idle;
}

/* The highest domain of @cpu that is narrower than @sd and has the flag. */
static struct sd *narrower(const struct seeker *s, uint32_t cpu, const struct sd *than)
{
	struct sd *sd, *found = NULL;

	for (sd = cpu_rq(s->m, cpu)->sd; sd; sd = sd->parent) {
		if (than->span->weight <= sd->span->weight)
			break;
		if (sd->flags & s->flag)
			found = sd;
	}
	return found;
}

static struct rq *own_rq(struct model *m, const struct task *p)
{
	return p->se.avg.last_update_ns ? cpu_rq(m, p->cpu) : NULL;
}

uint32_t find_idlest_cpu(struct model *m, struct sd *sd, struct task *p, uint32_t cpu,
			 uint32_t prev, uint32_t flag)
{
	struct seeker s = {
		.m = m, .p = p, .decision = decision_of(flag), .flag = flag, .cpu = cpu
	};
	uint32_t found = cpu;

	if (!cset_intersects(sd->span, p->allowed))
		return prev;
	if (flag != SD_BALANCE_FORK)
		sync_entity_load_avg(&p->se);
	lb_sums_update(m, m->balance->domains);
	s.own = own_rq(m, p);
	while (sd) {
		const struct sgroup *g = sd->flags & flag ? find_idlest_group(&s, sd) : NULL;

		if (g)
			found = find_in_group(&s, g);
		if (!g || found == s.cpu) {
			sd = sd->child;
			continue;
		}
		s.cpu = found;
		sd = narrower(&s, found, sd);
	}
	why_cpu(m, s.decision, p, "idlest", found, "taken");
	return found;
}
