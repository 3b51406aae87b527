// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/verdict - does the verdict keep its promises? `verdict [--quick | --peers N] FOLDER`
 *
 * Judges simulated experiments, and windows of the recorded series in FOLDER, by our rules and by those of others;
 * prints who called noise a change, who missed a true change, and the marks V1 ... V12; exits 1 where one is missed.
 * The same numbers each time. --quick: a thirtieth of the experiments, marks give way by four sd. --peers: V12 alone,
 * with N times as many experiments, so that hardly more than the other implementation's own chance is left.
 */
#include "verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUICK_DIVISOR 30
#define PEERS_MOST    1000

static double cpu_seconds(const struct bench *bench)
{
	double sum = 0;

	for (size_t i = 0; i < bench->nr; i++)
		sum += bench->scores[i].seconds;
	return sum;
}

static int usage(void)
{
	fprintf(stderr, "usage: verdict [--quick | --peers N] FOLDER-OF-SERIES\n");
	return 2;
}

/* Return: 0; -EINVAL for a bad command line, without words; or -errno */
static int init(struct bench *bench, int argc, char **argv, struct error *err)
{
	const char *traces = argv[argc - 1];
	unsigned long times;
	char *end;

	if (argc == 2)
		return bench_init(bench, traces, 1, err);
	if (argc == 3 && strcmp(argv[1], "--quick") == 0)
		return bench_init(bench, traces, QUICK_DIVISOR, err);
	if (argc != 4 || strcmp(argv[1], "--peers") != 0)
		return -EINVAL;
	times = strtoul(argv[2], &end, 10);
	if (*end || times < 1 || times > PEERS_MOST)
		return -EINVAL;
	return bench_init_peers(bench, traces, times, err);
}

static void print(struct bench *bench)
{
	bool all = bench->spec > 0; /* the spec's rows are not the only ones */

	if (all)
		bench_tables(bench);
	bench_peers(bench);
	if (all)
		bench_marks(bench);
	printf("\n%zu marks missed.\n", bench->missed);
	fprintf(stderr, "verdict: %zu marks missed, %.0f s of CPU time\n", bench->missed,
		cpu_seconds(bench));
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct error err = { 0 };
	struct bench bench;
	int ret = init(&bench, argc, argv, &err);
	bool missed;

	if (ret && !err.code)
		return usage();
	if (ret) {
		fprintf(stderr, "verdict: %s\n", err.text);
		return 2;
	}
	if (score_rows(bench.scores, bench.rows, bench.nr, cpus > 0 ? (unsigned int)cpus : 1)) {
		fprintf(stderr, "verdict: a process failed\n");
		bench_release(&bench);
		return 2;
	}
	print(&bench);
	missed = bench.missed > 0;
	bench_release(&bench);
	return missed;
}
