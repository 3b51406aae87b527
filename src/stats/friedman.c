// SPDX-License-Identifier: GPL-2.0-only
#include "stats/friedman.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/order.h"

#include <stdlib.h>
#include <string.h>

#define DRAWS	     1999
#define DRAWS_ENOUGH 40

/* Sum of squares of the columns' sums: what is left of the statistic when all that is constant is left out. */
static double spread(double *sums, const unsigned int *ranks2, size_t rows, size_t columns)
{
	double squares = 0;

	memset(sums, 0, columns * sizeof(*sums));
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < columns; c++)
			sums[c] += ranks2[r * columns + c];
	for (size_t c = 0; c < columns; c++)
		squares += sums[c] * sums[c];
	return squares;
}

double friedman_p(const double *x, size_t rows, size_t columns)
{
	unsigned int *ranks2 = xcalloc(rows * columns, sizeof(*ranks2)), as_large = 0, draws;
	double *sums = xcalloc(columns, sizeof(*sums)), own, p = 1;
	struct rng rng;

	for (size_t r = 0; r < rows; r++)
		midranks_doubled(ranks2 + r * columns, x + r * columns, columns);
	own = spread(sums, ranks2, rows, columns);
	rng_seed(&rng, 0, "friedman", 0);
	for (draws = 1; rows > 1 && columns > 1 && draws <= DRAWS; draws++) {
		for (size_t r = 0; r < rows; r++)
			rng_shuffle(&rng, ranks2 + r * columns, columns);
		as_large += spread(sums, ranks2, rows, columns) >= own;
		p = (as_large + 1.0) / (draws + 1.0);
		if (as_large == DRAWS_ENOUGH)
			break;
	}
	free(sums);
	free(ranks2);
	return p;
}
