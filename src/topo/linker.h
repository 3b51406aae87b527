/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/linker.h - what linking groups into rings needs, between groups.c and overlap.c. */
#ifndef TOPO_LINKER_H
#define TOPO_LINKER_H

#include "topo/domains_build.h"

/**
 * struct seen_ring - a ring that was made for the CPUs of one child span
 * @span, @child: spans of the domain and of its child
 * @upto:         CPUs from the ring's own first up to here are all the child's
 */
struct seen_ring {
	const struct cset *span, *child;
	const struct ring *ring;
	unsigned int upto;
};

struct overlap;

/**
 * struct linker - state of the linking
 * @covered: CPUs that have a group already
 * @scratch: a ring in the making
 * @seen:    of one level; seen[first CPU of the child's span]
 * @word_capacity: capacity of the CPUs of a word of a mask; 0 where they differ
 */
struct linker {
	struct domain_tree *tree;
	const struct machine *m;
	struct cbits *covered;
	struct group **scratch;
	struct seen_ring *seen;
	unsigned int *word_capacity;
};

/** linker_group() - a group of its own */
struct group *linker_group(struct linker *l, const struct cset *span, const struct cset *balance,
			   unsigned int flags, unsigned int id);

/** linker_ring() - the first @nr groups of @scratch as a ring */
const struct ring *linker_ring(struct linker *l, unsigned int nr);

/**
 * linker_same_order() - does the walk from @cpu meet the groups in the order that was seen?
 *
 * It does if nothing but CPUs of @child lies between. Asked for ascending CPUs.
 */
bool linker_same_order(struct linker *l, struct seen_ring *seen, const struct domain *sd,
		       unsigned int cpu, const struct cset *child);

/** linker_next() - the first CPU of @span from @from on that is not covered; looks are counted */
uint32_t linker_next(struct linker *l, const struct cset *span, uint32_t from);

/** overlap_new() - what linking of overlapping levels keeps; overlap_free() */
struct overlap *overlap_new(const struct linker *l);
void overlap_free(struct overlap *o);

/** overlap_link() - the ring of one CPU at an overlapping level */
void overlap_link(struct linker *l, struct overlap *o, unsigned int table, unsigned int cpu);

#endif
