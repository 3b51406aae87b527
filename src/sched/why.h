/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/why.h - what placement and balancing tell of their decisions, if anybody asks. */
#ifndef SCHED_WHY_H
#define SCHED_WHY_H

#include "sched/lb.h"

/* Each tells what the function of that name below says; the host wants to know. */
void why_tell_group(const struct lb_pass *pass, const struct sgroup *g, const struct lb_stats *s,
		    const char *outcome);
void why_tell_domain(const struct lb_pass *pass, const struct lb_decision *decision);
void why_tell_queue(const struct lb_pass *pass, const struct rq *rq, const char *outcome);
void why_tell_task(const struct lb_pass *pass, const struct task *p, const char *outcome);
void why_tell_cpu(const struct model *m, const char *decision, const struct task *p,
		  const char *what, uint32_t cpu, const char *outcome);
void why_tell_stats(const struct model *m, const char *decision, const struct task *p,
		    const struct sgroup *g, const struct lb_stats *s, const char *outcome);
void why_tell_newidle(const struct rq *rq, const struct sd *sd, const char *outcome);

/** why_group() - a group of the domain of a pass */
static inline void why_group(const struct lb_pass *pass, const struct sgroup *g,
			     const struct lb_stats *s, const char *outcome)
{
	if (model_why(pass->m))
		why_tell_group(pass, g, s, outcome);
}

/** why_domain() - what the decision matrix says */
static inline void why_domain(const struct lb_pass *pass, const struct lb_decision *decision)
{
	if (model_why(pass->m))
		why_tell_domain(pass, decision);
}

/** why_queue() - a runqueue of the busiest group */
static inline void why_queue(const struct lb_pass *pass, const struct rq *rq, const char *outcome)
{
	if (model_why(pass->m))
		why_tell_queue(pass, rq, outcome);
}

/** why_task() - a task of the busiest queue */
static inline void why_task(const struct lb_pass *pass, const struct task *p, const char *outcome)
{
	if (model_why(pass->m))
		why_tell_task(pass, p, outcome);
}

/** why_cpu() - a CPU for @p; @decision is "wake", "fork" or "exec" */
static inline void why_cpu(const struct model *m, const char *decision, const struct task *p,
			   const char *what, uint32_t cpu, const char *outcome)
{
	if (model_why(m))
		why_tell_cpu(m, decision, p, what, cpu, outcome);
}

/** why_stats() - a group for @p */
static inline void why_stats(const struct model *m, const char *decision, const struct task *p,
			     const struct sgroup *g, const struct lb_stats *s, const char *outcome)
{
	if (model_why(m))
		why_tell_stats(m, decision, p, g, s, outcome);
}

/** why_newidle() - a domain that new-idle balancing does, or leaves out; @sd NULL: all of them */
static inline void why_newidle(const struct rq *rq, const struct sd *sd, const char *outcome)
{
	if (model_why(rq->model))
		why_tell_newidle(rq, sd, outcome);
}

#endif
