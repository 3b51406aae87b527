// SPDX-License-Identifier: GPL-2.0-only
/* report/samples_units.c - figures of the units of inference, side by side. */
#include "report/samples.h"

#include "base/mem.h"
#include "report/samples_parts.h"
#include "stats/order.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What there is of each histogram of each run: an array sorted by the run's id, which its members begin with. */
struct by_run {
	const void *members;
	size_t n, size;
	size_t name; /* offset of the histogram's */
};

static int64_t run_of(const char *member)
{
	return *(const int64_t *)(const void *)member;
}

static int compare_run(const void *key, const void *member)
{
	int64_t run = *(const int64_t *)key, other = run_of(member);

	return (run > other) - (run < other);
}

static const void *find_by_run(const struct by_run *by, int64_t run, const char *histogram)
{
	const char *first = by->members, *at;

	at = by->n ? bsearch(&run, first, by->n, by->size, compare_run) : NULL;
	if (!at)
		return NULL;
	while (at > first && run_of(at - by->size) == run)
		at -= by->size;
	for (; at < first + by->n * by->size && run_of(at) == run; at += by->size)
		if (!strcmp(*(char *const *)(const void *)(at + by->name), histogram))
			return at;
	return NULL;
}

static const struct sample_count *find_count(const struct samples *samples, int64_t run,
					     const char *histogram)
{
	const struct by_run by = { samples->counts, samples->nr_counts, sizeof(*samples->counts),
				   offsetof(struct sample_count, name) };

	return find_by_run(&by, run, histogram);
}

static const struct run_tail *find_tail(const struct samples *samples, int64_t run,
					const char *histogram)
{
	const struct by_run by = { samples->tails, samples->nr_tails, sizeof(*samples->tails),
				   offsetof(struct run_tail, name) };

	return find_by_run(&by, run, histogram);
}

bool samples_least(const struct samples *samples, size_t point, size_t variant,
		   const char *histogram, uint64_t *least)
{
	const size_t variants[2] = { 0, variant };
	bool known = false;

	for (size_t k = 0; k < 2; k++) {
		struct slice slice = samples_slice(samples, point, variants[k]);

		for (size_t i = 0; i < slice.n; i++) {
			const struct sample_count *count =
				find_count(samples, slice.runs[i].run->id, histogram);

			if (!count || slice.runs[i].run->result.status != RUN_OK)
				continue;
			if (!known || count->count < *least)
				*least = count->count;
			known = true;
		}
	}
	return known;
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

static const struct value *find_value(const struct result *result, const struct figure *figure)
{
	const struct value *values = figure->counter ? result->counters : result->metrics;
	size_t n = figure->counter ? result->nr_counters : result->nr_metrics;

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(values[i].name, figure->name))
			return &values[i];
	}
	return NULL;
}

/* Return: whether the run has the figure; @counted: for which share of the time */
static bool value_of(const struct samples *samples, const struct run_row *run,
		     const struct figure *figure, double *out, double *counted)
{
	const struct run_tail *tail;
	const struct value *value;

	*counted = 1;
	if (run->result.status != RUN_OK)
		return false;
	if (figure->tail) {
		tail = find_tail(samples, run->id, figure->name);
		if (tail)
			*out = tail->value[figure->tail - 1];
		return tail != NULL;
	}
	value = find_value(&run->result, figure);
	if (!value)
		return false;
	*out = value->value;
	*counted = value->counted;
	return true;
}

/* One figure of a unit; @counted: least share of the time that its counter really counted. */
struct unit_value {
	bool found;
	int64_t unit;
	int64_t block;
	int64_t session;
	double value;
	double counted;
};

/* Fill @out from runs[n] of one unit. */
static void read_unit(const struct samples *samples, const struct sample_run *runs, size_t n,
		      const struct figure *figure, struct unit_value *out)
{
	double *values = xcalloc(n, sizeof(*values));
	size_t found = 0;

	*out = (struct unit_value){ .unit = runs->unit,
				    .block = runs->run->block,
				    .session = runs->run->session,
				    .counted = 1 };
	for (size_t i = 0; i < n; i++) {
		double counted;

		if (!value_of(samples, runs[i].run, figure, &values[found], &counted))
			continue;
		found++;
		out->counted = fmin(out->counted, counted);
	}
	out->found = found > 0;
	if (found)
		out->value = median(values, found);
	free(values);
}

/* Take units off @slice up to the first that has the figure. */
static void advance(const struct samples *samples, struct slice *slice, const struct figure *figure,
		    struct unit_value *out)
{
	*out = (struct unit_value){ 0 };
	while (slice->n && !out->found) {
		size_t n = 1;

		while (n < slice->n && slice->runs[n].unit == slice->runs->unit)
			n++;
		read_unit(samples, slice->runs, n, figure, out);
		slice->runs += n;
		slice->n -= n;
	}
}

static void add_unit(struct row_units *units, const struct unit_value *unit, unsigned char side)
{
	units->value[units->n] = unit->value;
	units->side[units->n] = side;
	units->session[units->n] = unit->session;
	units->block[units->n++] = (unsigned int)unit->block;
}

double samples_units(const struct samples *samples, size_t point, size_t variant,
		     const struct figure *figure, struct row_units *units)
{
	struct slice slices[2] = { samples_slice(samples, point, 0),
				   samples_slice(samples, point, variant) };
	size_t most = slices[0].n + slices[1].n;
	struct unit_value next[2];
	double counted = 1;

	*units = (struct row_units){
		.value = xcalloc(most, sizeof(*units->value)),
		.side = xcalloc(most, sizeof(*units->side)),
		.block = xcalloc(most, sizeof(*units->block)),
		.session = xcalloc(most, sizeof(*units->session)),
	};
	for (size_t k = 0; k < 2; k++)
		advance(samples, &slices[k], figure, &next[k]);
	while (next[0].found || next[1].found) {
		size_t k = !next[0].found || (next[1].found && next[1].unit < next[0].unit);

		add_unit(units, &next[k], (unsigned char)k);
		counted = fmin(counted, next[k].counted);
		advance(samples, &slices[k], figure, &next[k]);
	}
	return counted;
}

void row_units_release(struct row_units *units)
{
	free(units->value);
	free(units->side);
	free(units->block);
	free(units->session);
	*units = (struct row_units){ 0 };
}

/* Did each block begin after the one before it had ended? */
static bool blocks_in_turn(const struct row_units *units)
{
	for (size_t i = 1; i < units->n; i++)
		if (units->block[i] < units->block[i - 1])
			return false;
	return true;
}

void samples_trial(const struct samples *samples, size_t point, size_t variant,
		   const struct figure *figure, const struct row_units *units, struct trial *trial)
{
	struct tally a, b;

	samples_tally(samples, point, 0, &a);
	samples_tally(samples, point, variant, &b);
	*trial = (struct trial){
		.value = units->value,
		.side = units->side,
		.block = units->block,
		.n = units->n,
		.order = samples->order,
		.runs_a = a.runs,
		.runs_b = b.runs,
		.failed_a = a.failed,
		.failed_b = b.failed,
		.exact = samples->simulated || figure->unit == UNIT_COUNT,
		.unit_is_boot = samples->by_boot,
	};
	if (samples->order == TRIAL_RANDOM && !blocks_in_turn(units))
		trial->order = TRIAL_SEQUENCE;
}
