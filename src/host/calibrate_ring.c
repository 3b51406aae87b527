// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_ring.c - a byte through a ring of threads on one CPU: each has lost the core's nearest caches to the others; then of processes. */
#include "host/calibrate_bench.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#define RING   20
#define ROUNDS 200

/* struct link - reads from @in and writes to @out, which it closes at the end: so the next one ends too */
struct link {
	unsigned int cpu;
	int in, out;
	pthread_t thread;
};

static void *pass_on(void *arg)
{
	const struct link *link = arg;
	char byte;

	if (!bench_be(link->cpu, BENCH_BATCH))
		while (read(link->in, &byte, 1) == 1 && write(link->out, &byte, 1) == 1)
			;
	close(link->in);
	close(link->out);
	return NULL;
}

static double time_rounds(struct bench *bench, int out, int in, unsigned int nr)
{
	char byte = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		const uint64_t then_ns = bench_now();

		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			return NAN;
		bench->times[i] = bench_since(bench, then_ns) / nr;
	}
	return calibrate_low(bench->times, ROUNDS);
}

/* One more behind @in, which is the end of the ring so far. Return: the new end, or -1 where there is none: @in is open still. */
static int add_link(struct link *link, unsigned int cpu, int in)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return -1;
	*link = (struct link){ .cpu = cpu, .in = in, .out = fd[1] };
	if (!pthread_create(&link->thread, NULL, pass_on, link))
		return fd[0];
	close(fd[0]);
	close(fd[1]);
	return -1;
}

void bench_ring(struct bench *bench)
{
	struct link link[RING - 1];
	size_t n = 0;
	int fd[2], in;

	if (bench_be(bench->cpu, BENCH_BATCH) || pipe2(fd, O_CLOEXEC))
		return;
	in = fd[0];
	while (n < RING - 1) {
		const int next = add_link(&link[n], bench->cpu, in);

		if (next < 0)
			break;
		in = next;
		n++;
	}
	if (n == RING - 1)
		bench->raws->ns[RAW_RING] = time_rounds(bench, fd[1], in, RING);
	close(fd[1]);
	for (size_t i = 0; i < n; i++)
		pthread_join(link[i].thread, NULL);
	close(in);
}

/* One more process behind @in, as add_link(). @first is the caller's alone, so that all end when that is closed. */
static int add_process(pid_t *pid, unsigned int cpu, int in, int first)
{
	const pid_t parent = getpid();
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return -1;
	*pid = fork();
	if (!*pid) {
		struct link link = { .cpu = cpu, .in = in, .out = fd[1] };

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(first);
		close(fd[0]);
		if (getppid() == parent)
			pass_on(&link);
		_exit(0);
	}
	close(fd[1]);
	if (*pid > 0) {
		close(in);
		return fd[0];
	}
	close(fd[0]);
	return -1;
}

static double time_processes(struct bench *bench, unsigned int nr)
{
	pid_t pid[RING - 1];
	double ns = NAN;
	unsigned int n = 0;
	int fd[2], in;

	if (pipe2(fd, O_CLOEXEC))
		return ns;
	in = fd[0];
	while (n < nr - 1) {
		const int next = add_process(&pid[n], bench->cpu, in, fd[1]);

		if (next < 0)
			break;
		in = next;
		n++;
	}
	if (n == nr - 1)
		ns = time_rounds(bench, fd[1], in, nr);
	close(fd[1]);
	close(in);
	for (unsigned int i = 0; i < n; i++)
		bench_end(pid[i]);
	return ns;
}

void bench_spaces(struct bench *bench)
{
	if (bench_be(bench->cpu, BENCH_BATCH))
		return;
	for (size_t i = 0; i < CALIBRATE_SPACES; i++)
		bench->raws->ns[RAW_SPACES + i] = time_processes(bench, calibrate_spaces(i));
}
