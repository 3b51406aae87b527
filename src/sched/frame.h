/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/frame.h - what the files of the frame ask of each other; the functions of struct core_ops, by file. */
#ifndef SCHED_FRAME_H
#define SCHED_FRAME_H

#include "sched/model.h"

static inline struct model *model_of(struct core *core)
{
	return (struct model *)core;
}

static inline struct task *task_of_core(struct core_task *task)
{
	return (struct task *)task;
}

/** event_begin() - an event on @cpu, whose runqueue is returned; event_end(): the host is told of the work */
struct rq *event_begin(struct core *core, uint32_t cpu);
void event_end(struct model *m);

/* task.c: time waited, from the first begin to the end */
void wait_begin(struct rq *rq, struct task *p);
void wait_end(struct rq *rq, struct task *p);

/* wake.c */
void model_wake(struct core *core, uint32_t cpu, struct core_task *task, bool sync);
void model_ipi(struct core *core, uint32_t cpu, enum core_ipi kind);

/** wake_stopper() - @rq.stop is to run */
void wake_stopper(struct rq *rq);

/** flush_calls() - what other CPUs asked of @rq, which is this CPU */
void flush_calls(struct rq *rq);

/** task_woken() - @p was queued on @rq by a wakeup: an RT task that waits behind another goes elsewhere */
void task_woken(struct rq *rq, const struct task *p);

/** note_idle_time() - the CPU has work again: how long it idled goes into its average */
void note_idle_time(struct rq *rq);

/** choose_cpu() - the class's choice, made one that is allowed and active */
uint32_t choose_cpu(struct task *p, uint32_t prev, unsigned int wake_flags);

/** fallback_cpu() - an allowed active CPU near @cpu; where there is none the affinity is given up */
uint32_t fallback_cpu(struct task *p, uint32_t cpu);

/* fork.c */

/** task_init() - what all tasks have, a CPU's own too */
void task_init(struct model *m, struct task *p, struct rq *rq);

struct core_task *model_task_new(struct core *core, uint32_t cpu,
				 const struct core_task_spec *spec);
void model_task_start(struct core *core, uint32_t cpu, struct core_task *task);
void model_task_free(struct core *core, struct core_task *task);

/* switch.c */
void model_block(struct core *core, uint32_t cpu, bool io);
void model_yield(struct core *core, uint32_t cpu);
void model_exit(struct core *core, uint32_t cpu);
void model_tick(struct core *core, uint32_t cpu);

/** schedule() - choose for @rq, which is this CPU */
void schedule(struct rq *rq);
struct core_now model_settle(struct core *core, uint32_t cpu);

/* attr.c */
int model_set_sched(struct core *core, uint32_t cpu, struct core_task *task,
		    const struct core_sched *sched);

/** check_sched() - 0, or -EINVAL, -EOPNOTSUPP with the words printed */
int check_sched(struct model *m, const struct core_sched *sched);

/** sched_differs() - has @p other attributes? change_sched(): give it these, queued or running or not */
bool sched_differs(const struct model *m, const struct task *p, const struct core_sched *sched);
void change_sched(struct model *m, struct task *p, const struct core_sched *sched);

/** apply_sched() - to a task that is not queued; policy, priorities, weight, slice and class */
void apply_sched(struct model *m, struct task *p, const struct core_sched *sched);

/* move.c */
void model_exec(struct core *core, uint32_t cpu);
int model_set_affinity(struct core *core, uint32_t cpu, struct core_task *task,
		       const uint64_t *words);

/** any_cpu() - the next in turn of those of @allowed, as @rq gives them out; UINT32_MAX: none is active */
uint32_t any_cpu(struct rq *rq, const struct cset *allowed);

/** set_allowed() - and what follows from it */
void set_allowed(struct model *m, struct task *p, const struct cset *allowed);

/** cset_of_words() - CPUs of the machine among those of @words */
const struct cset *cset_of_words(struct model *m, const uint64_t *words);

/* hotplug.c */
int model_cpu_up(struct core *core, uint32_t by, uint32_t cpu);
int model_cpu_down(struct core *core, uint32_t by, uint32_t cpu);

/* knob.c */
int model_knob(struct core *core, const char *name, const char *value);
/** knob_set() - model_knob() with words */
int knob_set(struct model *m, const char *name, const char *value, struct error *err);

/** features_to_release() - the rows "topo.*" to where the domains are built from */
void features_to_release(struct model *m);
const char *model_knob_at(const struct core *core, uint32_t i);

/* look.c */
void model_task_state(const struct core *core, const struct core_task *task,
		      struct core_task_state *state);
void model_rq_state(const struct core *core, uint32_t cpu, struct core_rq_state *state);
void model_schedstat(struct core *core, void (*put)(void *ctx, const char *text), void *ctx);

#endif
