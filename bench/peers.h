/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench/peers.h - the rules by which others call a difference, for comparison with ours on the same data.
 *
 * Each takes n figures a side and calls B larger, smaller, or neither, at 0.05 two-sided where it has a level. The
 * rules are as the programs named apply them; what they print beside is left out.
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "base/rng.h"

#include <stddef.h>

enum peer {
	PEER_WELCH, /* Welch's t test of the figures */
	PEER_MWU,   /* exact rank-sum test: benchstat */
	PEER_SE,    /* mean +- standard error do not overlap: perf stat -r, read by eye */
	PEER_SD,    /* mean +- standard deviation do not overlap */
	PEER_MMT,   /* means further apart than 1.96 (sd_a + sd_b): mmtests */
	PEER_LKP, /* ranges apart, by half the difference of medians, and by 1 %: the kernel test robot */
	PEER_HF, /* the ratio of means exceeds 1 by its standard deviation: hyperfine */
	PEER_CRIT, /* bootstrapped t test, and the interval of the mean's change beyond 1 %: Criterion */
	PEER_BCI,  /* percentile interval of the ratio of medians excludes 1 */
	PEER_PERM, /* permutation test of mean logarithms, sides as if independent */
	PEER_HAC,  /* Welch's test of logarithms, variances inflated for correlated neighbours */
	PEER_FLIP, /* sign-flip test of the i-th differences of logarithms */
	PEER_WSR,  /* signed-rank test of the same */
	PEER_EP,   /* betting e-process over the same, looked at after each */
	PEERS,
};

const char *peer_name(enum peer peer);

/* Most figures a side. */
#define PEERS_MAX_N 64

/**
 * struct peer_data - one experiment
 * @a, @b:   figures of each side in the order of time, > 0
 * @la, @lb: their logarithms
 * The rest is of the figures.
 */
struct peer_data {
	size_t n;
	double a[PEERS_MAX_N], b[PEERS_MAX_N];
	double la[PEERS_MAX_N], lb[PEERS_MAX_N];
	double sorted_a[PEERS_MAX_N], sorted_b[PEERS_MAX_N];
	double mean_a, mean_b, var_a, var_b;
};

/** peer_data_split() - from logarithms y[2n] in the order of time with their sides; 2 <= n <= PEERS_MAX_N */
void peer_data_split(struct peer_data *data, const double *y, const unsigned char *side, size_t n);

/**
 * peer_call() - what a rule says of one experiment
 * @rng: for rules that draw
 *
 * Rules that draw take 999 draws, and end early once the answer is certain.
 *
 * Return: 1: B is larger, -1: smaller, 0: no difference called.
 */
int peer_call(enum peer peer, const struct peer_data *data, struct rng *rng);

#endif
