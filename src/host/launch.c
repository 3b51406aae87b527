// SPDX-License-Identifier: GPL-2.0-only
#include "host/launch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/launch_group.h"
#include "host/launch_judge.h"
#include "host/launch_left.h"
#include "host/launch_start.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT_MAX_BYTES (1u << 20)
/* A pipe that nobody fills any more holds less: what is read after the end is bounded by this. */
#define LEFT_IN_PIPE_MAX_BYTES (1u << 20)
/* For a killed group to go away; thousands of tasks take their time. */
#define KILL_NS (30 * UINT64_C(1000000000))
/* For a workload's guard to put the machine back: onlining a thousand CPUs takes a while. */
#define GUARD_NS (180 * UINT64_C(1000000000))
/* How often we look for an exit on kernels without pidfd_open(), before Linux 5.3. */
#define NO_PIDFD_TICK_NS UINT64_C(10000000)

/**
 * struct capture - what is read of a worker
 * @pidfd:   readable once it has exited; -1 where there is no such thing
 * @flooded: there was more than OUT_MAX_BYTES
 */
struct capture {
	struct started worker;
	int pidfd;
	struct strbuf out;
	struct last_line last;
	bool flooded;
};

enum end {
	END_EXIT,
	END_STOP,
	END_FLOOD,
	END_TIMEOUT,
};

/* Return: number of bytes read; 0 if there are none now. At its end *@fd is closed and becomes -1. */
static size_t read_some(int *fd, char *buf, size_t size)
{
	ssize_t n = *fd < 0 ? -1 : read(*fd, buf, size);

	if (n == 0) {
		close(*fd);
		*fd = -1;
	}
	return n < 0 ? 0 : (size_t)n;
}

/* One look at both pipes. Return: number of bytes that were there */
static size_t capture_read(struct capture *capture)
{
	char buf[16384];
	size_t out, err;

	out = read_some(&capture->worker.out_fd, buf, sizeof(buf));
	if (capture->out.len + out > OUT_MAX_BYTES)
		capture->flooded = true;
	else
		strbuf_add(&capture->out, buf, out);
	err = read_some(&capture->worker.err_fd, buf, sizeof(buf));
	last_line_add(&capture->last, buf, err);
	return out + err;
}

/* After the end of the group: what still lies in the pipes. */
static void capture_rest(struct capture *capture)
{
	size_t n, sum = 0;

	do {
		n = capture_read(capture);
		sum += n;
	} while (n && sum < LEFT_IN_PIPE_MAX_BYTES);
	last_line_end(&capture->last);
}

static bool capture_exited(const struct capture *capture)
{
	siginfo_t info = { 0 };

	/* an error means that it was waited for behind our back: it has exited too */
	return waitid(P_PID, (id_t)capture->worker.pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid;
}

/* For a ppoll() that ends at @end_ns, or at the next tick where nothing tells of an exit. */
static struct timespec time_left(const struct capture *capture, uint64_t end_ns)
{
	uint64_t at_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t left_ns = end_ns > at_ns ? end_ns - at_ns : 0;

	if (capture->pidfd < 0 && left_ns > NO_PIDFD_TICK_NS)
		left_ns = NO_PIDFD_TICK_NS;
	return (struct timespec){ .tv_sec = (time_t)(left_ns / 1000000000),
				  .tv_nsec = (long)(left_ns % 1000000000) };
}

/*
 * Sleeps until the worker writes or exits, a signal comes, or @end_ns. The caller has all signals blocked and
 * ppoll() alone lets them in, so that a stop flag that was clear before can't be set unnoticed; no tick is
 * needed, which would take the CPU away from what is being measured.
 */
static void capture_wait(const struct capture *capture, uint64_t end_ns, const sigset_t *mask)
{
	struct pollfd fds[] = {
		{ .fd = capture->worker.out_fd, .events = POLLIN },
		{ .fd = capture->worker.err_fd, .events = POLLIN },
		{ .fd = capture->pidfd, .events = POLLIN },
	};
	struct timespec left = time_left(capture, end_ns);

	ppoll(fds, ARRAY_SIZE(fds), &left, mask);
}

static enum end run_to_end(struct capture *capture, const struct launch *launch,
			   const sigset_t *mask)
{
	const uint64_t end_ns = capture->worker.exec_ns + launch->timeout_ns;

	for (;;) {
		if (capture_exited(capture))
			return END_EXIT;
		if (launch->stop && *launch->stop)
			return END_STOP;
		if (capture->flooded)
			return END_FLOOD;
		if (clock_ns(CLOCK_MONOTONIC) >= end_ns)
			return END_TIMEOUT;
		capture_wait(capture, end_ns, mask);
		capture_read(capture);
	}
}

/* "no result in 60 s; 40 tasks left: 20 receiver in unix_stream_read_generic, ..."; the caller's to free */
static char *describe_hang(const struct launch *launch, pid_t pgid)
{
	struct strbuf sb = { 0 };
	const char *suffix;
	double scale = unit_scale(UNIT_NS, (double)launch->timeout_ns, &suffix);

	strbuf_addf(&sb, "no result in %g %s; ", (double)launch->timeout_ns / scale, suffix);
	group_describe(pgid, &sb);
	return strbuf_take(&sb);
}

static int error_unkillable(pid_t pgid, struct error *err)
{
	struct strbuf sb = { 0 };
	int ret;

	group_describe(pgid, &sb);
	ret = error_set(err, EBUSY, "killed process group %d does not go away: %s", (int)pgid,
			strbuf_str(&sb));
	strbuf_release(&sb);
	return ret;
}

static bool wait_exited(const struct capture *capture)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + KILL_NS;
	struct pollfd pidfd = { .fd = capture->pidfd, .events = POLLIN };

	while (!capture_exited(capture)) {
		struct timespec left = time_left(capture, end_ns);

		if (clock_ns(CLOCK_MONOTONIC) >= end_ns)
			return false;
		ppoll(&pidfd, 1, &left, NULL);
	}
	return true;
}

