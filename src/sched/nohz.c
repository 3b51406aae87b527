// SPDX-License-Identifier: GPL-2.0-only
/* sched/nohz.c - one idle CPU balances for all that idle without a tick, when a busy one thinks there is need. */
#include "sched/lb.h"

#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/mask.h"

#define KICKS	   (NOHZ_BALANCE_KICK | NOHZ_STATS_KICK | NOHZ_NEXT_KICK)
#define FULL_KICK  (NOHZ_BALANCE_KICK | NOHZ_STATS_KICK)
#define BLOCKED_MS 32 /* from one refresh of what idle CPUs' load has decayed to, to the next */

static void state_busy(const struct rq *rq)
{
	if (!rq->sd_llc || !rq->sd_llc->nohz_idle)
		return;
	rq->sd_llc->nohz_idle = false;
	rq->llc_shared->nr_busy++;
}

static void state_idle(const struct rq *rq)
{
	if (!rq->sd_llc || rq->sd_llc->nohz_idle)
		return;
	rq->sd_llc->nohz_idle = true;
	rq->llc_shared->nr_busy--;
}

void nohz_balance_exit(struct rq *rq)
{
	struct nohz *nohz = &rq->model->balance->nohz;

	if (!rq->nohz_tick_stopped)
		return;
	rq->nohz_tick_stopped = false;
	mask_clear(nohz->mask, rq->cpu);
	nohz->nr--;
	state_busy(rq);
}

void nohz_balance_enter_idle(struct rq *rq)
{
	struct nohz *nohz = &rq->model->balance->nohz;

	if (!rq->active)
		return;
	rq->has_blocked_load = true;
	if (!rq->nohz_tick_stopped) {
		if (!rq->sd)
			return;
		rq->nohz_tick_stopped = true;
		mask_set(nohz->mask, rq->cpu);
		nohz->nr++;
		state_idle(rq);
		nohz->needs_update = true;
	}
	nohz->has_blocked = true;
}

/* A thread of a busy core would disturb it: with nohz.ilb=core whole idle cores are asked first. */
static struct rq *first_idle(struct model *m)
{
	const struct balance *lb = m->balance;
	bool cores = m->features.nohz_ilb == ILB_CORE && lb->smt_active;
	struct rq *thread = NULL;
	uint32_t cpu;

	for (cpu = mask_next(lb->nohz.mask, lb->words, 0); cpu != MASK_END;
	     cpu = mask_next(lb->nohz.mask, lb->words, cpu + 1)) {
		struct rq *rq = cpu_rq(m, cpu);

		model_step(m, 1);
		if (cpu == m->cpu || !available_idle_cpu(rq))
			continue;
		if (!cores || lb_whole_core_idle(rq))
			return rq;
		thread = thread ? thread : rq;
	}
	return thread;
}

static void kick(struct model *m, uint8_t flags)
{
	struct rq *rq;
	bool kicked;

	if (flags & NOHZ_BALANCE_KICK)
		m->balance->nohz.next_balance = jiffies(m) + 1;
	rq = first_idle(m);
	if (!rq)
		return;
	kicked = rq->nohz_flags & KICKS;
	rq->nohz_flags |= flags;
	if (!kicked)
		call_cpu(rq);
}

static bool preferred_idles(const struct rq *rq)
{
	struct model *m = rq->model;
	uint32_t cpu;

	if (!rq->sd_asym_packing)
		return false;
	mask_for_each(cpu, rq->sd_asym_packing->span,
		      m->balance->nohz.mask) if (lb_asym(m, rq->sd_asym_packing, cpu_rq(m, cpu),
							 rq->cpu)) return true;
	return false;
}

/* Up to 6.9 the tasks of the largest CPUs count as misfits too, and must be told apart here. */
static bool misfit_to_help(const struct rq *rq)
{
	if (!rq->misfit_task_load || rq->model->features.misfit_allowed)
		return rq->misfit_task_load;
	return rq->capacity < rq->rd->max_capacity ||
	       lb_reduced(rq->cpu_capacity, rq->capacity, rq->sd_asym_capacity->imbalance_pct);
}

/* The CPU's one task might be better off elsewhere, or the cache's CPUs have some to give. */
static bool wants_balance(const struct rq *rq)
{
	const struct sd *sd = rq->sd;

	if (rq->nr_running >= 2)
		return true;
	if (sd && lb_nr_fair(rq) && lb_reduced(rq->cpu_capacity, rq->capacity, sd->imbalance_pct))
		return true;
	if (preferred_idles(rq))
		return true;
	if (rq->sd_asym_capacity)
		return misfit_to_help(rq);
	return rq->llc_shared && rq->llc_shared->nr_busy > 1;
}

static void kick_if_needed(struct rq *rq)
{
	struct model *m = rq->model;
	struct nohz *nohz = &m->balance->nohz;
	uint64_t now = jiffies(m);
	uint8_t flags = 0;

	if (rq->idle_balance)
		return;
	nohz_balance_exit(rq);
	if (!nohz->nr)
		return;
	if (nohz->has_blocked && jiffies_after(now, nohz->next_blocked))
		flags = NOHZ_STATS_KICK;
	if (jiffies_reached(now, nohz->next_balance) && wants_balance(rq))
		flags = FULL_KICK;
	if (nohz->needs_update)
		flags |= NOHZ_NEXT_KICK;
	if (flags)
		kick(m, flags);
}

