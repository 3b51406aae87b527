// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_tasks.c - tasks of one CPU: made, ended, switched between. */
#include "host/calibrate_bench.h"

#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN ((size_t)24)
#define EXECS	 8
#define COPIERS	 ((size_t)8)
#define COPIES	 ((size_t)64)
#define PAGE	 ((size_t)BENCH_PAGE)
#define ROUNDS	 400

static void write_pages(unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*(volatile unsigned char *)(p + i * PAGE) = 1;
}

/*
 * A child comes to an end when its parent waits for it: neither preempts the other. It writes to as many pages as one that works, which its end
 * then gives back. Return: false if there was none.
 */
static bool time_child(struct bench *bench, size_t i, bool exec)
{
	static char *const args[] = { (char *)"true", NULL };
	const uint64_t then_ns = bench_now();
	const pid_t pid = fork();
	uint64_t end_ns;
	int status = 0;

	if (!pid) {
		if (exec)
			execv("/bin/true", args);
		write_pages(bench->pages, COSTS_FORK_FAULTS);
		bench->shared->stamp_ns = bench_now();
		_exit(exec);
	}
	bench->times[i] = bench_since(bench, then_ns);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
		return false;
	end_ns = bench_now();
	bench->others[i] = (double)(end_ns - then_ns);
	if (!exec)
		bench->times[CHILDREN + i] = (double)(end_ns - bench->shared->stamp_ns);
	return true;
}

static void time_children(struct bench *bench)
{
	double *ns = bench->raws->ns;

	write_pages(bench->pages, COSTS_FORK_FAULTS);
	for (size_t i = 0; i < CHILDREN; i++)
		if (!time_child(bench, i, false))
			return;
	ns[RAW_FORK] = calibrate_low(bench->times, CHILDREN);
	ns[RAW_EXIT] = calibrate_low(bench->times + CHILDREN, CHILDREN);
	ns[RAW_CHILD] = calibrate_low(bench->others, CHILDREN);
	for (size_t i = 0; i < EXECS; i++)
		if (!time_child(bench, i, true))
			return;
	ns[RAW_EXEC] = calibrate_low(bench->others, EXECS);
}

