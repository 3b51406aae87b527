/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tests/noise.h - figures as a noisy machine gives them, with or without a true change: what verdicts are scored on.
 *
 * Time is a row of slots, one run each. A noise gives each slot the logarithm of its figure; an order says which side
 * runs in which slot; a true change is added to the slots of B. Six noises are models, the others recorded series in
 * which nothing was ever changed.
 */
#ifndef TESTS_NOISE_H
#define TESTS_NOISE_H

#include "base/error.h"
#include "base/rng.h"

#include <stddef.h>

enum noise_model {
	NOISE_IID, /* normal, one run in twenty spoiled by 5 % on average; in all models below too */
	NOISE_AR1,	/* neighbours alike: correlation 0.7 */
	NOISE_LINEAR,	/* 4 % slower from the first run to the last */
	NOISE_RANDWALK, /* wanders */
	NOISE_MODES,	/* two levels 5 % apart, now and then changed */
	NOISE_PERIODIC, /* every fourth run 4 % slower */
	NOISE_MODELS,
	NOISE_TRACE = NOISE_MODELS, /* a window of a recorded series */
};

/**
 * struct noise - where figures come from
 * @model:  how
 * @sd:     of the normal part of each run of a model, on the scale of logarithms
 * @trace:  NOISE_TRACE: logarithms of @length recorded figures
 */
struct noise {
	const char *name;
	enum noise_model model;
	double sd;
	const double *trace;
	size_t length;
};

/* The six, by enum noise_model. */
extern const struct noise noise_models[NOISE_MODELS];

/**
 * noise_draw() - logarithms of the figures of @slots runs in time
 * @slots: >= 2, and at most the length of a trace, of which a window is drawn
 */
void noise_draw(double *y, size_t slots, const struct noise *noise, struct rng *rng);

/** noise_run() - what every run has by itself: normal with @sd, one in twenty spoiled */
double noise_run(double sd, struct rng *rng);

/** noise_normal() - mean 0, sd 1 */
double noise_normal(struct rng *rng);

/**
 * traces_read() - all recorded series of a folder: its files *.txt, sorted by name
 * @traces: filled with *@n of them, named as the files; traces_free() frees
 *
 * A file is one series: positive numbers in the order of time, parted by white space; lines with # are comments.
 *
 * Return: 0; -errno; -EINVAL where a file holds anything else or fewer than 200 numbers.
 */
int traces_read(struct noise **traces, size_t *n, const char *folder, struct error *err);
void traces_free(struct noise *traces, size_t n);

enum order {
	ORDER_SEQ, /* all of A, then all of B */
	ORDER_ABAB,
	ORDER_ABBA,
	ORDER_RP,  /* pairs, the order inside each drawn */
	ORDER_PB4, /* blocks of two a side, the order inside each drawn */
	ORDER_PB8, /* blocks of four a side */
};

const char *order_name(enum order order);

/**
 * order_draw() - who runs in which slot
 * @side:  side[2n], 0: A, 1: B, n each
 * @block: block[2n], ascending; a last block is smaller where its size does not divide 2n
 */
void order_draw(unsigned char *side, unsigned int *block, size_t n, enum order order,
		struct rng *rng);

#endif
