// SPDX-License-Identifier: GPL-2.0-only
/*
 * host/calibrate_far.c - messages that another CPU reads than wrote them.
 *
 * One CPU writes all the time, and it reads, or another one does. So messages go one way for long, and what that costs more is in the figure: lines
 * of memory that the other CPU wrote, and memory for the next ones, which is given back where nobody takes any.
 */
#include "host/calibrate_bench.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#define EACH	 10
#define BYTES	 128
#define MESSAGES ((size_t)BENCH_CHANNELS * EACH)
#define WARM	 6
#define ROUNDS	 10
#define LOST_NS	 200000000

/* struct side - one of the two, and how often it came to where they wait for each other */
struct side {
	struct bench *bench;
	unsigned int nr;
	unsigned int met;
};

/* The other one is there too. Return: false where it doesn't come. */
static bool meet(struct side *side)
{
	struct bench_meeting *meeting = side->bench->shared->meeting;
	const uint64_t end_ns = bench_now() + LOST_NS;

	atomic_store(&meeting[side->nr].times, ++side->met);
	while (atomic_load(&meeting[!side->nr].times) < side->met)
		if (bench_now() > end_ns)
			return false;
	return true;
}

static bool write_all(int fd[BENCH_CHANNELS][2])
{
	static const char bytes[BYTES];

	for (size_t i = 0; i < MESSAGES; i++)
		if (write(fd[i % BENCH_CHANNELS][1], bytes, BYTES) != BYTES)
			return false;
	return true;
}

static bool read_all(int fd[BENCH_CHANNELS][2])
{
	char bytes[BYTES];

	for (size_t i = 0; i < MESSAGES; i++)
		if (read(fd[i % BENCH_CHANNELS][0], bytes, BYTES) != BYTES)
			return false;
	return true;
}

/* The first side writes, then it reads, or the other one does. Return: what a message takes; NaN where that isn't possible. */
static double time_round(struct side *side, bool far)
{
	struct bench *bench = side->bench;
	const uint64_t then_ns = bench_now();
	double write_ns;
	uint64_t read_ns;

	if (!side->nr && !write_all(bench->channel))
		return NAN;
	write_ns = bench_since(bench, then_ns);
	if (!meet(side))
		return NAN;
	read_ns = bench_now();
	if (side->nr == far) {
		if (!read_all(bench->channel))
			return NAN;
		bench->shared->stamp_ns = bench_now() - read_ns;
	}
	if (!meet(side))
		return NAN;
	return (write_ns + (double)bench->shared->stamp_ns - bench->clock_ns) / MESSAGES;
}

/* Return: false where one failed. */
static bool time_rounds(struct side *side, bool far, double *ns)
{
	for (size_t i = 0; i < WARM + ROUNDS; i++) {
		ns[i] = time_round(side, far);
		if (isnan(ns[i]))
			return false;
	}
	return true;
}

/* One after the other, as it takes some rounds until all memory that is written to is such as the reader has given back. */
static bool time_both(struct side *side)
{
	return time_rounds(side, false, side->bench->times) &&
	       time_rounds(side, true, side->bench->others);
}

static void be_other(struct bench *bench)
{
	struct side side = { .bench = bench, .nr = 1 };

	time_both(&side);
}

static bool open_channels(struct bench *bench, size_t transport)
{
	bool good = true;

	for (size_t i = 0; i < BENCH_CHANNELS; i++) {
		int *fd = bench->channel[i];

		good = !bench_open(fd, transport) && !fcntl(fd[0], F_SETFL, O_NONBLOCK) &&
		       !fcntl(fd[1], F_SETFL, O_NONBLOCK) && good;
	}
	return good;
}

static void close_channels(struct bench *bench)
{
	for (size_t i = 0; i < BENCH_CHANNELS; i++)
		bench_close(bench->channel[i]);
}

static void measure(struct bench *bench, size_t distance, const struct calibrate_pair *pair,
		    size_t transport)
{
	const size_t at = transport * NR_SIM_DISTANCES + distance;
	struct side side = { .bench = bench };
	double *ns = bench->raws->ns;
	pid_t other;

	for (size_t i = 0; i < 2; i++)
		atomic_store(&bench->shared->meeting[i].times, 0);
	other = bench_start(bench, pair->b, BENCH_FIFO, be_other);
	if (other > 0 && time_both(&side)) {
		ns[RAW_NEAR + at] = calibrate_low(bench->times + WARM, ROUNDS);
		ns[RAW_FAR + at] = calibrate_low(bench->others + WARM, ROUNDS);
	}
	bench_end(other);
}

void bench_far(struct bench *bench)
{
	for (size_t d = SIM_SAME + 1; d < NR_SIM_DISTANCES; d++) {
		const struct calibrate_pair *pair =
			&bench->pair[d][bench->nr_pairs[d] ? bench->run % bench->nr_pairs[d] : 0];

		if (!bench->nr_pairs[d] || bench_be(pair->a, BENCH_FIFO))
			continue;
		for (size_t i = 0; i < NR_SIM_TRANSPORTS; i++) {
			if (open_channels(bench, i))
				measure(bench, d, pair, i);
			close_channels(bench);
		}
	}
}
