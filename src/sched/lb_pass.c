// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_pass.c - a pass over one domain of a CPU: who balances, from where, and what follows from the outcome. */
#include "sched/lb.h"

#include "sched/clock.h"
#include "sched/lb_sums.h"
#include "sched/mask.h"
#include "sched/why.h"

/* What came of a try, in the order in which the kernel's labels stand. */
enum outcome {
	PULLED, /* or tried to */
	BALANCED,
	ALL_PINNED,
	ONE_PINNED,
	AGAIN, /* without a CPU whose tasks are all pinned */
};

static struct lb_count *counts(const struct lb_pass *pass)
{
	return &pass->sd->counts.lb[pass->idle];
}

/* The first idle CPU, of whole idle cores first; else the CPU that stands for the group. */
static bool is_first_idle(const struct lb_pass *pass)
{
	const struct model *m = pass->m;
	const struct balance *lb = m->balance;
	uint64_t *mask = lb->scratch;
	bool threads = m->features.lb_swb_core == SWB_OFF || pass->sd->flags & SD_SHARE_CPUCAPACITY;
	uint32_t cpu, first_thread = MASK_END;

	mask_join(mask, pass->balance, pass->cpus, lb->open);
	mask_for_each(cpu, pass->balance, mask)
	{
		const struct rq *rq = &m->rq[cpu];

		if (!available_idle_cpu(rq))
			continue;
		if (threads || lb_whole_core_idle(rq))
			return cpu == pass->dst->cpu;
		if (first_thread == MASK_END)
			first_thread = cpu;
	}
	if (first_thread == pass->dst->cpu)
		return true;
	/* 6.6 let the CPU that stands for the group balance beside the first idle thread */
	if (first_thread != MASK_END && m->features.lb_swb_core == SWB_ON)
		return false;
	return pass->balance->first == pass->dst->cpu;
}

static bool should_balance(struct lb_pass *pass)
{
	const struct rq *dst = pass->dst;

	if (!mask_test(pass->cpus, dst->cpu))
		return false;
	if (pass->idle == LB_NEWLY_IDLE)
		return !dst->nr_running && !dst->ttwu_pending;
	model_step(pass->m, mask_rank(pass->balance, dst->cpu));
	return is_first_idle(pass);
}

static void parent_imbalanced(const struct lb_pass *pass, bool imbalanced)
{
	if (pass->sd->parent)
		sd_group(pass->sd->parent, 0)->imbalanced = imbalanced;
}

static void leave_out(struct lb_pass *pass, uint32_t cpu)
{
	mask_clear(pass->cpus, cpu);
	pass->some_left_out = true;
}

static void start_again(struct lb_pass *pass)
{
	pass->loop = 0;
	pass->loop_break = LB_BREAK;
}

/* Detach and attach until enough has moved; then again for another CPU of the group that pinned tasks may use. */
static uint32_t pull(struct lb_pass *pass)
{
	const struct features *f = &pass->m->features;
	uint32_t moved = 0, now;

	for (;;) {
		rq_clock_update(pass->src);
		now = lb_detach(pass);
		if (now)
			lb_attach(pass);
		moved += now;
		if (pass->need_break) {
			pass->need_break = false;
			if (f->lb_pinned_limit || pass->loop < pass->src->nr_running)
				continue;
		}
		if (!pass->new_dst || pass->imbalance <= 0)
			return moved;
		leave_out(pass, pass->dst->cpu);
		pass->dst = pass->new_dst;
		pass->new_dst = NULL;
		start_again(pass);
	}
}

/* Is there work left for a queue other than this one, all of whose tasks are pinned? */
static enum outcome without_src(struct lb_pass *pass)
{
	leave_out(pass, pass->src->cpu);
	if (mask_within(pass->cpus, pass->m->balance->words, pass->balance))
		return ALL_PINNED;
	start_again(pass);
	return AGAIN;
}

static bool may_push(const struct rq *src, uint32_t to)
{
	return src->curr != &src->idle && src->curr != &src->stop && task_allowed(src->curr, to);
}

/* Nothing moved. */
static enum outcome failed(struct lb_pass *pass, uint32_t this_cpu, bool *pushed)
{
	struct rq *src = pass->src;

	counts(pass)->failed++;
	if (pass->idle != LB_NEWLY_IDLE &&
	    !(pass->migrate == LB_MIGRATE_MISFIT && pass->m->features.lb_misfit_quiet))
		pass->sd->nr_balance_failed++;
	if (!lb_needs_push(pass))
		return PULLED;
	if (!may_push(src, this_cpu))
		return ONE_PINNED;
	pass->all_pinned = false;
	if (src->active_balance)
		return PULLED;
	src->active_balance = true;
	src->push_cpu = this_cpu;
	*pushed = true;
	why_task(pass, src->curr, "pushed");
	stop_one_cpu(src, &src->active_balance_work, lb_push, NULL);
	return PULLED;
}

