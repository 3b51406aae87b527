/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/calibrate_bench.h - the process that measures, and its partners. What fails leaves its times NaN.
 *
 * All of it runs in a child of the caller's, and dies with it.
 */
#ifndef HOST_CALIBRATE_BENCH_H
#define HOST_CALIBRATE_BENCH_H

#include "host/calibrate_nodes.h"
#include "host/calibrate_raw.h"

#include <stdatomic.h>
#include <sys/types.h>

#define BENCH_PAGE 4096

/* Channels that one CPU writes to and another one reads. */
#define BENCH_CHANNELS 20

/* Times of a burst. */
#define BENCH_TIMES 2000

/** struct bench_meeting - how often one of two came to where they wait for each other */
struct bench_meeting {
	_Alignas(128) atomic_uint times;
};

/**
 * struct bench_shared - what the processes see of each other, each on lines of its own
 * @stamp_ns: when the partner was back, the @seq-th time
 * @go:       the busy one is to leave its CPU, again
 * @word:     of two futexes
 * @end:      partners that compute are to end
 * @here:     partners that have got to their CPU, ever
 * @priority: one may be FIFO here
 * @streams:  partners that have their memory and read it; @streamed: bytes that they have read, ever
 */
struct bench_shared {
	_Alignas(128) atomic_uint seq;
	uint64_t stamp_ns;
	_Alignas(128) atomic_uint go;
	_Alignas(128) atomic_uint word[2];
	_Alignas(128) atomic_bool end;
	atomic_uint here;
	bool priority;
	struct bench_meeting meeting[2];
	_Alignas(128) atomic_uint streams;
	atomic_ullong streamed;
};

/** struct bench_memory - of @node; @p NULL: none */
struct bench_memory {
	unsigned char *p;
	uint32_t node;
};

/**
 * struct bench - @cpu: where it measures
 * @pipe:  its partner reads; @back: its partner writes
 * @raws:  of this run
 * @run:   which one, from 0
 * @clock_ns: reading the clock once
 * @times: room for a burst, twice
 * @pages: that children write to
 * @memory: is read
 * @ways:   all pairs of nodes; @readings: of those of this run
 * @way:    that whose memory partners read
 * @channel: of messages that another CPU reads
 */
struct bench {
	const struct calibrate_setup *setup;
	struct bench_shared *shared;
	unsigned int cpu;
	int pipe[2], back[2];
	struct calibrate_raws *raws;
	unsigned int run;
	double clock_ns;
	double times[BENCH_TIMES], others[BENCH_TIMES];
	struct calibrate_pair pair[NR_SIM_DISTANCES][CALIBRATE_PAIRS];
	unsigned int nr_pairs[NR_SIM_DISTANCES];
	unsigned char pages[COSTS_FORK_FAULTS * BENCH_PAGE];
	struct bench_memory memory;
	const struct calibrate_ways *ways;
	struct calibrate_reading *readings;
	const struct calibrate_way *way;
	int channel[BENCH_CHANNELS][2];
};

/** bench_now() - CLOCK_MONOTONIC */
uint64_t bench_now(void);

/** bench_since() - ns since then, without reading the clock */
double bench_since(const struct bench *bench, uint64_t then_ns);

/** bench_spin() - computes for that long */
void bench_spin(uint64_t ns);

/** enum bench_class - how a partner is scheduled, all as much before other programs as one may be */
enum bench_class {
	BENCH_NORMAL,
	BENCH_BATCH,  /* preempts nobody when it wakes up */
	BENCH_IDLE,   /* anybody preempts it */
	BENCH_FIFO,   /* nobody comes between, where that is allowed; else NORMAL */
	BENCH_BEHIND, /* FIFO, so that it waits until one of BENCH_FIFO is done; else BATCH */
};

/** bench_be() - the calling process, on @cpu. Return: 0 or -errno where it can't be there */
int bench_be(unsigned int cpu, enum bench_class class);

/** bench_priority() - whether BENCH_FIFO is that here */
bool bench_priority(void);

/** bench_fresh() - both pipes anew: a partner that was killed may have left a byte in them */
void bench_fresh(struct bench *bench);

/** bench_start() - a partner that does @what and exits; it is on its CPU and had a ms to get to where it waits. Return: its pid, or -errno */
pid_t bench_start(struct bench *bench, unsigned int cpu, enum bench_class class,
		  void (*what)(struct bench *bench));

/** bench_end() - kills and reaps it; nothing for what isn't a pid */
void bench_end(pid_t pid);

/** bench_reader() - a partner: reads bytes of @pipe and says when; bench_echo() - and writes them to @back */
void bench_reader(struct bench *bench);
void bench_echo(struct bench *bench);

/** bench_open() - a channel: fd[0] is read, fd[1] written. Return: not 0 where there is none; bench_close() in any case */
int bench_open(int fd[2], size_t transport);
void bench_close(int fd[2]);

/** bench_room_on() - whether that is a quarter of what is free of a node's memory at most; of the only node's it isn't asked */
bool bench_room_on(const struct bench *bench, uint32_t node, uint64_t bytes);

/** bench_memory_on() - @bytes of a node's memory, written. Return: NULL where there is none to be had */
unsigned char *bench_memory_on(const struct bench *bench, uint32_t node, size_t bytes);

/** bench_read() - reads @bytes in order, a multiple of 64 */
void bench_read(const unsigned char *p, size_t bytes);

/* The parts of a run. */
void bench_calls(struct bench *bench);
void bench_transports(struct bench *bench);
void bench_tasks(struct bench *bench);
void bench_same(struct bench *bench);
void bench_ring(struct bench *bench);
void bench_spaces(struct bench *bench);
void bench_gaps(struct bench *bench);
void bench_pairs(struct bench *bench);
void bench_far(struct bench *bench);
void bench_idle(struct bench *bench);
void bench_caches(struct bench *bench);
void bench_memory(struct bench *bench);
void bench_streams(struct bench *bench);

#endif
