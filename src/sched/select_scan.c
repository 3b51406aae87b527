// SPDX-License-Identifier: GPL-2.0-only
/* sched/select_scan.c - through the CPUs of a cache for an idle one, with the limits and the orders there are. */
#include "sched/select_env.h"

#include "sched/wake_scan.h"
#include "sched/why.h"

/*
 * @mask: CPUs that may be taken; loses those of cores that are found busy. Of the words of @span only
 * @left: CPUs that may still be looked at, and one more
 * @thread: the first idle one of a core that isn't idle as a whole
 */
struct scan {
	struct model *m;
	const struct task *p;
	uint64_t *mask;
	const struct cset *span;
	int64_t left;
	bool cores;
	bool spent;
	uint32_t thread;
};

static struct scan scan_of(struct model *m, const struct task *p, const struct cset *span)
{
	struct scan s = {
		.m = m,
		.p = p,
		.mask = m->balance->select,
		.span = span,
		.left = INT64_MAX,
		.thread = NO_CPU,
	};

	mask_of(s.mask, span, p->allowed);
	return s;
}

static bool may_take(const struct scan *s, uint32_t cpu)
{
	return cpu / 64 - s->span->lo < s->span->nr_words && mask_test(s->mask, cpu);
}

static uint32_t take(const struct scan *s, uint32_t cpu)
{
	why_cpu(s->m, "wake", s->p, s->cores ? "idle_core" : "idle_cpu", cpu, "taken");
	return cpu;
}

/* A core whose threads all idle; else its first idle thread is remembered, and it is out of the game. */
static uint32_t try_core(struct scan *s, uint32_t core)
{
	const struct cset *smt = cpu_rq(s->m, core)->smt;
	bool idle = true;
	uint32_t cpu;

	cset_for_each (cpu, smt) {
		const struct rq *rq = cpu_rq(s->m, cpu);
		bool usable = s->thread == NO_CPU && may_take(s, cpu);

		model_step(s->m, 1);
		if (available_idle_cpu(rq)) {
			if (usable)
				s->thread = cpu;
			continue;
		}
		idle = false;
		if (s->thread != NO_CPU)
			break;
		if (usable && yields_to(rq, s->p)) {
			s->thread = cpu;
			break;
		}
	}
	if (idle)
		return take(s, core);
	why_cpu(s->m, "wake", s->p, "idle_core", core, "busy thread");
	mask_andnot(s->mask, smt);
	return NO_CPU;
}

static uint32_t try_cpu(struct scan *s, uint32_t cpu)
{
	if (s->cores)
		return try_core(s, cpu);
	if (--s->left <= 0) {
		s->spent = true;
		why_cpu(s->m, "wake", s->p, "idle_cpu", cpu, "limit reached");
		return NO_CPU;
	}
	model_step(s->m, 1);
	if (idle_for_task(cpu_rq(s->m, cpu), s->p))
		return take(s, cpu);
	why_cpu(s->m, "wake", s->p, "idle_cpu", cpu, "busy");
	return NO_CPU;
}

/* What is left of the mask, from @start on around. */
static uint32_t scan_mask(struct scan *s, uint32_t start)
{
	uint32_t cpu, taken;

	mask_for_each_of(cpu, s->mask, s->span, start)
	{
		taken = try_cpu(s, cpu);
		if (taken != NO_CPU || s->spent)
			return taken;
	}
	return NO_CPU;
}

/* Those of @span that are in the mask, then they leave it. */
static uint32_t scan_span(struct scan *s, const struct cset *span, uint32_t start)
{
	uint64_t *order = s->m->balance->scratch;
	uint32_t cpu, taken;

	mask_copy(order, span);
	mask_for_each_of(cpu, order, span, start)
	{
		if (!may_take(s, cpu))
			continue;
		taken = try_cpu(s, cpu);
		if (taken != NO_CPU || s->spent)
			return taken;
	}
	mask_andnot(s->mask, span);
	return NO_CPU;
}

/* SIS_PROP: a waker that has been busy for some jiffies has less time. */
static void age_idle(struct rq *rq)
{
	uint64_t now = jiffies(rq->model);

	while (rq->wake_stamp < now && rq->wake_avg_idle) {
		rq->wake_stamp++;
		rq->wake_avg_idle >>= 1;
	}
}

