// SPDX-License-Identifier: GPL-2.0-only
#include "noise.h"

#include "base/mem.h"
#include "stats/order.h"
#include "stats/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double hb_sock[] = {
#include "data/traces/hb_sock.inc"
};
static const double hb_pipe[] = {
#include "data/traces/hb_pipe.inc"
};
static const double pipe_turns[] = {
#include "data/traces/pipe.inc"
};
static const double sbcpu[] = {
#include "data/traces/sbcpu.inc"
};

/* sd: of the normal part of each run, on the scale of logarithms */
static const struct {
	const char *name;
	double sd;
	const double *trace;
	size_t length;
} kinds[NOISE_KINDS] = {
	[NOISE_IID] = { "iid", 0.010, NULL, 0 },
	[NOISE_AR1] = { "ar1", 0.007, NULL, 0 },
	[NOISE_LINEAR] = { "linear", 0.010, NULL, 0 },
	[NOISE_RANDWALK] = { "randwalk", 0.010, NULL, 0 },
	[NOISE_MODES] = { "modes", 0.008, NULL, 0 },
	[NOISE_PERIODIC] = { "periodic", 0.010, NULL, 0 },
	[NOISE_HB_SOCK] = { "trace hb_sock", 0, hb_sock, ARRAY_SIZE(hb_sock) },
	[NOISE_HB_PIPE] = { "trace hb_pipe", 0, hb_pipe, ARRAY_SIZE(hb_pipe) },
	[NOISE_PIPE] = { "trace pipe", 0, pipe_turns, ARRAY_SIZE(pipe_turns) },
	[NOISE_SBCPU] = { "trace sbcpu", 0, sbcpu, ARRAY_SIZE(sbcpu) },
};

const char *noise_name(enum noise noise)
{
	return kinds[noise].name;
}

/* Box and Muller */
static double normal(struct rng *rng)
{
	double radius = sqrt(-2 * log(1 - rng_unit(rng)));

	return radius * cos(2 * M_PI * rng_unit(rng));
}

static double spike(struct rng *rng)
{
	return rng_unit(rng) < 0.05 ? -0.05 * log(1 - rng_unit(rng)) : 0;
}

/* What the model adds to run t of n; *state is its memory, phase a number fixed at the start. */
static double movement(enum noise noise, size_t t, size_t n, size_t phase, double *state,
		       struct rng *rng)
{
	switch (noise) {
	case NOISE_AR1: /* stationary with sd 0.015 from the first run on */
		*state = t == 0 ? 0.015 * normal(rng)
				: 0.7 * *state + 0.015 * sqrt(1 - 0.7 * 0.7) * normal(rng);
		return *state;
	case NOISE_LINEAR:
		return 0.04 * (double)t / (double)(n - 1);
	case NOISE_RANDWALK:
		*state += 0.004 * normal(rng);
		return *state;
	case NOISE_MODES:
		if (rng_unit(rng) < (t == 0 ? 0.5 : 0.08))
			*state = 0.05 - *state;
		return *state;
	case NOISE_PERIODIC:
		return (t + phase) % 4 == 0 ? 0.04 : 0;
	default:
		return 0;
	}
}

/* y[n]: logarithms of the figures of n runs in time. */
static void noise_runs(double *y, size_t n, enum noise noise, struct rng *rng)
{
	const double *trace = kinds[noise].trace;
	size_t phase = rng_below(rng, 4), t;
	double state = 0;

	if (trace) {
		trace += rng_below(rng, kinds[noise].length - n + 1);
		for (t = 0; t < n; t++)
			y[t] = log(trace[t]);
		return;
	}
	for (t = 0; t < n; t++) {
		y[t] = movement(noise, t, n, phase, &state, rng);
		y[t] += kinds[noise].sd * normal(rng) + spike(rng);
	}
}

void noise_pairs(double *a, double *b, size_t n, enum noise noise, double delta, struct rng *rng)
{
	double y[2 * NOISE_MAX_PAIRS];

	assert(n >= 1 && n <= NOISE_MAX_PAIRS);
	noise_runs(y, 2 * n, noise, rng);
	for (size_t i = 0; i < n; i++) {
		size_t b_second = rng_below(rng, 2);

		a[i] = exp(y[2 * i + 1 - b_second]);
		b[i] = exp(y[2 * i + b_second]) * (1 + delta);
	}
}

struct score score_verdicts(enum noise noise, size_t n, double delta, size_t reps)
{
	static const struct verdict_rule rule = { .alpha = 0.05 };
	size_t regressed = 0, improved = 0, covered = 0, unsettled = 0;
	double a[NOISE_MAX_PAIRS], b[NOISE_MAX_PAIRS], value[2 * NOISE_MAX_PAIRS];
	unsigned char side[2 * NOISE_MAX_PAIRS];
	unsigned int block[2 * NOISE_MAX_PAIRS];
	struct trial trial = { value, side, block, .n = 2 * n, .runs_a = n, .runs_b = n };
	double *mdes = xcalloc(reps, sizeof(*mdes)), mde;
	struct rng rng;

	rng_seed(&rng, n, kinds[noise].name, (uint64_t)lrint(delta * 1e6));
	for (size_t i = 0; i < reps; i++) {
		struct verdict verdict;

		noise_pairs(a, b, n, noise, delta, &rng);
		for (size_t k = 0; k < 2 * n; k++) {
			value[k] = k % 2 ? b[k / 2] : a[k / 2];
			side[k] = k % 2;
			block[k] = (unsigned int)k / 2;
		}
		verdict_judge(&verdict, &trial, BETTER_LOWER, &rule);
		regressed += verdict.word == VERDICT_REGRESSED;
		improved += verdict.word == VERDICT_IMPROVED;
		unsettled += verdict.word == VERDICT_NO_CONCLUSION;
		covered += verdict.ci.lo <= delta && delta <= verdict.ci.hi;
		mdes[i] = verdict.mde;
	}
	mde = median(mdes, reps);
	free(mdes);
	return (struct score){
		.called = (double)(regressed + improved) / (double)reps,
		.right = (double)regressed / (double)reps,
		.covered = (double)covered / (double)reps,
		.unsettled = (double)unsettled / (double)reps,
		.mde = mde,
	};
}
