// SPDX-License-Identifier: GPL-2.0-only
#include "verdict.h"
#include "spec_rows.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NULL_REPS  3000
#define TRACE_REPS 2000
#define POWER_REPS 1200
#define SIGN_REPS  12000 /* few of them are calls, few of those have the wrong sign */

#define SEQUENTIAL_MAX 50

const size_t bench_ns[BENCH_NS] = { 8, [BENCH_N_12] = 12, 24 };

/* Returns the row's index. */
static size_t add(struct bench *bench, struct score_row row)
{
	row.reps = (row.reps + bench->divisor - 1) / bench->divisor;
	bench->rows = xreallocarray(bench->rows, bench->nr + 1, sizeof(*bench->rows));
	bench->rows[bench->nr] = row;
	return bench->nr++;
}

static struct score_row own(const struct noise *noise, size_t n, double delta, size_t reps)
{
	return (struct score_row){
		.run = score_runs,
		.noise = noise,
		.order = ORDER_PB4,
		.n = n,
		.delta = delta,
		.reps = reps,
		.by = SCORE_OURS | SCORE_PEERS,
	};
}

static void add_models(struct bench *bench)
{
	for (int m = 0; m < NOISE_MODELS; m++) {
		const struct noise *noise = &noise_models[m];
		struct score_row row;

		for (int i = 0; i < BENCH_NS; i++) {
			bench->null[m][i] = add(bench, own(noise, bench_ns[i], 0, NULL_REPS));
			bench->two[m][i] = add(bench, own(noise, bench_ns[i], 0.02, NULL_REPS));
			row = own(noise, bench_ns[i], 0, POWER_REPS);
			row.run = score_mde;
			bench->mde[m][i] = add(bench, row);
		}
		bench->one[m] = add(bench, own(noise, bench_ns[BENCH_N_12], 0.01, POWER_REPS));
		bench->five[m] = add(bench, own(noise, bench_ns[BENCH_N_12], 0.05, POWER_REPS));
	}
}

static void add_traces(struct bench *bench)
{
	for (size_t k = 0; k < bench->nr_traces; k++)
		for (int i = 0; i < BENCH_NS; i++)
			bench->trace[k][i] =
				add(bench, own(&bench->traces[k], bench_ns[i], 0, TRACE_REPS));
}

static void add_sequential(struct bench *bench)
{
	struct score_row row = own(NULL, SEQUENTIAL_MAX, 0, NULL_REPS);

	row.run = score_sequential;
	for (int m = 0; m < NOISE_MODELS; m++) {
		row.noise = &noise_models[m];
		bench->sequential[m] = add(bench, row);
	}
	row.noise = &noise_models[NOISE_IID];
	row.delta = 0.02;
	row.reps = POWER_REPS;
	bench->sequential_two = add(bench, row);
}

static void add_imports(struct bench *bench)
{
	for (int m = 0; m < NOISE_MODELS; m++)
		for (int changed = 0; changed < 2; changed++) {
			struct score_row row = own(&noise_models[m], bench_ns[BENCH_N_12],
						   changed ? 0.05 : 0, POWER_REPS);

			row.order = ORDER_SEQ;
			bench->import[m][changed] = add(bench, row);
		}
}

static void add_others(struct bench *bench)
{
	const struct noise *iid = &noise_models[NOISE_IID];
	struct score_row row = own(NULL, 10, 0, NULL_REPS);

	row.run = score_boots;
	bench->boots[0] = add(bench, row);
	row.delta = 0.02;
	row.reps = POWER_REPS;
	bench->boots[1] = add(bench, row);
	row = own(NULL, 20, 0, NULL_REPS);
	row.run = score_tails;
	bench->tails[0] = add(bench, row);
	row.delta = 0.2;
	row.reps = POWER_REPS;
	bench->tails[1] = add(bench, row);
	bench->signs[0] = add(bench, own(iid, 8, 0.01, SIGN_REPS));
	bench->signs[1] = add(bench, own(iid, 8, 0.005, SIGN_REPS));
	row = own(NULL, bench_ns[BENCH_N_12], 0, NULL_REPS);
	row.run = score_metrics;
	bench->metrics = add(bench, row);
}

static const struct noise *find_noise(const struct bench *bench, const char *name)
{
	for (int m = 0; m < NOISE_MODELS; m++)
		if (strcmp(noise_models[m].name, name) == 0)
			return &noise_models[m];
	for (size_t k = 0; k < bench->nr_traces; k++)
		if (strcmp(bench->traces[k].name, name) == 0)
			return &bench->short_traces[k];
	return NULL;
}

/* The peers of whom the spec's row tells something. */
static unsigned int reported(const struct spec_row *spec)
{
	unsigned int by = 0;

	for (enum peer peer = 0; peer < PEERS; peer++)
		by |= isnan(spec_cell(spec, peer, 0)) ? 0 : 1U << peer;
	return by;
}

static int add_spec(struct bench *bench, struct error *err)
{
	bench->spec = bench->nr;
	for (const struct spec_row *spec = spec_rows; spec->noise; spec++)
		for (int i = 0; i < 2 && spec->n[i]; i++) {
			struct score_row row = own(find_noise(bench, spec->noise), spec->n[i],
						   spec->delta, spec->reps * bench->times);

			row.order = spec->order;
			row.by = reported(spec);
			if (strcmp(spec->noise, "boots") == 0)
				row.run = score_boots;
			else if (strcmp(spec->noise, "tails") == 0)
				row.run = score_tails;
			else if (!row.noise)
				return error_set(err, ENOENT, "no recorded series '%s'",
						 spec->noise);
			add(bench, row);
		}
	bench->nr_spec = bench->nr - bench->spec;
	return 0;
}

static void shorten_traces(struct bench *bench)
{
	bench->short_traces = xcalloc(bench->nr_traces, sizeof(*bench->short_traces));
	for (size_t k = 0; k < bench->nr_traces; k++) {
		bench->short_traces[k] = bench->traces[k];
		if (bench->traces[k].length > SPEC_TRACE_LENGTH)
			bench->short_traces[k].length = SPEC_TRACE_LENGTH;
	}
}

static int init_rows(struct bench *bench, const char *traces, bool all, struct error *err)
{
	int ret = traces_read(&bench->traces, &bench->nr_traces, traces, err);

	if (ret)
		return ret;
	if (bench->nr_traces > BENCH_MAX_TRACES)
		ret = error_set(err, E2BIG, "%s: more than %d series", traces, BENCH_MAX_TRACES);
	shorten_traces(bench);
	if (ret == 0 && all) {
		add_sequential(bench); /* the longest first */
		add_models(bench);
		add_traces(bench);
		add_imports(bench);
		add_others(bench);
	}
	if (ret == 0)
		ret = add_spec(bench, err);
	bench->scores = xcalloc(bench->nr, sizeof(*bench->scores));
	if (ret)
		bench_release(bench);
	return ret;
}

int bench_init(struct bench *bench, const char *traces, size_t divisor, struct error *err)
{
	*bench = (struct bench){ .divisor = divisor, .times = 1 };
	return init_rows(bench, traces, true, err);
}

int bench_init_peers(struct bench *bench, const char *traces, size_t times, struct error *err)
{
	*bench = (struct bench){ .divisor = 1, .times = times };
	return init_rows(bench, traces, false, err);
}

void bench_release(struct bench *bench)
{
	traces_free(bench->traces, bench->nr_traces);
	free(bench->short_traces);
	free(bench->rows);
	free(bench->scores);
}
