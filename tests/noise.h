/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tests/noise.h - figures as a noisy machine gives them, with or without a true change: what verdicts are scored on.
 *
 * The six models are drawn; the traces are cut from recorded series of four workloads on a loaded virtual machine of
 * two CPUs, in which nothing was ever changed.
 */
#ifndef TESTS_NOISE_H
#define TESTS_NOISE_H

#include "base/rng.h"

#include <stddef.h>

enum noise {
	NOISE_IID, /* normal, one run in twenty spoiled by 5 % on average; in all models below too */
	NOISE_AR1,	/* neighbours alike: correlation 0.7 */
	NOISE_LINEAR,	/* 4 % slower from the first run to the last */
	NOISE_RANDWALK, /* wanders */
	NOISE_MODES,	/* two levels 5 % apart, now and then changed */
	NOISE_PERIODIC, /* every fourth run 4 % slower */
	NOISE_MODELS,
	NOISE_HB_SOCK = NOISE_MODELS,
	NOISE_HB_PIPE,
	NOISE_PIPE,
	NOISE_SBCPU,
	NOISE_KINDS,
};

/* Most pairs that noise_pairs() makes. */
#define NOISE_MAX_PAIRS 100

const char *noise_name(enum noise noise);

/**
 * noise_pairs() - one experiment of random pairs
 * @a, @b: filled, a[n], b[n]: positive figures
 * @n:     pairs, 1 .. NOISE_MAX_PAIRS
 * @delta: true change: B is 1 + delta times A
 *
 * 2n runs in time; in each block of two a coin decides who is first.
 */
void noise_pairs(double *a, double *b, size_t n, enum noise noise, double delta, struct rng *rng);

/**
 * struct score - how verdicts fared, in parts of the experiments
 * @called:     improved or regressed
 * @right:      regressed, which is right where @delta > 0 and lower is better
 * @covered:    the interval held the true change
 * @unsettled:  no conclusion
 * @mde:        median of the least change said to be found four times of five
 */
struct score {
	double called, right, covered, unsettled, mde;
};

/** score_verdicts() - judge @reps experiments; the same arguments give the same score */
struct score score_verdicts(enum noise noise, size_t n, double delta, size_t reps);

#endif
