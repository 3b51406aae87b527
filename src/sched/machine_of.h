/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/machine_of.h - a machine for topo from what every core is told, where its source isn't given. */
#ifndef SCHED_MACHINE_OF_H
#define SCHED_MACHINE_OF_H

#include "core/core.h"
#include "topo/machine.h"

/**
 * machine_of_core() - the caller's to free with machine_free()
 *
 * A copy of @from's source, because building domains adds to a machine's sets, and instances may run side by side; without a source one
 * of the generic architecture.
 */
struct machine *machine_of_core(const struct core_machine *from);

#endif
