// SPDX-License-Identifier: GPL-2.0-only
#include "stats/shift.h"

#include "stats/kth.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

struct groups {
	const struct shift_group *groups;
	size_t nr;
};

static uint64_t count_in_group(const struct shift_group *g, double x)
{
	size_t i = 0; /* a[i] and above are near enough below b[k] */
	uint64_t count = 0;

	for (size_t k = 0; k < g->n_b; k++) {
		while (i < g->n_a && g->b[k] - g->a[i] > x)
			i++;
		if (i == g->n_a)
			break;
		count += g->n_a - i;
	}
	return count;
}

static uint64_t count_up_to(const void *of, double x)
{
	const struct groups *all = of;
	uint64_t count = 0;

	for (size_t i = 0; i < all->nr; i++)
		count += count_in_group(&all->groups[i], x);
	return count;
}

uint64_t shift_count(const struct shift_group *groups, size_t nr)
{
	uint64_t count = 0;

	for (size_t i = 0; i < nr; i++)
		count += (uint64_t)groups[i].n_a * groups[i].n_b;
	return count;
}

static void range(const struct shift_group *groups, size_t nr, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t i = 0; i < nr; i++) {
		const struct shift_group *g = &groups[i];

		*lo = fmin(*lo, g->b[0] - g->a[g->n_a - 1]);
		*hi = fmax(*hi, g->b[g->n_b - 1] - g->a[0]);
	}
}

double shift_kth(const struct shift_group *groups, size_t nr, uint64_t k)
{
	double lo, hi;

	range(groups, nr, &lo, &hi);
	return kth_find(lo, hi, k, count_up_to, &(struct groups){ groups, nr });
}

double shift_middle(const struct shift_group *groups, size_t nr)
{
	double lo, hi;

	range(groups, nr, &lo, &hi);
	return kth_middle(lo, hi, shift_count(groups, nr), count_up_to,
			  &(struct groups){ groups, nr });
}

double shift_median(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double *sorted_a = sorted_values(a, n_a), *sorted_b = sorted_values(b, n_b);
	double middle = shift_middle(&(struct shift_group){ sorted_a, sorted_b, n_a, n_b }, 1);

	free(sorted_a);
	free(sorted_b);
	return middle;
}
