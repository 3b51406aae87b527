// SPDX-License-Identifier: GPL-2.0-only
#include "stats/kth.h"

#include <string.h>

/* Integers in the order of the doubles, neighbours next to each other: what lies half way is a double too. */
static int64_t double_to_step(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >= 0 ? bits : INT64_MIN - bits;
}

static double step_to_double(int64_t step)
{
	int64_t bits = step >= 0 ? step : INT64_MIN - step;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

double kth_find(double lo, double hi, uint64_t k, uint64_t (*count_up_to)(const void *of, double x),
		const void *of)
{
	int64_t first = double_to_step(lo), last = double_to_step(hi);

	while (first < last) {
		/* in unsigned numbers, since last - first may not fit */
		int64_t mid = (int64_t)((uint64_t)first + ((uint64_t)last - (uint64_t)first) / 2);

		if (count_up_to(of, step_to_double(mid)) >= k)
			last = mid;
		else
			first = mid + 1;
	}
	return step_to_double(first);
}

double kth_middle(double lo, double hi, uint64_t count,
		  uint64_t (*count_up_to)(const void *of, double x), const void *of)
{
	double middle = kth_find(lo, hi, count / 2 + 1, count_up_to, of);

	if (count % 2 == 0)
		middle = (kth_find(lo, hi, count / 2, count_up_to, of) + middle) / 2;
	return middle;
}
