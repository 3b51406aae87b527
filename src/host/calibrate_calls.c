// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_calls.c - calls of one task alone. */
#include "host/calibrate_bench.h"

#include "base/mem.h"
#include "workload/schbench.h"
#include "workload/work.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCKS	 200
#define BLOCK	 50
#define PAGE	 ((size_t)4096)
#define PAGES	 64
#define UNITS	 10
#define SIDE	 UINT64_C(104)
#define PRODUCTS 12

/* Lower quartile of the means of blocks: a disturbance of microseconds spoils one block of many. */
static double time_call(struct bench *bench, void (*call)(struct bench *bench))
{
	for (size_t i = 0; i < BLOCKS; i++) {
		const uint64_t then_ns = bench_now();

		for (size_t k = 0; k < BLOCK; k++)
			call(bench);
		bench->times[i] = bench_since(bench, then_ns) / BLOCK;
	}
	return calibrate_low(bench->times, BLOCKS);
}

static void call_clock(struct bench *bench)
{
	(void)bench;
	bench_now();
}

static void call_getppid(struct bench *bench)
{
	(void)bench;
	syscall(SYS_getppid);
}

static void call_work(struct bench *bench)
{
	(void)bench;
	work_do(UNITS);
}

/* The matrices of a schbench of 256 KiB. The first products find them in no cache and are a tenth slower. */
static double time_matrices(struct bench *bench)
{
	const struct schbench_work work = { .kind = WORK_MATRIX, .operations = 1, .side = SIDE };
	uint64_t *matrices = xaligned(SHARED_ALIGN, schbench_work_matrices(SIDE));

	schbench_work_fill(matrices, SIDE);
	for (size_t i = 0; i < PRODUCTS; i++)
		bench->times[i] = schbench_work_measure(&work, matrices);
	free(matrices);
	return calibrate_low(bench->times, PRODUCTS) / (double)(SIDE * SIDE * SIDE);
}

static void call_futex_wait(struct bench *bench)
{
	syscall(SYS_futex, &bench->shared->word[0], FUTEX_WAIT,
		atomic_load(&bench->shared->word[0]) + 1, NULL, NULL, 0);
}

static void call_futex_wake(struct bench *bench)
{
	syscall(SYS_futex, &bench->shared->word[0], FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Pages of a file in memory, mapped anew: what is left of a fault when the page needn't be made. */
static double time_faults(struct bench *bench)
{
	const int fd = memfd_create("calibrate", MFD_CLOEXEC);
	volatile char *p;
	char *map;

	if (fd < 0 || ftruncate(fd, PAGES * PAGE))
		goto failed;
	for (int round = 0; round < 2; round++) {
		map = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map == MAP_FAILED)
			goto failed;
		/* else its neighbours come along */
		madvise(map, PAGES * PAGE, MADV_RANDOM);
		p = map;
		for (size_t i = 0; i < PAGES; i++) {
			const uint64_t then_ns = bench_now();

			p[i * PAGE] = 1;
			bench->times[i] = bench_since(bench, then_ns);
		}
		munmap(map, PAGES * PAGE);
	}
	close(fd);
	return calibrate_low(bench->times, PAGES);
failed:
	if (fd >= 0)
		close(fd);
	return NAN;
}

void bench_calls(struct bench *bench)
{
	double *ns = bench->raws->ns;
	int slack;

	if (bench_be(bench->cpu, BENCH_NORMAL))
		return;
	bench->clock_ns = 0;
	bench->clock_ns = time_call(bench, call_clock);
	ns[RAW_SYSCALL] = time_call(bench, call_getppid);
	ns[RAW_WORK_UNIT] = time_call(bench, call_work) / UNITS;
	ns[RAW_MATRIX_STEP] = time_matrices(bench);
	ns[RAW_FUTEX_WAIT] = time_call(bench, call_futex_wait);
	ns[RAW_FUTEX_WAKE] = time_call(bench, call_futex_wake);
	ns[RAW_FAULT] = time_faults(bench);
	slack = prctl(PR_GET_TIMERSLACK);
	if (slack > 0)
		ns[RAW_SLACK] = slack;
}
