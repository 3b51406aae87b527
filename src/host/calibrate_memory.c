// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_memory.c - caches that are cold, memory of nodes, threads of a core. */
#include "host/calibrate_bench.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINE	     64
#define MOVES	     40
#define MEMORY_BYTES (UINT64_C(128) << 20)
#define WORK	     2000000
#define MEMINFO_MAX  65536
#define NODE_WORDS   16

/* Keeps the compiler from leaving out what nobody looks at. */
static inline void used(uint64_t x)
{
	__asm__ volatile("" : : "r"(x) : "memory");
}

/* struct line - of a ring through all lines, in random order */
struct line {
	struct line *next;
	uint64_t written;
	char rest[LINE - 2 * sizeof(uint64_t)];
};

static void make_ring(struct line *line)
{
	unsigned int order[CALIBRATE_LINES];
	struct rng rng;

	for (unsigned int i = 0; i < CALIBRATE_LINES; i++)
		order[i] = i;
	rng_seed(&rng, 1, "calibrate", 0);
	rng_shuffle(&rng, order, CALIBRATE_LINES);
	for (unsigned int i = 0; i < CALIBRATE_LINES; i++)
		line[order[i]].next = &line[order[(i + 1) % CALIBRATE_LINES]];
}

static double time_ring(struct bench *bench, struct line *line)
{
	const uint64_t then_ns = bench_now();

	for (unsigned int i = 0; i < CALIBRATE_LINES; i++, line = line->next)
		line->written++;
	used((uint64_t)(uintptr_t)line);
	return bench_since(bench, then_ns);
}

/* To and fro; each time it goes through its memory twice. */
static void measure_moves(struct bench *bench, size_t distance, const struct calibrate_pair *pair)
{
	_Alignas(LINE) struct line line[CALIBRATE_LINES] = { 0 };
	double *ns = bench->raws->ns;

	make_ring(line);
	for (size_t i = 0; i < MOVES; i++) {
		if (bench_be(i % 2 ? pair->a : pair->b, BENCH_NORMAL))
			return;
		bench->times[i] = time_ring(bench, line);
		bench->others[i] = time_ring(bench, line);
	}
	ns[RAW_COLD + distance] = calibrate_mid(bench->times, MOVES);
	ns[RAW_WARM + distance] = calibrate_mid(bench->others, MOVES);
}

static void do_work(void)
{
	uint64_t x = 1;

	for (unsigned int i = 0; i < WORK; i++)
		x = x * UINT64_C(6364136223846793005) + (x >> 33);
	used(x);
}

static void work_on(struct bench *bench)
{
	for (;;)
		do_work();
	(void)bench;
}

static double time_work(struct bench *bench)
{
	for (size_t i = 0; i < 3; i++) {
		const uint64_t then_ns = bench_now();

		do_work();
		bench->times[i] = bench_since(bench, then_ns);
	}
	return calibrate_low(bench->times, 3);
}

static void measure_threads(struct bench *bench, const struct calibrate_pair *pair)
{
	double *ns = bench->raws->ns;
	pid_t other;

	if (bench_be(pair->a, BENCH_NORMAL))
		return;
	ns[RAW_SMT_ALONE] = time_work(bench);
	other = bench_start(bench, pair->b, BENCH_NORMAL, work_on);
	bench_spin(1000000);
	if (other > 0)
		ns[RAW_SMT_TOGETHER] = time_work(bench);
	bench_end(other);
}

void bench_caches(struct bench *bench)
{
	for (size_t d = SIM_SAME + 1; d < NR_SIM_DISTANCES; d++)
		if (bench->nr_pairs[d])
			measure_moves(bench, d, &bench->pair[d][bench->run % bench->nr_pairs[d]]);
	if (bench->nr_pairs[SIM_SMT])
		measure_threads(bench,
				&bench->pair[SIM_SMT][bench->run % bench->nr_pairs[SIM_SMT]]);
}

