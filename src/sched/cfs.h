/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/cfs.h - the arithmetic of CFS, pure. */
#ifndef SCHED_CFS_H
#define SCHED_CFS_H

#include "sched/feature.h"
#include "sched/tunable.h"

/**
 * cfs_slice() - ns an entity of @weight may run of a period for @nr of them, which together weigh @total
 * @idle: of the idle policy, beside others
 */
uint64_t cfs_slice(const struct tunables *t, const struct features *f, uint32_t nr, uint32_t weight,
		   uint64_t total, bool idle);

/** cfs_sleeper_start() - who comes back from a sleep starts there, or where it was if that is later */
uint64_t cfs_sleeper_start(const struct tunables *t, const struct features *f,
			   uint64_t min_vruntime, bool idle);

#endif
