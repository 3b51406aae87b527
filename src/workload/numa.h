/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa.h - what the files of numa share: parameters, and what becomes of them on a machine. */
#ifndef WORKLOAD_NUMA_H
#define WORKLOAD_NUMA_H

#include "base/error.h"
#include "base/strbuf.h"
#include "workload/numa_nodes.h"
#include "workload/result.h"

#include <stdbool.h>
#include <stdint.h>

struct run;
struct sim;

enum {
	NUMA01,
	NUMA01_THREAD_LOCAL,
	NUMA02,
	NUMA02_SMT,
	PERF_NUMA01,
	PERF_NUMA02,
	PERF_NUMA03,
	PERF_NUMA04,
	PERF_NUMA05,
	PERF_MEM,
};
enum {
	BIND_FREE,
	BIND_HARD,
	BIND_INVERSE,
};
enum {
	ACCESS_TEST, /* the test's own */
	ACCESS_ZERO,
	ACCESS_STREAM,
	ACCESS_READ,
	ACCESS_WRITE,
	ACCESS_UPDATE,
};
enum {
	ORDER_TEST,
	ORDER_FORWARD,
	ORDER_BOTH,
	ORDER_RANDOM,
};
enum {
	THP_SYSTEM,
	THP_NEVER,
	THP_ALWAYS,
};

struct numa_cfg {
	int test;
	int bind;
	uint64_t processes;
	uint64_t threads;
	uint64_t rounds;
	uint64_t size_bytes;
	uint64_t thread_size_bytes;
	uint64_t global_size_bytes;
	uint64_t limit_ns;
	int access;
	int order;
	char *first;
	int thp;
	uint64_t sample_ns;
	uint64_t seed;
};

/* Who touches a process's memory first, which decides on what node it begins. */
enum numa_touch {
	TOUCH_THREADS, /* in the timed part, every thread all of it */
	TOUCH_MAIN, /* in the timed part, the process's first task, before its threads do anything */
	TOUCH_SET_UP, /* before the timed part, with different words */
};

/* Rounds of a run that only its time limit ends, as in the original. */
#define NUMA_ROUNDS_EVER UINT32_MAX

/**
 * struct numa_plan - a test with all its numbers
 * @threads: of each process
 * @size_bytes: memory of each process, which its threads share
 * @thread_bytes: further memory of each thread, which no other one uses
 * @global_bytes: which all processes share
 * @sliced: a thread works on its own part of its process's memory only
 * @first_node: all memory is on this node first; -1: where it is touched
 * @limit_ns: 0: none
 */
struct numa_plan {
	const struct numa_cfg *cfg;
	uint64_t processes;
	uint64_t threads;
	uint64_t rounds;
	uint64_t size_bytes;
	uint64_t thread_bytes;
	uint64_t global_bytes;
	uint64_t limit_ns;
	bool sliced;
	enum numa_touch touch;
	int access;
	int order;
	int first_node;
};

/**
 * numa_plan() - what a test is on a machine with so many CPUs and nodes
 *
 * Return: 0, or -ERANGE where a thread's part would be less than a page, or the whole more than 2^62 bytes.
 */
int numa_plan(struct numa_plan *plan, const struct numa_cfg *cfg, unsigned int cpus,
	      unsigned int nodes, struct error *err);

/** numa_first_parse() - "free" or a node's number, into *@node as in struct numa_plan. Return: 0 or -EINVAL */
int numa_first_parse(int *node, const char *text, struct error *err);

/** struct numa_range - bytes of one process's memory */
struct numa_range {
	unsigned char *start;
	uint64_t bytes;
};

/** numa_slice() - the part of @whole that is that of thread @i of @n: whole pages of @page_bytes, all of them given away */
struct numa_range numa_slice(struct numa_range whole, uint64_t i, uint64_t n, uint64_t page_bytes);

/**
 * struct numa_walk - how one task goes through one range once
 * @start:  word to begin with, so that tasks don't follow each other through memory
 * @back:   downwards
 * @seed, @stream: of the random order
 */
struct numa_walk {
	int access;
	int order;
	uint64_t start;
	bool back;
	uint64_t seed;
	uint64_t stream;
};

/**
 * numa_walk_set() - the walk of task @nr of @of in round @round of @rounds
 *
 * As perf's: begun at a place that moves on with the task and the round; with ORDER_BOTH, tasks and rounds go up and
 * down in turn.
 */
void numa_walk_set(struct numa_walk *walk, uint64_t words, uint64_t nr, uint64_t of, uint64_t round,
		   uint64_t rounds);

/** numa_access() - go through @range once. Return: @value with what was read, so that nothing is optimised away */
uint64_t numa_access(struct numa_range range, const struct numa_walk *walk, uint64_t value);

/** numa_model() - struct workload's */
int numa_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** numa_original() - struct workload's, in the lines of autonuma-benchmark or perf bench numa mem */
void numa_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
