// SPDX-License-Identifier: GPL-2.0-only
/* look.c - the state of tasks and runqueues, read and not touched; /proc/schedstat by the tree's own functions */
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include "kit.h"

/* The top bit says that it hasn't changed since. */
#define UTIL_EST(est) ((est) & ~0x80000000U)

static uint64_t util_est_of(const struct sched_avg *avg)
{
#if SINCE(6, 8)
	return UTIL_EST(avg->util_est);
#else
	return max(UTIL_EST(avg->util_est.enqueued), avg->util_est.ewma);
#endif
}

void kit_task_state(const struct core *core, const struct core_task *t,
		    struct core_task_state *state)
{
	const struct task_struct *p = &t->task;
	const struct sched_entity *se = &p->se;

	*state = (struct core_task_state)
	{
		.cpu = task_cpu(p), .on_rq = p->on_rq,
		.running = task_cpu(p) < nr_cpu_ids && cpu_rq(task_cpu(p))->curr == p,
		.runtime_ns = se->sum_exec_runtime, .vruntime = se->vruntime,
		.load_sum = se->avg.load_sum, .runnable_sum = se->avg.runnable_sum,
		.util_sum = se->avg.util_sum, .load_avg = se->avg.load_avg,
		.runnable_avg = se->avg.runnable_avg, .util_avg = se->avg.util_avg,
		.util_est = util_est_of(&se->avg), .migrations = se->nr_migrations,
#if SINCE(6, 6)
		.deadline = se->deadline, .slice_ns = se->slice, .lag_ns = se->vlag,
#endif
#if SINCE(6, 12)
		.delayed = se->sched_delayed,
#endif
	};
}

void kit_rq_state(const struct core *core, uint32_t cpu, struct core_rq_state *state)
{
	struct rq *rq = cpu_rq(cpu);
	const struct cfs_rq *cfs = &rq->cfs;

	*state = (struct core_rq_state){
		.curr = kit_cookie(rq->curr),
		.nr_running = rq->nr_running,
#ifdef HAVE_H_NR_QUEUED
		.nr_fair = cfs->h_nr_queued,
#else
		.nr_fair = cfs->h_nr_running,
#endif
		.need_resched = test_tsk_need_resched(rq->curr),
#ifdef HAVE_ZERO_VRUNTIME
		.vruntime = cfs->zero_vruntime,
#else
		.vruntime = cfs->min_vruntime,
#endif
		.load_sum = cfs->avg.load_sum,
		.runnable_sum = cfs->avg.runnable_sum,
		.util_sum = cfs->avg.util_sum,
		.load_avg = cfs->avg.load_avg,
		.runnable_avg = cfs->avg.runnable_avg,
		.util_avg = cfs->avg.util_avg,
		.util_est = util_est_of(&cfs->avg),
		.capacity = rq->cpu_capacity,
	};
}

static const struct seq_operations *schedstat;

struct proc_dir_entry *proc_create_seq_private(const char *name, umode_t mode,
					       struct proc_dir_entry *parent,
					       const struct seq_operations *ops, unsigned int size,
					       void *data)
{
	if (!strcmp(name, "schedstat"))
		schedstat = ops;
	return NULL;
}

/* One record into the buffer, of whatever size it must be. */
static void show(struct seq_file *m, void *record)
{
	for (;;) {
		m->count = 0;
		schedstat->show(m, record);
		if (!seq_has_overflowed(m))
			break;
		kit_free(m->buf);
		m->size *= 2;
		m->buf = kit_alloc(m->size);
	}
	m->buf[m->count] = '\0';
}

void kit_schedstat(struct core *core, void (*put)(void *ctx, const char *text), void *ctx)
{
	struct seq_file m = { .size = PAGE_SIZE, .buf = kit_alloc(PAGE_SIZE) };
	loff_t pos = 0;
	void *record = schedstat->start(&m, &pos);

	while (!IS_ERR_OR_NULL(record)) {
		show(&m, record);
		put(ctx, m.buf);
		record = schedstat->next(&m, record, &pos);
	}
	schedstat->stop(&m, record);
	kit_free(m.buf);
}
