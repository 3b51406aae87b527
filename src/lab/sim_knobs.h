/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/sim_knobs.h - what can be set of a scheduler core. */
#ifndef LAB_SIM_KNOBS_H
#define LAB_SIM_KNOBS_H

#include "base/error.h"
#include "base/strbuf.h"

/**
 * sim_knobs() - names of all that --knob takes of a core, in its order
 * @core: as lab/sim_core.h names it; it is booted with two CPUs to say so
 * @names: appended, a newline behind each
 *
 * Return: 0 or -errno: there is no such core, or it doesn't boot.
 */
int sim_knobs(const char *core, struct strbuf *names, struct error *err);

#endif