static enum outcome pull_from(struct lb_pass *pass, uint32_t this_cpu, uint32_t *moved)
{
	enum outcome outcome = PULLED;
	bool pushed = false;

	counts(pass)->imbalance[pass->migrate] += (uint64_t)pass->imbalance;
	*moved = 0;
	pass->all_pinned = true;
	if (pass->src->nr_running > 1) {
		uint64_t max = pass->m->tunables.nr_migrate;

		pass->loop_max =
			pass->src->nr_running < max ? pass->src->nr_running : (uint32_t)max;
		*moved = pull(pass);
		if (pass->some_pinned && pass->imbalance > 0)
			parent_imbalanced(pass, true);
		if (pass->all_pinned)
			return without_src(pass);
	}
	if (*moved)
		pass->sd->nr_balance_failed = 0;
	else
		outcome = failed(pass, this_cpu, &pushed);
	if (outcome == PULLED && (!pushed || pass->m->features.lb_reset || lb_needs_push(pass)))
		pass->sd->balance_interval = pass->sd->min_interval;
	return outcome;
}

/*
 * lb.serialize=inner: the token of serialized domains is asked for here, by those only who do balance. It is taken until the
 * time to which the pass has computed.
 */
static bool wants_token(const struct lb_pass *pass)
{
	const struct features *f = &pass->m->features;

	return f->lb_serialize == SERIALIZE_INNER && pass->sd->flags & SD_SERIALIZE &&
	       (pass->idle != LB_NEWLY_IDLE || f->lb_serialize_newidle);
}

static enum outcome try(struct lb_pass *pass, uint32_t this_cpu, uint32_t *moved, bool *go_on)
{
	int64_t group;

	if (!should_balance(pass)) {
		*go_on = false;
		return BALANCED;
	}
	if (wants_token(pass) && !lb_token_free(pass->m))
		return BALANCED;
	group = lb_find_group(pass);
	if (group < 0) {
		counts(pass)->nobusyg++;
		return BALANCED;
	}
	pass->src = lb_find_queue(pass, sd_group(pass->sd, (uint32_t)group));
	if (!pass->src) {
		counts(pass)->nobusyq++;
		return BALANCED;
	}
	return pull_from(pass, this_cpu, moved);
}

static void back_off(const struct lb_pass *pass)
{
	struct sd *sd = pass->sd;

	if (pass->idle == LB_NEWLY_IDLE ||
	    (pass->migrate == LB_MIGRATE_MISFIT && pass->m->features.lb_misfit_quiet))
		return;
	if ((pass->all_pinned && sd->balance_interval < LB_PINNED_INTERVAL) ||
	    sd->balance_interval < sd->max_interval)
		sd->balance_interval *= 2;
}

static uint32_t end(const struct lb_pass *pass, enum outcome outcome, uint32_t moved)
{
	if (outcome == PULLED)
		return moved;
	/* other tasks had their chance, so what affinity forbids may be over */
	if (outcome == BALANCED && !pass->all_pinned)
		parent_imbalanced(pass, false);
	if (outcome != ONE_PINNED) {
		counts(pass)->balanced++;
		pass->sd->nr_balance_failed = 0;
	}
	back_off(pass);
	return 0;
}

uint32_t lb_pass(struct rq *rq, struct sd *sd, enum lb_idle idle, enum core_reason reason,
		 bool *go_on)
{
	struct model *m = rq->model;
	struct lb_pass pass = {
		.m = m,
		.sd = sd,
		.dst = rq,
		.balance = sd_group(sd, 0)->balance,
		.cpus = m->balance->cpus,
		.idle = idle,
		.loop_break = LB_BREAK,
		.reason = reason,
	};
	enum outcome outcome;
	uint32_t moved = 0;

	link_init(&pass.moved);
	/* all of it is active: when a CPU leaves, domains are built anew at once */
	mask_drop(pass.cpus, m->balance->cpus_of);
	mask_copy(pass.cpus, sd->span);
	m->balance->cpus_of = sd->span;
	lb_sums_update(m, m->balance->domains);
	counts(&pass)->count++;
	do
		outcome = try(&pass, rq->cpu, &moved, go_on);
	while (outcome == AGAIN);
	if (wants_token(&pass) && *go_on)
		lb_token_keep(m);
	return end(&pass, outcome, moved);
}
