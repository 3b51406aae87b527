// SPDX-License-Identifier: GPL-2.0-only
#include "report/samples.h"

#include "base/mem.h"
#include "stats/paired.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sample_run {
	const struct run_row *run;
	int64_t unit; /* block, or number of the boot */
};

/* Boots are numbered by the first session that saw them. */
static int find_boot(int64_t *boot, const struct session_row *sessions, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++) {
		if (sessions[i].id != id)
			continue;
		for (size_t k = 0; k <= i; k++) {
			if (!strcmp(sessions[k].boot_id, sessions[i].boot_id)) {
				*boot = (int64_t)k;
				return 0;
			}
		}
	}
	return -ENOENT;
}

static int by_place(const void *x, const void *y)
{
	const struct sample_run *a = x, *b = y;

	if (a->run->point != b->run->point)
		return a->run->point < b->run->point ? -1 : 1;
	if (a->run->variant != b->run->variant)
		return a->run->variant < b->run->variant ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return (a->run->position > b->run->position) - (a->run->position < b->run->position);
}

static int check_run(const struct run_row *run, const struct experiment_row *experiment,
		     struct error *err)
{
	if (run->variant < experiment->nr_variants && run->point < experiment->nr_points)
		return 0;
	return error_set(err, EINVAL,
			 "run %" PRId64 " of experiment '%s': no such variant or workload", run->id,
			 experiment->name);
}

static int set_unit(struct sample_run *sample, const struct experiment_row *experiment,
		    const struct session_row *sessions, size_t nr_sessions, struct error *err)
{
	const struct run_row *run = sample->run;

	if (!experiment->runs_per_boot) {
		sample->unit = run->block;
		return 0;
	}
	if (!find_boot(&sample->unit, sessions, nr_sessions, run->session))
		return 0;
	return error_set(err, EINVAL, "run %" PRId64 " of experiment '%s': no such session",
			 run->id, experiment->name);
}

static void note_firsts(struct samples *samples, size_t n)
{
	size_t slots = samples->nr_points * samples->nr_variants, slot = 0;

	samples->first = xcalloc(slots + 1, sizeof(*samples->first));
	for (size_t i = 0; i < n; i++) {
		const struct run_row *run = samples->runs[i].run;
		size_t at = run->point * samples->nr_variants + run->variant;

		while (slot <= at)
			samples->first[slot++] = i;
	}
	while (slot <= slots)
		samples->first[slot++] = n;
}

int samples_init(struct samples *samples, const struct experiment_row *experiment,
		 const struct session_row *sessions, size_t nr_sessions, const struct run_row *runs,
		 size_t nr_runs, struct error *err)
{
	struct samples s = {
		.runs = xcalloc(nr_runs, sizeof(*s.runs)),
		.nr_points = experiment->nr_points,
		.nr_variants = experiment->nr_variants,
		.by_boot = experiment->runs_per_boot > 0,
	};
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < nr_runs && !ret; i++) {
		ret = check_run(&runs[i], experiment, err);
		if (ret || runs[i].warmup)
			continue;
		s.runs[n].run = &runs[i];
		ret = set_unit(&s.runs[n++], experiment, sessions, nr_sessions, err);
	}
	if (ret) {
		free(s.runs);
		return ret;
	}
	qsort(s.runs, n, sizeof(*s.runs), by_place);
	note_firsts(&s, n);
	*samples = s;
	return 0;
}

void samples_release(struct samples *samples)
{
	free(samples->runs);
	free(samples->first);
	*samples = (struct samples){ 0 };
}

/* The runs of one point and variant. */
struct slice {
	const struct sample_run *runs;
	size_t n;
};

static struct slice slice_of(const struct samples *samples, size_t point, size_t variant)
{
	const size_t *first = &samples->first[point * samples->nr_variants + variant];

	return (struct slice){ &samples->runs[first[0]], first[1] - first[0] };
}

static const char *reason_of(const struct run_row *run)
{
	return run->result.reason ? run->result.reason : run_status_name(run->result.status);
}

static size_t count_reason(struct slice slice, const char *reason)
{
	size_t n = 0;

	for (size_t i = 0; i < slice.n; i++) {
		const struct run_row *run = slice.runs[i].run;

		n += run->result.status != RUN_OK && !strcmp(reason_of(run), reason);
	}
	return n;
}

void samples_tally(const struct samples *samples, size_t point, size_t variant, struct tally *tally)
{
	struct slice slice = slice_of(samples, point, variant);
	size_t most = 0;

	*tally = (struct tally){ .runs = slice.n };
	for (size_t i = 0; i < slice.n; i++) {
		const struct run_row *run = slice.runs[i].run;
		size_t n;

		if (run->result.status == RUN_OK)
			continue;
		tally->failed++;
		n = count_reason(slice, reason_of(run));
		if (n > most) {
			most = n;
			tally->reason = reason_of(run);
		}
	}
}

