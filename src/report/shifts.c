// SPDX-License-Identifier: GPL-2.0-only
#include "report/shifts.h"

#include "base/mem.h"
#include "stats/order.h"

#include <stdlib.h>
#include <string.h>

static const struct report_pool *find_pool(const struct report *report, size_t point,
					   size_t variant, const char *name)
{
	for (size_t i = 0; i < report->nr_pools; i++) {
		const struct report_pool *pool = &report->pools[i];

		if (pool->point == point && pool->variant == variant && !strcmp(pool->name, name))
			return pool;
	}
	return NULL;
}

static bool has_side(const struct row_units *units, unsigned int block, unsigned char side)
{
	for (size_t i = 0; i < units->n; i++)
		if (units->block[i] == block && units->side[i] == side)
			return true;
	return false;
}

static void drop_single_sides(struct row_units *units)
{
	bool *keep = xcalloc(units->n, sizeof(*keep));
	size_t n = 0;

	for (size_t i = 0; i < units->n; i++)
		keep[i] = has_side(units, units->block[i], !units->side[i]);
	for (size_t i = 0; i < units->n; i++) {
		if (!keep[i])
			continue;
		units->value[n] = units->value[i];
		units->side[n] = units->side[i];
		units->session[n] = units->session[i];
		units->block[n++] = units->block[i];
	}
	units->n = n;
	free(keep);
}

/* Return: units of @side. */
static size_t middle_of(const struct row_units *units, unsigned char side, double *middle)
{
	double *values = xcalloc(units->n, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; i < units->n; i++)
		if (units->side[i] == side)
			values[n++] = units->value[i];
	*middle = n ? median(values, n) : 0;
	free(values);
	return n;
}

/* Do two quantiles' bands exclude each other? */
static bool is_parted(const struct report_shift *shift)
{
	bool any = false;
	double most_lo = 0, least_hi = 0;

	for (size_t i = 0; i < shift->nr; i++) {
		const struct tails_point *point = &shift->points[i];

		if (!point->has_band || point->relative != shift->points[0].relative)
			continue;
		if (!any || point->band.lo > most_lo)
			most_lo = point->band.lo;
		if (!any || point->band.hi < least_hi)
			least_hi = point->band.hi;
		any = true;
	}
	return any && most_lo > least_hi;
}

static void judge(struct report_shift *shift, const struct samples *samples, size_t point)
{
	struct row_units units[TAILS_SHIFT_POINTS];
	struct figure figure = { .name = shift->histogram, .unit = shift->unit };
	struct trial trial;

	for (size_t i = 0; i < shift->nr; i++) {
		figure.tail = i + 1;
		samples_units(samples, point, shift->variant, &figure, &units[i]);
		drop_single_sides(&units[i]);
		shift->points[i].q = tails_shift_quantiles[i];
		shift->points[i].value = units[i].value;
		shift->n_a = middle_of(&units[i], 0, &shift->a[i]);
		shift->n_b = middle_of(&units[i], 1, &shift->b[i]);
	}
	samples_trial(samples, point, shift->variant, &figure, &units[0], &trial);
	if (trial.n)
		tails_shift(shift->points, shift->nr, &trial, REPORT_ALPHA);
	for (size_t i = 0; i < shift->nr; i++) {
		shift->points[i].value = NULL;
		shift->points[i].has_band &= trial.order == TRIAL_RANDOM;
		row_units_release(&units[i]);
	}
	shift->parted = is_parted(shift);
}

/* The last quantile needs more samples than the deciles, which are few enough to be carried by any run. */
static size_t carried(const struct samples *samples, size_t point, size_t variant, const char *name)
{
	uint64_t least = 0;
	size_t n = TAILS_SHIFT_POINTS;

	samples_least(samples, point, variant, name, &least);
	while (n && least < tails_needed(tails_shift_quantiles[n - 1]))
		n--;
	return n;
}

static void add_shift(struct report *report, const struct samples *samples, size_t point,
		      size_t variant, const struct run_tail *tail)
{
	const struct report_pool *a = find_pool(report, point, 0, tail->name);
	const struct report_pool *b = find_pool(report, point, variant, tail->name);
	struct report_shift *shift;

	if (!a || !b)
		return;
	report->shifts =
		xreallocarray(report->shifts, report->nr_shifts + 1, sizeof(*report->shifts));
	shift = &report->shifts[report->nr_shifts++];
	*shift = (struct report_shift){
		.point = report->experiment.points[point].label,
		.histogram = xstrdup(tail->name),
		.unit = tail->unit,
		.better = tail->better,
		.variant = variant,
		.nr = carried(samples, point, variant, tail->name),
		.pool_a = a,
		.pool_b = b,
	};
	if (shift->nr)
		judge(shift, samples, point);
}

static const struct run_tail *find_tail(const struct samples *samples, const char *name)
{
	for (size_t i = 0; i < samples->nr_tails; i++)
		if (!strcmp(samples->tails[i].name, name))
			return &samples->tails[i];
	return NULL;
}

void shifts_judge(struct report *report, const struct samples *samples)
{
	for (size_t i = 0; i < report->nr_pools; i++) {
		const struct report_pool *pool = &report->pools[i];
		const struct run_tail *tail = find_tail(samples, pool->name);

		if (pool->variant || !tail)
			continue;
		for (size_t v = 1; v < report->experiment.nr_variants; v++)
			add_shift(report, samples, pool->point, v, tail);
	}
}
