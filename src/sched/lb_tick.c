// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_tick.c - periodic balancing: the tick finds that it is time, the softirq does it. */
#include "sched/lb.h"

#include "sched/clock.h"
#include "sched/fair.h"

uint64_t lb_sd_interval(const struct model *m, const struct sd *sd, bool busy)
{
	return lb_interval(sd->balance_interval, busy, (unsigned int)m->tunables.hz,
			   m->balance->max_interval);
}

/* State of a walk through the domains of a CPU. */
struct periodic {
	struct rq *rq;
	enum lb_idle idle;
	enum core_reason reason;
	bool busy;
	bool go_on;
	uint64_t interval;
};

/* Is the token, where there is one, not this CPU's to have? */
static bool token_refused(const struct periodic *p, const struct sd *sd)
{
	const struct model *m = p->rq->model;

	return m->features.lb_serialize == SERIALIZE_OUTER && sd->flags & SD_SERIALIZE &&
	       !lb_token_free(m);
}

static void balance_due(struct periodic *p, struct sd *sd)
{
	struct rq *rq = p->rq;
	struct model *m = rq->model;

	if (!jiffies_reached(jiffies(m), sd->last_balance + p->interval))
		return;
	if (lb_pass(rq, sd, p->idle, p->reason, &p->go_on)) {
		/* another CPU of the group may have got the tasks, so this one is looked at anew */
		p->idle = available_idle_cpu(rq) ? LB_IDLE : LB_NOT_IDLE;
		p->busy = p->idle == LB_NOT_IDLE && !sched_idle_rq(rq);
	}
	if (m->features.lb_serialize == SERIALIZE_OUTER && sd->flags & SD_SERIALIZE)
		lb_token_keep(m);
	sd->last_balance = jiffies(m);
	p->interval = lb_sd_interval(m, sd, p->busy);
}

static bool decay(struct rq *rq, struct sd *sd, uint64_t *max_cost)
{
	struct newidle_pass look = {
		.periodic = true,
		.hz = (unsigned int)rq->model->tunables.hz,
		.jiffies = jiffies(rq->model),
	};
	bool decayed = newidle_enter(&sd->newidle, &look);

	*max_cost += sd->newidle.max_cost_ns;
	return decayed;
}

void rebalance_domains(struct rq *rq, enum lb_idle idle, enum core_reason reason)
{
	struct model *m = rq->model;
	uint64_t next = jiffies(m) + 60 * m->tunables.hz, max_cost = 0;
	uint64_t floor = m->tunables.migration_cost_ns;
	bool decayed = false, update = false;
	struct periodic p = { .rq = rq, .idle = idle, .reason = reason, .go_on = true };

	p.busy = idle != LB_IDLE && !sched_idle_rq(rq);
	for (struct sd *sd = rq->sd; sd; sd = sd->parent) {
		decayed = decay(rq, sd, &max_cost);
		/* another CPU of the group does the levels above; they only age here */
		if (!p.go_on) {
			if (decayed)
				continue;
			break;
		}
		p.interval = lb_sd_interval(m, sd, p.busy);
		if (!token_refused(&p, sd))
			balance_due(&p, sd);
		if (jiffies_after(next, sd->last_balance + p.interval)) {
			next = sd->last_balance + p.interval;
			update = true;
		}
	}
	if (decayed)
		rq->max_idle_balance_cost = max_cost > floor ? max_cost : floor;
	if (update)
		rq->next_balance = next;
}
