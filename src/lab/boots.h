/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/boots.h - where variants differ by kernel: the boots so far, each in its place of the plan; of no use outside
 * lab/. The n-th boot that makes a run takes the n-th place, and a boot that is cut short keeps it.
 */
#ifndef LAB_BOOTS_H
#define LAB_BOOTS_H

#include "base/error.h"
#include "host/host.h"
#include "lab/experiment.h"
#include "lab/plan.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boots;

/** boots_new() - none yet; both arguments are borrowed until boots_free() */
struct boots *boots_new(const struct experiment *experiment, const struct host *host);
void boots_free(struct boots *boots);

/** boots_add() - take in a run, no warm-up, that the boot @boot_id made */
void boots_add(struct boots *boots, const char *boot_id, size_t point);

/**
 * boots_check() - may this boot make runs, or has it had its own?
 *
 * Return: 0, or -EINVAL with the kernel that the plan wants next.
 */
int boots_check(const struct boots *boots, struct error *err);

/**
 * boots_todo() - append what is left for this boot to runs[plan_boot_size()]
 * @given_up: given_up[nr_points]
 *
 * Return: number of runs.
 */
size_t boots_todo(const struct boots *boots, const bool *given_up, struct planned_run *runs);

/** boots_variant() - that this boot is to run; only where boots_todo() has runs */
size_t boots_variant(const struct boots *boots);

/** boots_blocks_done() - blocks all of whose boots are over or have made their runs */
uint64_t boots_blocks_done(const struct boots *boots, const bool *given_up);

/** boots_finished() - is no boot left, or every point given up? */
bool boots_finished(const struct boots *boots, const bool *given_up);

/** boots_left() - how many boots are left and which is next, one line; heap, NULL if none */
char *boots_left(const struct boots *boots, const bool *given_up);

#endif
