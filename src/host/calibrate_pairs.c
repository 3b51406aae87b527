// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_pairs.c - wake-ups from one CPU to another. */
#include "host/calibrate_bench.h"

#include <errno.h>
#include <math.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAKES	  100
#define TURNS	  200
#define SLEEPS	  40
#define SETTLE_NS 200000
#define SLEEP_NS  500000
#define LOST_NS	  200000000

/* Computes until it is told to end, at the least of all. */
static void compute(struct bench *bench)
{
	while (!atomic_load_explicit(&bench->shared->end, memory_order_relaxed))
		;
}

/* Computes, and leaves the CPU for a moment when it is told to. */
static void compute_and_leave(struct bench *bench)
{
	static const struct timespec moment = { .tv_nsec = 20000 };
	struct bench_shared *shared = bench->shared;
	unsigned int seen = atomic_load(&shared->go), now;

	for (;;) {
		while ((now = atomic_load_explicit(&shared->go, memory_order_relaxed)) == seen)
			;
		seen = now;
		nanosleep(&moment, NULL);
	}
}

/* False: it doesn't come. */
static bool wait_for(struct bench *bench, unsigned int seq)
{
	const uint64_t end_ns = bench_now() + LOST_NS;

	while (atomic_load_explicit(&bench->shared->seq, memory_order_acquire) == seq)
		if (bench_now() > end_ns)
			return false;
	return true;
}

/* Wakes the reader again and again, each time when its CPU is long back at what it did. */
static bool time_wakes(struct bench *bench, double *wake, double *latency)
{
	struct bench_shared *shared = bench->shared;
	char byte = 0;

	for (size_t i = 0; i < WAKES; i++) {
		const unsigned int seq = atomic_load(&shared->seq);
		uint64_t then_ns;

		bench_spin(SETTLE_NS);
		then_ns = bench_now();
		if (write(bench->pipe[1], &byte, 1) != 1)
			return false;
		bench->times[i] = bench_since(bench, then_ns);
		atomic_fetch_add(&shared->go, 1);
		if (!wait_for(bench, seq))
			return false;
		bench->others[i] = (double)(shared->stamp_ns - then_ns) - bench->clock_ns;
	}
	if (wake)
		*wake = calibrate_mid(bench->times, WAKES);
	if (latency)
		*latency = calibrate_mid(bench->others, WAKES);
	return true;
}

/* With the reader on @cpu beside @busy; NULL: alone. */
static void wake_there(struct bench *bench, unsigned int cpu, enum bench_class class,
		       enum bench_class busy_class, void (*busy)(struct bench *bench), double *wake,
		       double *latency)
{
	const pid_t other = busy ? bench_start(bench, cpu, busy_class, busy) : 0;
	const pid_t reader = bench_start(bench, cpu, class, bench_reader);

	/* they get to where they wait */
	bench_spin(5 * SETTLE_NS);
	if (reader > 0 && other >= 0)
		time_wakes(bench, wake, latency);
	bench_end(reader);
	bench_end(other);
}

static double time_turns(struct bench *bench)
{
	char byte = 0;

	for (size_t i = 0; i < TURNS; i++) {
		const uint64_t then_ns = bench_now();

		if (write(bench->pipe[1], &byte, 1) != 1 || read(bench->back[0], &byte, 1) != 1)
			return NAN;
		bench->times[i] = bench_since(bench, then_ns) / 2;
	}
	return calibrate_mid(bench->times, TURNS);
}

/* Takes the time of its own sleeps, on a CPU that idles meanwhile. */
static void sleep_late(struct bench *bench)
{
	struct bench_shared *shared = bench->shared;
	struct timespec until;
	uint64_t ns;

	prctl(PR_SET_TIMERSLACK, 1);
	for (size_t i = 0; i < SLEEPS; i++) {
		ns = bench_now() + SLEEP_NS;
		until = (struct timespec){ .tv_sec = (time_t)(ns / 1000000000),
					   .tv_nsec = (long)(ns % 1000000000) };
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
			;
		bench->times[i] = (double)(bench_now() - ns) - bench->clock_ns;
	}
	shared->stamp_ns = (uint64_t)calibrate_mid(bench->times, SLEEPS);
	atomic_fetch_add(&shared->seq, 1);
}

static void time_sleeps(struct bench *bench, unsigned int cpu)
{
	const unsigned int seq = atomic_load(&bench->shared->seq);
	const pid_t sleeper = bench_start(bench, cpu, BENCH_NORMAL, sleep_late);

	if (sleeper > 0 && wait_for(bench, seq))
		bench->raws->ns[RAW_LATE] = (double)bench->shared->stamp_ns;
	bench_end(sleeper);
}

static void measure_pair(struct bench *bench, size_t distance, const struct calibrate_pair *pair)
{
	double *ns = bench->raws->ns;
	pid_t echo;

	if (bench_be(pair->a, BENCH_NORMAL))
		return;
	wake_there(bench, pair->b, BENCH_NORMAL, BENCH_NORMAL, NULL, &ns[RAW_WAKE_IDLE + distance],
		   &ns[RAW_LATENCY_IDLE + distance]);
	wake_there(bench, pair->b, BENCH_NORMAL, BENCH_IDLE, compute, NULL,
		   &ns[RAW_LATENCY_BUSY + distance]);
	wake_there(bench, pair->b, BENCH_BATCH, BENCH_NORMAL, compute_and_leave,
		   &ns[RAW_WAKE_BUSY + distance], NULL);
	echo = bench_start(bench, pair->b, BENCH_NORMAL, bench_echo);
	if (echo > 0)
		ns[RAW_TURN + distance] = time_turns(bench);
	bench_end(echo);
	time_sleeps(bench, pair->b);
}

void bench_pairs(struct bench *bench)
{
	for (size_t d = SIM_SAME + 1; d < NR_SIM_DISTANCES; d++)
		if (bench->nr_pairs[d])
			measure_pair(bench, d, &bench->pair[d][bench->run % bench->nr_pairs[d]]);
}
