// SPDX-License-Identifier: GPL-2.0-only
/* workload/unixbench_tests.c - what a copy of each test does over and over. */
#include "workload/unixbench.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPE_BYTES 512

/* Loops between two looks at the clock where a loop is short beside such a look. */
#define PIPE_LOOK    64
#define CONTEXT_LOOK 16

/* What is executed where a program can't be: as a shell says it. */
#define EXIT_NO_PROGRAM 127

static int write_tally(int file, size_t nr, uint64_t count, uint64_t ns)
{
	const struct ub_tally tally = { .count = count, .ns = ns };

	return pwrite(file, &tally, sizeof(tally), (off_t)(nr * sizeof(tally))) ==
			       (ssize_t)sizeof(tally)
		       ? 0
		       : -EIO;
}

/* Has the time come? Then the tally is written: *@ret is 0 or -errno. */
static bool is_over(const struct ub_copy *copy, uint64_t count, int *ret)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	if (now_ns < copy->until_ns)
		return false;
	*ret = write_tally(copy->file, copy->nr, count, now_ns - copy->start_ns);
	return true;
}

/* Numbers are handed on in words, as the original does: those of the copy, and how often it was executed. */
static void execl_again(const char *self, const struct ub_copy *copy, uint64_t count)
{
	char nr[24], file[24], start[24], until[24], done[24];

	snprintf(nr, sizeof(nr), "%zu", copy->nr);
	snprintf(file, sizeof(file), "%d", copy->file);
	snprintf(start, sizeof(start), "%" PRIu64, copy->start_ns);
	snprintf(until, sizeof(until), "%" PRIu64, copy->until_ns);
	snprintf(done, sizeof(done), "%" PRIu64, count);
	execl(self, PROGRAM_PREFIX "unixbench", "execl", self, nr, file, start, until, done,
	      (char *)NULL);
}

static int execl_loop(const struct ub_copy *copy, struct error *err)
{
	execl_again(copy->self, copy, 1);
	return error_set(err, errno, "%s: %s", copy->self, strerror(errno));
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 10);
}

/* "execl" SELF NR FILE START UNTIL COUNT: this is the COUNT-th */
static int execl_program(char **argv)
{
	struct ub_copy copy = { .nr = (size_t)number(argv[3]),
				.file = (int)number(argv[4]),
				.start_ns = number(argv[5]),
				.until_ns = number(argv[6]) };
	uint64_t count = number(argv[7]);
	int ret = 0;

	if (is_over(&copy, count, &ret))
		return ret ? 1 : 0;
	execl_again(argv[2], &copy, count + 1);
	return 1;
}

int unixbench_program(int argc, char **argv)
{
	if (argc == 8 && !strcmp(argv[1], "execl"))
		return execl_program(argv);
	return ub_tool(argc - 1, argv + 1);
}

static int error_io(const char *call, ssize_t n, struct error *err)
{
	if (n < 0)
		return error_set(err, errno, "%s: %s", call, strerror(errno));
	return error_set(err, ENODATA, "%s: the other process is gone", call);
}

static int pipe_loop(const struct ub_copy *copy, struct error *err)
{
	char buffer[PIPE_BYTES] = { 0 };
	int fds[2], ret = 0;
	ssize_t n;

	if (pipe(fds))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	for (uint64_t count = 1;; count++) {
		n = write(fds[1], buffer, sizeof(buffer));
		if (n != PIPE_BYTES)
			return error_io("write", n, err);
		n = read(fds[0], buffer, sizeof(buffer));
		if (n != PIPE_BYTES)
			return error_io("read", n, err);
		if (count % PIPE_LOOK == 0 && is_over(copy, count, &ret))
			return ret;
	}
}

static int put_number(int fd, uint64_t x, struct error *err)
{
	ssize_t n = write(fd, &x, sizeof(x));

	return n == (ssize_t)sizeof(x) ? 0 : error_io("write", n, err);
}

static int get_number(int fd, uint64_t expected, struct error *err)
{
	uint64_t x;
	ssize_t n = read(fd, &x, sizeof(x));

	if (n != (ssize_t)sizeof(x))
		return error_io("read", n, err);
	if (x != expected)
		return error_set(err, EPROTO, "number %" PRIu64 " came for %" PRIu64, x, expected);
	return 0;
}

