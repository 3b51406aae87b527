/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/sequential.h - looking at an experiment while it runs, and stopping because of what one saw.
 *
 * The plan has at most max_blocks blocks and is looked at after the first, then every so many. Beside the sides as
 * they were drawn go N re-drawn sequences of sides through the same looks. At each look those that lie farthest from
 * no difference cross the boundary: as many as keep the part that has crossed so far within alpha t^1.5, t being the
 * part of max_blocks done. If nothing changed, what was observed is one sequence among N + 1 like it and crosses at
 * any time with a chance of at most alpha, whatever the noise and however often it is looked at.
 * Sources: Lan and DeMets, Biometrika 70 (1983) 659 (spending); Kim and DeMets, Biometrika 74 (1987) 149 (t^1.5).
 */
#ifndef STATS_SEQUENTIAL_H
#define STATS_SEQUENTIAL_H

#include "stats/redraws.h"
#include "stats/trial.h"
#include "stats/verdict.h"

/**
 * struct sequential_rule - fixed before the first run
 * @alpha:      chance of a false call over all looks
 * @margin:     smallest effect of interest, as in struct verdict_rule; 0: none
 * @max_blocks: the plan's
 * @first, @every: looks come after @first blocks and then after every @every, and after the last
 */
struct sequential_rule {
	double alpha, margin;
	size_t max_blocks;
	size_t first, every;
};

enum sequential_state {
	SEQUENTIAL_GO_ON,
	SEQUENTIAL_FOUND,      /* crossed the boundary: there is a change */
	SEQUENTIAL_EQUIVALENT, /* the interval lies within the margin */
	SEQUENTIAL_FUTILE, /* a change would hardly be found by going on; may be overruled without harm */
	SEQUENTIAL_EXHAUSTED, /* all blocks are done, nothing was found */
};

/**
 * struct sequential - at the look that ended it, or the last one so far
 * @blocks:  done at that look, 0 before the first
 * @level:   this look's own two-sided level; an interval of confidence 1 - level holds the truth at all looks
 *           together with confidence 1 - alpha, and excludes 0 just when FOUND (but for the error of the draws)
 * @p:       over all looks so far: part of the sequences that crossed before or lie as far now
 * @power:   chance that going on to the end will find a change of the size now estimated, or of the margin if that
 *           is larger
 */
struct sequential {
	enum sequential_state state;
	size_t blocks;
	double level, p;
	double power;
};

/** sequential_is_look() - is it time, after @blocks complete blocks? */
bool sequential_is_look(const struct sequential_rule *rule, size_t blocks);

/**
 * sequential_look() - go through all looks that @trial's blocks allow, until one ends it
 * @sequential: filled
 * @trial:      complete blocks only, order TRIAL_RANDOM; a block that lost a side to failures counts as done
 * @done:       blocks done, counting those
 * @redraws:    for max_blocks; the same ones at each call
 *
 * Needs no memory of earlier calls: the same blocks give the same looks. A value that is not finite ends nothing.
 * O(looks * draws * blocks).
 */
void sequential_look(struct sequential *sequential, const struct trial *trial, size_t done,
		     const struct redraws *redraws, const struct sequential_rule *rule);

/**
 * sequential_verdict() - the verdict of an experiment that was looked at, at the look in @sequential
 *
 * verdict_judge() of the blocks seen so far with the look's own level in place of alpha; p_adjusted is the one over
 * all looks. Not to be put into verdict_adjust() with rows that nobody stopped for.
 */
void sequential_verdict(struct verdict *verdict, const struct trial *trial, enum better better,
			const struct sequential_rule *rule, const struct sequential *sequential);

#endif
