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

/** update_blocked_averages() - all averages of a CPU up to now, as balancing does before it looks. True: some load is left */
bool update_blocked_averages(struct rq *rq);

/** attach_entity_load_avg() - the averages of @se, from now on at the queue's time, into its sums; detach_…(): out of them */
void attach_entity_load_avg(struct rq *rq, struct entity *se);
void detach_entity_load_avg(struct rq *rq, struct entity *se);

/** sync_entity_load_avg() - of a sleeping task, up to its queue's last update */
void sync_entity_load_avg(struct entity *se);

/** remove_entity_load_avg() - a sleeping task leaves its queue */
void remove_entity_load_avg(struct entity *se);

/** migrate_pelt_lag() - and has decayed further on a CPU that idles, whose clock stood still */
void migrate_pelt_lag(struct entity *se);

/** reweight_load_avg() - the queue's load with @se at its new weight */
void reweight_load_avg(struct rq *rq, struct entity *se, struct weight load);

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

/** lb_nr_fair() - fair tasks as balancing counts them: feature lb.counts */
static inline uint32_t lb_nr_fair(const struct rq *rq)
{
	return rq->model->features.lb_counts == COUNTS_RUNNABLE ? nr_runnable(rq)
								: rq->cfs.nr_queued;
}

/** fair_update_curr() - account what the running fair task had, if one runs */
void fair_update_curr(struct rq *rq);

/* util_est.c */
/** util_est_of() - the estimate alone, without its current util_avg */
uint32_t util_est_of(const struct task *p);

/** util_est_enqueue() - into the queue's sum, and out of it */
void util_est_enqueue(struct rq *rq, const struct task *p);
void util_est_dequeue(struct rq *rq, const struct task *p);

/** util_est_update() - the task's own, as an activation ends; @sleep false: it doesn't end */
void util_est_update(struct rq *rq, struct task *p, bool sleep);

/** util_est_next() - the one value after an activation that ended with @util and @runnable (6.8 on) */
uint32_t util_est_next(uint32_t est, uint64_t util, uint64_t runnable, uint64_t capacity);

/** util_est_changed() - the task's util_avg is no longer that of its enqueueing */
void util_est_changed(struct entity *se);

/** fair_clear_buddies() - @se is nobody's next, last or skip */
void fair_clear_buddies(struct rq *rq, const struct entity *se);

/** fair_finish_delayed() - @p, which sleeps and is still queued, leaves */
void fair_finish_delayed(struct rq *rq, struct task *p);

/** fair_insert(), fair_erase() - into and out of the timeline */
void fair_insert(struct rq *rq, struct entity *se);
void fair_erase(struct rq *rq, struct entity *se);

/**
 * struct fair_core - what CFS and EEVDF do differently; the rest of the class, fair.c, is common. NULL: nothing to do
 * @key:       what the timeline is ordered by
 * @place:     @se joins, or comes back: its vruntime, and deadline
 * @leave:     @se, still queued, goes: what it takes along
 * @left:      it is gone
 * @stays:     @se, which goes to sleep, is to stay queued (delayed)
 * @requeue:   and was woken up before it left; @finish_delayed: or has left now
 * @leaving:   @se may go to sleep: what is asked before that (7.3)
 * @counted:   @se is accounted, and will be placed (7.3)
 * @inserted, @erased: into and out of the timeline
 * @account:   @curr had @delta of service
 * @pick:      the next one; @curr: the one that runs if it still wants to, NULL otherwise
 * @picked:    @se runs now
 * @preempts:  @p was woken up beside @curr: is it to take the CPU? @preempted: it does
 * @woken:     the same from 7.3 on, of any fair task but the one that runs
 * @idle_preempted: @curr is of the idle policy and anybody else may take the CPU
 * @fork:      @se is forked on @rq by what runs there
 * @migrate:   @p, asleep, goes to another CPU
 * @reweight:  @se, not queued, gets another weight
 * @switched:  @p came to the class, or leaves it
 */
struct fair_core {
	uint64_t (*key)(const struct entity *se);
	void (*place)(struct rq *rq, struct entity *se, unsigned int flags);
	void (*leave)(struct rq *rq, struct entity *se, unsigned int flags);
	void (*left)(struct rq *rq, struct entity *se, unsigned int flags);
	bool (*stays)(struct rq *rq, const struct entity *se);
	void (*leaving)(struct rq *rq, struct entity *se);
	void (*counted)(struct rq *rq, struct entity *se);
	void (*requeue)(struct rq *rq, struct entity *se);
	void (*finish_delayed)(struct rq *rq, struct entity *se);
	void (*inserted)(struct rq *rq, struct entity *se);
	void (*erased)(struct rq *rq, struct entity *se);
	void (*account)(struct rq *rq, struct entity *curr, uint64_t delta);
	struct entity *(*pick)(struct rq *rq, struct entity *curr);
	void (*picked)(struct rq *rq, struct entity *se);
	bool (*preempts)(struct rq *rq, struct task *curr, struct task *p);
	bool (*woken)(struct rq *rq, struct task *p, unsigned int wake_flags);
	void (*preempted)(struct rq *rq, struct task *curr);
	void (*idle_preempted)(struct rq *rq, struct task *curr);
	void (*tick)(struct rq *rq, struct entity *curr);
	void (*yield)(struct rq *rq, struct task *curr);
	void (*fork)(struct rq *rq, struct entity *se);
	void (*migrate)(struct task *p);
	void (*reweight)(struct rq *rq, struct entity *se, struct weight load);
	void (*switched)(struct rq *rq, struct task *p, bool to);
};

extern const struct fair_core fair_cfs, fair_eevdf;

/** fair_is_cfs() - which of the two it is */
static inline bool fair_is_cfs(const struct model *m)
{
	return m->features.core == CORE_CFS;
}

/** fair_is_flat() - the class as of 7.3: a task is accounted first, then placed, and its lag is known before it is asked to stay */
static inline bool fair_is_flat(const struct model *m)
{
	return m->features.core >= CORE_EEVDF73;
}

/*
 * FAIR() - call a hook of the instance's core, which has it; FAIR_IF(): if it has it. Each is named in the call, so that the compiler
 * sees what is called: these are the most travelled ways there are.
 */
#define FAIR(m, hook, ...)                                                                         \
	(fair_is_cfs(m) ? fair_cfs.hook(__VA_ARGS__) : fair_eevdf.hook(__VA_ARGS__))
#define FAIR_IF(m, hook, ...)                                                                      \
	do {                                                                                       \
		if (fair_is_cfs(m)) {                                                              \
			if (fair_cfs.hook)                                                         \
				fair_cfs.hook(__VA_ARGS__);                                        \
		} else if (fair_eevdf.hook) {                                                      \
			fair_eevdf.hook(__VA_ARGS__);                                              \
		}                                                                                  \
	} while (0)

#endif
