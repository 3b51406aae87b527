// SPDX-License-Identifier: GPL-2.0-only
/* trace/order.c - the rows of the tables in the order in which they are shown. Equal ones keep the order of the trace. */
#include "trace/analyse.h"

#include "base/mem.h"

#include <stdlib.h>

struct key {
	uint64_t size;
	uint32_t index;
};

static int by_size(const void *a_, const void *b_)
{
	const struct key *a = a_, *b = b_;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Sorted indices in the place of the keys, which are freed. */
static uint32_t *indices(struct key *keys, size_t n)
{
	uint32_t *index = xcalloc(n + 1, sizeof(*index));

	qsort(keys, n, sizeof(*keys), by_size);
	for (size_t i = 0; i < n; i++)
		index[i] = keys[i].index;
	free(keys);
	return index;
}

static bool is_chosen(const struct analysis *a, uint32_t task)
{
	return !a->chosen || a->chosen(a->ctx, &a->state.tasks[task]);
}

uint32_t *analysis_tasks(const struct analysis *a, size_t *n)
{
	struct key *keys = xcalloc(a->state.nr_tasks + 1, sizeof(*keys));

	*n = 0;
	for (uint32_t i = 0; i < a->state.nr_tasks; i++)
		if (is_chosen(a, i))
			keys[(*n)++] = (struct key){ a->tasks[i].wait_ns, i };
	return indices(keys, *n);
}

bool analysis_knows_cpu(const struct analysis *a, uint32_t cpu)
{
	const struct analysis_cpu *c = &a->cpus[cpu];

	return c->switches || c->idle_ns || c->lost_ns;
}

uint32_t *analysis_cpus(const struct analysis *a, size_t *n)
{
	struct key *keys = xcalloc(a->nr_cpus + 1, sizeof(*keys));

	*n = 0;
	for (uint32_t i = 0; i < a->nr_cpus; i++)
		if (analysis_knows_cpu(a, i))
			keys[(*n)++] = (struct key){ a->cpus[i].idle_waited_ns, i };
	return indices(keys, *n);
}

static int by_count(const void *a_, const void *b_)
{
	const struct analysis_pair *a = a_, *b = b_;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

struct analysis_pair *analysis_pairs(const struct analysis *a, size_t *n)
{
	struct analysis_pair *pairs = xcalloc(a->pairs.n + 1, sizeof(*pairs));
	uint64_t key;
	uint32_t count;

	*n = 0;
	for (size_t i = 0; map_at(&a->pairs, i, &key, &count); i++)
		if (count)
			pairs[(*n)++] = (struct analysis_pair){ (uint32_t)(key >> 16), key & 0xffff,
								count };
	qsort(pairs, *n, sizeof(*pairs), by_count);
	return pairs;
}
