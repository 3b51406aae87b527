// SPDX-License-Identifier: GPL-2.0-only
/* sched/newidle.c - a CPU that is about to idle looks for work elsewhere, if that seems worth it. */
#include "sched/lb.h"

#include "sched/clock.h"
#include "sched/fair.h"
#include "sched/why.h"

/* State of a walk through the domains of a CPU. */
struct newly {
	struct rq *rq;
	uint64_t since_ns;
	uint64_t cost_ns;
	uint64_t next_balance;
	uint32_t pulled;
	bool go_on;
};

static void fold_next(struct newly *n, const struct sd *sd)
{
	uint64_t next = sd->last_balance + lb_sd_interval(n->rq->model, sd, false);

	if (jiffies_after(n->next_balance, next))
		n->next_balance = next;
}

/* newidle.random: a domain in which little was found is tried as seldom. *@worth: of a success, if it is tried */
static bool left_out(struct newly *n, struct sd *sd, uint32_t *worth)
{
	struct model *m = n->rq->model;
	bool rate = m->features.newidle_rate;

	*worth = 1;
	if (!m->features.newidle_random)
		return false;
	if (newidle_skips(&sd->newidle, (uint32_t)(rng_next(&n->rq->random) % 1024), rate)) {
		newidle_count(&sd->newidle, 0, *m->host->now_ns, rate);
		return true;
	}
	*worth = newidle_worth(&sd->newidle);
	return false;
}

static void enter_cost(struct newly *n, struct sd *sd, uint32_t worth)
{
	struct model *m = n->rq->model;
	uint64_t now = model_now(m);
	struct newidle_pass pass = {
		.rule = m->features.newidle_cost,
		.cost_ns = now - n->since_ns,
		.moved = n->pulled,
		.limit_ns = m->tunables.migration_cost_ns + 200,
		.hz = (unsigned int)m->tunables.hz,
		.jiffies = jiffies(m),
	};

	n->since_ns = now;
	n->cost_ns += pass.cost_ns;
	if (pass.cost_ns)
		newidle_count(&sd->newidle, n->pulled ? worth : 0, now, m->features.newidle_rate);
	newidle_enter(&sd->newidle, &pass);
}

/* The next level's domain is asked of memory while this one is looked at. */
static void fetch_sd(const struct sd *sd)
{
	for (size_t at = 0; at < sizeof(*sd); at += 64)
		__builtin_prefetch((const char *)sd + at);
}

static void walk(struct newly *n)
{
	struct rq *rq = n->rq;
	uint32_t worth;

	for (struct sd *sd = rq->sd; sd; sd = sd->parent) {
		if (sd->parent)
			fetch_sd(sd->parent);
		fold_next(n, sd);
		if (rq->avg_idle < n->cost_ns + sd->newidle.max_cost_ns) {
			why_newidle(rq, sd, "costs more than it idles");
			return;
		}
		if (!(sd->flags & SD_BALANCE_NEWIDLE))
			continue;
		if (left_out(n, sd, &worth)) {
			why_newidle(rq, sd, "left out by the dice");
			continue;
		}
		why_newidle(rq, sd, "balance");
		n->pulled = lb_pass(rq, sd, LB_NEWLY_IDLE, CORE_MIGRATE_NEWIDLE, &n->go_on);
		enter_cost(n, sd, worth);
		if (n->pulled || !n->go_on)
			return;
	}
}

/* Has another class got a task meanwhile? */
static bool other_class(const struct rq *rq)
{
	if (fair_is_flat(rq->model))
		return rq->next_class->rank > class_fair.rank;
	return rq->nr_running != rq->cfs.nr_queued;
}

/* Return: as newidle_balance() */
static int look_for_work(struct newly *n)
{
	struct rq *rq = n->rq;

	n->since_ns = model_now(rq->model);
	rq->last_blocked_jiffy = jiffies(rq->model);
	update_blocked_averages(rq);
	if (rq->next_class->rank > class_fair.rank)
		rq->next_class = &class_fair;
	walk(n);
	if (n->cost_ns > rq->max_idle_balance_cost)
		rq->max_idle_balance_cost = n->cost_ns;
	if (other_class(rq))
		return -1;
	return rq->cfs.nr_queued && !n->pulled ? 1 : (int)n->pulled;
}

static const char *no_look(const struct rq *rq)
{
	if (!rq->sd)
		return "no domain";
	if (!rq->rd->overloaded)
		return "no CPU overloaded";
	return rq->avg_idle < rq->sd->newidle.max_cost_ns ? "costs more than it idles" : NULL;
}

int newidle_balance(struct rq *rq)
{
	struct model *m = rq->model;
	struct newly n = {
		.rq = rq,
		.next_balance = jiffies(m) + m->tunables.hz,
		.go_on = true,
	};
	const char *why;
	int pulled = 0;

	update_misfit_status(NULL, rq);
	if (rq->ttwu_pending)
		return 0;
	rq->idle_stamp = rq->clock;
	if (!rq->active)
		return 0;
	why = no_look(rq);
	if (!why)
		pulled = look_for_work(&n);
	else if (rq->sd)
		fold_next(&n, rq->sd);
	if (why)
		why_newidle(rq, NULL, why);
	if (jiffies_after(rq->next_balance, n.next_balance))
		rq->next_balance = n.next_balance;
	if (pulled)
		rq->idle_stamp = 0;
	else
		nohz_newidle(rq);
	return pulled;
}
