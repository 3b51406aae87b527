// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_group.h"

#include <stddef.h>

static const char *const type_names[NR_LB_TYPES] = {
	[LB_HAS_SPARE] = "has_spare",	    [LB_FULLY_BUSY] = "fully_busy",
	[LB_MISFIT] = "misfit_task",	    [LB_SMT_BALANCE] = "smt_balance",
	[LB_ASYM_PACKING] = "asym_packing", [LB_IMBALANCED] = "imbalanced",
	[LB_OVERLOADED] = "overloaded",
};

const char *lb_type_name(enum lb_type type)
{
	return type_names[type];
}

uint64_t lb_avg_load(const struct lb_stats *s)
{
	return s->load * 1024 / s->capacity;
}

/* Both with the margin of @pct, and between the two lies a group that is just full. */
static bool is_overloaded(const struct lb_stats *s, unsigned int pct)
{
	return s->nr_running > s->weight &&
	       (s->capacity * 100 < s->util * pct || s->capacity * pct < s->runnable * 100);
}

static bool has_spare(const struct lb_stats *s, unsigned int pct)
{
	if (s->nr_running < s->weight)
		return true;
	return s->capacity * pct >= s->runnable * 100 && s->capacity * 100 > s->util * pct;
}

enum lb_type lb_classify(const struct lb_stats *s, unsigned int pct)
{
	if (is_overloaded(s, pct))
		return LB_OVERLOADED;
	if (s->imbalanced)
		return LB_IMBALANCED;
	if (s->asym_packing)
		return LB_ASYM_PACKING;
	if (s->smt_balance)
		return LB_SMT_BALANCE;
	if (s->misfit_load)
		return LB_MISFIT;
	return has_spare(s, pct) ? LB_HAS_SPARE : LB_FULLY_BUSY;
}

/* Where CPUs differ: a misfit that can't be helped, or tasks that only had it worse here. */
static bool no_help(const struct lb_pick *pick, const struct lb_stats *s)
{
	if (!pick->asym_capacity)
		return false;
	if (s->type == LB_MISFIT)
		return (pick->features->lb_whole_core_misfit && !pick->dst_core_idle) ||
		       !lb_capacity_greater(pick->dst_capacity, s->max_capacity) ||
		       !pick->local_spare;
	return s->type <= LB_FULLY_BUSY && lb_capacity_greater(s->min_capacity, pick->dst_capacity);
}

static bool fewer_idle(const struct lb_stats *s, const struct lb_stats *busiest)
{
	if (s->idle_cpus != busiest->idle_cpus)
		return s->idle_cpus < busiest->idle_cpus;
	return s->nr_running > busiest->nr_running;
}

static bool busier_spare(const struct lb_pick *pick, const struct lb_stats *s,
			 const struct lb_stats *busiest)
{
	/* no task is pulled off a core that has but that one */
	if (pick->features->lb_smt_balance && s->smt != busiest->smt)
		return !(s->smt && s->nr_fair <= 1);
	return fewer_idle(s, busiest);
}

static bool busier_full(const struct lb_pick *pick, const struct lb_stats *s,
			const struct lb_stats *busiest)
{
	if (s->avg_load != busiest->avg_load)
		return s->avg_load > busiest->avg_load;
	return pick->features->lb_smt_keeps && !busiest->smt;
}

static bool busier_of_type(const struct lb_pick *pick, const struct lb_stats *s,
			   const struct lb_stats *busiest)
{
	switch (s->type) {
	case LB_OVERLOADED:
		return s->avg_load > busiest->avg_load;
	case LB_ASYM_PACKING:
		return pick->features->lb_ties_stay ? busiest->priority > s->priority
						    : busiest->priority >= s->priority;
	case LB_MISFIT:
		return pick->features->lb_ties_stay ? s->misfit_load > busiest->misfit_load
						    : s->misfit_load >= busiest->misfit_load;
	case LB_SMT_BALANCE:
		return s->idle_cpus || busiest->idle_cpus ? fewer_idle(s, busiest)
							  : busier_full(pick, s, busiest);
	case LB_FULLY_BUSY:
		return busier_full(pick, s, busiest);
	case LB_HAS_SPARE:
		return busier_spare(pick, s, busiest);
	default: /* of imbalanced ones there is nothing to choose by */
		return false;
	}
}

bool lb_busier(const struct lb_pick *pick, const struct lb_stats *s, const struct lb_stats *busiest)
{
	if (!s->nr_fair || no_help(pick, s))
		return false;
	if (!busiest)
		return true;
	if (s->type != busiest->type)
		return s->type > busiest->type;
	return busier_of_type(pick, s, busiest);
}

static bool idler_of_type(const struct lb_stats *s, const struct lb_stats *idlest)
{
	switch (s->type) {
	case LB_OVERLOADED:
	case LB_FULLY_BUSY:
		return s->avg_load < idlest->avg_load;
	case LB_MISFIT:
		return s->max_capacity > idlest->max_capacity;
	case LB_HAS_SPARE:
		if (s->idle_cpus != idlest->idle_cpus)
			return s->idle_cpus > idlest->idle_cpus;
		return s->util < idlest->util;
	default:
		return false;
	}
}

bool lb_idler(const struct lb_stats *s, const struct lb_stats *idlest)
{
	/* the first is measured against an endless load */
	if (!idlest)
		return s->type != LB_OVERLOADED || s->avg_load < UINT32_MAX;
	if (s->type != idlest->type)
		return s->type < idlest->type;
	return idler_of_type(s, idlest);
}
