// SPDX-License-Identifier: GPL-2.0-only
#include "base/histogram.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void histogram_touch(struct histogram *h, uint64_t max)
{
	const unsigned int step = 4096 / sizeof(*h->buckets);
	volatile uint64_t *buckets = h->buckets;
	const unsigned int end = histogram_index(max);

	for (unsigned int i = 0; i < end; i += step)
		buckets[i] = 0;
	buckets[end] = 0;
}

/* Only what was written: clearing everything would touch pages that no sample needs. */
void histogram_reset(struct histogram *h)
{
	if (h->count) {
		unsigned int first = histogram_index(h->min);

		memset(&h->buckets[first], 0,
		       (histogram_index(h->max) - first + 1) * sizeof(*h->buckets));
	}
	h->count = h->min = h->max = h->sum = 0;
}

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	if (!from->count)
		return;
	for (unsigned int i = histogram_index(from->min); i <= histogram_index(from->max); i++)
		if (from->buckets[i])
			to->buckets[i] += from->buckets[i];
	if (!to->count || from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	if (__builtin_add_overflow(to->sum, from->sum, &to->sum))
		to->sum = UINT64_MAX;
	to->count += from->count;
}

void histogram_bucket(unsigned int i, uint64_t *low, uint64_t *high)
{
	const unsigned int shift = i < HISTOGRAM_LINEAR ? 0 : (i >> HISTOGRAM_BITS) - 1;

	assert(i < HISTOGRAM_BUCKETS);
	*low = (uint64_t)(i - (shift << HISTOGRAM_BITS)) << shift;
	*high = *low + ((UINT64_C(1) << shift) - 1);
}

static uint64_t middle(const struct histogram *h, unsigned int i)
{
	uint64_t low, high, value;

	histogram_bucket(i, &low, &high);
	value = low + (high - low) / 2;
	return value < h->min ? h->min : value > h->max ? h->max : value;
}

/* ceil(q x count), where a product such as 0.07 x 100 = 7.000000000000001 is meant to be whole. */
static uint64_t rank_of(const struct histogram *h, double q)
{
	double rank = ceil(q * (double)h->count * (1 - 4 * DBL_EPSILON));

	return rank < 1 ? 1 : rank >= (double)h->count ? h->count : (uint64_t)rank;
}

uint64_t histogram_quantile(const struct histogram *h, double q)
{
	unsigned int i = histogram_index(h->min);
	uint64_t rank, seen;

	assert(q >= 0 && q <= 1);
	if (!h->count || q <= 0)
		return h->min;
	rank = rank_of(h, q);
	if (rank == h->count)
		return h->max;
	for (seen = h->buckets[i]; seen < rank; seen += h->buckets[i])
		i++;
	return middle(h, i);
}

double histogram_mean(const struct histogram *h)
{
	return h->count ? (double)h->sum / (double)h->count : 0;
}

/* How many buckets from @i on hold the same as @i, up to @end. */
static unsigned int run_length(const struct histogram *h, unsigned int i, unsigned int end)
{
	unsigned int n = 1;

	while (i + n <= end && h->buckets[i + n] == h->buckets[i])
		n++;
	return n;
}

static void write_buckets(const struct histogram *h, struct strbuf *sb)
{
	const unsigned int first = histogram_index(h->min), end = histogram_index(h->max);
	unsigned int n;

	for (unsigned int i = first; i <= end; i += n) {
		n = run_length(h, i, end);
		strbuf_addstr(sb, i == first ? "" : ",");
		if (!h->buckets[i])
			strbuf_addf(sb, "+%u", n);
		else if (n > 1)
			strbuf_addf(sb, "%" PRIu64 "*%u", h->buckets[i], n);
		else
			strbuf_addf(sb, "%" PRIu64, h->buckets[i]);
	}
}

void histogram_write(const struct histogram *h, struct strbuf *sb)
{
	strbuf_addf(sb, "%d;%" PRIu64, HISTOGRAM_BITS, h->count);
	if (!h->count)
		return;
	strbuf_addf(sb, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";", h->min, h->max, h->sum);
	write_buckets(h, sb);
}

/* A whole number as we write it: digits, no zero before others. */
static bool take_number(const char **at, uint64_t *value)
{
	char *end;

	if (**at < '0' || **at > '9' || (**at == '0' && (*at)[1] >= '0' && (*at)[1] <= '9'))
		return false;
	errno = 0;
	*value = strtoull(*at, &end, 10);
	*at = end;
	return !errno;
}