/* The child writes to what its parent has, too. */
static bool time_copy(struct bench *bench, size_t i, unsigned char *p)
{
	const pid_t pid = fork();
	uint64_t then_ns;
	int status = 0;

	if (!pid) {
		then_ns = bench_now();
		write_pages(p, COPIES);
		bench->shared->stamp_ns = bench_now() - then_ns;
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
		return false;
	bench->times[i] = (double)bench->shared->stamp_ns / COPIES;
	return true;
}

static void time_copies(struct bench *bench)
{
	unsigned char *p = mmap(NULL, COPIES * PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t n = 0;

	if (p == MAP_FAILED)
		return;
	write_pages(p, COPIES);
	while (n < COPIERS && time_copy(bench, n, p))
		n++;
	if (n == COPIERS)
		bench->raws->ns[RAW_COPY] = calibrate_low(bench->times, n);
	munmap(p, COPIES * PAGE);
}

/* Another one waits for its end. */
static void *end_at_once(void *arg)
{
	struct bench *bench = arg;

	bench->shared->stamp_ns = bench_now();
	return NULL;
}

/* The first ones need new stacks. */
static void time_threads(struct bench *bench)
{
	pthread_t thread;

	for (size_t i = 0; i < 2 * CHILDREN; i++) {
		const uint64_t then_ns = bench_now();

		if (pthread_create(&thread, NULL, end_at_once, bench))
			return;
		bench->times[i] = bench_since(bench, then_ns);
		pthread_join(thread, NULL);
		bench->others[i] = bench_since(bench, bench->shared->stamp_ns);
	}
	bench->raws->ns[RAW_THREAD] = calibrate_low(bench->times + CHILDREN, CHILDREN);
	bench->raws->ns[RAW_THREAD_EXIT] = calibrate_low(bench->others + CHILDREN, CHILDREN);
}

/* Makes children until it is killed. */
static void make_children(struct bench *bench)
{
	write_pages(bench->pages, COSTS_FORK_FAULTS);
	while (time_child(bench, 0, false))
		;
}

/* While another CPU does so, where there is one. Its stamps are in the way of this one's: the time as a whole counts. */
static void time_both(struct bench *bench)
{
	const unsigned int other = cpumask_next(bench->setup->cpus, bench->cpu + 1);
	size_t n = 0;
	pid_t maker;

	if (other >= bench->setup->machine->nr_cpus)
		return;
	maker = bench_start(bench, other, BENCH_BATCH, make_children);
	while (maker > 0 && n < CHILDREN && time_child(bench, n, false))
		n++;
	bench_end(maker);
	if (n == CHILDREN)
		bench->raws->ns[RAW_CHILD_BOTH] = calibrate_low(bench->others, CHILDREN);
}

void bench_tasks(struct bench *bench)
{
	if (bench_be(bench->cpu, BENCH_BATCH))
		return;
	time_children(bench);
	time_both(bench);
	time_copies(bench);
	time_threads(bench);
}

static bool turn_pipe(struct bench *bench)
{
	char byte = 0;

	return write(bench->pipe[1], &byte, 1) == 1 && read(bench->back[0], &byte, 1) == 1;
}

static void futex(atomic_uint *word, int op, unsigned int value)
{
	syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

/* One call each, where the other is not there yet: the word is set before, and waited for without a look. */
static void turn_over(struct bench *bench, unsigned int side)
{
	atomic_uint *mine = &bench->shared->word[side], *other = &bench->shared->word[!side];

	atomic_store(mine, 0);
	atomic_store(other, 1);
	futex(other, FUTEX_WAKE, 1);
	do
		futex(mine, FUTEX_WAIT, 0);
	while (!atomic_load(mine));
}

static bool turn_futex(struct bench *bench)
{
	turn_over(bench, 0);
	return true;
}

static void echo_futex(struct bench *bench)
{
	while (!atomic_load(&bench->shared->word[1]))
		futex(&bench->shared->word[1], FUTEX_WAIT, 0);
	for (;;)
		turn_over(bench, 1);
}

static double time_turns(struct bench *bench, bool (*turn)(struct bench *bench))
{
	for (size_t i = 0; i < ROUNDS; i++) {
		const uint64_t then_ns = bench_now();

		if (!turn(bench))
			return NAN;
		bench->times[i] = bench_since(bench, then_ns) / 2;
	}
	return calibrate_low(bench->times, ROUNDS);
}

/* Its partner waits each time, and does not get the CPU before this one waits too. */
static double time_wakes(struct bench *bench)
{
	char byte = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		const uint64_t then_ns = bench_now();

		if (write(bench->pipe[1], &byte, 1) != 1)
			return NAN;
		bench->times[i] = bench_since(bench, then_ns);
		if (read(bench->back[0], &byte, 1) != 1)
			return NAN;
	}
	return calibrate_low(bench->times, ROUNDS);
}

static void *echo_thread(void *arg)
{
	struct bench *bench = arg;

	if (!bench_be(bench->cpu, BENCH_BATCH))
		bench_echo(bench);
	return NULL;
}

/* The partner ends when nobody writes any more. */
static void time_thread_turns(struct bench *bench)
{
	pthread_t partner;

	bench_fresh(bench);
	if (pthread_create(&partner, NULL, echo_thread, bench))
		return;
	bench->raws->ns[RAW_TURN_THREAD] = time_turns(bench, turn_pipe);
	close(bench->pipe[1]);
	bench->pipe[1] = -1;
	pthread_join(partner, NULL);
}

void bench_same(struct bench *bench)
{
	double *ns = bench->raws->ns;
	pid_t partner;

	if (bench_be(bench->cpu, BENCH_BATCH))
		return;
	bench_fresh(bench);
	partner = bench_start(bench, bench->cpu, BENCH_BATCH, bench_echo);
	if (partner > 0) {
		ns[RAW_WAKE_SAME] = time_wakes(bench);
		ns[RAW_TURN_SAME] = time_turns(bench, turn_pipe);
	}
	bench_end(partner);
	time_thread_turns(bench);
	atomic_store(&bench->shared->word[0], 0);
	atomic_store(&bench->shared->word[1], 0);
	partner = bench_start(bench, bench->cpu, BENCH_BATCH, echo_futex);
	if (partner > 0)
		ns[RAW_TURN_FUTEX] = time_turns(bench, turn_futex);
	bench_end(partner);
}
