// SPDX-License-Identifier: GPL-2.0-only
#include "sched/select.h"

#include "sched/select_env.h"
#include "sched/wake_affine.h"
#include "sched/why.h"

/* A placement: why, and who asks. */
struct asked {
	struct model *m;
	struct task *p;
	struct rq *here; /* the waker's */
	uint32_t prev;
	bool sync;
	bool cluster; /* rfc_v6: clusters stand for caches */
};

/* Once a second it is halved, and each partner that is another one than before counts. */
static void record_wakee(struct model *m, struct task *waker, const struct task *p)
{
	if (jiffies_after(jiffies(m), waker->wakee_flip_jiffy + m->tunables.hz)) {
		waker->wakee_flips >>= 1;
		waker->wakee_flip_jiffy = jiffies(m);
	}
	if (waker->last_wakee != p->id) {
		waker->last_wakee = p->id;
		waker->wakee_flips++;
	}
}

static uint32_t cluster_size(const struct rq *rq)
{
	const struct sd *sd;

	for (sd = rq->sd; sd; sd = sd->parent)
		if (sd->flags & SD_CLUSTER)
			return sd->span->weight;
	return rq->llc_size;
}

static bool is_wide(const struct asked *a)
{
	uint32_t factor = a->cluster ? cluster_size(a->here) : a->here->llc_size;

	return wakes_wide(a->here->curr->wakee_flips, a->p->wakee_flips, factor);
}

/* Is one of the two idle, or about to be? NO_CPU: neither. */
static uint32_t affine_by_idle(const struct asked *a)
{
	const struct rq *here = a->here, *there = cpu_rq(a->m, a->prev);

	if (available_idle_cpu(here) && near_to(here, there, a->cluster))
		return available_idle_cpu(there) ? a->prev : here->cpu;
	if (a->sync && here->nr_running - here->cfs.nr_delayed == 1)
		return here->cpu;
	return available_idle_cpu(there) ? a->prev : NO_CPU;
}

static bool affine_by_load(const struct asked *a, const struct sd *sd)
{
	const struct rq *here = a->here, *there = cpu_rq(a->m, a->prev);
	struct affine loads = {
		.this_load = cpu_load(here),
		.prev_load = cpu_load(there),
		.this_capacity = here->cpu_capacity,
		.prev_capacity = there->cpu_capacity,
		.current_load = a->sync ? task_h_load(here->curr) : 0,
		.pct = a->m->features.wa_bias ? sd->imbalance_pct : 100,
		.sync = a->sync,
	};

	/* not asked for the wakee's load where that decides, since asking sets the scale for the rest of the jiffy */
	if (loads.current_load <= loads.this_load)
		loads.task_load = task_h_load(a->p);
	return affine_by_weight(&loads);
}

static uint32_t wake_affine(const struct asked *a, struct sd *sd)
{
	const struct features *f = &a->m->features;
	uint32_t target = f->wa_idle ? affine_by_idle(a) : NO_CPU;
	const char *by = "idle";

	if (target == NO_CPU && f->wa_weight) {
		by = "load";
		target = affine_by_load(a, sd) ? a->here->cpu : a->prev;
	}
	if (target != a->here->cpu) {
		why_cpu(a->m, "wake", a->p, "affine", a->prev, by);
		return a->prev;
	}
	why_cpu(a->m, "wake", a->p, "affine", target, by);
	sd->counts.wake_affine++;
	return target;
}

static uint32_t flag_of(unsigned int wake_flags)
{
	if (wake_flags & WAKE_FORK)
		return SD_BALANCE_FORK;
	return wake_flags & WAKE_EXEC ? SD_BALANCE_EXEC : SD_BALANCE_WAKE;
}

/*
 * The domains of the waker's CPU bottom-up: the first that spans both CPUs makes it a matter of affinity; else
 * the highest in a row that has the flag is balanced. Return: that one; NULL: the fast path from *@target on.
 */
static struct sd *find_way(const struct asked *a, bool affine, uint32_t flag, uint32_t *target)
{
	struct sd *sd, *slow = NULL;

	for (sd = a->here->sd; sd; sd = sd->parent) {
		model_step(a->m, 1);
		if (affine && sd->flags & SD_WAKE_AFFINE && cset_test(sd->span, a->prev)) {
			if (a->here->cpu != a->prev)
				*target = wake_affine(a, sd);
			return NULL;
		}
		if (sd->flags & flag)
			slow = sd;
		else if (!affine)
			break;
	}
	return slow;
}

uint32_t select_task_rq_fair(struct model *m, struct task *p, uint32_t prev,
			     unsigned int wake_flags)
{
	struct asked a = {
		.m = m,
		.p = p,
		.here = cpu_rq(m, m->cpu),
		.prev = prev,
		.sync = wake_flags & WAKE_SYNC,
	};
	uint32_t flag = flag_of(wake_flags), target = prev;
	bool affine = false, wake = wake_flags & WAKE_TTWU;
	struct sd *slow;

	if (wake) {
		a.cluster = m->features.wake_cluster == CLUSTER_RFC_V6 &&
			    m->balance->cluster_active && shares_cache(a.here, cpu_rq(m, prev));
		record_wakee(m, a.here->curr, p);
		affine = !is_wide(&a) && task_allowed(p, m->cpu);
	}
	slow = find_way(&a, affine, flag, &target);
	if (slow)
		return find_idlest_cpu(m, slow, p, m->cpu, prev, flag);
	return wake ? select_idle_sibling(m, p, prev, target, a.cluster) : target;
}
