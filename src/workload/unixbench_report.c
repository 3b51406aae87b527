// SPDX-License-Identifier: GPL-2.0-only
/* workload/unixbench_report.c - scores and figures of a run of unixbench, real or simulated. */
#include "workload/unixbench.h"

#include "workload/run.h"

#include <errno.h>
#include <math.h>

double ub_score(const struct ub_tally *tallies, size_t n)
{
	double count = 0, ns = 0;

	for (size_t i = 0; i < n; i++) {
		count += (double)tallies[i].count;
		ns += (double)tallies[i].ns / (double)n;
	}
	return ns > 0 ? count * 1e9 / ns : 0;
}

double ub_index(int test, double score)
{
	return 10 * score * ub_tests[test].per_s / ub_tests[test].baseline;
}

double ub_mean_index(const double *indexes, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(indexes[i]);
	return n ? exp(sum / (double)n) : 0;
}

/* The slowest and the fastest copy of a test. */
static double spread_of(const struct ub_tally *tallies, size_t n)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n; i++) {
		double rate = ub_score(&tallies[i], 1);

		least = rate < least ? rate : least;
		most = rate > most ? rate : most;
	}
	return most > 0 ? 100 * (most - least) / most : 0;
}

int ub_take_score(struct ub_scores *scores, int test, const struct ub_tally *tallies, size_t n,
		  uint64_t time_ns, struct error *err)
{
	double spread = spread_of(tallies, n);

	/* one that was executed can't say why it has failed, but then there is no count */
	for (size_t i = 0; i < n; i++)
		if (!tallies[i].count)
			return error_set(err, ENODATA, "%s: copy %zu has done nothing",
					 ub_tests[test].name, i);
	scores->of[test].score = ub_score(tallies, n);
	scores->of[test].index = ub_index(test, scores->of[test].score);
	scores->of[test].time_ns = (double)time_ns;
	scores->spread = spread > scores->spread ? spread : scores->spread;
	return 0;
}

void ub_report(struct run *run, const struct unixbench_cfg *cfg, const struct ub_scores *scores)
{
	double indexes[NR_UB];
	size_t n = 0;

	for (int test = 0; test < NR_UB; test++)
		if (ub_is_chosen(cfg, test))
			indexes[n++] = scores->of[test].index;
	run_sample(run, "index", ub_mean_index(indexes, n));
	for (int test = 0; test < NR_UB; test++)
		if (ub_is_chosen(cfg, test))
			run_sample(run, ub_tests[test].name, scores->of[test].score);
	run_sample(run, "spread", scores->spread);
	for (int test = 0; test < NR_UB; test++)
		if (ub_is_chosen(cfg, test))
			run_sample(run, ub_tests[test].time_name, scores->of[test].time_ns);
}
