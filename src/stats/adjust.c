// SPDX-License-Identifier: GPL-2.0-only
#include "stats/adjust.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct test {
	double p;
	size_t index;
};

static int compare_tests(const void *a, const void *b)
{
	const struct test *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

static struct test *tests_by_p(const double *p, size_t n)
{
	struct test *tests = xcalloc(n, sizeof(*tests));

	for (size_t i = 0; i < n; i++)
		tests[i] = (struct test){ p[i], i };
	if (n)
		qsort(tests, n, sizeof(*tests), compare_tests);
	return tests;
}

void adjust_holm(double *adjusted, const double *p, size_t n)
{
	struct test *tests = tests_by_p(p, n);
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		most = fmin(1, fmax(most, tests[i].p * (double)(n - i)));
		adjusted[tests[i].index] = most;
	}
	free(tests);
}

void adjust_fdr(double *q, const double *p, size_t n)
{
	struct test *tests = tests_by_p(p, n);
	double least = 1;

	for (size_t i = n; i > 0; i--) {
		least = fmin(least, tests[i - 1].p * (double)n / (double)i);
		q[tests[i - 1].index] = least;
	}
	free(tests);
}
