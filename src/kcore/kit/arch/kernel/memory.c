// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - the allocators, over what the host gives
 *
 * Memory goes back to the host when the instance is released and no earlier: till then it is kept by size, and the last freed of a size
 * is the next given. So whether a new object lies where an old one lay, which the kernel may notice (a task is the last
 * wakee of another by its address), follows from the events alone.
 */
#include <linux/bitmap.h>
#include <linux/slab.h>
#include "kit.h"

#define HEAD	 64UL
#define STEP	 64UL
#define NR_SIZES 65
#define CHUNK	 (1UL << 20)
#define LARGE	 (NR_SIZES - 1) /* blocks of no fixed size */

/* in front of each block */
struct block {
	struct block *next;
	size_t size; /* without this head */
	unsigned int kind;
};

/* what came from the host */
struct chunk {
	struct chunk *next;
};

static struct block *free_blocks[NR_SIZES];
static struct chunk *chunks;
static char *fresh;
static size_t fresh_left;

static void *host_alloc(size_t size)
{
	struct chunk *chunk = kit.host->alloc(kit.host->ctx, size + HEAD);

	chunk->next = chunks;
	chunks = chunk;
	return (char *)chunk + HEAD;
}

static struct block *block_new(size_t size)
{
	struct block *block;

	if (size + HEAD > CHUNK / 4)
		return host_alloc(size + HEAD);
	if (size + HEAD > fresh_left) {
		fresh = host_alloc(CHUNK - HEAD);
		fresh_left = CHUNK - HEAD;
	}
	block = (struct block *)fresh;
	fresh += size + HEAD;
	fresh_left -= size + HEAD;
	return block;
}

/* Those of up to 4 KB by steps of 64 bytes; the few greater ones in a list of their own, where the first of the same size is taken. */
static struct block *block_reuse(size_t size, unsigned int kind)
{
	struct block **at = &free_blocks[kind], *block;

	while (*at && (*at)->size != size)
		at = &(*at)->next;
	block = *at;
	if (block) {
		*at = block->next;
		memset((char *)block + HEAD, 0, size);
	}
	return block;
}

void *kit_alloc(size_t size)
{
	unsigned int kind;
	struct block *block;

	size = size ? ALIGN(size, STEP) : STEP;
	kind = min_t(size_t, size / STEP - 1, LARGE);
	block = block_reuse(size, kind);
	if (!block) {
		block = block_new(size);
		block->size = size;
		block->kind = kind;
	}
	return (char *)block + HEAD;
}

void kit_free(const void *p)
{
	struct block *block = (struct block *)((char *)p - HEAD);

	if (ZERO_OR_NULL_PTR(p))
		return;
	block->next = free_blocks[block->kind];
	free_blocks[block->kind] = block;
}

void kit_memory_release(void)
{
	while (chunks) {
		struct chunk *chunk = chunks;

		chunks = chunk->next;
		kit.host->free(kit.host->ctx, chunk);
	}
}

/*
 * The area of a CPU is a copy of the linked one and a tail for alloc_percpu(), which is given out in units by a bitmap.
 */
#define UNIT	 16UL
#define NR_UNITS 1024UL

extern char __per_cpu_start[], __per_cpu_end[];
unsigned long __per_cpu_offset[NR_CPUS];

static DECLARE_BITMAP(units, NR_UNITS);
static u16 unit_run[NR_UNITS]; /* how many units were given out from here */

static size_t tail_start(void)
{
	return ALIGN(__per_cpu_end - __per_cpu_start, UNIT);
}

void kit_percpu_setup(void)
{
	size_t size = ALIGN(tail_start() + NR_UNITS * UNIT, PAGE_SIZE);
	int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		/* a block's head takes a page of its own, so that the area begins at one */
		char *area = (char *)host_alloc(size + PAGE_SIZE) - HEAD + PAGE_SIZE;

		memcpy(area, __per_cpu_start, __per_cpu_end - __per_cpu_start);
		__per_cpu_offset[cpu] = (unsigned long)area - (unsigned long)__per_cpu_start;
	}
}

static void __percpu *percpu_alloc(size_t size, size_t align)
{
	unsigned long n = DIV_ROUND_UP(size, UNIT);
	unsigned long mask = align > UNIT ? align / UNIT - 1 : 0;
	unsigned long at = bitmap_find_next_zero_area(units, NR_UNITS, 0, n, mask);
	char *p = __per_cpu_start + tail_start() + at * UNIT;
	int cpu;

	if (at + n > NR_UNITS)
		kit_fail("no room for %zu bytes of each CPU", size);
	bitmap_set(units, at, n);
	unit_run[at] = n;
	for_each_possible_cpu(cpu) memset(p + __per_cpu_offset[cpu], 0, n * UNIT);
	return (void __percpu *)p;
}

