/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base/histogram.h - how often each value came: every sample counted, none dropped, whatever their number and rate.
 *
 * Log-linear: values below 1024 have a bucket each; above, every power of two is cut into 512 buckets, so that a bucket
 * is at most 1/512 of its values wide. What is read back (the middle of a bucket) is within 0.1 % of every sample in it.
 * Minimum, maximum, number and sum are exact.
 */
#ifndef BASE_HISTOGRAM_H
#define BASE_HISTOGRAM_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_BITS	  9
#define HISTOGRAM_LINEAR  (2u << HISTOGRAM_BITS) /* values below it are exact */
#define HISTOGRAM_BUCKETS (HISTOGRAM_LINEAR + (63u - HISTOGRAM_BITS) * (1u << HISTOGRAM_BITS))

/**
 * struct histogram - samples of 0 .. 2^64 - 1, of one task; initialise with { 0 }
 * @count: samples
 * @min:   smallest, meaningful where @count > 0
 * @max:   largest
 * @sum:   of all; stays at 2^64 - 1 once it gets there
 *
 * About 230 KB, so never on a stack. A sample touches the head and one bucket; values of one power of two share a page.
 */
struct histogram {
	uint64_t count;
	uint64_t min;
	uint64_t max;
	uint64_t sum;
	uint64_t buckets[HISTOGRAM_BUCKETS];
};

/** histogram_index() - bucket of @value */
static inline unsigned int histogram_index(uint64_t value)
{
	unsigned int shift;

	if (value < HISTOGRAM_LINEAR)
		return (unsigned int)value;
	shift = 63u - (unsigned int)__builtin_clzll(value) - HISTOGRAM_BITS;
	return (shift << HISTOGRAM_BITS) + (unsigned int)(value >> shift);
}

/**
 * histogram_add() - one more sample
 *
 * A few ns: plain stores, no allocation, no lock. One task writes a histogram; merge them when all have ended.
 */
static inline void histogram_add(struct histogram *h, uint64_t value)
{
	h->buckets[histogram_index(value)]++;
	if (!h->count++ || value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	if (__builtin_add_overflow(h->sum, value, &h->sum))
		h->sum = UINT64_MAX;
}

/**
 * histogram_touch() - have the pages of all values up to @max in memory, so that no sample faults
 *
 * For an empty one in memory that was just mapped, before the timed part: 4 KB for each power of two up to @max.
 */
void histogram_touch(struct histogram *h, uint64_t max);

/** histogram_reset() - forget all samples; the pages stay */
void histogram_reset(struct histogram *h);

/** histogram_merge() - add all samples of @from to @to */
void histogram_merge(struct histogram *to, const struct histogram *from);

/** histogram_bucket() - smallest and largest value of bucket @i */
void histogram_bucket(unsigned int i, uint64_t *low, uint64_t *high);

/**
 * histogram_quantile() - the value that at least the share @q of all samples do not exceed
 * @q: 0 .. 1; 0 is the minimum, 1 the maximum, both exact
 *
 * Nearest rank: the sample at place ceil(@q x count), no interpolation between samples; it is known to within 0.1 %,
 * and never outside minimum .. maximum.
 *
 * Return: 0 for an empty histogram.
 */
uint64_t histogram_quantile(const struct histogram *h, double q);

/** histogram_mean() - sum / count; 0 for an empty histogram */
double histogram_mean(const struct histogram *h);

/**
 * histogram_write() - append the one text form, plain ASCII without blanks or quotes
 *
 * "9;COUNT;MIN;MAX;SUM;BUCKETS", the 9 is HISTOGRAM_BITS; "9;0" if there is no sample. BUCKETS is a list joined by ','
 * of, from the bucket of MIN to that of MAX: "N" samples in the next bucket, "N*K" in each of the next K, "+K" that
 * the next K are empty. About 3 bytes a bucket that isn't empty.
 */
void histogram_write(const struct histogram *h, struct strbuf *sb);

/**
 * histogram_read() - the opposite of histogram_write()
 * @h:    replaced on success, empty on failure; NULL only checks
 * @text: terminated; only what histogram_write() can write is taken
 *
 * Return: 0, or -EINVAL with what is wrong.
 */
int histogram_read(struct histogram *h, const char *text, struct error *err);

#endif
