// SPDX-License-Identifier: GPL-2.0-only
#include "core/host.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CACHE_LINE 64
#define PAGE	   4096

/**
 * struct core_piece - right before what the core got
 * @link:  what points here
 * @start: for free()
 */
struct core_piece {
	struct core_piece *next;
	struct core_piece **link;
	void *start;
};

static struct core_piece *piece_of(void *p)
{
	return (struct core_piece *)((char *)p - sizeof(struct core_piece));
}

void *core_memory_alloc(struct core_memory *memory, size_t size)
{
	const size_t head = size < PAGE ? CACHE_LINE : PAGE;
	char *start = xaligned(head, head + size);
	struct core_piece *piece = piece_of(start + head);

	static_assert(sizeof(struct core_piece) <= CACHE_LINE, "it fits before the first line");
	*piece = (struct core_piece){ memory->first, &memory->first, start };
	if (memory->first)
		memory->first->link = &piece->next;
	memory->first = piece;
	return start + head;
}

void core_memory_free(void *ctx, void *p)
{
	struct core_piece *piece;

	(void)ctx;
	if (!p)
		return;
	piece = piece_of(p);
	*piece->link = piece->next;
	if (piece->next)
		piece->next->link = piece->link;
	free(piece->start);
}

void core_memory_release(struct core_memory *memory)
{
	struct core_piece *next;

	for (struct core_piece *piece = memory->first; piece; piece = next) {
		next = piece->next;
		free(piece->start);
	}
	memory->first = NULL;
}

uint64_t core_weight(const struct core_sched *sched)
{
	uint64_t weight = UINT64_C(1024) << 10;

	if (sched->policy == CORE_IDLE)
		return 3;
	for (int nice = 0; nice < sched->nice; nice++)
		weight = weight * 4 / 5;
	for (int nice = 0; nice > sched->nice; nice--)
		weight = weight * 5 / 4;
	return weight >> 10;
}

const char *core_boot_advice(const char *words)
{
	/* kernels look for clusters of threads among who shares the last cache, and with no such cache those are none */
	if (strstr(words, "arch topology borken"))
		return "; where a core has threads (pu:2), the machine has to say which CPUs "
		       "share the last cache (l3:1)";
	if (strstr(words, ": no such knob"))
		return "; schedproof list features CORE has those that there are";
	if (strstr(words, "more CPUs than CONFIG_NR_CPUS"))
		return "; schedproof kernel build --cpus makes a core for so many";
	return "";
}

void core_ignore_work(void *ctx, uint32_t cpu, uint64_t steps)
{
	(void)ctx;
	(void)cpu;
	(void)steps;
}

void core_ignore_frequency(void *ctx, uint32_t cpu, uint32_t perf)
{
	(void)ctx;
	(void)cpu;
	(void)perf;
}

uint64_t core_ignore_numa_scan(void *ctx, void *task, uint64_t pages)
{
	(void)ctx;
	(void)task;
	(void)pages;
	return 0;
}

void core_ignore_numa_moved(void *ctx, uint32_t node)
{
	(void)ctx;
	(void)node;
}

void core_ignore_print(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
}