static size_t add_figures(struct figure **figures, size_t n, const struct value *values,
			  size_t nr_values, bool counter)
{
	for (size_t i = 0; i < nr_values; i++) {
		size_t k = 0;

		while (k < n && ((*figures)[k].counter != counter ||
				 strcmp((*figures)[k].name, values[i].name) != 0))
			k++;
		if (k < n)
			continue;
		*figures = xreallocarray(*figures, n + 1, sizeof(**figures));
		(*figures)[n++] = (struct figure){ values[i].name, values[i].unit, values[i].better,
						   counter };
	}
	return n;
}

size_t samples_figures(const struct samples *samples, size_t point, struct figure **out)
{
	size_t first = samples->first[point * samples->nr_variants];
	size_t end = samples->first[(point + 1) * samples->nr_variants];
	size_t n = 0;

	*out = NULL;
	for (int counter = 0; counter < 2; counter++) {
		for (size_t i = first; i < end; i++) {
			const struct result *result = &samples->runs[i].run->result;

			if (result->status != RUN_OK)
				continue;
			n = counter ? add_figures(out, n, result->counters, result->nr_counters,
						  true)
				    : add_figures(out, n, result->metrics, result->nr_metrics,
						  false);
		}
	}
	return n;
}

static const struct value *value_of(const struct run_row *run, const struct figure *figure)
{
	const struct result *result = &run->result;
	const struct value *values = figure->counter ? result->counters : result->metrics;
	size_t n = figure->counter ? result->nr_counters : result->nr_metrics;

	if (result->status != RUN_OK)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(values[i].name, figure->name))
			return &values[i];
	}
	return NULL;
}

/* One figure of one side: a value for each unit that has one. */
struct series {
	int64_t *units;
	double *values;
	size_t n;
	double counted;
};

static void series_release(struct series *series)
{
	free(series->units);
	free(series->values);
}

static void series_read(struct series *series, struct slice slice, const struct figure *figure)
{
	double *of_unit = xcalloc(slice.n, sizeof(*of_unit));

	*series = (struct series){
		.units = xcalloc(slice.n, sizeof(*series->units)),
		.values = xcalloc(slice.n, sizeof(*series->values)),
		.counted = 1,
	};
	for (size_t i = 0; i < slice.n;) {
		int64_t unit = slice.runs[i].unit;
		size_t n = 0;

		for (; i < slice.n && slice.runs[i].unit == unit; i++) {
			const struct value *value = value_of(slice.runs[i].run, figure);

			if (!value)
				continue;
			of_unit[n++] = value->value;
			if (value->counted < series->counted)
				series->counted = value->counted;
		}
		if (!n)
			continue;
		series->units[series->n] = unit;
		series->values[series->n++] = median(of_unit, n);
	}
	free(of_unit);
}

static bool stand_apart(const struct series *a, const struct series *b)
{
	return a->n && b->n &&
	       (a->units[a->n - 1] < b->units[0] || b->units[b->n - 1] < a->units[0]);
}

static void pair_up(struct sample_pairs *pairs, const struct series *a, const struct series *b,
		    bool by_boot)
{
	size_t i = 0, k = 0;

	while (i < a->n && k < b->n) {
		if (by_boot || a->units[i] == b->units[k]) {
			pairs->a[pairs->n] = a->values[i++];
			pairs->b[pairs->n++] = b->values[k++];
		} else if (a->units[i] < b->units[k]) {
			i++;
		} else {
			k++;
		}
	}
}

void samples_pairs(const struct samples *samples, size_t point, size_t variant,
		   const struct figure *figure, struct sample_pairs *pairs)
{
	struct series a, b;

	series_read(&a, slice_of(samples, point, 0), figure);
	series_read(&b, slice_of(samples, point, variant), figure);
	*pairs = (struct sample_pairs){
		.a = xcalloc(a.n, sizeof(*pairs->a)),
		.b = xcalloc(a.n, sizeof(*pairs->b)),
		.counted = a.counted < b.counted ? a.counted : b.counted,
		.apart = samples->by_boot && stand_apart(&a, &b),
	};
	pair_up(pairs, &a, &b, samples->by_boot);
	series_release(&a);
	series_release(&b);
}

void sample_pairs_release(struct sample_pairs *pairs)
{
	free(pairs->a);
	free(pairs->b);
	*pairs = (struct sample_pairs){ 0 };
}
