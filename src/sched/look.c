// SPDX-License-Identifier: GPL-2.0-only
/* sched/look.c - looks from outside that change nothing. */
#include "base/strbuf.h"
#include "sched/balance.h"
#include "sched/fair.h"
#include "sched/frame.h"

#include <inttypes.h>

void model_task_state(const struct core *core, const struct core_task *task,
		      struct core_task_state *state)
{
	const struct task *p = (const struct task *)task;
	const struct entity *se = &p->se;

	(void)core;
	*state = (struct core_task_state){
		.cpu = p->cpu,
		.on_rq = p->on_rq == TASK_QUEUED,
		.running = p->on_cpu,
		.delayed = se->delayed,
		.runtime_ns = se->sum_exec,
		.vruntime = se->vruntime,
		.deadline = se->deadline,
		.slice_ns = se->slice_ns,
		.lag_ns = se->lag,
		.load_sum = se->avg.load_sum,
		.runnable_sum = se->avg.runnable_sum,
		.util_sum = se->avg.util_sum,
		.load_avg = se->avg.load_avg,
		.runnable_avg = se->avg.runnable_avg,
		.util_avg = se->avg.util_avg,
		.util_est = util_est_of(p),
		.migrations = p->migrations,
	};
}

void model_rq_state(const struct core *core, uint32_t cpu, struct core_rq_state *state)
{
	const struct model *m = (const struct model *)core;
	const struct rq *rq = &m->rq[cpu];
	const struct pelt *avg = &rq->cfs.avg;

	*state = (struct core_rq_state){
		.curr = rq->curr->cookie,
		.nr_running = rq->nr_running,
		.nr_fair = rq->cfs.nr_queued,
		.need_resched = rq->need_resched,
		.vruntime =
			m->features.core == CORE_CFS ? rq->cfs.min_vruntime : rq->cfs.zero_vruntime,
		.load_sum = avg->load_sum,
		.runnable_sum = avg->runnable_sum,
		.util_sum = avg->util_sum,
		.load_avg = avg->load_avg,
		.runnable_avg = avg->runnable_avg,
		.util_avg = avg->util_avg,
		.util_est = rq->cfs.util_est,
		.capacity = rq->cpu_capacity,
	};
}

void model_schedstat(struct core *core, void (*put)(void *ctx, const char *text), void *ctx)
{
	struct model *m = model_of(core);
	struct strbuf text = { 0 };

	strbuf_addf(&text, "version %u\ntimestamp %" PRIu64 "\n", m->release.schedstat_version,
		    jiffies(m));
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		const struct rq *rq = cpu_rq(m, cpu);
		const struct rq_stats *s = &rq->stats;

		if (!rq->online)
			continue;
		strbuf_addf(&text, "cpu%u %u 0 %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			    cpu, s->yld_count, s->sched_count, s->sched_goidle, s->ttwu_count,
			    s->ttwu_local, s->run_ns, s->wait_ns, s->slices);
		balance_schedstat(rq, &text);
		put(ctx, strbuf_str(&text));
		strbuf_reset(&text);
	}
	strbuf_release(&text);
}
