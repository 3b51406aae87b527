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
#define SETTLE_NS UINT64_C(30000)
#define OFTEN	  20
#define RARELY	  3
#define LONG_NS	  4000000.
#define LOST_NS	  200000000

/* Computes until it is told to end, at the least of all. */
static void compute(struct bench *bench)
{
	while (!atomic_load_explicit(&bench->shared->end, memory_order_relaxed))
		;
}

/* Computes; when it is told to, it lets the reader have the CPU, which has it go on. By no timer: those may come late. */
static void compute_and_leave(struct bench *bench)
{
	struct bench_shared *shared = bench->shared;
	char byte;
	unsigned int seen = atomic_load(&shared->go), now;

	do {
		while ((now = atomic_load_explicit(&shared->go, memory_order_relaxed)) == seen)
			;
		seen = now;
	} while (read(bench->back[0], &byte, 1) == 1);
}

static void read_and_let_go_on(struct bench *bench)
{
	struct bench_shared *shared = bench->shared;
	char byte;

	while (read(bench->pipe[0], &byte, 1) == 1) {
		atomic_fetch_add(&shared->seq, 1);
		if (write(bench->back[1], &byte, 1) != 1)
			break;
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

/* Wakes the reader @n times, each time when its CPU has been back at what it did for @settle_ns. */
static bool time_wakes(struct bench *bench, size_t n, uint64_t settle_ns, double *wake,
		       double *latency)
{
	struct bench_shared *shared = bench->shared;
	char byte = 0;

	for (size_t i = 0; i < n; i++) {
		const unsigned int seq = atomic_load(&shared->seq);
		uint64_t then_ns;

		bench_spin(settle_ns);
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
		*wake = calibrate_mid(bench->times, n);
	if (latency)
		*latency = calibrate_mid(bench->others, n);
	return true;
}

/* struct there - what is on the other CPU: the reader, and who computes beside it; NULL: nobody */
struct there {
	void (*reader)(struct bench *bench);
	enum bench_class class;
	void (*busy)(struct bench *bench);
	enum bench_class busy_class;
};

static void wake_there(struct bench *bench, unsigned int cpu, const struct there *there,
		       double *wake, double *latency)
{
	pid_t reader, busy = 0;

	bench_fresh(bench);
	reader = bench_start(bench, cpu, there->class, there->reader);
	/* behind a busy one the reader would not get to where it waits */
	if (there->busy)
		busy = bench_start(bench, cpu, there->busy_class, there->busy);
	if (reader > 0 && busy >= 0)
		time_wakes(bench, WAKES, SETTLE_NS, wake, latency);
	/* who waits behind the busy one can't even die before it */
	bench_end(busy);
	bench_end(reader);
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
		ns = bench_now() + CALIBRATE_SLEEP_NS;
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
	static const struct there idle = { bench_reader, BENCH_NORMAL, NULL, BENCH_NORMAL };
	static const struct there preempts = { bench_reader, BENCH_NORMAL, compute, BENCH_IDLE };
	/* a fair task that computes may have had its turn, and the wake-up then sends an interrupt as well */
	static const struct there waits = { read_and_let_go_on, BENCH_BEHIND, compute_and_leave,
					    BENCH_FIFO };
	double *ns = bench->raws->ns;
	pid_t echo;

	if (bench_be(pair->a, BENCH_NORMAL))
		return;
	wake_there(bench, pair->b, &idle, &ns[RAW_WAKE_IDLE + distance],
		   &ns[RAW_LATENCY_IDLE + distance]);
	wake_there(bench, pair->b, &preempts, NULL, &ns[RAW_LATENCY_BUSY + distance]);
	wake_there(bench, pair->b, &waits, &ns[RAW_WAKE_BUSY + distance], NULL);
	bench_fresh(bench);
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

/* Of the nearest CPU, as others on the way would be in the times as well. Long ones take long, and all runs together have many. */
void bench_idle(struct bench *bench)
{
	double *ns = bench->raws->ns;
	size_t d = SIM_SAME + 1;
	pid_t reader;

	while (d < NR_SIM_DISTANCES && !bench->nr_pairs[d])
		d++;
	if (d == NR_SIM_DISTANCES || bench_be(bench->pair[d][0].a, BENCH_NORMAL))
		return;
	bench_fresh(bench);
	reader = bench_start(bench, bench->pair[d][0].b, BENCH_NORMAL, bench_reader);
	for (size_t i = 0; reader > 0 && i < CALIBRATE_IDLES; i++) {
		const double idle_ns = calibrate_idle_ns(i);

		time_wakes(bench, idle_ns < LONG_NS ? OFTEN : RARELY, (uint64_t)idle_ns, NULL,
			   &ns[RAW_IDLE + i]);
	}
	bench_end(reader);
}