void trigger_load_balance(struct rq *rq)
{
	if (!rq->sd || !rq->active)
		return;
	if (jiffies_reached(jiffies(rq->model), rq->next_balance))
		rq->softirq = true;
	kick_if_needed(rq);
}

void nohz_csd(struct rq *rq)
{
	uint8_t flags = rq->nohz_flags;

	rq->nohz_flags = 0;
	rq->idle_balance = available_idle_cpu(rq);
	if (!rq->idle_balance)
		return;
	rq->nohz_idle_balance = flags;
	rq->softirq = true;
}

static void refresh_blocked(struct rq *rq)
{
	rq->last_blocked_jiffy = jiffies(rq->model);
	if (!update_blocked_averages(rq))
		rq->has_blocked_load = false;
}

/* Return: it has load that goes on decaying. */
static bool refresh_idle(struct rq *rq)
{
	const struct model *m = rq->model;

	if (!rq->has_blocked_load || !mask_test(m->balance->nohz.mask, rq->cpu))
		return false;
	if (jiffies_after(jiffies(m), rq->last_blocked_jiffy))
		refresh_blocked(rq);
	else
		return true;
	return rq->has_blocked_load;
}

/* State of a balancing for all tickless CPUs. */
struct idle_pass {
	struct rq *by;
	uint8_t flags;
	uint64_t next;
	bool update;
	bool blocked;
};

static void balance_one(struct idle_pass *p, struct rq *rq)
{
	struct model *m = rq->model;

	if (p->flags & NOHZ_STATS_KICK)
		p->blocked |= refresh_idle(rq);
	if (jiffies_reached(jiffies(m), rq->next_balance)) {
		rq_clock_update(rq);
		if (p->flags & NOHZ_BALANCE_KICK)
			rebalance_domains(rq, LB_IDLE, CORE_MIGRATE_NOHZ);
	}
	if (jiffies_after(p->next, rq->next_balance)) {
		p->next = rq->next_balance;
		p->update = true;
	}
}

/* False: the CPU that does it has got work itself. */
static bool balance_all(struct idle_pass *p)
{
	struct model *m = p->by->model;
	const struct balance *lb = m->balance;
	uint32_t cpu;

	mask_for_each_from(cpu, lb->nohz.mask, lb->words, p->by->cpu + 1)
	{
		model_step(m, 1);
		if (!available_idle_cpu(cpu_rq(m, cpu)))
			continue;
		if (!available_idle_cpu(p->by) && p->by->need_resched)
			return false;
		balance_one(p, cpu_rq(m, cpu));
	}
	return true;
}

static void idle_balance(struct rq *rq, uint8_t flags)
{
	struct model *m = rq->model;
	struct nohz *nohz = &m->balance->nohz;
	uint64_t now = jiffies(m);
	struct idle_pass p = { .by = rq, .flags = flags, .next = now + 60 * m->tunables.hz };
	bool done;

	if (flags & NOHZ_STATS_KICK)
		nohz->has_blocked = false;
	if (flags & NOHZ_NEXT_KICK)
		nohz->needs_update = false;
	done = balance_all(&p);
	if (done && p.update)
		nohz->next_balance = p.next;
	if (done && flags & NOHZ_STATS_KICK)
		nohz->next_blocked = now + ms_to_jiffies(m, BLOCKED_MS);
	if (!done && flags & NOHZ_NEXT_KICK)
		nohz->needs_update = true;
	if (p.blocked || (!done && flags & NOHZ_STATS_KICK))
		nohz->has_blocked = true;
}

void run_rebalance_domains(struct rq *rq)
{
	enum lb_idle idle = rq->idle_balance ? LB_IDLE : LB_NOT_IDLE;
	uint8_t flags = rq->nohz_idle_balance;

	rq->nohz_idle_balance = 0;
	if (flags && idle == LB_IDLE) {
		idle_balance(rq, flags);
		return;
	}
	refresh_blocked(rq);
	rebalance_domains(rq, idle, CORE_MIGRATE_BALANCE);
}

void nohz_run_idle_balance(struct rq *rq)
{
	uint8_t flags = rq->nohz_flags;

	rq->nohz_flags &= (uint8_t)~NOHZ_NEWILB_KICK;
	if (flags == NOHZ_NEWILB_KICK && !rq->need_resched)
		idle_balance(rq, NOHZ_STATS_KICK);
}

void nohz_newidle(struct rq *rq)
{
	const struct model *m = rq->model;
	const struct nohz *nohz = &m->balance->nohz;

	if (rq->avg_idle < m->tunables.migration_cost_ns || !nohz->has_blocked ||
	    !jiffies_reached(jiffies(m), nohz->next_blocked))
		return;
	rq->nohz_flags |= NOHZ_NEWILB_KICK;
}
