/* SPDX-License-Identifier: GPL-2.0-only */
/* bench/score_count.h - what the kinds of rows share. */
#ifndef BENCH_SCORE_COUNT_H
#define BENCH_SCORE_COUNT_H

#include "score.h"

#include "stats/trial.h"

/* struct score_trial - room for a trial's arrays; y are the logarithms of the values */
struct score_trial {
	double y[2 * SCORE_MAX_N];
	double value[2 * SCORE_MAX_N];
	unsigned char side[2 * SCORE_MAX_N];
	unsigned int block[2 * SCORE_MAX_N];
};

/* 0.05, no margin */
extern const struct verdict_rule score_rule;

/** score_seed() - the row's own stream of numbers for one purpose */
void score_seed(struct rng *rng, const struct score_row *row, const char *what);

/** score_trial() - 2n units in @store, none failed */
struct trial score_trial(struct score_trial *store, size_t n, enum order order);

/** score_draw() - an experiment of runs */
struct trial score_draw(struct score_trial *store, const struct score_row *row, struct rng *rng);

/** score_is_call() - improved or regressed? */
bool score_is_call(const struct verdict *verdict);

/** score_count() - a verdict among the words, calls and intervals */
void score_count(struct score *score, const struct verdict *verdict, double delta);

/** score_peers() - what the peers in @by call in logarithms y[2n] in the order of time */
void score_peers(struct score *score, unsigned int by, const double *y, const unsigned char *side,
		 size_t n, struct rng *rng);

#endif
