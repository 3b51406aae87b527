// SPDX-License-Identifier: GPL-2.0-only
#include "posted/failures.h"

#include "stats/fisher.h"
#include "stats/normal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct interval failures_interval(uint64_t failed, uint64_t runs, double alpha)
{
	double z = normal_critical(alpha), n = (double)runs, share = (double)failed / n;
	double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
	double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));

	return (struct interval){ failed ? fmax(0, middle - half) : 0,
				  failed < runs ? fmin(1, middle + half) : 1 };
}

static uint64_t bad_of(const struct posted_side *side)
{
	return side->failed + side->hung;
}

static uint64_t runs_of(const struct posted_side *side)
{
	uint64_t runs = side->runs ? side->runs : side->n;

	return runs > bad_of(side) ? runs : bad_of(side);
}

static void print_rate(char *text, size_t size, char letter, const struct posted_side *side,
		       double alpha)
{
	uint64_t bad = bad_of(side), runs = runs_of(side);
	struct interval ci;

	if (!runs) {
		snprintf(text, size, "%c: runs not told", letter);
		return;
	}
	ci = failures_interval(bad, runs, alpha);
	snprintf(text, size, "%c %" PRIu64 " of %" PRIu64 " (%.3g%% [%.2g,%.2g])", letter, bad,
		 runs, 100 * (double)bad / (double)runs, 100 * ci.lo, 100 * ci.hi);
}

static double share_of(const struct posted_side *side)
{
	return (double)bad_of(side) / (double)runs_of(side);
}

bool failures_judge(struct verdict *verdict, const struct posted_side *a,
		    const struct posted_side *b, double alpha, char *text, size_t size)
{
	bool hung = a->hung || b->hung, known = runs_of(a) && runs_of(b);
	char rate_a[96], rate_b[96];
	double p = known ? fisher_exact_p(bad_of(a), runs_of(a), bad_of(b), runs_of(b)) : 1;

	print_rate(rate_a, sizeof(rate_a), 'A', a, alpha);
	print_rate(rate_b, sizeof(rate_b), 'B', b, alpha);
	snprintf(text, size, "%s: %s, %s; p of the difference %.2g%s", hung ? "hung" : "failed",
		 rate_a, rate_b, p, a->nr_values + b->nr_values ? "; not among the figures" : "");
	if (!hung && known && !verdict->has_effect) {
		verdict->p = verdict->p_adjusted = p;
		verdict->effect = share_of(b) - share_of(a);
		verdict->word = VERDICT_INCONCLUSIVE; /* until all rows are read together */
	}
	return hung;
}
