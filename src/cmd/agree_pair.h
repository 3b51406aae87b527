/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/agree_pair.h - a kernel core and the model at its release, on a machine, made ready to be held against each other. */
#ifndef CMD_AGREE_PAIR_H
#define CMD_AGREE_PAIR_H

#include "agree/run.h"
#include "base/error.h"
#include "kcore/kcore.h"
#include "sim/machine.h"

struct machine;

/** struct agree_kernel - a built core, and the model's preset for its release; agree_kernel_release() frees */
struct agree_kernel {
	struct kcore_facts facts;
	char *preset;
};

/**
 * agree_kernel_find() - by the name it was built under
 *
 * Return: 0; -ENOENT with the nearest; -ESTALE where it must be built again.
 */
int agree_kernel_find(struct agree_kernel *kernel, const char *name, struct error *err);
void agree_kernel_release(struct agree_kernel *kernel);

#define AGREE_KNOBS 64

/** struct agree_bench - a setup with all it points to; agree_bench_release() frees */
struct agree_bench {
	struct agree_setup setup;
	const struct agree_kernel *kernel;
	struct machine *source;
	struct sim_machine machine;
	const char *kernel_knob[AGREE_KNOBS];
	const char *model_knob[AGREE_KNOBS];
	char *preset, *hz;
	char *set; /* the user's knobs, cut in place */
};

/**
 * agree_bench_init() - @kernel and the model on a machine
 * @machine: as topo takes it
 * @set:     knobs of the model over its preset, a line each; NULL: none
 * @kernel:  borrowed
 */
int agree_bench_init(struct agree_bench *bench, const struct agree_kernel *kernel,
		     const char *machine, const char *set, struct error *err);
void agree_bench_release(struct agree_bench *bench);

#endif