void free_percpu(void __percpu *p)
{
	unsigned long at;

	if (!p)
		return;
	at = ((char __force *)p - __per_cpu_start - tail_start()) / UNIT;
	bitmap_clear(units, at, unit_run[at]);
}

/*
 * The names by which a kernel asks. Each release has other ones, and other types and further arguments for the same: so they are
 * defined under C names of our own, and told apart by where the size is.
 */
#define FOR_SIZE(symbol)                                                                           \
	void *for_##symbol(size_t size) __asm__(#symbol);                                          \
	void *for_##symbol(size_t size)                                                            \
	{                                                                                          \
		return kit_alloc(size);                                                            \
	}

#define FOR_CACHE(symbol)                                                                          \
	void *for_##symbol(const struct kmem_cache *cache) __asm__(#symbol);                       \
	void *for_##symbol(const struct kmem_cache *cache)                                         \
	{                                                                                          \
		return kit_alloc(cache->size);                                                     \
	}

#define FOR_THIRD(symbol)                                                                          \
	void *for_##symbol(void *cache, gfp_t gfp, size_t size) __asm__(#symbol);                  \
	void *for_##symbol(void *cache, gfp_t gfp, size_t size)                                    \
	{                                                                                          \
		return kit_alloc(size);                                                            \
	}

#define FOR_FOURTH(symbol)                                                                         \
	void *for_##symbol(void *cache, gfp_t gfp, int node, size_t size) __asm__(#symbol);        \
	void *for_##symbol(void *cache, gfp_t gfp, int node, size_t size)                          \
	{                                                                                          \
		return kit_alloc(size);                                                            \
	}

#define FOR_PERCPU(symbol)                                                                         \
	void __percpu *for_##symbol(size_t size, size_t align) __asm__(#symbol);                   \
	void __percpu *for_##symbol(size_t size, size_t align)                                     \
	{                                                                                          \
		return percpu_alloc(size, align);                                                  \
	}

#define FREE(symbol)                                                                               \
	void for_##symbol(const void *p) __asm__(#symbol);                                         \
	void for_##symbol(const void *p)                                                           \
	{                                                                                          \
		kit_free(p);                                                                       \
	}

struct kmem_cache {
	unsigned int size;
};

#define NEW_CACHE(symbol)                                                                          \
	struct kmem_cache *for_##symbol(const char *name, unsigned int size) __asm__(#symbol);     \
	struct kmem_cache *for_##symbol(const char *name, unsigned int size)                       \
	{                                                                                          \
		struct kmem_cache *cache = kit_alloc(sizeof(*cache));                              \
                                                                                                   \
		cache->size = size;                                                                \
		return cache;                                                                      \
	}

FOR_SIZE(__kmalloc)
FOR_SIZE(__kmalloc_large_node_noprof)
FOR_SIZE(__kmalloc_large_noprof)
FOR_SIZE(__kmalloc_node)
FOR_SIZE(__kmalloc_node_noprof)
FOR_SIZE(__kmalloc_noprof)
FOR_SIZE(__kvmalloc_node_noprof)
FOR_SIZE(__memblock_alloc_or_panic)
FOR_SIZE(kmalloc_large)
FOR_SIZE(kmalloc_large_node)
FOR_SIZE(kvmalloc_node)
FOR_SIZE(memblock_alloc_try_nid)
FOR_CACHE(kmem_cache_alloc)
FOR_CACHE(kmem_cache_alloc_node)
FOR_CACHE(kmem_cache_alloc_node_noprof)
FOR_CACHE(kmem_cache_alloc_noprof)
FOR_THIRD(__kmalloc_cache_noprof)
FOR_THIRD(kmalloc_trace)
FOR_FOURTH(__kmalloc_cache_node_noprof)
FOR_FOURTH(kmalloc_node_trace)
FOR_PERCPU(__alloc_percpu)
FOR_PERCPU(__alloc_percpu_gfp)
FOR_PERCPU(pcpu_alloc_noprof)
NEW_CACHE(__kmem_cache_create_args)
NEW_CACHE(kmem_cache_create)
FREE(kfree)
FREE(kvfree)

#define FOR_COPY(symbol)                                                                           \
	void *for_##symbol(const void *from, size_t size) __asm__(#symbol);                        \
	void *for_##symbol(const void *from, size_t size)                                          \
	{                                                                                          \
		return memcpy(kit_alloc(size), from, size);                                        \
	}

FOR_COPY(kmemdup)
FOR_COPY(kmemdup_noprof)

void kmem_cache_free(struct kmem_cache *cache, void *p)
{
	kit_free(p);
}
