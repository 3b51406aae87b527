/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench/score.h - many experiments under one noise, judged by us and by the peers' rules on the same data.
 *
 * A row is one setting; rows are shared out among processes. Each has its own stream of random numbers, so what comes
 * out depends neither on their order nor on the number of processes.
 */
#ifndef BENCH_SCORE_H
#define BENCH_SCORE_H

#include "noise.h"
#include "peers.h"

#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

#define SCORE_WORDS (VERDICT_NO_CONCLUSION + 1)

/**
 * struct score - what became of a row's experiments
 * @reps:    experiments
 * @words:   how many of them got each verdict
 * @right, @wrong: called regressed or improved, B being slower by delta or (delta 0) no different: then right is
 *           regressed
 * @covered: the interval held the truth
 * @exaggeration: median of effect / delta among the calls, 0 where delta is 0 or none was made
 * @mde:     median of the least change that was said to be found four times of five
 * @units:   mean units a side that were used
 * @peer_right, @peer_wrong: calls by the peers
 * @seconds: it took, of one CPU
 */
struct score {
	size_t reps;
	size_t words[SCORE_WORDS];
	size_t right, wrong;
	size_t covered;
	double exaggeration;
	double mde;
	double units;
	size_t peer_right[PEERS], peer_wrong[PEERS];
	double seconds;
};

/* Who judges: us, the peers (of whom each has the bit of its number). */
#define SCORE_PEERS ((1U << PEERS) - 1)
#define SCORE_OURS  (1U << PEERS)

/**
 * struct score_row - a setting
 * @run:   fills the score; one of the functions below
 * @noise: what the machine does, or NULL where @run has its own
 * @n:     units a side
 * @delta: true change: B's figures are 1 + delta times as large; lower is better
 * @by:    SCORE_OURS and peers' bits, ORed
 */
struct score_row {
	void (*run)(struct score *score, const struct score_row *row);
	const struct noise *noise;
	enum order order;
	size_t n;
	double delta;
	size_t reps;
	unsigned int by;
};

/* Most units a side. */
#define SCORE_MAX_N PEERS_MAX_N

/** score_runs() - the unit is a run */
void score_runs(struct score *score, const struct score_row *row);

/** score_mde() - the unit is a run; after experiments without a change as many with one of mde: right are these */
void score_mde(struct score *score, const struct score_row *row);

/** score_boots() - the unit is a boot of 5 runs, judged by their median; boots differ with an sd of 1.5 % */
void score_boots(struct score *score, const struct score_row *row);

/**
 * score_tails() - the figure is the p99 of 2 000 samples of a run
 *
 * One sample in twenty is in a tail of Pareto's with exponent 2.5; how far the tail reaches differs between runs with
 * an sd of 10 %; a change scales all samples.
 */
void score_tails(struct score *score, const struct score_row *row);

/** score_sequential() - at most n units a side, stopped by the group-sequential rule */
void score_sequential(struct score *score, const struct score_row *row);

/** score_metrics() - 20 metrics of correlation 0.8 judged together: right and wrong count experiments with any call */
void score_metrics(struct score *score, const struct score_row *row);

/** score_rows() - run all rows on @workers processes; returns 0, or -errno where a process could not do its part */
int score_rows(struct score *scores, const struct score_row *rows, size_t n, unsigned int workers);

#endif
