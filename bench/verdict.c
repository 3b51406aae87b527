// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/verdict - does the verdict keep its promises? `verdict [--quick] FOLDER`
 *
 * Judges simulated experiments, and windows of the recorded series in FOLDER, by our rules and by those of others;
 * prints who called noise a change, who missed a true change, and the marks V1 ... V12; exits 1 where one is missed.
 * The same numbers each time. --quick: a thirtieth of the experiments, marks give way by four sd.
 */
#include "verdict.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define QUICK_DIVISOR 30

static double cpu_seconds(const struct bench *bench)
{
	double sum = 0;

	for (size_t i = 0; i < bench->nr; i++)
		sum += bench->scores[i].seconds;
	return sum;
}

int main(int argc, char **argv)
{
	bool quick = argc == 3 && strcmp(argv[1], "--quick") == 0;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct error err = { 0 };
	struct bench bench;
	bool missed;

	if (argc != 2 && !quick) {
		fprintf(stderr, "usage: verdict [--quick] FOLDER-OF-SERIES\n");
		return 2;
	}
	if (bench_init(&bench, argv[argc - 1], quick ? QUICK_DIVISOR : 1, &err)) {
		fprintf(stderr, "verdict: %s\n", err.text);
		return 2;
	}
	if (score_rows(bench.scores, bench.rows, bench.nr, cpus > 0 ? (unsigned int)cpus : 1)) {
		fprintf(stderr, "verdict: a process failed\n");
		bench_release(&bench);
		return 2;
	}
	bench_tables(&bench);
	bench_peers(&bench);
	bench_marks(&bench);
	printf("\n%zu marks missed.\n", bench.missed);
	fprintf(stderr, "verdict: %zu marks missed, %.0f s of CPU time\n", bench.missed,
		cpu_seconds(&bench));
	missed = bench.missed > 0;
	bench_release(&bench);
	return missed;
}
