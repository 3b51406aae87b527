// SPDX-License-Identifier: GPL-2.0-only
#include "sched/why.h"

#include "sched/fair.h"

static void value(struct core_why *why, const char *name, int64_t number)
{
	why->name[why->nr_values] = name;
	why->value[why->nr_values++] = number;
}

static void tell_host(const struct model *m, const struct core_why *why)
{
	m->host->why(m->host->ctx, why);
}

static struct core_why of_pass(const struct lb_pass *pass, const char *what, const char *outcome)
{
	return (struct core_why){
		.decision = "balance",
		.what = what,
		.outcome = outcome,
		.cpu = (int32_t)pass->dst->cpu,
		.subject = -1,
	};
}

static void stats_values(struct core_why *why, const struct lb_stats *s)
{
	value(why, lb_type_name(s->type), s->type);
	value(why, "nr", s->nr_running);
	value(why, "weight", s->weight);
	value(why, "idle", s->idle_cpus);
	value(why, "util", (int64_t)s->util);
	value(why, "runnable", (int64_t)s->runnable);
	value(why, "load", (int64_t)s->load);
	value(why, "capacity", (int64_t)s->capacity);
}

void why_tell_group(const struct lb_pass *pass, const struct sgroup *g, const struct lb_stats *s,
		    const char *outcome)
{
	struct core_why why = of_pass(pass, "group", outcome);

	why.subject = (int32_t)g->span->first;
	stats_values(&why, s);
	tell_host(pass->m, &why);
}

void why_tell_domain(const struct lb_pass *pass, const struct lb_decision *decision)
{
	struct core_why why = of_pass(pass, "domain", decision->reason);

	value(&why, "level", pass->sd->level);
	value(&why, "span", pass->sd->span->weight);
	value(&why, "idle", pass->idle);
	value(&why, lb_migrate_name(decision->migrate), decision->imbalance);
	value(&why, "failed", pass->sd->nr_balance_failed);
	tell_host(pass->m, &why);
}

void why_tell_queue(const struct lb_pass *pass, const struct rq *rq, const char *outcome)
{
	struct core_why why = of_pass(pass, "queue", outcome);

	why.subject = (int32_t)rq->cpu;
	value(&why, "nr", rq->cfs.nr_queued);
	value(&why, "load", (int64_t)cpu_load(rq));
	value(&why, "util", (int64_t)cpu_util_cfs(rq));
	value(&why, "capacity", rq->cpu_capacity);
	value(&why, "misfit", (int64_t)rq->misfit_task_load);
	tell_host(pass->m, &why);
}

void why_tell_task(const struct lb_pass *pass, const struct task *p, const char *outcome)
{
	struct core_why why = of_pass(pass, "detach", outcome);

	why.task = p->cookie;
	why.subject = (int32_t)pass->src->cpu;
	value(&why, "load", (int64_t)p->se.avg.load_avg);
	value(&why, "util", (int64_t)p->se.avg.util_avg);
	value(&why, "imbalance", pass->imbalance);
	value(&why, "failed", pass->sd->nr_balance_failed);
	value(&why, "ran_ago", (int64_t)(pass->src->clock_task - p->se.exec_start));
	tell_host(pass->m, &why);
}

void why_tell_cpu(const struct model *m, const char *decision, const struct task *p,
		  const char *what, uint32_t cpu, const char *outcome)
{
	const struct rq *rq = &m->rq[cpu];
	struct core_why why = {
		.decision = decision,
		.what = what,
		.outcome = outcome,
		.task = p->cookie,
		.cpu = (int32_t)m->cpu,
		.subject = (int32_t)cpu,
	};

	value(&why, "nr", rq->nr_running);
	value(&why, "load", (int64_t)cpu_load(rq));
	value(&why, "capacity", rq->cpu_capacity);
	tell_host(m, &why);
}

void why_tell_stats(const struct model *m, const char *decision, const struct task *p,
		    const struct sgroup *g, const struct lb_stats *s, const char *outcome)
{
	struct core_why why = {
		.decision = decision,
		.what = "group",
		.outcome = outcome,
		.task = p->cookie,
		.cpu = (int32_t)m->cpu,
		.subject = (int32_t)g->span->first,
	};

	stats_values(&why, s);
	tell_host(m, &why);
}

void why_tell_newidle(const struct rq *rq, const struct sd *sd, const char *outcome)
{
	struct core_why why = {
		.decision = "balance",
		.what = "newidle",
		.outcome = outcome,
		.cpu = (int32_t)rq->cpu,
		.subject = -1,
	};

	value(&why, "avg_idle", (int64_t)rq->avg_idle);
	value(&why, "overloaded", rq->rd->overloaded);
	if (sd) {
		value(&why, "level", sd->level);
		value(&why, "max_cost", (int64_t)sd->newidle.max_cost_ns);
		value(&why, "ratio", sd->newidle.ratio);
	}
	tell_host(rq->model, &why);
}