static bool take(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* struct item - one of the list: @n buckets of @samples each */
struct item {
	uint64_t samples;
	uint64_t n;
};

static bool take_item(const char **at, struct item *item)
{
	*item = (struct item){ .n = 1 };
	if (take(at, '+'))
		return take_number(at, &item->n) && item->n;
	if (!take_number(at, &item->samples) || !item->samples)
		return false;
	return !take(at, '*') || (take_number(at, &item->n) && item->n > 1);
}

/* struct head - what stands before the buckets; a whole histogram is too large for a stack */
struct head {
	uint64_t count;
	uint64_t min;
	uint64_t max;
	uint64_t sum;
};

/**
 * struct reader - a text form being read
 * @at:     what is left of it
 * @h:      buckets are stored here; NULL: only checked
 * @next:   bucket that comes next
 * @end:    the one of the maximum
 * @seen:   samples so far
 * @before: samples of each bucket of the item before this one; 0 at first, so that the first can't be empty
 */
struct reader {
	const char *at;
	struct histogram *h;
	unsigned int next;
	unsigned int end;
	uint64_t seen;
	uint64_t before;
};

static int read_item(struct reader *r, struct error *err)
{
	const char *start = r->at;
	struct item item;
	uint64_t more;

	if (!take_item(&r->at, &item))
		return error_set(err, EINVAL, "histogram: '%.20s' is no number of samples", start);
	if (item.n > r->end + 1 - r->next)
		return error_set(err, EINVAL, "histogram: samples beyond the maximum");
	if (item.samples == r->before)
		return error_set(err, EINVAL, "histogram: '%.20s' belongs to what is before it",
				 start);
	if (__builtin_mul_overflow(item.samples, item.n, &more) ||
	    __builtin_add_overflow(r->seen, more, &r->seen))
		return error_set(err, EINVAL, "histogram: 2^64 samples or more");
	for (uint64_t i = 0; r->h && item.samples && i < item.n; i++)
		r->h->buckets[r->next + i] = item.samples;
	r->next += (unsigned int)item.n;
	r->before = item.samples;
	return 0;
}

static int read_buckets(struct reader *r, const struct head *head, struct error *err)
{
	int ret;

	do {
		ret = read_item(r, err);
	} while (!ret && r->next <= r->end && take(&r->at, ','));
	if (ret)
		return ret;
	if (*r->at || r->next <= r->end || !r->before)
		return error_set(err, EINVAL, "histogram: does not end at its maximum");
	if (r->seen != head->count)
		return error_set(err, EINVAL,
				 "histogram: %" PRIu64 " samples where it says %" PRIu64, r->seen,
				 head->count);
	return 0;
}

static uint64_t saturating_product(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Everything up to the buckets. */
static int read_head(const char **at, struct head *head, struct error *err)
{
	uint64_t bits;

	if (!take_number(at, &bits) || bits != HISTOGRAM_BITS || !take(at, ';') ||
	    !take_number(at, &head->count))
		return error_set(err, EINVAL, "histogram: '%.20s' does not begin with %d;COUNT",
				 *at, HISTOGRAM_BITS);
	if (!head->count)
		return **at ? error_set(err, EINVAL, "histogram: no samples, but more behind") : 0;
	if (!take(at, ';') || !take_number(at, &head->min) || !take(at, ';') ||
	    !take_number(at, &head->max) || !take(at, ';') || !take_number(at, &head->sum) ||
	    !take(at, ';'))
		return error_set(err, EINVAL, "histogram: '%.20s' is not ;MIN;MAX;SUM;", *at);
	if (head->min > head->max || head->sum < saturating_product(head->count, head->min) ||
	    head->sum > saturating_product(head->count, head->max))
		return error_set(err, EINVAL, "histogram: minimum, maximum and sum don't agree");
	return 0;
}

int histogram_read(struct histogram *h, const char *text, struct error *err)
{
	struct head head = { 0 };
	struct reader r = { .at = text, .h = h };
	int ret = read_head(&r.at, &head, err);

	if (h)
		histogram_reset(h);
	if (ret || !head.count)
		return ret;
	if (h) {
		h->count = head.count;
		h->min = head.min;
		h->max = head.max;
		h->sum = head.sum;
	}
	r.next = histogram_index(head.min);
	r.end = histogram_index(head.max);
	ret = read_buckets(&r, &head, err);
	if (ret && h)
		histogram_reset(h);
	return ret;
}
