/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench/tape.h - what a core did in a run, to be played again by a core that decides nothing. The simulator can't tell the
 * two apart, so what is left of its time is its own.
 */
#ifndef BENCH_TAPE_H
#define BENCH_TAPE_H

#include "core/core.h"

struct tape;

/** tape_new() - that will have what @core does */
struct tape *tape_new(const struct core_ops *core);
void tape_free(struct tape *tape);

/** tape_hash() - of all that was recorded, at what times it asked for timers too: equal decisions have equal hashes */
uint64_t tape_hash(const struct tape *tape);

/** tape_recorder(), tape_player() - cores; one instance of each, the recorder's first. They live as long as the tape */
const struct core_ops *tape_recorder(struct tape *tape);
const struct core_ops *tape_player(struct tape *tape);

/**
 * tape_at() - how far it has been played
 *
 * tape_walk() - look at all entries from @from up to there, as playing them does, and do nothing of it: what of the time of a played run
 * is the tape's. Return: a sum of them, so that none can be left out.
 */
size_t tape_at(const struct tape *tape);
uint64_t tape_walk(const struct tape *tape, size_t from);

#endif
