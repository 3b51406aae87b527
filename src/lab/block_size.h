/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/block_size.h - runs of each variant in a block, where the file leaves it open: two, or one where units are long.
 *
 * A block should be short beside what moves the machine, and a plan that is cut short loses up to a block. So blocks of
 * four, which find more with as many runs, shrink to pairs where variants differ by kernel, since boots are long, and
 * where a block of four at the longest point would take more than BLOCK_LONG_NS by the runs that are stored. A file that
 * names the number of blocks has said how many runs it wants: its blocks stay blocks of four.
 */
#ifndef LAB_BLOCK_SIZE_H
#define LAB_BLOCK_SIZE_H

#include "base/strbuf.h"
#include "lab/experiment.h"
#include "store/store.h"

/* What rooms, cron jobs and co-tenants do to a machine is told in hours. */
#define BLOCK_LONG_NS UINT64_C(3600000000000)

/**
 * block_size_look_up() - what the store knows of it, then experiment_set_blocks()
 * @store:  may be NULL: nothing is stored yet
 * @resume: the newest experiment of that name is to go on, with blocks as it was begun with
 *
 * To be called before the plan is shown or begun, after all else of @experiment is set. A store that can't be read
 * tells nothing: who writes to it next will say so.
 */
void block_size_look_up(struct experiment *experiment, struct store *store, bool resume);

/** block_size_reason() - append why it is not the usual, "one of each variant, since ..."; nothing where it is */
void block_size_reason(const struct experiment *experiment, struct strbuf *sb);

#endif
