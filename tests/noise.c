// SPDX-License-Identifier: GPL-2.0-only
#include "noise.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct noise noise_models[NOISE_MODELS] = {
	[NOISE_IID] = { .name = "iid", .model = NOISE_IID, .sd = 0.010 },
	[NOISE_AR1] = { .name = "ar1", .model = NOISE_AR1, .sd = 0.007 },
	[NOISE_LINEAR] = { .name = "linear", .model = NOISE_LINEAR, .sd = 0.010 },
	[NOISE_RANDWALK] = { .name = "randwalk", .model = NOISE_RANDWALK, .sd = 0.010 },
	[NOISE_MODES] = { .name = "modes", .model = NOISE_MODES, .sd = 0.008 },
	[NOISE_PERIODIC] = { .name = "periodic", .model = NOISE_PERIODIC, .sd = 0.010 },
};

/* Box and Muller */
double noise_normal(struct rng *rng)
{
	double radius = sqrt(-2 * log(1 - rng_unit(rng)));

	return radius * cos(2 * M_PI * rng_unit(rng));
}

double noise_run(double sd, struct rng *rng)
{
	double spike = rng_unit(rng) < 0.05 ? -0.05 * log(1 - rng_unit(rng)) : 0;

	return sd * noise_normal(rng) + spike;
}

/* What the model adds to slot t; *state is its memory, phase a number fixed at the start. */
static double movement(enum noise_model model, size_t t, size_t slots, size_t phase, double *state,
		       struct rng *rng)
{
	switch (model) {
	case NOISE_AR1: /* stationary with sd 0.015 from the first run on */
		*state = t == 0 ? 0.015 * noise_normal(rng)
				: 0.7 * *state + 0.015 * sqrt(1 - 0.7 * 0.7) * noise_normal(rng);
		return *state;
	case NOISE_LINEAR:
		return 0.04 * (double)t / (double)(slots - 1);
	case NOISE_RANDWALK:
		*state += 0.004 * noise_normal(rng);
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

void noise_draw(double *y, size_t slots, const struct noise *noise, struct rng *rng)
{
	size_t phase = rng_below(rng, 4), t;
	double state = 0;

	if (noise->model == NOISE_TRACE) {
		assert(slots <= noise->length);
		t = rng_below(rng, noise->length - slots + 1);
		memcpy(y, noise->trace + t, slots * sizeof(*y));
		return;
	}
	for (t = 0; t < slots; t++) {
		y[t] = movement(noise->model, t, slots, phase, &state, rng);
		y[t] += noise_run(noise->sd, rng);
	}
}

static const struct {
	const char *name;
	size_t block; /* slots; 0: all one block in a fixed order */
	const char *fixed;
} orders[] = {
	[ORDER_SEQ] = { "seq", 0, NULL },	  [ORDER_ABAB] = { "abab", 2, "\0\1\0\1" },
	[ORDER_ABBA] = { "abba", 2, "\0\1\1\0" }, [ORDER_RP] = { "rp", 2, NULL },
	[ORDER_PB4] = { "pb4", 4, NULL },	  [ORDER_PB8] = { "pb8", 8, NULL },
};

const char *order_name(enum order order)
{
	return orders[order].name;
}

static void shuffle(unsigned char *x, size_t n, struct rng *rng)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = rng_below(rng, i);
		unsigned char swap = x[i - 1];

		x[i - 1] = x[j];
		x[j] = swap;
	}
}

void order_draw(unsigned char *side, unsigned int *block, size_t n, enum order order,
		struct rng *rng)
{
	size_t size = orders[order].block ? orders[order].block : 2 * n, t, from;
	const char *fixed = orders[order].fixed;

	for (t = 0; t < 2 * n; t++)
		block[t] = (unsigned int)(t / size);
	for (from = 0; from < 2 * n; from += size) {
		size_t here = 2 * n - from < size ? 2 * n - from : size;

		for (t = 0; t < here; t++)
			side[from + t] =
				fixed ? (unsigned char)fixed[(from + t) % 4] : t >= here / 2;
		if (!fixed && order != ORDER_SEQ)
			shuffle(side + from, here, rng);
	}
}
