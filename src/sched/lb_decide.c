// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_decide.h"

#include <stddef.h>

/* Up to that many tasks between nodes are let be: a pair that talks with each other. */
#define NUMA_PAIR 2

const char *lb_migrate_name(enum lb_migrate migrate)
{
	static const char *const names[] = { "load", "util", "task", "misfit" };

	return names[migrate];
}

static int64_t above(int64_t a, int64_t b)
{
	return a > b ? a - b : 0;
}

static int64_t min_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t lb_numa_allowance(int64_t imbalance, uint32_t running, uint32_t limit)
{
	if (running > limit)
		return imbalance;
	return imbalance <= NUMA_PAIR ? 0 : imbalance;
}

int64_t lb_sibling_imbalance(const struct lb_case *c)
{
	int64_t from = c->busiest->nr_running, to = c->local->nr_running;
	int64_t from_cores = c->busiest->cores, to_cores = c->local->cores, imbalance;

	if (!c->features->lb_smt_balance)
		return above(from, to);
	if (!c->dst_idle || !from)
		return 0;
	if (from_cores == to_cores)
		return above(from, to);
	imbalance = above(to_cores * from, from_cores * to);
	imbalance = (2 * imbalance + to_cores + from_cores) / (to_cores + from_cores);
	/* an empty group is filled, though the other one be larger */
	if (imbalance <= 1 && !to && from > 1)
		return 2;
	return imbalance;
}

static bool prefers_sibling(const struct lb_case *c)
{
	return c->features->lb_busiest_prefers ? c->busiest->prefers_sibling : c->child_prefers;
}

static uint64_t domain_avg(const struct lb_case *c)
{
	return c->total_load * 1024 / c->total_capacity;
}

static struct lb_decision balanced(const char *why)
{
	return (struct lb_decision){ .reason = why };
}

static struct lb_decision move(enum lb_migrate migrate, int64_t amount, const char *why)
{
	return (struct lb_decision){ .imbalance = amount, .migrate = migrate, .reason = why };
}

static struct lb_decision fill_spare(const struct lb_case *c)
{
	int64_t room = above((int64_t)c->local->capacity, (int64_t)c->local->util);

	if (!room && c->dst_idle)
		return move(LB_MIGRATE_TASK, 1, "idle though full");
	return move(LB_MIGRATE_UTIL, room, room ? "fill spare capacity" : "no spare capacity");
}

static struct lb_decision even_out(const struct lb_case *c)
{
	bool by_tasks = c->busiest->weight == 1 || prefers_sibling(c);
	int64_t n;

	if (by_tasks)
		n = lb_sibling_imbalance(c);
	else /* below 0 it is a huge number, as the kernel has it: nobody but an overloaded group gets there */
		n = c->local->idle_cpus - c->busiest->idle_cpus;
	if (c->numa)
		n = lb_numa_allowance(n, c->local->nr_running + 1, c->imb_numa_nr);
	if (n == 1 && c->features->lb_even_idle && c->busiest->nr_running > c->busiest->weight)
		return move(LB_MIGRATE_TASK, 1, "one idle CPU");
	n >>= 1;
	if (!n)
		return move(LB_MIGRATE_TASK, 0, "less than two tasks apart");
	return move(LB_MIGRATE_TASK, n, by_tasks ? "spread over siblings" : "even out idle CPUs");
}

static struct lb_decision even_load(const struct lb_case *c)
{
	uint64_t avg = domain_avg(c), from = c->busiest->avg_load, to;
	int64_t out, in;

	if (c->local->type < LB_OVERLOADED) {
		c->local->avg_load = lb_avg_load(c->local);
		if (c->local->avg_load >= from)
			return balanced("local load is higher");
		if (c->local->avg_load >= avg)
			return balanced("local load above average");
	}
	to = c->local->avg_load;
	in = (int64_t)((avg - to) * c->local->capacity / 1024);
	/* one that lies below the average itself sets no bound */
	out = from < avg ? in : (int64_t)((from - avg) * c->busiest->capacity / 1024);
	return move(LB_MIGRATE_LOAD, min_of(out, in), "even out load");
}

static struct lb_decision amount(const struct lb_case *c)
{
	const struct lb_stats *b = c->busiest;