/* Until the pipe ends. */
static _Noreturn void context_child(const struct ub_copy *copy)
{
	struct error err = { 0 };
	int ret = 0;

	close(copy->to[1]);
	close(copy->fro[0]);
	for (uint64_t i = 0; !ret; i++) {
		ret = get_number(copy->to[0], i, &err);
		if (!ret)
			ret = put_number(copy->fro[1], i, &err);
	}
	_exit(ret == -ENODATA ? 0 : 1);
}

static int context_prepare(struct ub_copy *copy, struct error *err)
{
	const pid_t parent = getpid();
	pid_t child;

	if (pipe(copy->to) || pipe(copy->fro))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	child = fork();
	if (child < 0)
		return error_set(err, errno, "fork: %s", strerror(errno));
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		context_child(copy);
	}
	close(copy->to[0]);
	close(copy->fro[1]);
	return 0;
}

/* A child that isn't well has a reason to be told. */
static int reap(pid_t *pid, const char *what, struct error *err)
{
	int status;

	do
		*pid = wait(&status);
	while (*pid < 0 && errno == EINTR);
	if (*pid < 0)
		return error_set(err, errno, "wait: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(err, ECHILD, "%s was killed by signal %d, %s", what,
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		return error_set(
			err, ECHILD, "%s ended with exit status %d%s", what, WEXITSTATUS(status),
			WEXITSTATUS(status) == EXIT_NO_PROGRAM ? ", as where a program is not found"
							       : "");
	return 0;
}

static int context_loop(const struct ub_copy *copy, struct error *err)
{
	struct error other = { 0 };
	int ret = 0, written = 0;
	pid_t pid;

	for (uint64_t i = 0; !ret; i++) {
		ret = put_number(copy->to[1], i, err);
		if (!ret)
			ret = get_number(copy->fro[0], i, err);
		if (!ret && (i + 1) % CONTEXT_LOOK == 0 && is_over(copy, i + 1, &written))
			break;
	}
	close(copy->to[1]);
	/* why its pipe has ended */
	if (reap(&pid, "the other process", &other) && err)
		*err = other;
	return ret ? ret : written ? written : -other.code;
}

static int spawn_loop(const struct ub_copy *copy, struct error *err)
{
	int ret = 0;
	pid_t pid;

	for (uint64_t count = 1;; count++) {
		pid = fork();
		if (!pid)
			_exit(0);
		if (pid < 0)
			return error_set(err, errno, "fork: %s", strerror(errno));
		ret = reap(&pid, "a process that should only exit", err);
		if (ret || is_over(copy, count, &ret))
			return ret;
	}
}

/* What the worker ignores would be ignored by all of them. */
static _Noreturn void execute_script(const struct ub_copy *copy)
{
	const char *concurrent = copy->test == UB_SHELL8 ? "8" : "1";

	signal(SIGPIPE, SIG_DFL);
	if (copy->tools == TOOLS_OWN)
		ub_tool_exec(copy->self, "multi", concurrent);
	else
		execlp("sh", "sh", "multi.sh", concurrent, (char *)NULL);
	_exit(EXIT_NO_PROGRAM);
}

static int shell_loop(const struct ub_copy *copy, struct error *err)
{
	int ret = 0;
	pid_t pid;

	for (uint64_t count = 1;; count++) {
		pid = fork();
		if (!pid)
			execute_script(copy);
		if (pid < 0)
			return error_set(err, errno, "fork: %s", strerror(errno));
		ret = reap(&pid, "the script", err);
		if (ret || is_over(copy, count, &ret))
			return ret;
	}
}

int ub_prepare(struct ub_copy *copy, struct error *err)
{
	return copy->test == UB_CONTEXT1 ? context_prepare(copy, err) : 0;
}

int ub_loop(struct ub_copy *copy, struct error *err)
{
	switch (copy->test) {
	case UB_EXECL:
		return execl_loop(copy, err);
	case UB_PIPE:
		return pipe_loop(copy, err);
	case UB_CONTEXT1:
		return context_loop(copy, err);
	case UB_SPAWN:
		return spawn_loop(copy, err);
	default:
		return shell_loop(copy, err);
	}
}
