/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench/spec_rows.h - how often the peers' rules called a change in another implementation of the same models.
 *
 * Measured before this bench was written. Ours must come out alike, or the comparison would not be fair.
 */
#ifndef BENCH_SPEC_ROWS_H
#define BENCH_SPEC_ROWS_H

#include "noise.h"
#include "peers.h"

/**
 * struct spec_row - one line of those tables
 * @noise: name of a model or a recorded series; or "boots", "tails": see score_boots(), score_tails()
 * @reps:  experiments behind each cell
 * @n:     units a side of the two numbers of each cell; n[1] 0: cells have one
 * @cells: see spec_cell()
 */
struct spec_row {
	const char *noise;
	enum order order;
	double delta;
	size_t reps;
	size_t n[2];
	const char *cells;
};

/* Ends with a noise of NULL. */
extern const struct spec_row spec_rows[];

/* Recorded series were as long when they were measured; they have grown since. */
#define SPEC_TRACE_LENGTH 415

/** spec_cell() - percent called (delta 0) or found, or NAN where none was reported; @which: of n[] */
double spec_cell(const struct spec_row *row, enum peer peer, int which);

/** spec_rounding() - by how much a cell's number may be rounded */
double spec_rounding(double percent);

#endif
