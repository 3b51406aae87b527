/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/model_core.h - the model as a scheduler core: the only header of src/sched that other folders need, with
 * sched/feature.h, sched/tunable.h and sched/preset.h for lists of what can be switched.
 *
 * Knobs are "preset=k6.12", features ("wake.cluster=off", "NO_TTWU_QUEUE", "features=NO_TTWU_QUEUE NO_UTIL_EST") and tunables
 * ("base_slice_ns=3000000"). Without one it is the newest preset. It has neither task groups nor SCHED_DEADLINE, and says so.
 */
#ifndef SCHED_MODEL_CORE_H
#define SCHED_MODEL_CORE_H

#include "core/core.h"

extern const struct core_ops core_model;

#endif
