/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/sim_core.h - a scheduler core by its name, the one place that knows which there are.
 *
 *   model         our own, as the newest release has it
 *   model:k6.12   as that release has it (sched/preset.h)
 *   kernel:NAME   of a kernel tree, built by schedproof kernel build; also the path of an object, with a '/' in it
 */
#ifndef LAB_SIM_CORE_H
#define LAB_SIM_CORE_H

#include "base/error.h"
#include "core/core.h"
#include "topo/release.h"

struct kcore;

/**
 * struct sim_core - one that was found
 * @ops:     of it
 * @knob:    that makes it what its name says, to be set before all others; NULL: none
 * @release: kernel release whose level tables go with it, "6.12"
 * @about:   what it is, a line: "model 1, preset k6.12", "kernel 6.12.117, core base"
 * @kcore:   where it is a kernel's
 */
struct sim_core {
	const struct core_ops *ops;
	char *knob;
	char *release;
	char *about;
	struct kcore *kcore;
};

/** sim_core_check() - could @name be one? Looks at the form alone. Return: 0 or -EINVAL */
int sim_core_check(const char *name, struct error *err);

/**
 * sim_core_open() - find it, and load it where it is a kernel's
 * @core: filled on success; sim_core_close() when no instance of it is left
 *
 * Return: 0; -EINVAL; -ENOENT with the nearest known name; what kcore_open() says.
 */
int sim_core_open(struct sim_core *core, const char *name, struct error *err);
void sim_core_close(struct sim_core *core);

#endif
