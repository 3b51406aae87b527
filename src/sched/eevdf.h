/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/eevdf.h - the arithmetic of EEVDF on one queue: V, the average of its vruntimes by weight, and who is owed service
 * by it. Running entities count as queued ones do.
 */
#ifndef SCHED_EEVDF_H
#define SCHED_EEVDF_H

#include "sched/model.h"

/** eevdf_average() - V, rounded down; the origin of the queue's sums moves there */
uint64_t eevdf_average(struct fair_rq *cfs);

/** eevdf_eligible() - would an entity at @vruntime have been owed service? Exact, without rounding */
bool eevdf_eligible(const struct fair_rq *cfs, uint64_t vruntime);

/** eevdf_lag() - V - v, no more than two slices or a tick either way */
int64_t eevdf_lag(uint64_t average, const struct entity *se, uint64_t tick_ns);

/** eevdf_first() - of the eligible ones the one with the earliest deadline; NULL: none of those that wait is */
struct entity *eevdf_first(const struct fair_rq *cfs);

/** eevdf_least_slice() - of all queued */
uint64_t eevdf_least_slice(const struct fair_rq *cfs);

#endif