	switch (b->type) {
	case LB_MISFIT:
		return c->asym_capacity
			       ? move(LB_MIGRATE_MISFIT, 1, "misfit")
			       : move(LB_MIGRATE_LOAD, (int64_t)b->misfit_load, "reduced capacity");
	case LB_ASYM_PACKING:
		return move(LB_MIGRATE_TASK, b->nr_fair, "pack on preferred CPU");
	case LB_SMT_BALANCE:
		return move(LB_MIGRATE_TASK, 1, "busy threads");
	case LB_IMBALANCED:
		return move(LB_MIGRATE_TASK, 1, "imbalanced by affinity");
	default:
		break;
	}
	if (c->local->type != LB_HAS_SPARE)
		return even_load(c);
	if (b->type > LB_FULLY_BUSY && !c->llc)
		return fill_spare(c);
	return even_out(c);
}

/* Both overloaded. NULL: there is something to move. */
static const char *load_is_fair(const struct lb_case *c)
{
	uint64_t local = c->local->avg_load, busiest = c->busiest->avg_load;

	if (local >= busiest)
		return "local load is higher";
	if (local >= domain_avg(c))
		return "local load above average";
	return 100 * busiest <= c->pct * local ? "load within imbalance_pct" : NULL;
}

/* The busiest isn't overloaded. NULL: there is something to move. */
static const char *tasks_are_fair(const struct lb_case *c)
{
	const struct lb_stats *b = c->busiest;

	if (!c->dst_idle)
		return "busy: an idle CPU is to pull";
	if (b->type == LB_SMT_BALANCE && b->smt != c->local->smt)
		return NULL;
	if (b->weight > 1 && c->local->idle_cpus <= b->idle_cpus + 1)
		return "idle CPUs even";
	return b->nr_fair == 1 ? "no task waits" : NULL;
}

static const char *nothing_to_do(const struct lb_case *c)
{
	const struct lb_stats *b = c->busiest;
	const char *why = NULL;

	if (b->type == LB_MISFIT || b->type == LB_ASYM_PACKING || b->type == LB_IMBALANCED)
		return NULL;
	if (c->local->type > b->type)
		return "local group is busier";
	if (c->local->type == LB_OVERLOADED)
		why = load_is_fair(c);
	if (why)
		return why;
	if (prefers_sibling(c) && c->local->type == LB_HAS_SPARE && lb_sibling_imbalance(c) > 1)
		return NULL;
	return b->type == LB_OVERLOADED ? NULL : tasks_are_fair(c);
}

struct lb_decision lb_decide(const struct lb_case *c)
{
	const char *why;

	if (!c->busiest)
		return balanced("no busier group");
	why = nothing_to_do(c);
	return why ? balanced(why) : amount(c);
}

static const char *load_says_stay(const struct lb_stay *s)
{
	uint64_t margin = 1024 * (s->pct - 100) / 100;
	uint64_t local = s->local->avg_load, idlest = s->idlest->avg_load;

	if (s->numa && idlest + margin >= local)
		return "remote load about equal";
	if (idlest >= local + margin)
		return "local load is lower";
	return 100 * local <= s->pct * idlest ? "load within imbalance_pct" : NULL;
}

static bool node_has_room(const struct lb_stay *s, int64_t diff)
{
	uint32_t running = s->local->nr_running + 1;

	if (s->by_running)
		return running <= s->limit;
	return !lb_numa_allowance(diff < 0 ? -diff : diff, running, s->limit);
}

static const char *idle_says_stay(const struct lb_stay *s)
{
	int64_t diff = (int64_t)s->local->idle_cpus - s->idlest->idle_cpus;

	if (s->numa && node_has_room(s, diff))
		return "within the allowance between nodes";
	return diff >= 0 ? "as many idle CPUs here" : NULL;
}

bool lb_stays(const struct lb_stay *s, const char **reason)
{
	const char *why = NULL;

	if (s->local->type != s->idlest->type) {
		*reason = s->local->type < s->idlest->type ? "local type is idler"
							   : "remote type is idler";
		return s->local->type < s->idlest->type;
	}
	if (s->local->type == LB_OVERLOADED || s->local->type == LB_FULLY_BUSY)
		why = load_says_stay(s);
	else if (s->local->type == LB_HAS_SPARE)
		why = idle_says_stay(s);
	else if (s->local->type != LB_MISFIT)
		why = "type not looked at";
	else if (s->local->max_capacity >= s->idlest->max_capacity)
		why = "capacity no larger elsewhere";
	*reason = why ? why : "idlest";
	return why;
}
