/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench/between.h - a core that stands between the simulator and another core, and hears all that they ask of each other: what
 * was decided, and who of the two has the CPU, by samples of a timer. Neither can tell.
 */
#ifndef BENCH_BETWEEN_H
#define BENCH_BETWEEN_H

#include "core/core.h"

struct between;

/** between_new() - before @core */
struct between *between_new(const struct core_ops *core);
void between_free(struct between *between);

/** between_ops() - to be booted, once; lives as long as @between */
const struct core_ops *between_ops(struct between *between);

/**
 * between_begin(), between_end() - from one to the other, of one at a time, samples are taken each 100 us; SIGPROF is used
 *
 * Return: the engine's part, 0 .. 1, of both; what is between them is left out.
 */
void between_begin(struct between *between);
double between_end(struct between *between);

/** between_hash() - of all that was asked for, at what times timers too: equal decisions have equal hashes */
uint64_t between_hash(const struct between *between);

#endif
