// SPDX-License-Identifier: GPL-2.0-only
/* sched/select_idle.c - the fast path of a wake-up: an idle CPU near the target. */
#include "sched/select_env.h"

#include "sched/select.h"
#include "sched/why.h"

void update_idle_core(struct rq *rq)
{
	struct llc_shared *shared = rq->llc_shared;

	if (!rq->model->balance->smt_active || !shared || shared->has_idle_cores)
		return;
	if (lb_whole_core_idle(rq))
		shared->has_idle_cores = true;
}

/* A search: the task, and what is known of it. */
struct search {
	struct model *m;
	struct task *p;
	struct rq *target, *prev;
	uint64_t util;
	bool cluster_only;	       /* rfc_v6 */
	bool cluster_first;	       /* mainline, on a machine with clusters */
	uint32_t prev_aff, recent_aff; /* idle, but of other clusters */
};

static bool is_idle(const struct search *s, const struct rq *rq)
{
	return idle_for_task(rq, s->p) && fits_cpu(s->m, s->util, rq);
}

static uint32_t found(const struct search *s, const char *what, uint32_t cpu)
{
	why_cpu(s->m, "wake", s->p, what, cpu, "taken");
	return cpu;
}

static uint32_t passed(const struct search *s, const char *what, uint32_t cpu, const char *why)
{
	why_cpu(s->m, "wake", s->p, what, cpu, why);
	return NO_CPU;
}

static uint32_t try_prev(struct search *s)
{
	const struct rq *prev = s->prev;

	if (prev == s->target)
		return NO_CPU;
	if (!near_to(prev, s->target, s->cluster_only))
		return passed(s, "prev", prev->cpu, "another cache");
	if (!is_idle(s, prev))
		return passed(s, "prev", prev->cpu, "busy");
	if (!s->cluster_first || shares_cluster(prev, s->target))
		return found(s, "prev", prev->cpu);
	s->prev_aff = prev->cpu;
	return passed(s, "prev", prev->cpu, "another cluster");
}

static uint32_t try_recent(struct search *s)
{
	const struct rq *rq = cpu_rq(s->m, s->p->recent_used_cpu);

	s->p->recent_used_cpu = s->prev->cpu;
	if (rq == s->prev || rq == s->target)
		return NO_CPU;
	if (!near_to(rq, s->target, s->cluster_only))
		return passed(s, "recent", rq->cpu, "another cache");
	if (!task_allowed(s->p, rq->cpu))
		return passed(s, "recent", rq->cpu, "not allowed");
	if (!is_idle(s, rq))
		return passed(s, "recent", rq->cpu, "busy");
	if (!s->cluster_first || shares_cluster(rq, s->target))
		return found(s, "recent", rq->cpu);
	s->recent_aff = rq->cpu;
	return passed(s, "recent", rq->cpu, "another cluster");
}

/* Where capacities differ: the first idle CPU that is large enough, else the largest idle one. */
static uint32_t scan_capacity(struct search *s, const struct sd *sd)
{
	struct balance *lb = s->m->balance;
	uint32_t cpu, best = NO_CPU, best_capacity = 0;

	mask_of(lb->select, sd->span, s->p->allowed);
	mask_for_each_of(cpu, lb->select, sd->span, s->target->cpu)
	{
		const struct rq *rq = cpu_rq(s->m, cpu);

		model_step(s->m, 1);
		if (!idle_for_task(rq, s->p)) {
			passed(s, "capacity", cpu, "busy");
			continue;
		}
		if (fits_cpu(s->m, s->util, rq))
			return found(s, "capacity", cpu);
		passed(s, "capacity", cpu, "too small");
		if (rq->cpu_capacity <= best_capacity)
			continue;
		best = cpu;
		best_capacity = rq->cpu_capacity;
	}
	return best;
}

/* Another thread of the previous core. */
static uint32_t scan_threads(struct search *s, const struct sd *llc)
{
	uint32_t cpu;

	cset_for_each (cpu, s->prev->smt) {
		if (cpu == s->prev->cpu || !task_allowed(s->p, cpu) || !cset_test(llc->span, cpu))
			continue;
		model_step(s->m, 1);
		if (idle_for_task(cpu_rq(s->m, cpu), s->p))
			return found(s, "smt", cpu);
	}
	return NO_CPU;
}

static uint32_t scan_cache(struct search *s)
{
	struct sd *llc = s->target->sd_llc;
	bool has_idle_core = false;
	uint32_t cpu;

	if (!llc)
		return NO_CPU;
	if (s->m->balance->smt_active) {
		has_idle_core = s->target->llc_shared && s->target->llc_shared->has_idle_cores;
		cpu = NO_CPU;
		if (!has_idle_core && near_to(s->prev, s->target, s->cluster_only))
			cpu = scan_threads(s, llc);
		if (cpu != NO_CPU)
			return cpu;
	}
	if (s->cluster_only)
		return scan_cluster_only(s->m, s->p, s->target->cpu);
	return scan_llc(s->m, s->p, llc, has_idle_core, s->target->cpu);
}

static uint32_t scan(struct search *s)
{
	uint32_t cpu;

	if (s->m->balance->asym_active && s->target->sd_asym_capacity) {
		cpu = scan_capacity(s, s->target->sd_asym_capacity);
		return cpu == NO_CPU ? s->target->cpu : cpu;
	}
	cpu = scan_cache(s);
	if (cpu != NO_CPU)
		return cpu;
	if (s->target->sd_llc && s->prev_aff != NO_CPU)
		return found(s, "prev", s->prev_aff);
	if (s->target->sd_llc && s->recent_aff != NO_CPU)
		return found(s, "recent", s->recent_aff);
	return found(s, "target", s->target->cpu);
}

uint32_t select_idle_sibling(struct model *m, struct task *p, uint32_t prev, uint32_t target,
			     bool cluster)
{
	struct search s = {
		.m = m,
		.p = p,
		.target = cpu_rq(m, target),
		.prev = cpu_rq(m, prev),
		.cluster_only = cluster,
		.cluster_first =
			m->features.wake_cluster == CLUSTER_MAINLINE && m->balance->cluster_active,
		.prev_aff = NO_CPU,
		.recent_aff = NO_CPU,
	};
	uint32_t cpu;

	if (m->balance->asym_active) {
		sync_entity_load_avg(&p->se);
		s.util = task_util_est(p);
	}
	model_step(m, 1);
	if (is_idle(&s, s.target))
		return found(&s, "target", target);
	passed(&s, "target", target, "busy");
	cpu = try_prev(&s);
	if (cpu == NO_CPU)
		cpu = try_recent(&s);
	return cpu == NO_CPU ? scan(&s) : cpu;
}
