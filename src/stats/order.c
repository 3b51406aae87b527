// SPDX-License-Identifier: GPL-2.0-only
#include "stats/order.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_values(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void sort_values(double *x, size_t n)
{
	if (n)
		qsort(x, n, sizeof(*x), compare_values);
}

double *sorted_values(const double *x, size_t n)
{
	double *sorted = xcalloc(n, sizeof(*sorted));

	if (n)
		memcpy(sorted, x, n * sizeof(*x));
	sort_values(sorted, n);
	return sorted;
}

double median(const double *x, size_t n)
{
	double *sorted, middle;

	assert(n > 0);
	sorted = sorted_values(x, n);
	middle = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	free(sorted);
	return middle;
}

struct place {
	double value; /* first, so that compare_values() serves */
	size_t index;
};

void midranks_doubled(unsigned int *ranks2, const double *x, size_t n)
{
	struct place *places = xcalloc(n, sizeof(*places));
	size_t i, j, k;

	for (i = 0; i < n; i++)
		places[i] = (struct place){ x[i], i };
	qsort(places, n, sizeof(*places), compare_values);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && places[j].value == places[i].value; j++)
			;
		/* they hold the ranks i + 1 .. j, whose middle is (i + 1 + j) / 2 */
		for (k = i; k < j; k++)
			ranks2[places[k].index] = (unsigned int)(i + 1 + j);
	}
	free(places);
}
