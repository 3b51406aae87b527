// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_memory.c - caches that are cold, memory of nodes, threads of a core. */
#include "host/calibrate_bench.h"

#include "base/rng.h"

#include <limits.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINE	     64
#define MOVES	     40
#define MEMORY_BYTES (UINT64_C(128) << 20)
#define WORK	     2000000

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

int bench_node_at(const struct bench *bench, enum sim_distance distance)
{
	return calibrate_node(bench->setup->machine, bench->cpu, distance, bench->run);
}

unsigned char *bench_memory_on(const struct bench *bench, int node, size_t bytes)
{
	const bool bind = bench->setup->machine->nr_nodes > 1;
	unsigned long mask[16] = { 0 };
	const size_t bits = sizeof(*mask) * CHAR_BIT;
	unsigned char *p =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	mask[(size_t)node / bits % 16] |= 1ul << ((size_t)node % bits);
	if (bind && syscall(SYS_mbind, p, bytes, MPOL_BIND, mask, 16 * bits, 0)) {
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

/* That of the node whose turn it is. */
static const unsigned char *memory_at(struct bench *bench, enum sim_distance distance)
{
	struct bench_memory *memory = &bench->memory[distance];
	const int node = bench_node_at(bench, distance);

	if (node < 0 || (memory->p && memory->node == node))
		return memory->p;
	if (memory->p)
		munmap(memory->p, MEMORY_BYTES);
	memory->p = bench_memory_on(bench, node, MEMORY_BYTES);
	memory->node = node;
	return memory->p;
}

void bench_memory(struct bench *bench)
{
	if (bench_be(bench->cpu, BENCH_NORMAL))
		return;
	for (size_t d = SIM_NODE; d < NR_SIM_DISTANCES; d++) {
		const unsigned char *p = memory_at(bench, (enum sim_distance)d);

		if (p)
			bench->raws->ns[RAW_MEMORY + d] = time_memory(bench, p);
	}
}
