// SPDX-License-Identifier: GPL-2.0-only
#include "host/calibrate_bench.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A partner that has not come until then won't. */
#define HERE_NS 500000000

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

static int be(int policy)
{
	const struct sched_param param = { .sched_priority = policy == SCHED_FIFO };

	return sched_setscheduler(0, policy, &param);
}

bool bench_priority(void)
{
	return !be(SCHED_FIFO) && !be(SCHED_OTHER);
}

int bench_be(unsigned int cpu, enum bench_class class)
{
	/* what is wished for, and what everybody may be */
	static const int policies[][2] = {
		[BENCH_NORMAL] = { SCHED_OTHER, SCHED_OTHER },
		[BENCH_BATCH] = { SCHED_BATCH, SCHED_BATCH },
		[BENCH_IDLE] = { SCHED_IDLE, SCHED_IDLE },
		[BENCH_FIFO] = { SCHED_FIFO, SCHED_OTHER },
		[BENCH_BEHIND] = { SCHED_FIFO, SCHED_BATCH },
	};

	if (be(policies[class][0]))
		be(policies[class][1]);
	/* an ordinary user may not, and goes on as it is */
	setpriority(PRIO_PROCESS, 0, -20);
	return bind_cpu(cpu);
}

void bench_fresh(struct bench *bench)
{
	int *const fds[] = { bench->pipe, bench->back };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		for (size_t end = 0; end < 2; end++)
			if (fds[i][end] >= 0)
				close(fds[i][end]);
		/* without one the calls fail */
		if (pipe2(fds[i], O_CLOEXEC))
			fds[i][0] = fds[i][1] = -1;
	}
}

static void sleep_us(long us)
{
	const struct timespec time = { .tv_nsec = 1000 * us };

	nanosleep(&time, NULL);
}

/* Asleep, as the partner comes from this CPU. Return: false where it doesn't come. */
static bool wait_here(const struct bench *bench, unsigned int here)
{
	const uint64_t end_ns = bench_now() + HERE_NS;

	while (atomic_load(&bench->shared->here) == here) {
		if (bench_now() > end_ns)
			return false;
		sleep_us(50);
	}
	sleep_us(1000);
	return true;
}

pid_t bench_start(struct bench *bench, unsigned int cpu, enum bench_class class,
		  void (*what)(struct bench *bench))
{
	const unsigned int here = atomic_load(&bench->shared->here);
	const pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent && !bench_be(cpu, class)) {
			atomic_fetch_add(&bench->shared->here, 1);
			what(bench);
		}
		_exit(0);
	}
	if (wait_here(bench, here))
		return pid;
	bench_end(pid);
	return -ETIMEDOUT;
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