/* False: don't look at all. */
static bool set_limit(struct scan *s, const struct sd *sd, uint32_t target)
{
	struct rq *here = cpu_rq(s->m, s->m->cpu);
	const struct llc_shared *shared = cpu_rq(s->m, target)->llc_shared;

	switch (s->m->features.scan_limit) {
	case SCAN_SIS_PROP:
		if (s->cores)
			return true;
		if (!here->sd_llc)
			return false;
		age_idle(here);
		s->left = (int64_t)scan_by_cost(here->wake_avg_idle, here->sd_llc->avg_scan_cost_ns,
						sd->span->weight);
		return true;
	case SCAN_SIS_UTIL:
		if (shared)
			s->left = (int64_t)shared->nr_idle_scan + 1;
		return s->left != 1;
	default:
		return true;
	}
}

/* SIS_PROP: the scan that came to its end took so long. */
static void enter_scan_cost(const struct scan *s, uint64_t since_ns)
{
	struct rq *here = cpu_rq(s->m, s->m->cpu);
	uint64_t took = model_now(s->m) - since_ns;

	if (s->m->features.scan_limit != SCAN_SIS_PROP || s->cores || s->spent)
		return;
	here->wake_avg_idle -= here->wake_avg_idle < took ? here->wake_avg_idle : took;
	average_eighth(&here->sd_llc->avg_scan_cost_ns, took);
}

static const struct sd *cluster_of(const struct rq *rq)
{
	const struct sd *sd;

	for (sd = rq->sd; sd; sd = sd->parent)
		if (sd->flags & SD_CLUSTER)
			return sd;
	return NULL;
}

/* wake.cluster=rfc_v2: without regard to the limit, where there is no SMT */
static uint32_t scan_v2(const struct scan *s, uint32_t target)
{
	const struct sd *sd = cluster_of(cpu_rq(s->m, target));
	uint64_t *order = s->m->balance->scratch;
	uint32_t cpu;

	if (s->m->balance->smt_active || !sd)
		return NO_CPU;
	mask_of(order, sd->span, s->p->allowed);
	mask_for_each_of(cpu, order, sd->span, target)
	{
		model_step(s->m, 1);
		if (available_idle_cpu(cpu_rq(s->m, cpu)))
			return take(s, cpu);
	}
	return NO_CPU;
}

/* wake.cluster=rfc_v3: each domain that shares a cluster, then the cache's */
static uint32_t scan_v3(struct scan *s, uint32_t target)
{
	const struct sd *sd;
	uint32_t taken = NO_CPU;

	for (sd = cpu_rq(s->m, target)->sd; sd && taken == NO_CPU && !s->spent; sd = sd->parent)
		if (sd->flags & SD_CLUSTER)
			taken = scan_span(s, sd->span, target);
	if (taken != NO_CPU || s->spent)
		return taken;
	return scan_mask(s, target);
}

/* wake.cluster=mainline: the cluster, then the rest, within one limit */
static uint32_t scan_mainline(struct scan *s, const struct sd *llc, uint32_t target)
{
	uint32_t taken = NO_CPU;

	if (s->m->balance->cluster_active && llc->first_flags & SD_CLUSTER)
		taken = scan_span(s, sd_group(llc, 0)->span, target + 1);
	if (taken != NO_CPU || s->spent)
		return taken;
	return scan_mask(s, target + 1);
}

static uint32_t scan_by_rule(struct scan *s, const struct sd *llc, uint32_t target)
{
	switch (s->m->features.wake_cluster) {
	case CLUSTER_RFC_V3:
		return scan_v3(s, target);
	case CLUSTER_MAINLINE:
		return scan_mainline(s, llc, target);
	default:
		return scan_mask(s, target + 1);
	}
}

uint32_t scan_llc(struct model *m, const struct task *p, const struct sd *sd, bool has_idle_core,
		  uint32_t target)
{
	struct scan s = scan_of(m, p, sd->span);
	uint64_t since = model_now(m);
	uint32_t taken = NO_CPU;

	s.cores = has_idle_core;
	if (m->features.wake_cluster == CLUSTER_RFC_V2)
		taken = scan_v2(&s, target);
	if (taken != NO_CPU || !set_limit(&s, sd, target))
		return taken;
	taken = scan_by_rule(&s, sd, target);
	if (taken != NO_CPU && s.cores)
		return taken;
	if (s.cores && cpu_rq(m, target)->llc_shared)
		cpu_rq(m, target)->llc_shared->has_idle_cores = false;
	enter_scan_cost(&s, since);
	return taken == NO_CPU ? s.thread : taken;
}

uint32_t scan_cluster_only(struct model *m, const struct task *p, uint32_t target)
{
	const struct sd *sd = cluster_of(cpu_rq(m, target));
	struct scan s;

	if (!sd)
		return NO_CPU;
	s = scan_of(m, p, sd->span);
	return scan_mask(&s, target + 1);
}
