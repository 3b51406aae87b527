/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/shared.h - memory that all tasks of a workload see, threads and processes alike, taken before the timed part. */
#ifndef WORKLOAD_SHARED_H
#define WORKLOAD_SHARED_H

#include "base/error.h"
#include "base/histogram.h"

#include <stddef.h>
#include <stdint.h>

/* What tasks write must be this far apart: a cache line and the one that is fetched with it. */
#define SHARED_ALIGN 128

/**
 * shared_new() - zeroed memory that forked tasks share, on pages of its own
 * @what: for the error: "samples"
 *
 * Its pages come as they are touched: touch what the timed part will need.
 *
 * Return: NULL with the words, -ENOMEM in @err.
 */
void *shared_new(size_t bytes, const char *what, struct error *err);

/** shared_free() - @p may be NULL; @bytes as given to shared_new() */
void shared_free(void *p, size_t bytes);

/**
 * shared_histograms() - an empty histogram for each of @n tasks
 * @max: values up to it are touched, so that taking them is no page fault; others work as well
 *
 * Return: NULL with the words. Free with shared_free(p, @n * sizeof(struct histogram)).
 */
struct histogram *shared_histograms(size_t n, uint64_t max, struct error *err);

/** shared_histograms_sum() - all of them merged into the first one, which is returned; when their tasks have ended */
struct histogram *shared_histograms_sum(struct histogram *histograms, size_t n);

#endif
