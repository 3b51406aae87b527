/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base/ddmin.h - the few of many things that something still needs to be seen with.
 *
 * Source: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002.
 */
#ifndef BASE_DDMIN_H
#define BASE_DDMIN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct ddmin - how to look
 * @shows:  is it still seen with those of keep[nr] alone? It may clear more of keep[] where it is. 1, 0 or -errno
 * @end_ns: CLOCK_MONOTONIC: when to be content with what there is
 * @stop:   nonzero: the same at once; may be NULL
 */
struct ddmin {
	int (*shows)(void *ctx, bool *keep);
	void *ctx;
	uint64_t end_ns;
	const volatile sig_atomic_t *stop;
};

/**
 * ddmin() - leave out of keep[nr] what isn't needed
 * @keep: those that are left and with which it is seen; cut in place
 *
 * Halves of them are left out first, from the end on, as what came last was often needed least; then quarters, down to
 * single ones until none can go.
 *
 * Return: 1: not a single one more can go; 0: the time was up or it was stopped; or what @shows failed with, and
 * keep[] is what there was until then.
 */
int ddmin(bool *keep, size_t nr, const struct ddmin *how);

#endif
