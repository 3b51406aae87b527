// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_streams.c - what the CPUs of a node read of memory when all of them do. */
#include "host/calibrate_bench.h"

#include "workload/limits.h"

#include <math.h>
#include <time.h>

#define MIB	     UINT64_C(1048576)
#define STREAMS_MAX  64
#define STREAM_BYTES (64 * MIB)
#define STREAM_PIECE (MIB / 4)
#define WINDOWS	     12
#define WINDOW_NS    4000000

/* They have their memory within that time, or won't. */
#define STREAMS_COME_NS UINT64_C(5000000000)

/* A partner: reads all the time. */
static void stream(struct bench *bench)
{
	struct bench_shared *shared = bench->shared;
	const unsigned char *p = bench_memory_on(bench, bench->way->to, STREAM_BYTES);

	if (!p)
		return;
	atomic_fetch_add(&shared->streams, 1);
	for (size_t at = 0;; at = (at + STREAM_PIECE) % STREAM_BYTES) {
		bench_read(p + at, STREAM_PIECE);
		atomic_fetch_add(&shared->streamed, STREAM_PIECE);
	}
}

static bool room_in(const struct limit *limit, uint64_t bytes)
{
	return !limit->binds || (limit->max > limit->used && limit->max - limit->used >= bytes);
}

/* A quarter of what is there at most: whoever takes the last page has another program killed. */
static bool memory_for(const struct bench *bench, unsigned int streams)
{
	const uint64_t bytes = 4 * STREAM_BYTES * streams;
	struct limits limits = { 0 };
	bool room;

	limits_read(&limits, bench->setup->root_fd);
	room = room_in(&limits.memory, bytes) && room_in(&limits.cgroup_memory, bytes);
	limits_release(&limits);
	return room && bench_room_on(bench, bench->way->to, STREAM_BYTES * streams);
}

static bool is_of_way(const struct bench *bench, uint32_t cpu)
{
	const struct core_machine *m = bench->setup->machine;

	return m->online[cpu] && m->cpu[cpu].node == (int32_t)bench->way->from;
}

/* The CPUs that read, evenly chosen where they are many. Return: 0 where there is no room for what they read. */
static unsigned int choose_streams(const struct bench *bench, unsigned int cpu[STREAMS_MAX])
{
	const struct core_machine *m = bench->setup->machine;
	unsigned int all = 0, nr = 0, i = 0;

	for (uint32_t other = 0; other < m->nr_cpus; other++)
		all += is_of_way(bench, other);
	for (uint32_t other = 0; other < m->nr_cpus; other++)
		if (is_of_way(bench, other) && i++ * STREAMS_MAX / all >= nr)
			cpu[nr++] = other;
	return memory_for(bench, nr) ? nr : 0;
}

static void sleep_ns(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static bool wait_for_streams(const struct bench *bench, unsigned int nr)
{
	const uint64_t end_ns = bench_now() + STREAMS_COME_NS;

	while (atomic_load(&bench->shared->streams) < nr) {
		if (bench_now() > end_ns)
			return false;
		sleep_ns(1000000);
	}
	return true;
}

/* In ns a MiB, while they all read. */
static double time_window(const struct bench *bench)
{
	const uint64_t before = atomic_load(&bench->shared->streamed), then_ns = bench_now();
	uint64_t bytes;

	sleep_ns(WINDOW_NS);
	bytes = atomic_load(&bench->shared->streamed) - before;
	return bytes ? (double)(bench_now() - then_ns) * MIB / (double)bytes : INFINITY;
}

/* In MiB/s: what disturbs only takes away from it. */
static double time_streams(struct bench *bench)
{
	for (size_t i = 0; i < WINDOWS; i++)
		bench->times[i] = time_window(bench);
	return 1e9 / calibrate_low(bench->times, WINDOWS);
}

static void measure_streams(struct bench *bench, double *mib_s)
{
	unsigned int cpu[STREAMS_MAX], n, nr = choose_streams(bench, cpu);
	pid_t pid[STREAMS_MAX];

	atomic_store(&bench->shared->streams, 0);
	for (n = 0; n < nr; n++) {
		pid[n] = bench_start(bench, cpu[n], BENCH_NORMAL, stream);
		if (pid[n] < 0)
			break;
	}
	if (nr && n == nr && wait_for_streams(bench, nr))
		*mib_s = time_streams(bench);
	while (n--)
		bench_end(pid[n]);
}

void bench_streams(struct bench *bench)
{
	if (bench_be(bench->cpu, BENCH_NORMAL))
		return;
	for (size_t i = 0; i < bench->ways->slots; i++) {
		bench->way = calibrate_way_at(bench->ways, bench->run, i);
		if (bench->way->all)
			measure_streams(bench, &bench->readings[i].value[COSTS_PAIR_MIB_S]);
	}
}
