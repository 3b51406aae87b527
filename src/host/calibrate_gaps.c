// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_gaps.c - what interrupts take, told from the gaps in a busy loop. */
#include "host/calibrate_raw.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Of a period: as exactly as ticks come. */
#define PHASES 40

/* struct fold - the gaps laid over each other, period on period: the greatest of each cell */
struct fold {
	double *cell; /* [periods][PHASES]; 0: none */
	size_t periods;
};

static void fold_gaps(struct fold *fold, const struct calibrate_gap *gap, size_t n,
		      uint64_t from_ns, double period_ns)
{
	for (size_t i = 0; i < n; i++) {
		const double at = (double)(gap[i].at_ns - from_ns) / period_ns;
		const size_t period = (size_t)at;
		double *cell;

		if (period >= fold->periods)
			break;
		cell = &fold->cell[period * PHASES + (size_t)((at - floor(at)) * PHASES)];
		if (*cell < (double)gap[i].ns)
			*cell = (double)gap[i].ns;
	}
}

/* The greater gap of two neighbouring cells, as the tick may come at their border. */
static double at_phase(const struct fold *fold, size_t period, size_t phase)
{
	const double *cell = &fold->cell[period * PHASES];

	return fmax(cell[phase], cell[(phase + 1) % PHASES]);
}

/* In how many periods there is one; they go to @gaps. */
static size_t gather(const struct fold *fold, size_t phase, double *gaps)
{
	size_t n = 0;

	for (size_t period = 0; period < fold->periods; period++) {
		const double gap = at_phase(fold, period, phase);

		if (gap > 0)
			gaps[n++] = gap;
	}
	return n;
}

static double look(const struct fold *fold)
{
	double *gaps = xcalloc(fold->periods, sizeof(*gaps)), counts[PHASES], found = NAN;
	size_t best = 0;

	for (size_t phase = 0; phase < PHASES; phase++) {
		counts[phase] = (double)gather(fold, phase, gaps);
		if (counts[phase] > counts[best])
			best = phase;
	}
	if (counts[best] >= 0.8 * (double)fold->periods &&
	    calibrate_mid(counts, PHASES) <= counts[best] / 2) {
		size_t n = gather(fold, best, gaps);

		found = calibrate_mid(gaps, n);
	}
	free(gaps);
	return found;
}

double calibrate_tick(const struct calibrate_gap *gap, size_t n, uint64_t from_ns, uint64_t to_ns)
{
	static const double hz[] = { 1000, 500, 300, 250, 100 };
	double found = NAN;

	for (size_t i = 0; i < ARRAY_SIZE(hz) && isnan(found); i++) {
		struct fold fold = { .periods = (size_t)((double)(to_ns - from_ns) * hz[i] / 1e9) };

		if (fold.periods < 5)
			break;
		fold.cell = xcalloc(fold.periods * PHASES, sizeof(*fold.cell));
		fold_gaps(&fold, gap, n, from_ns, 1e9 / hz[i]);
		found = look(&fold);
		free(fold.cell);
	}
	return found;
}

double calibrate_interrupt(const struct calibrate_gap *gap, size_t n, uint64_t first_ns,
			   uint64_t period_ns, size_t times)
{
	double *gaps = xcalloc(times ? times : 1, sizeof(*gaps)), found = NAN;
	size_t nr = 0, at = 0;

	for (size_t i = 0; i < times; i++) {
		const uint64_t due_ns = first_ns + i * period_ns;

		/* one that began before may hide it */
		while (at < n && gap[at].at_ns + gap[at].ns <= due_ns)
			at++;
		if (at < n && gap[at].at_ns + gap[at].ns > due_ns &&
		    gap[at].at_ns < due_ns + period_ns / 4)
			gaps[nr++] = (double)gap[at].ns;
	}
	if (nr && nr * 2 >= times)
		found = calibrate_mid(gaps, nr);
	free(gaps);
	return found;
}
