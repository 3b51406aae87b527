// SPDX-License-Identifier: GPL-2.0-only
#include "host/calibrate.h"

#include "base/file.h"
#include "base/mem.h"
#include "host/calibrate_bench.h"
#include "workload/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* struct result - what the child leaves behind, in memory that is shared; @reading: reading[runs * ways.slots], shared as well */
struct result {
	struct bench_shared shared;
	struct calibrate_ways ways;
	struct calibrate_reading *reading;
	struct calibrate_raws raws[];
};

static void forget(struct bench *bench)
{
	for (size_t i = 0; i < NR_CALIBRATE_RAWS; i++)
		bench->raws->ns[i] = NAN;
	for (size_t i = 0; i < bench->ways->slots; i++)
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
			bench->readings[i].value[kind] = NAN;
}

/* All parts in turn, so that a disturbance of a second hits none of them in every run. */
static void run_once(struct bench *bench)
{
	bench_calls(bench);
	bench_transports(bench);
	bench_same(bench);
	bench_ring(bench);
	bench_spaces(bench);
	bench_tasks(bench);
	bench_gaps(bench);
	bench_pairs(bench);
	bench_far(bench);
	bench_idle(bench);
	bench_caches(bench);
	bench_memory(bench);
	bench_streams(bench);
}

