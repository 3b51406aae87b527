// SPDX-License-Identifier: GPL-2.0-only
#include "sched/rt.h"

#include "sched/clock.h"
#include "sched/cpufreq.h"
#include "sched/fair.h"

#define NR_PRIORITIES 100

static struct task *task_of_link(struct link *link)
{
	return (struct task *)((char *)link - offsetof(struct task, rt_link));
}

bool rt_update_load_avg(struct rq *rq, bool running)
{
	if (!pelt_accumulate(&rq->avg_rt, rq_clock_pelt(rq), running, running, running))
		return false;
	pelt_average(&rq->avg_rt, 1);
	return true;
}

/* Priority of the best queued task; NR_PRIORITIES: none. */
static int first_prio(const struct rt_rq *rt)
{
	if (rt->map[0])
		return __builtin_ctzll(rt->map[0]);
	if (rt->map[1])
		return 64 + __builtin_ctzll(rt->map[1]);
	return NR_PRIORITIES;
}

static void queue_make(struct rq *rq)
{
	if (rq->rt.queue)
		return;
	rq->rt.queue = arena_alloc(rq->model->arena, NR_PRIORITIES * sizeof(*rq->rt.queue));
	for (int i = 0; i < NR_PRIORITIES; i++)
		link_init(&rq->rt.queue[i]);
}

static void update_curr_rt(struct rq *rq)
{
	struct entity *se = &rq->curr->se;
	int64_t delta = (int64_t)(rq->clock_task - se->exec_start);

	if (rq->curr->class != &class_rt || delta <= 0)
		return;
	se->exec_start = rq->clock_task;
	se->sum_exec += (uint64_t)delta;
}

static void enqueue_task_rt(struct rq *rq, struct task *p, unsigned int flags)
{
	struct link *head;

	queue_make(rq);
	head = &rq->rt.queue[p->prio];
	link_add(&p->rt_link, flags & ENQUEUE_HEAD ? head : head->prev);
	rq->rt.map[p->prio / 64] |= UINT64_C(1) << p->prio % 64;
	rq->rt.nr_queued++;
	rq->model->nr_rt++;
	rq_add_running(rq);
	cpufreq_update_util(rq, 0);
}

static bool dequeue_task_rt(struct rq *rq, struct task *p, unsigned int flags)
{
	(void)flags;
	update_curr_rt(rq);
	link_del(&p->rt_link);
	if (link_empty(&rq->rt.queue[p->prio]))
		rq->rt.map[p->prio / 64] &= ~(UINT64_C(1) << p->prio % 64);
	rq->rt.nr_queued--;
	rq->model->nr_rt--;
	rq->nr_running--;
	rq_changed(rq);
	cpufreq_update_util(rq, 0);
	return true;
}

static void to_tail(struct rq *rq, struct task *p)
{
	link_del(&p->rt_link);
	link_add(&p->rt_link, rq->rt.queue[p->prio].prev);
}

static void yield_task_rt(struct rq *rq)
{
	to_tail(rq, rq->curr);
}

static void wakeup_preempt_rt(struct rq *rq, struct task *p, unsigned int wake_flags)
{
	(void)wake_flags;
	if (p->prio < rq->curr->prio)
		resched_curr(rq);
}

static struct task *pick_task_rt(struct rq *rq)
{
	int prio = first_prio(&rq->rt);

	model_step(rq->model, 1);
	return prio == NR_PRIORITIES ? NULL : task_of_link(rq->rt.queue[prio].next);
}

static void put_prev_task_rt(struct rq *rq, struct task *p)
{
	(void)p;
	update_curr_rt(rq);
	rt_update_load_avg(rq, true);
}

static void set_next_task_rt(struct rq *rq, struct task *p, bool first)
{
	p->se.exec_start = rq->clock_task;
	if (first && rq->curr->class != &class_rt)
		rt_update_load_avg(rq, false);
}

static void task_tick_rt(struct rq *rq, struct task *p)
{
	const struct link *head = &rq->rt.queue[p->prio];

	update_curr_rt(rq);
	rt_update_load_avg(rq, true);
	if (p->policy != CORE_RR || --p->rr_ticks)
		return;
	p->rr_ticks = rr_slice(rq->model);
	if (head->next == head->prev)
		return;
	to_tail(rq, p);
	resched_curr(rq);
}

uint32_t rr_slice(const struct model *m)
{
	return (uint32_t)ms_to_jiffies(m, m->tunables.sched_rr_timeslice_ms);
}

