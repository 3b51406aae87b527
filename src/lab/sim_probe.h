/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/sim_probe.h - how long a simulated experiment will take on this computer: known by trying. */
#ifndef LAB_SIM_PROBE_H
#define LAB_SIM_PROBE_H

#include "base/error.h"
#include "lab/experiment.h"

#include <signal.h>
#include <stdint.h>

/**
 * sim_probe() - make one run at each point, of the last variant, and reckon from it
 * @ns: set on success: the time of all runs, as many beside each other as there are CPUs
 *
 * A run that fails counts with the time that it took.
 *
 * Return: 0; -EINTR; what sim_ground_open() and sim_crew_start() say.
 */
int sim_probe(const struct experiment *experiment, const volatile sig_atomic_t *stop, uint64_t *ns,
	      struct error *err);

#endif
