/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/spancheck.h - the kernel's question, are two masks of one level equal or apart, in each of the ways
 * it has been asked, with what each way costs.
 */
#ifndef TOPO_SPANCHECK_H
#define TOPO_SPANCHECK_H

#include "topo/levels.h"
#include "topo/maskops.h"

/**
 * struct span_check_in - what is checked
 * @level:   level[nr], bottom to top; overlapping ones are skipped
 * @map:     CPUs that are built for
 * @pool:    of the masks
 * @built:   built[cpu]: levels of this CPU that are built before one spans the whole map, and with them
 *           checked by pairwise_*; indexed like the masks
 * @span:    sdspan only: built spans, span[cpu * nr + level], NULL where none
 * @node_mask: if not NULL, the masks to take for the level named NODE (topo.node_mask_bug);
 *           node_mask[cpu]
 */
struct span_check_in {
	const struct level *level;
	unsigned int nr;
	const struct cset *map;
	struct cset_pool *pool;
	const unsigned int *built;
	const struct cset *const *span;
	const struct cset *const *node_mask;
};

/**
 * struct span_check_out - the verdict
 * @sane:  no two masks overlap partly
 * @level, @cpu: where it fell, if it fell
 * @ops:   operations up to there
 */
struct span_check_out {
	bool sane;
	unsigned int level, cpu;
	struct mask_ops ops;
};

/**
 * span_check_run() - ask it the @how way
 *
 * Sane pairwise checks are counted by classes of equal masks, without going through the pairs.
 */
void span_check_run(struct span_check_out *out, enum span_check how,
		    const struct span_check_in *in);

#endif