/* Where @p would run at once, @prev if it is as good as any, then this CPU, then by number. UINT32_MAX: nowhere. */
static uint32_t lowest_cpu(struct model *m, const struct task *p, uint32_t prev)
{
	int lowest = p->prio;
	uint32_t cpu, best = UINT32_MAX;

	cset_for_each (cpu, p->allowed) {
		const struct rq *rq = cpu_rq(m, cpu);
		int prio = first_prio(&rq->rt);

		if (!rq->active)
			continue;
		if (prio == NR_PRIORITIES)
			prio = rq->nr_running ? PRIO_FAIR : PRIO_IDLE;
		model_step(m, 1);
		if (prio > lowest || (prio == lowest && best != UINT32_MAX && best != prev &&
				      (cpu == prev || cpu == m->cpu))) {
			lowest = prio;
			best = cpu;
		}
	}
	return best;
}

static uint32_t select_task_rq_rt(struct model *m, struct task *p, uint32_t prev,
				  unsigned int wake_flags)
{
	const struct task *curr = cpu_rq(m, prev)->curr;
	uint32_t cpu;

	if (!(wake_flags & (WAKE_TTWU | WAKE_FORK)) || curr->prio >= PRIO_FAIR)
		return prev;
	if (curr->nr_allowed > 1 && curr->prio > p->prio)
		return prev;
	cpu = lowest_cpu(m, p, prev);
	return cpu == UINT32_MAX ? prev : cpu;
}

/* Best task of @rq that waits and may go to @cpu, UINT32_MAX: to some other CPU. */
static struct task *waiting(struct rq *rq, uint32_t cpu)
{
	for (int prio = first_prio(&rq->rt); prio < NR_PRIORITIES; prio++) {
		for (struct link *l = rq->rt.queue[prio].next; l != &rq->rt.queue[prio];
		     l = l->next) {
			struct task *p = task_of_link(l);

			if (p != rq->curr && p->nr_allowed > 1 &&
			    (cpu == UINT32_MAX || task_allowed(p, cpu)))
				return p;
		}
	}
	return NULL;
}

void rt_pull(struct rq *rq)
{
	struct model *m = rq->model;
	struct task *best = NULL;

	if (m->nr_rt < 2 || !rq->active)
		return;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		struct rq *src = cpu_rq(m, cpu);
		struct task *p = src != rq && src->rt.nr_queued > 1 ? waiting(src, rq->cpu) : NULL;

		if (p && p->prio < (best ? best->prio : first_prio(&rq->rt)))
			best = p;
	}
	if (!best)
		return;
	rq_clock_update(best->rq);
	move_queued_task(best->rq, best, rq->cpu, CORE_MIGRATE_RT);
}

void rt_push(struct rq *rq)
{
	struct task *p;
	uint32_t cpu;

	while (rq->rt.nr_queued > 1) {
		p = waiting(rq, UINT32_MAX);
		cpu = p ? lowest_cpu(rq->model, p, p->cpu) : UINT32_MAX;
		if (cpu == UINT32_MAX || cpu == rq->cpu)
			return;
		move_queued_task(rq, p, cpu, CORE_MIGRATE_RT);
	}
}

static void switched_to_rt(struct rq *rq, struct task *p)
{
	if (rq->curr == p)
		rt_update_load_avg(rq, false);
	else if (p->on_rq == TASK_QUEUED && p->prio < rq->curr->prio)
		resched_curr(rq);
}

static void prio_changed_rt(struct rq *rq, struct task *p, int old_prio)
{
	if (p->on_rq != TASK_QUEUED)
		return;
	if (rq->curr != p) {
		if (p->prio < rq->curr->prio)
			resched_curr(rq);
	} else if (old_prio < p->prio && p->prio > first_prio(&rq->rt)) {
		resched_curr(rq);
	}
}

const struct sched_class class_rt = {
	.name = "rt",
	.rank = 2,
	.enqueue_task = enqueue_task_rt,
	.dequeue_task = dequeue_task_rt,
	.yield_task = yield_task_rt,
	.wakeup_preempt = wakeup_preempt_rt,
	.pick_task = pick_task_rt,
	.put_prev_task = put_prev_task_rt,
	.set_next_task = set_next_task_rt,
	.select_task_rq = select_task_rq_rt,
	.task_tick = task_tick_rt,
	.switched_to = switched_to_rt,
	.prio_changed = prio_changed_rt,
	.update_curr = update_curr_rt,
};
