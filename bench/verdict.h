/* SPDX-License-Identifier: GPL-2.0-only */
/* bench/verdict.h - the rows that bench/verdict scores, and what is made of them. */
#ifndef BENCH_VERDICT_H
#define BENCH_VERDICT_H

#include "score.h"

/* Units a side of the rows, in the order of their index. */
#define BENCH_NS 3
extern const size_t bench_ns[BENCH_NS];
#define BENCH_N_12 1

#define BENCH_MAX_TRACES 32

/**
 * struct bench - all rows and scores; the numbers beside are indices of rows, by model or recorded series
 * @divisor: a row has so many times fewer experiments than a full run
 * @times:   the rows of the spec have so many times more experiments than there
 * @null, @one, @two, @five: schedproof's own order; no change, +1 %, +2 %, +5 %
 * @mde:        a change of the size that was said to be found four times of five
 * @trace:      the same without a change, of recorded series
 * @sequential: no change; @sequential_two: +2 %, independent noise
 * @import:     all of A, then all of B; without a change and with +5 %
 * @boots, @tails: without and with a change
 * @signs:      8 units a side, +1 % and +0.5 %
 * @spec:       first of the rows of spec_rows, nr_spec of them
 * @missed:     marks
 */
struct bench {
	size_t divisor, times;
	struct noise *traces;
	struct noise *short_traces; /* as long as they were when the spec's tables were made */
	size_t nr_traces;
	struct score_row *rows;
	struct score *scores;
	size_t nr;
	size_t null[NOISE_MODELS][BENCH_NS], two[NOISE_MODELS][BENCH_NS];
	size_t mde[NOISE_MODELS][BENCH_NS];
	size_t one[NOISE_MODELS], five[NOISE_MODELS];
	size_t trace[BENCH_MAX_TRACES][BENCH_NS];
	size_t sequential[NOISE_MODELS], sequential_two;
	size_t import[NOISE_MODELS][2];
	size_t boots[2], tails[2];
	size_t signs[2];
	size_t metrics;
	size_t spec, nr_spec;
	size_t missed;
};

/** bench_init() - make the rows; @traces: folder of recorded series. Return: 0 or -errno */
int bench_init(struct bench *bench, const char *traces, size_t divisor, struct error *err);

/** bench_init_peers() - only those of the spec, with @times as many experiments: bench_peers() is all they are for */
int bench_init_peers(struct bench *bench, const char *traces, size_t times, struct error *err);
void bench_release(struct bench *bench);

/** bench_tables() - print ours and the peers' columns, as Markdown */
void bench_tables(const struct bench *bench);

/** bench_marks() - print and count V1 ... V11 */
void bench_marks(struct bench *bench);

/** bench_peers() - print and count V12: are the peers' rules what they are elsewhere? */
void bench_peers(struct bench *bench);

/**
 * bench_mark() - print whether a percentage is within its bounds
 * @least, @most: the mark; where there are fewer experiments than in a full run, it gives way by four sd of theirs
 * @reps: experiments behind @percent
 * @what: what was measured
 */
void bench_mark(struct bench *bench, const char *id, double percent, double least, double most,
		size_t reps, const char *what, ...) __attribute__((format(printf, 7, 8)));

/** bench_percent() - of the row's experiments */
double bench_percent(const struct bench *bench, size_t row, size_t count);

#endif
