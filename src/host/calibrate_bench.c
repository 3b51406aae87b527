// SPDX-License-Identifier: GPL-2.0-only
#include "host/calibrate_bench.h"

#include "base/clock.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

uint64_t bench_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

double bench_since(const struct bench *bench, uint64_t then_ns)
{
	const double ns = (double)(bench_now() - then_ns) - bench->clock_ns;

	return ns < 0 ? 0 : ns;
}

void bench_spin(uint64_t ns)
{
	const uint64_t end_ns = bench_now() + ns;

	while (bench_now() < end_ns)
		;
}

static int bind_cpu(unsigned int cpu)
{
	const size_t size = CPU_ALLOC_SIZE(CPUMASK_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	int ret;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	ret = sched_setaffinity(0, size, set) ? -errno : 0;
	CPU_FREE(set);
	return ret;
}

int bench_be(unsigned int cpu, enum bench_class class)
{
	static const int policies[] = { SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO };
	const struct sched_param param = { .sched_priority = class == BENCH_FIFO };

	if (sched_setscheduler(0, policies[class], &param) && class == BENCH_FIFO)
		bench_be(cpu, BENCH_NORMAL);
	/* an ordinary user may not, and goes on as it is */
	setpriority(PRIO_PROCESS, 0, -20);
	return bind_cpu(cpu);
}

pid_t bench_start(struct bench *bench, unsigned int cpu, enum bench_class class,
		  void (*what)(struct bench *bench))
{
	const pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return -errno;
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && !bench_be(cpu, class))
		what(bench);
	_exit(0);
}

void bench_end(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void bench_reader(struct bench *bench)
{
	struct bench_shared *shared = bench->shared;
	char byte;

	while (read(bench->pipe[0], &byte, 1) == 1) {
		shared->stamp_ns = bench_now();
		atomic_fetch_add(&shared->seq, 1);
	}
}

void bench_echo(struct bench *bench)
{
	char byte;

	while (read(bench->pipe[0], &byte, 1) == 1 && write(bench->back[1], &byte, 1) == 1)
		;
}
