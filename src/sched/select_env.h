/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/select_env.h - between the files of placement: select.c decides which way is gone, select_idle.c looks for an idle CPU near
 * one (fast path), select_scan.c through the CPUs of a cache, select_slow.c for the idlest of a domain (fork and exec).
 */
#ifndef SCHED_SELECT_ENV_H
#define SCHED_SELECT_ENV_H

#include "sched/domain.h"
#include "sched/fair.h"
#include "sched/lb.h"
#include "sched/mask.h"

#define NO_CPU UINT32_MAX

/** yields_to() - nothing but tasks of the idle policy is there, and would be in the way of @p */
static inline bool yields_to(const struct rq *rq, const struct task *p)
{
	return sched_idle_rq(rq) &&
	       (rq->model->features.wake_idle_policy || p->policy != CORE_IDLE);
}

/** idle_for_task() - or nothing at all */
static inline bool idle_for_task(const struct rq *rq, const struct task *p)
{
	return available_idle_cpu(rq) || yields_to(rq, p);
}

/** fits_cpu() - @util with some room; on machines of equal CPUs anything does */
static inline bool fits_cpu(const struct model *m, uint64_t util, const struct rq *rq)
{
	return !m->balance->asym_active || util * 1280 < (uint64_t)rq->cpu_capacity * 1024;
}

/** near_to() - whom a CPU is near to: its cluster's CPUs for wake.cluster=rfc_v6 where @cluster, else its cache's */
static inline bool near_to(const struct rq *a, const struct rq *b, bool cluster)
{
	return cluster ? shares_cluster(a, b) : shares_cache(a, b);
}

/**
 * select_idle_sibling() - an idle CPU near @target; @target itself if there is none
 * @cluster: wake.cluster=rfc_v6: look in the cluster alone
 */
uint32_t select_idle_sibling(struct model *m, struct task *p, uint32_t prev, uint32_t target,
			     bool cluster);

/** scan_llc() - an idle CPU of the cache's domain @sd from @target on; NO_CPU */
uint32_t scan_llc(struct model *m, const struct task *p, const struct sd *sd, bool has_idle_core,
		  uint32_t target);

/** scan_cluster_only() - wake.cluster=rfc_v6: of @target's cluster, without a limit */
uint32_t scan_cluster_only(struct model *m, const struct task *p, uint32_t target);

/** find_idlest_cpu() - the slow path from @sd down; @flag: SD_BALANCE_FORK, _EXEC or _WAKE */
uint32_t find_idlest_cpu(struct model *m, struct sd *sd, struct task *p, uint32_t cpu,
			 uint32_t prev, uint32_t flag);

#endif
