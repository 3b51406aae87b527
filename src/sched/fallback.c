// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched/fallback.c - placement and balancing that do nothing, for tests of the rest: a task stays where it is. The model's own
 * are in the library.
 */
#include "sched/balance.h"
#include "sched/select.h"

static struct root_domain root;

uint32_t select_task_rq_fair(struct model *m, struct task *p, uint32_t prev,
			     unsigned int wake_flags)
{
	(void)m;
	(void)p;
	(void)wake_flags;
	return prev;
}

void update_idle_core(struct rq *rq)
{
	(void)rq;
}

void balance_new(struct model *m)
{
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		cpu_rq(m, cpu)->rd = &root;
}

void balance_free(struct model *m)
{
	(void)m;
}

void balance_rebuild(struct model *m)
{
	(void)m;
}

int newidle_balance(struct rq *rq)
{
	rq->idle_stamp = rq->clock;
	return 0;
}

void trigger_load_balance(struct rq *rq)
{
	(void)rq;
}

void run_rebalance_domains(struct rq *rq)
{
	(void)rq;
}

void nohz_csd(struct rq *rq)
{
	(void)rq;
}

void nohz_balance_enter_idle(struct rq *rq)
{
	(void)rq;
}

void nohz_run_idle_balance(struct rq *rq)
{
	(void)rq;
}

void nohz_balance_exit(struct rq *rq)
{
	(void)rq;
}

void balance_schedstat(const struct rq *rq, struct strbuf *text)
{
	(void)rq;
	(void)text;
}
