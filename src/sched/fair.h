/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/fair.h - the fair class: NORMAL, BATCH and IDLE tasks, by CFS or EEVDF. What placement and balancing may ask of
 * it, and what its own files ask of each other.
 */
#ifndef SCHED_FAIR_H
#define SCHED_FAIR_H

#include "sched/model.h"

/* What update_load_avg() does besides. */
enum {
	LOAD_SKIP_AGE = 1 << 0,
	LOAD_ATTACH = 1 << 1,
	LOAD_DETACH = 1 << 2,
};

/* Averages: fair_load.c. */

/** update_load_avg() - a task's average and its queue's up to the queue's clock */
void update_load_avg(struct rq *rq, struct entity *se, unsigned int flags);

/** update_cfs_rq_load_avg() - the queue's alone; true where it decayed or something was removed */
bool update_cfs_rq_load_avg(struct rq *rq);

/** update_blocked_averages() - all averages of a CPU up to now, as balancing does before it looks. True: some load is left */
bool update_blocked_averages(struct rq *rq);

void attach_entity_load_avg(struct rq *rq, struct entity *se);
void detach_entity_load_avg(struct rq *rq, struct entity *se);

/** sync_entity_load_avg() - of a sleeping task, up to its queue's last update */
void sync_entity_load_avg(struct entity *se);

/** remove_entity_load_avg() - a sleeping task leaves its queue */
void remove_entity_load_avg(struct entity *se);

/** init_entity_load_avg(), post_init_entity_load_avg() - of a new task, before and after its CPU is chosen */
void init_entity_load_avg(struct entity *se);
void post_init_entity_load_avg(struct rq *rq, struct task *p);

/** update_misfit_status() - is @p, NULL: nobody, too much for its CPU? */
void update_misfit_status(struct task *p, struct rq *rq);

/* Looks at load and utilisation. */

/** task_util() - 0 .. 1024; task_util_est(): with past activations. task_h_load(): its part of its queue's load */
static inline uint64_t task_util(const struct task *p)
{
	return p->se.avg.util_avg;
}
uint64_t task_util_est(const struct task *p);
uint64_t task_h_load(const struct task *p);

static inline uint64_t cpu_load(const struct rq *rq)
{
	return rq->cfs.avg.load_avg;
}

static inline uint64_t cpu_runnable(const struct rq *rq)
{
	return rq->cfs.avg.runnable_avg;
}

/** cpu_util_cfs() - what is used by fair tasks, or will be: max(util_avg, util_est), at most the CPU's capacity */
uint64_t cpu_util_cfs(const struct rq *rq);

/** nr_runnable() - fair tasks that run or wait to; delayed ones excluded */
static inline uint32_t nr_runnable(const struct rq *rq)
{
	return rq->cfs.nr_queued - rq->cfs.nr_delayed;
}

/** fair_update_curr() - account what the running fair task had, if one runs */
void fair_update_curr(struct rq *rq);

/* util_est.c */
void util_est_enqueue(struct rq *rq, const struct task *p);
void util_est_dequeue(struct rq *rq, const struct task *p);
void util_est_update(struct rq *rq, struct task *p, bool sleep);

/** util_est_changed() - the task's util_avg is no longer that of its enqueueing */
void util_est_changed(struct entity *se);

/**
 * struct fair_core - what CFS and EEVDF do differently; the rest of the class, fair.c, is common
 * @key:      what the timeline is ordered by
 * @place:    @se joins or comes back: its vruntime, and deadline. @curr_first: called before the running entity is accounted
 *            for, where @se is that one; else behind it
 * @leave:    @se goes: what it takes along
 * @left:     it has gone; the queue without it
 * @account:  @curr had @delta of service
 * @pick:     the next one; @curr: the one that runs if it still wants to, NULL otherwise
 * @preempts: @p was woken up: does it take the CPU from @curr? Both are fair, no resched is due
 * @reweight: @se, queued or not, gets another weight
 */
struct fair_core {
	uint64_t (*key)(const struct entity *se);
	void (*place)(struct rq *rq, struct entity *se, unsigned int flags);
	void (*leave)(struct rq *rq, struct entity *se, unsigned int flags);
	void (*left)(struct rq *rq, struct entity *se, unsigned int flags);
	void (*account)(struct rq *rq, struct entity *curr, uint64_t delta);
	struct entity *(*pick)(struct rq *rq, struct entity *curr);
	bool (*preempts)(struct rq *rq, struct task *curr, struct task *p, unsigned int wake_flags);
	void (*tick)(struct rq *rq, struct entity *curr);
	void (*yield)(struct rq *rq, struct task *curr);
	void (*fork)(struct rq *rq, struct entity *se);
	void (*reweight)(struct rq *rq, struct entity *se, struct weight load);
};

extern const struct fair_core fair_cfs, fair_eevdf;

#endif
