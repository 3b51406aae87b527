/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/agenda.h - the runs of one session and the time that there is for them; of no use outside lab/. */
#ifndef LAB_AGENDA_H
#define LAB_AGENDA_H

#include "lab/execute.h"
#include "lab/progress.h"

/**
 * struct agenda - heap inside, free with agenda_release()
 * @runs:        runs[n], in order, warm-up first
 * @left:        [point], those still to be made, warm-up included
 * @done, total: without warm-up
 * @started_ns:  by the clock of the lab
 */
struct agenda {
	const struct lab *lab;
	const struct progress *progress;
	struct planned_run *runs;
	size_t n;
	uint64_t *left;
	uint64_t done, total;
	uint64_t started_ns;
};

/** agenda_make() - of all that is left for this session, which starts now; arguments are borrowed */
void agenda_make(struct agenda *agenda, const struct lab *lab, const struct progress *progress);
void agenda_release(struct agenda *agenda);

/** agenda_now_ns() - the clock of the lab */
uint64_t agenda_now_ns(const struct agenda *agenda);

/** agenda_opens_block() - is run @i the first one of this session in its block? Not for warm-up */
bool agenda_opens_block(const struct agenda *agenda, size_t i);

/**
 * agenda_fits() - would the block that run @i opens end within the time budget?
 *
 * True for a block that was begun, and for the first one of all.
 */
bool agenda_fits(const struct agenda *agenda, size_t i);

/** agenda_too_late() - is there something to run, but no time for even the first block of it? */
bool agenda_too_late(const struct agenda *agenda);

/** agenda_made() - a run was made and @progress knows it: drop it, and its point's others if that was given up */
void agenda_made(struct agenda *agenda, const struct planned_run *made);

/** agenda_left_ns() - estimated time left, 0 while a point that is still to be run has never been run */
uint64_t agenda_left_ns(const struct agenda *agenda);

#endif