/*
 * Who has the worker's standard error open, though its group is gone, is a guard that puts the machine back
 * (workload/guard.h), which we wait for, or has run away, and is killed: nothing may be measured beside it.
 */
static int wait_alone(struct capture *capture, struct error *err)
{
	const uint64_t start_ns = clock_ns(CLOCK_MONOTONIC);
	const struct timespec tick = { .tv_nsec = 20000000 };
	struct pollfd fd = { .fd = capture->worker.err_fd, .events = POLLIN };
	bool guarded = false;

	capture_read(capture);
	while (capture->worker.err_fd >= 0) {
		if (clock_ns(CLOCK_MONOTONIC) - start_ns >= (guarded ? GUARD_NS : KILL_NS))
			return error_set(
				err, EBUSY,
				"the worker ended, and %s still has its standard error open",
				guarded ? "the guard that puts the machine back"
					: "a process that we can't find");
		ppoll(&fd, 1, &tick, NULL);
		if (!capture_read(capture) && capture->worker.err_fd >= 0)
			guarded = left_kill(capture->worker.err_fd);
	}
	return 0;
}

/*
 * Kills what is left of the group and reaps the worker. The order matters: while the worker is a zombie its
 * number belongs to it, so the signal can't hit a new group; fork() in the group fails from then on.
 */
static int end_group(struct capture *capture, int *status, struct rusage *usage, struct error *err)
{
	pid_t pid = capture->worker.pid;

	kill(-pid, SIGKILL);
	if (!wait_exited(capture))
		return error_unkillable(pid, err);
	if (wait4(pid, status, 0, usage) != pid)
		return error_set(err, errno, "exit status of the worker: %s (is SIGCHLD ignored?)",
				 strerror(errno));
	if (group_wait_gone(pid, KILL_NS))
		return error_unkillable(pid, err);
	return wait_alone(capture, err);
}

static double ns_of(const struct timeval *tv)
{
	return (double)tv->tv_sec * 1e9 + (double)tv->tv_usec * 1e3;
}

/* @spent is what getting ready took: it grows with the settings of a variant, which is no difference of the runs. */
static void add_usage(struct result *result, uint64_t wall_ns, const struct rusage *usage,
		      const struct rusage *spent)
{
	const struct {
		const char *name;
		enum unit unit;
		double value;
	} rows[] = {
		{ "wall", UNIT_NS, (double)wall_ns },
		{ "user", UNIT_NS, ns_of(&usage->ru_utime) - ns_of(&spent->ru_utime) },
		{ "sys", UNIT_NS, ns_of(&usage->ru_stime) - ns_of(&spent->ru_stime) },
		{ "switches-voluntary", UNIT_COUNT, (double)(usage->ru_nvcsw - spent->ru_nvcsw) },
		{ "switches-involuntary", UNIT_COUNT,
		  (double)(usage->ru_nivcsw - spent->ru_nivcsw) },
		{ "faults-minor", UNIT_COUNT, (double)(usage->ru_minflt - spent->ru_minflt) },
		{ "faults-major", UNIT_COUNT, (double)(usage->ru_majflt - spent->ru_majflt) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		result_add_counter(result, rows[i].name, rows[i].unit, rows[i].value, 1);
}

/* Follows a started worker to its end and whatever comes after it. */
static int follow(struct capture *capture, const struct launch *launch, const sigset_t *mask,
		  struct result *result, struct error *err)
{
	enum end end = run_to_end(capture, launch, mask);
	uint64_t wall_ns = clock_ns(CLOCK_MONOTONIC) - capture->worker.exec_ns;
	char *hang = end == END_TIMEOUT ? describe_hang(launch, capture->worker.pid) : NULL;
	struct ending ending = { .hang = hang, .out = &capture->out, .last = capture->last.text };
	struct rusage usage;
	int ret;

	ret = end_group(capture, &ending.status, &usage, err);
	if (!ret && end == END_STOP)
		ret = error_set(err, EINTR, "stopped");
	if (!ret) {
		capture_rest(capture);
		ending.flooded = capture->flooded;
		launch_judge(result, launch->workload, &ending);
		add_usage(result, wall_ns, &usage, &capture->worker.spent);
		counters_collect(launch->counters, &capture->worker.counters, result);
	}
	free(hang);
	return ret;
}

static void capture_release(struct capture *capture)
{
	const int fds[] = { capture->worker.out_fd, capture->worker.err_fd, capture->pidfd };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	counters_close(&capture->worker.counters);
	strbuf_release(&capture->out);
}

int launch_run(const struct launch *launch, struct result *result, struct error *err)
{
	struct capture capture = { 0 };
	sigset_t all, mask;
	int ret;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask);
	ret = launch_start(launch, &capture.worker, err);
	if (!ret) {
		capture.pidfd = (int)syscall(SYS_pidfd_open, capture.worker.pid, 0);
		ret = follow(&capture, launch, &mask, result, err);
		capture_release(&capture);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return ret;
}
