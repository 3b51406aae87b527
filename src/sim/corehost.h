/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/corehost.h - what a core may ask of the sim: struct core_host, filled. */
#ifndef SIM_COREHOST_H
#define SIM_COREHOST_H

#include "sim/state.h"

void sim_host_init(struct sim *sim);

/** sim_host_release() - memory that the core didn't give back */
void sim_host_release(struct sim *sim);

/**
 * sim_host_guard() - from here to sim_host_unguard() the core may be called: one that fails comes back here
 *
 * A macro, as setjmp() wants it. Value: false, or true once it has failed; sim->dead is set then.
 */
#define sim_host_guard(sim) ((sim)->may_escape = true, setjmp((sim)->escape) != 0)

static inline void sim_host_unguard(struct sim *sim)
{
	sim->may_escape = false;
}

#endif
