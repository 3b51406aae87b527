/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core/host.h - what all who drive a core do alike behind struct core_host: memory that can be taken back from a dead
 * core, and functions for what they don't ask for.
 */
#ifndef CORE_HOST_H
#define CORE_HOST_H

#include "core/core.h"

struct core_piece;

/** struct core_memory - of one instance; { 0 } is none */
struct core_memory {
	struct core_piece *first;
};

/** core_memory_alloc() - as alloc() of struct core_host; ends the program where there is none */
void *core_memory_alloc(struct core_memory *memory, size_t size);

/** core_memory_free() - free() of it, whatever @ctx is; NULL is fine */
void core_memory_free(void *ctx, void *p);

/** core_memory_release() - all that was not freed */
void core_memory_release(struct core_memory *memory);

/** core_weight() - what a fair task weighs, 1024 with niceness 0; each step of it a quarter more or less: near enough for a bound */
uint64_t core_weight(const struct core_sched *sched);

/** core_boot_advice() - what to do about a machine with which a core did not boot, from its words; "" where nothing is known */
const char *core_boot_advice(const char *words);

/* Nothing comes of it: no time is taken, no page has moved, the line isn't printed. A task has no pages to scan. */
void core_ignore_work(void *ctx, uint32_t cpu, uint64_t steps);
void core_ignore_frequency(void *ctx, uint32_t cpu, uint32_t perf);
uint64_t core_ignore_numa_scan(void *ctx, void *task, uint64_t pages);
void core_ignore_numa_moved(void *ctx, uint32_t node);
void core_ignore_print(void *ctx, const char *line);

#endif
