/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/machine_of.h - a machine for topo from what every core is told, where its source isn't given. */
#ifndef SCHED_MACHINE_OF_H
#define SCHED_MACHINE_OF_H

#include "core/core.h"
#include "topo/machine.h"

/** machine_of_core() - of the generic architecture; the caller's to free with machine_free() */
struct machine *machine_of_core(const struct core_machine *from);

#endif