/* A byte on @out for each run that is done. */
static void measure(const struct calibrate_setup *setup, struct result *result, int out)
{
	struct bench *bench = xcalloc(1, sizeof(*bench));

	bench->setup = setup;
	bench->shared = &result->shared;
	bench->ways = &result->ways;
	bench->cpu = cpumask_next(setup->cpus, 0);
	bench->shared->priority = bench_priority();
	calibrate_pairs(bench->pair, bench->nr_pairs, setup->machine, setup->cpus);
	for (int end = 0; end < 2; end++)
		bench->pipe[end] = bench->back[end] = -1;
	for (; bench->run < setup->runs; bench->run++) {
		bench->raws = &result->raws[bench->run];
		bench->readings = &result->reading[bench->run * result->ways.slots];
		forget(bench);
		run_once(bench);
		if (write(out, "", 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static bool stopped(const struct calibrate_setup *setup)
{
	return setup->stop && *setup->stop;
}

/* Until all runs are done. Return: 0; -EINTR where it is stopped; -EIO where the child ended before. */
static int follow(const struct calibrate_setup *setup, int in)
{
	struct pollfd wait = { .fd = in, .events = POLLIN };
	unsigned int runs = 0;
	char byte;

	while (runs < setup->runs) {
		/* a signal that comes right before poll() is seen a second later */
		const int n = poll(&wait, 1, 1000);

		if (stopped(setup))
			return -EINTR;
		if (n <= 0)
			continue;
		if (read(in, &byte, 1) != 1)
			return -EIO;
		if (setup->ran)
			setup->ran(setup->ctx, ++runs);
		else
			runs++;
	}
	return 0;
}

static int start_child(const struct calibrate_setup *setup, struct result *result, pid_t *pid,
		       int *in, struct error *err)
{
	const pid_t parent = getpid();
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return error_set(err, errno, "a pipe: %s", strerror(errno));
	*pid = fork();
	if (!*pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			measure(setup, result, fd[1]);
		_exit(1);
	}
	close(fd[1]);
	*in = fd[0];
	if (*pid > 0)
		return 0;
	close(fd[0]);
	return error_set(err, errno, "fork: %s", strerror(errno));
}

static int run_child(const struct calibrate_setup *setup, struct result *result, struct error *err)
{
	pid_t pid = -1;
	int in = -1, ret = start_child(setup, result, &pid, &in, err);

	if (ret)
		return ret;
	ret = follow(setup, in);
	if (ret)
		kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(in);
	if (ret == -EINTR)
		return error_set(err, EINTR, "stopped: nothing is written");
	return ret ? error_set(err, EIO, "the measuring process died") : 0;
}

/* All CPUs' time that was not idle, and all there was, in ticks: the first eight numbers behind "cpu". */
static void machine_time(int root_fd, double *busy, double *all)
{
	char *line = file_read_line(root_fd, "proc/stat"), *at = line;

	*busy = *all = 0;
	if (line && !strncmp(line, "cpu ", 4))
		at += 4;
	for (size_t i = 0; line && i < 8; i++) {
		const double x = strtod(at, &at);

		*all += x;
		/* the 4th idled, the 5th waited for input */
		*busy += i == 3 || i == 4 ? 0 : x;
	}
	free(line);
}

static double own_time(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double share_of_others(double busy, double all, double own_s)
{
	const double others = busy - own_s * (double)sysconf(_SC_CLK_TCK);

	return all > 0 && others > 0 ? others / all : 0;
}

/* Of the CPUs' least frequency to their greatest; without cpufreq there is but one. */
static void set_frequency(struct calibration *out, int root_fd)
{
	static const char names[2][64] = { "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq",
					   "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq" };
	struct calibrate_value *value =
		&out->value[offsetof(struct costs, freq_idle_perf) / sizeof(uint64_t)];
	double khz[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		char *line = file_read_line(root_fd, names[i]);

		khz[i] = line ? strtod(line, NULL) : 0;
		free(line);
	}
	out->costs.freq_idle_perf = 1024;
	if (khz[0] <= 0 || khz[1] < khz[0])
		return;
	value->measured = true;
	value->runs = 1;
	value->median = 1024 * khz[0] / khz[1];
	out->costs.freq_idle_perf = (uint64_t)(value->median + 0.5);
}

/* As many messages of a KiB as the L2 cache holds; "512K", "2048K". */
static void set_messages(struct calibration *out, int root_fd)
{
	struct calibrate_value *value =
		&out->value[offsetof(struct costs, messages_cold) / sizeof(uint64_t)];
	char *line = file_read_line(root_fd, "sys/devices/system/cpu/cpu0/cache/index2/size");
	const double kib = line ? strtod(line, NULL) : 0;

	free(line);
	if (kib < 1)
		return;
	value->measured = true;
	value->runs = 1;
	value->median = kib;
	out->costs.messages_cold = (uint64_t)kib;
}

static int calibrate_in(struct calibration *out, const struct calibrate_setup *setup,
			struct result *result, struct error *err)
{
	double busy[2], all[2], own = own_time();
	int ret;

	machine_time(setup->root_fd, &busy[0], &all[0]);
	ret = run_child(setup, result, err);
	machine_time(setup->root_fd, &busy[1], &all[1]);
	if (ret)
		return ret;
	calibrate_conclude(out, result->raws, setup->runs);
	calibrate_conclude_ways(out, setup->machine, &result->ways, result->reading, setup->runs);
	set_frequency(out, setup->root_fd);
	set_messages(out, setup->root_fd);
	out->priority = result->shared.priority;
	out->others = share_of_others(busy[1] - busy[0], all[1] - all[0], own_time() - own);
	return 0;
}

int calibrate(struct calibration *out, const struct calibrate_setup *setup, struct error *err)
{
	const size_t size = sizeof(struct result) + setup->runs * sizeof(struct calibrate_raws);
	struct result *result = shared_new(size, "the measured times", err);
	size_t read_size;
	int ret = -ENOMEM;

	if (!result)
		return -ENOMEM;
	calibrate_ways_init(&result->ways, setup->machine, setup->cpus, setup->runs);
	read_size = (setup->runs * result->ways.slots + 1) * sizeof(*result->reading);
	result->reading = shared_new(read_size, "the measured times", err);
	if (result->reading)
		ret = calibrate_in(out, setup, result, err);
	shared_free(result->reading, read_size);
	calibrate_ways_release(&result->ways);
	shared_free(result, size);
	return ret;
}