/* Of "Node 0 MemFree:     123 kB" in node's meminfo; 0: it isn't there. */
static uint64_t kib_of(const char *meminfo, const char *name)
{
	const char *at = strstr(meminfo, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Free, or files' that can be read again: half of those, as some are in use. */
static uint64_t free_kib(const struct bench *bench, uint32_t node)
{
	char *path = xasprintf("sys/devices/system/node/node%" PRIu32 "/meminfo",
			       calibrate_node_number(bench->setup->machine, node));
	struct strbuf text = { 0 };
	uint64_t kib = 0;

	if (!file_read(&text, bench->setup->root_fd, path, MEMINFO_MAX, NULL))
		kib = kib_of(strbuf_str(&text), " MemFree:") +
		      (kib_of(strbuf_str(&text), " Active(file):") +
		       kib_of(strbuf_str(&text), " Inactive(file):")) /
			      2;
	strbuf_release(&text);
	free(path);
	return kib;
}

bool bench_room_on(const struct bench *bench, uint32_t node, uint64_t bytes)
{
	return bench->setup->machine->nr_nodes == 1 || free_kib(bench, node) >= 4 * bytes / 1024;
}

/* Return: false where that is not to be had. */
static bool bind_memory(const struct bench *bench, uint32_t node, void *p, size_t bytes)
{
	const uint32_t number = calibrate_node_number(bench->setup->machine, node);
	const size_t bits = sizeof(unsigned long) * CHAR_BIT;
	unsigned long mask[NODE_WORDS] = { 0 };

	if (bench->setup->machine->nr_nodes == 1)
		return true;
	if (number >= NODE_WORDS * bits)
		return false;
	mask[number / bits] |= 1ul << (number % bits);
	/* one more than the highest bit, as the call takes one off */
	return !syscall(SYS_mbind, p, bytes, MPOL_BIND, mask, NODE_WORDS * bits + 1, 0);
}

unsigned char *bench_memory_on(const struct bench *bench, uint32_t node, size_t bytes)
{
	unsigned char *p =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (!bind_memory(bench, node, p, bytes)) {
		munmap(p, bytes);
		return NULL;
	}
	madvise(p, bytes, MADV_HUGEPAGE);
	/* else forks would copy its page tables */
	madvise(p, bytes, MADV_DONTFORK);
	memset(p, 1, bytes);
	return p;
}

void bench_read(const unsigned char *p, size_t bytes)
{
	const uint64_t *word = (const uint64_t *)(const void *)p;
	uint64_t sum = 0;

	for (size_t i = 0; i < bytes / sizeof(*word); i += 8)
		sum += word[i] + word[i + 4];
	used(sum);
}

static double time_memory(struct bench *bench, const unsigned char *p)
{
	const uint64_t then_ns = bench_now();

	bench_read(p, MEMORY_BYTES);
	return bench_since(bench, then_ns) * 1024 / (double)MEMORY_BYTES;
}

static void drop_memory(struct bench *bench)
{
	if (bench->memory.p)
		munmap(bench->memory.p, MEMORY_BYTES);
	bench->memory.p = NULL;
}

/* What is there is read again, from another node. */
static const unsigned char *memory_of(struct bench *bench, uint32_t node)
{
	struct bench_memory *memory = &bench->memory;

	if (memory->p && memory->node == node)
		return memory->p;
	drop_memory(bench);
	memory->node = node;
	if (bench_room_on(bench, node, MEMORY_BYTES))
		memory->p = bench_memory_on(bench, node, MEMORY_BYTES);
	return memory->p;
}

void bench_memory(struct bench *bench)
{
	for (size_t i = 0; i < bench->ways->slots; i++) {
		const struct calibrate_way *way = calibrate_way_at(bench->ways, bench->run, i);
		const unsigned char *p;

		if (bench_be(way->cpu, BENCH_NORMAL))
			continue;
		p = memory_of(bench, way->to);
		if (p)
			bench->readings[i].value[COSTS_PAIR_NS_KIB] = time_memory(bench, p);
	}
	/* else the next node's may be short of it */
	if (bench->setup->machine->nr_nodes > 1)
		drop_memory(bench);
}
