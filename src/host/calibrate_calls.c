// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_calls.c - calls of one task alone. */
#include "host/calibrate_bench.h"

#include "base/mem.h"
#include "workload/schbench.h"
#include "workload/work.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCKS 200
#define BLOCK  50
#define PAGE   ((size_t)4096)
#define PAGES  64
#define ROUNDS 500
#define UNITS  10
#define SIDE   UINT64_C(104)
#define KIB    4096

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

/* The matrices of a schbench of 256 KiB. Its least of three trials is taken as it is. */
static double time_matrices(void)
{
	const struct schbench_work work = { .kind = WORK_MATRIX, .operations = 1, .side = SIDE };
	uint64_t *matrices = xaligned(SHARED_ALIGN, schbench_work_matrices(SIDE));
	double ns;

	schbench_work_fill(matrices, SIDE);
	ns = schbench_work_measure(&work, matrices);
	free(matrices);
	return ns / (double)(SIDE * SIDE * SIDE);
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
	ns[RAW_MATRIX_STEP] = time_matrices();
	ns[RAW_FUTEX_WAIT] = time_call(bench, call_futex_wait);
	ns[RAW_FUTEX_WAKE] = time_call(bench, call_futex_wake);
	ns[RAW_FAULT] = time_faults(bench);
	slack = prctl(PR_GET_TIMERSLACK);
	if (slack > 0)
		ns[RAW_SLACK] = slack;
}

/* Writing @n bytes and reading them, one after the other. Return: false where that isn't possible. */
static bool time_transport(struct bench *bench, int out, int in, size_t n, double *send,
			   double *receive)
{
	static const char zeros[KIB];
	char bytes[KIB];

	for (size_t i = 0; i < ROUNDS; i++) {
		uint64_t then_ns = bench_now();

		if (write(out, zeros, n) != (ssize_t)n)
			return false;
		bench->times[i] = bench_since(bench, then_ns);
		then_ns = bench_now();
		if (read(in, bytes, n) != (ssize_t)n)
			return false;
		bench->others[i] = bench_since(bench, then_ns);
	}
	*send = calibrate_low(bench->times, ROUNDS);
	*receive = calibrate_low(bench->others, ROUNDS);
	return true;
}

static int make_pipe(int fd[2])
{
	return pipe2(fd, O_CLOEXEC);
}

/* In a folder that is gone when it is open. */
static int make_fifo(int fd[2])
{
	char folder[] = "/tmp/schedproof-XXXXXX", *path;

	if (!mkdtemp(folder))
		return -1;
	path = xasprintf("%s/fifo", folder);
	fd[0] = mkfifo(path, 0600) ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	fd[1] = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	unlink(path);
	rmdir(folder);
	free(path);
	return fd[0] < 0 || fd[1] < 0 ? -1 : 0;
}

static int make_unix_stream(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd);
}

static int make_unix_dgram(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fd);
}

static const struct sockaddr *loopback(struct sockaddr_in *address)
{
	*address = (struct sockaddr_in){ .sin_family = AF_INET,
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return (const struct sockaddr *)address;
}

/* fd[0] is bound to a port of its own choice, which goes to @address. */
static int bind_socket(int fd[2], int type, struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);

	fd[0] = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	fd[1] = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	if (fd[0] < 0 || fd[1] < 0 || bind(fd[0], loopback(address), sizeof(*address)))
		return -1;
	return getsockname(fd[0], (struct sockaddr *)address, &size);
}

static int make_udp(int fd[2])
{
	struct sockaddr_in address;

	if (bind_socket(fd, SOCK_DGRAM, &address))
		return -1;
	return connect(fd[1], (const struct sockaddr *)&address, sizeof(address));
}

static int make_tcp(int fd[2])
{
	struct sockaddr_in address;
	int listening;

	if (bind_socket(fd, SOCK_STREAM, &address) || listen(fd[0], 1) ||
	    connect(fd[1], (const struct sockaddr *)&address, sizeof(address)))
		return -1;
	listening = fd[0];
	fd[0] = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	close(listening);
	return fd[0] < 0 ? -1 : 0;
}

static void close_both(int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

void bench_transports(struct bench *bench)
{
	static int (*const make[NR_SIM_TRANSPORTS])(int fd[2]) = {
		[SIM_PIPE] = make_pipe,
		[SIM_UNIX_STREAM] = make_unix_stream,
		[SIM_UNIX_DGRAM] = make_unix_dgram,
		[SIM_TCP] = make_tcp,
		[SIM_UDP] = make_udp,
		[SIM_FIFO] = make_fifo,
	};
	double *ns = bench->raws->ns;

	if (bench_be(bench->cpu, BENCH_NORMAL))
		return;
	for (size_t i = 0; i < NR_SIM_TRANSPORTS; i++) {
		int fd[2] = { -1, -1 };

		if (!make[i](fd)) {
			time_transport(bench, fd[1], fd[0], 1, &ns[RAW_SEND + i],
				       &ns[RAW_RECEIVE + i]);
			if (i == SIM_PIPE)
				time_transport(bench, fd[1], fd[0], KIB, &ns[RAW_SEND_KIB],
					       &ns[RAW_RECEIVE_KIB]);
		}
		close_both(fd);
	}
}
