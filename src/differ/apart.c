// SPDX-License-Identifier: GPL-2.0-only
#include "differ/apart.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* How soon a stop is noticed. */
#define LOOK_MS 100

void *apart_shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		fprintf(stderr, "out of memory\n");
		exit(3);
	}
	return p;
}

void apart_unshare(void *p, size_t size)
{
	munmap(p, size);
}

int apart_file(struct error *err)
{
	int fd = memfd_create("schedproof-differ", MFD_CLOEXEC);

	return fd < 0 ? error_set(err, errno, "a file in memory: %s", strerror(errno)) : fd;
}

/* As if nobody were there; a kernel's log is nobody's. */
static _Noreturn void child(void (*fn)(void *ctx), void *ctx, pid_t parent)
{
	const struct rlimit none = { 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	setrlimit(RLIMIT_CORE, &none);
	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(127);
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(127);
	fn(ctx);
	_exit(0);
}

static int wait_for(pid_t pid, int fd, uint64_t limit_ns, const volatile sig_atomic_t *stop,
		    struct error *err)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + limit_ns;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int status = 0, ret = 0;

	while (!ret && poll(&poll_fd, 1, LOOK_MS) <= 0) {
		if (stop && *stop)
			ret = error_set(err, EINTR, "stopped");
		else if (clock_ns(CLOCK_MONOTONIC) >= end_ns)
			ret = error_set(err, ETIME, "not done in %g s", (double)limit_ns / 1e9);
	}
	if (ret)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ret && status)
		ret = error_set(err, EFAULT, "it crashed (%s %d)",
				WIFSIGNALED(status) ? "signal" : "status",
				WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return ret;
}

int apart_call(void (*fn)(void *ctx), void *ctx, uint64_t limit_ns,
	       const volatile sig_atomic_t *stop, struct error *err)
{
	pid_t parent = getpid(), pid;
	int fd, ret;

	fflush(NULL);
	pid = fork();
	if (!pid)
		child(fn, ctx, parent);
	if (pid < 0)
		return error_set(err, errno, "a process: %s", strerror(errno));
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	ret = wait_for(pid, fd, limit_ns, stop, err);
	if (fd >= 0)
		close(fd);
	return ret;
}
