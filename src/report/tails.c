// SPDX-License-Identifier: GPL-2.0-only
#include "report/tails.h"

#include "base/histogram.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const double report_pool_quantiles[REPORT_POOL_POINTS] = { 0.5, 0.9, 0.99, 0.999, 1 };

/* The good runs of one point and variant lie together, so that one pool at a time is open. */
static int by_pool(const void *x, const void *y)
{
	const struct run_row *const *a = x, *const *b = y;

	if ((*a)->point != (*b)->point)
		return (*a)->point < (*b)->point ? -1 : 1;
	if ((*a)->variant != (*b)->variant)
		return (*a)->variant < (*b)->variant ? -1 : 1;
	return ((*a)->id > (*b)->id) - ((*a)->id < (*b)->id);
}

static int by_run(const void *x, const void *y)
{
	const struct run_tail *a = x, *b = y;

	return (a->run > b->run) - (a->run < b->run);
}

static void add_tail(struct report_input *input, int64_t run, const struct samples_text *samples,
		     const struct histogram *h)
{
	struct run_tail *tail;

	input->tails = xreallocarray(input->tails, input->nr_tails + 1, sizeof(*input->tails));
	tail = &input->tails[input->nr_tails++];
	*tail = (struct run_tail){
		.run = run,
		.name = xstrdup(samples->name),
		.unit = samples->unit,
		.better = samples->better,
		.count = h->count,
	};
	for (size_t i = 0; i < TAILS_SHIFT_POINTS; i++)
		tail->value[i] = (double)histogram_quantile(h, tails_shift_quantiles[i]);
}

/**
 * struct open_pools - of one point and variant, in the making
 * @names: names[n], borrowed from tails
 */
struct open_pools {
	struct histogram **sums;
	char **names;
	size_t n;
};

static void add_to_pool(struct open_pools *pools, const char *name, const struct histogram *h)
{
	size_t i = 0;

	while (i < pools->n && strcmp(pools->names[i], name) != 0)
		i++;
	if (i == pools->n) {
		pools->sums = xreallocarray(pools->sums, i + 1, sizeof(struct histogram *));
		pools->names = xreallocarray(pools->names, i + 1, sizeof(*pools->names));
		pools->sums[i] = xcalloc(1, sizeof(struct histogram));
		pools->names[i] = xstrdup(name);
		pools->n++;
	}
	histogram_merge(pools->sums[i], h);
}

static void close_pools(struct report_input *input, struct open_pools *pools, size_t point,
			size_t variant)
{
	for (size_t i = 0; i < pools->n; i++) {
		struct report_pool *pool;

		input->pools =
			xreallocarray(input->pools, input->nr_pools + 1, sizeof(*input->pools));
		pool = &input->pools[input->nr_pools++];
		*pool = (struct report_pool){ .point = point,
					      .variant = variant,
					      .name = pools->names[i],
					      .count = pools->sums[i]->count };
		for (size_t k = 0; k < REPORT_POOL_POINTS; k++)
			pool->value[k] = (double)histogram_quantile(pools->sums[i],
								    report_pool_quantiles[k]);
		free(pools->sums[i]);
	}
	free(pools->sums);
	free(pools->names);
	*pools = (struct open_pools){ 0 };
}

/* @scratch: room for a histogram */
static int read_run(struct report_input *input, struct store *store, const struct run_row *run,
		    struct histogram *scratch, struct open_pools *pools, struct error *err)
{
	struct run_row row = { .id = run->id };
	int ret = store_load_histograms(store, &row, err);

	for (size_t i = 0; !ret && i < row.result.nr_histograms; i++) {
		const struct samples_text *samples = &row.result.histograms[i];

		if (histogram_read(scratch, samples->text, NULL) || !scratch->count)
			continue;
		add_tail(input, run->id, samples, scratch);
		add_to_pool(pools, samples->name, scratch);
	}
	run_row_release(&row);
	return ret;
}

int tails_load(struct report_input *input, struct store *store, struct error *err)
{
	const struct run_row **runs;
	struct open_pools pools = { 0 };
	struct histogram *scratch;
	size_t n = 0;
	int ret = 0;

	if (!input->nr_samples)
		return 0; /* no run has a histogram */
	runs = xcalloc(input->nr_runs, sizeof(const struct run_row *));
	scratch = xcalloc(1, sizeof(*scratch));
	for (size_t i = 0; i < input->nr_runs; i++) {
		if (!input->runs[i].warmup && input->runs[i].result.status == RUN_OK)
			runs[n++] = &input->runs[i];
	}
	qsort(runs, n, sizeof(const struct run_row *), by_pool);
	for (size_t i = 0; i < n; i++) {
		if (!ret)
			ret = read_run(input, store, runs[i], scratch, &pools, err);
		if (i + 1 == n || runs[i + 1]->point != runs[i]->point ||
		    runs[i + 1]->variant != runs[i]->variant)
			close_pools(input, &pools, runs[i]->point, runs[i]->variant);
	}
	if (input->nr_tails)
		qsort(input->tails, input->nr_tails, sizeof(*input->tails), by_run);
	free(scratch);
	free(runs);
	return ret;
}

void tails_release(struct report_input *input)
{
	for (size_t i = 0; i < input->nr_tails; i++)
		free(input->tails[i].name);
	for (size_t i = 0; i < input->nr_pools; i++)
		free(input->pools[i].name);
	free(input->tails);
	free(input->pools);
}
