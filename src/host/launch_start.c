// SPDX-License-Identifier: GPL-2.0-only
#include "host/launch_start.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "host/attr.h"
#include "workload/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* For getting ready; much, since a task of the idle policy may have to wait for its first slice. */
#define READY_S 60

/**
 * struct wires - between us and the child; each end is -1 once closed
 * @talk: [0] ours, [1] the child's. It sends one struct word when it is ready or can't be, waits for a byte, sends
 *        another one with what it has spent so far, and a third if the exec() fails; a good exec() closes it.
 * @out:  pipe for its standard output
 * @err:  for its standard error
 */
struct wires {
	int talk[2];
	int out[2];
	int err[2];
};

/**
 * struct word - what the child says
 * @err:   code 0 if all is well
 * @spent: by getting ready, which is no part of the run
 */
struct word {
	struct error err;
	struct rusage spent;
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_wires(struct wires *wires)
{
	for (int i = 0; i < 2; i++) {
		close_end(&wires->talk[i]);
		close_end(&wires->out[i]);
		close_end(&wires->err[i]);
	}
}

static int open_wires(struct wires *wires, struct error *err)
{
	static const struct timeval patience = { .tv_sec = READY_S };
	int ret;

	*wires = (struct wires){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, wires->talk) ||
	    pipe2(wires->out, O_CLOEXEC) || pipe2(wires->err, O_CLOEXEC) ||
	    setsockopt(wires->talk[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    fcntl(wires->out[0], F_SETFL, O_NONBLOCK) ||
	    fcntl(wires->err[0], F_SETFL, O_NONBLOCK)) {
		ret = error_set(err, errno, "pipes to the worker: %s", strerror(errno));
		close_wires(wires);
		return ret;
	}
	return 0;
}

/* The words of the worker's command line; borrowed, but for @deadline, which is one of them. */
static char **make_argv(const struct launch *launch, char **deadline)
{
	uint64_t runtime_ns, deadline_ns, period_ns;
	size_t n = 0, nr_params = 0;
	const char **argv;

	*deadline = NULL;
	while (launch->params && launch->params[nr_params])
		nr_params++;
	argv = xcalloc(nr_params + 5, sizeof(*argv));
	argv[n++] = launch->worker;
	if (launch->settings &&
	    settings_deadline(launch->settings, &runtime_ns, &deadline_ns, &period_ns)) {
		*deadline = xasprintf("%" PRIu64 "ns/%" PRIu64 "ns/%" PRIu64 "ns", runtime_ns,
				      deadline_ns, period_ns);
		argv[n++] = "--deadline";
		argv[n++] = *deadline;
	}
	argv[n++] = launch->workload;
	for (size_t i = 0; i < nr_params; i++)
		argv[n++] = launch->params[i];
	return (char **)argv;
}

/* --- the child --- */

/* Copies first: any of them may itself have a number below 3 if we were started without those. */
static int set_stdio(const struct wires *wires, struct error *err)
{
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int from[3] = { in < 0 ? -1 : fcntl(in, F_DUPFD_CLOEXEC, 3),
			fcntl(wires->out[1], F_DUPFD_CLOEXEC, 3),
			fcntl(wires->err[1], F_DUPFD_CLOEXEC, 3) };

	for (int i = 0; i < 3; i++)
		if (from[i] < 0 || dup2(from[i], i) < 0)
			return error_set(err, errno, "standard input and output of the worker: %s",
					 strerror(errno));
	return 0;
}

static void reset_signals(void)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL); /* some can't be changed, and needn't */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int get_ready(const struct launch *launch, const struct wires *wires, pid_t parent,
		     struct error *err)
{
	int ret;

	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		return error_set(err, errno, "process group of the worker: %s", strerror(errno));
	if (getppid() != parent)
		return error_set(err, ESRCH, "schedproof ended");
	if (launch->cgroup) {
		ret = file_write(launch->root_fd, launch->cgroup, "0", err);
		if (ret)
			return ret;
	}
	ret = settings_enter(launch->settings, err);
	if (ret)
		return ret;
	return set_stdio(wires, err);
}

static _Noreturn void run_child(const struct launch *launch, const struct wires *wires,
				pid_t parent, char **argv)
{
	int talk = fcntl(wires->talk[1], F_DUPFD_CLOEXEC, 3);
	struct word word = { 0 };
	char go;
	int ret;

	/* our copy of the other end would hide that the parent is gone */
	close(wires->talk[0]);
	ret = get_ready(launch, wires, parent, &word.err);
	if (send(talk, &word, sizeof(word), MSG_NOSIGNAL) < 0 || ret || recv(talk, &go, 1, 0) != 1)
		_exit(127);
	/* descriptors that someone forgot to mark; kernels before 5.11 keep them */
	syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
	reset_signals();
	getrusage(RUSAGE_SELF, &word.spent);
	send(talk, &word, sizeof(word), MSG_NOSIGNAL);
	execv(launch->worker, argv);
	error_set(&word.err, errno, "%s: %s", launch->worker, strerror(errno));
	send(talk, &word, sizeof(word), MSG_NOSIGNAL);
	_exit(127);
}

/* --- the parent --- */

/* Return: 1 for a word, 0 at the end (exec() done, or the child is dead), -ETIMEDOUT, or what it could not do. */
static int receive(int talk, struct word *word, struct error *err)
{
	ssize_t n = recv(talk, word, sizeof(*word), 0);

	if (n == (ssize_t)sizeof(*word))
		return word->err.code ? error_set(err, word->err.code, "%s", word->err.text) : 1;
	if (n == 0)
		return 0;
	return error_set(err, ETIMEDOUT, "the worker's process was not ready after %d s", READY_S);
}

static int wait_ready(int talk, struct error *err)
{
	struct word word;
	int ret = receive(talk, &word, err);

	if (ret == 0)
		return error_set(err, ECHILD, "the worker's process died before it was ready");
	return ret < 0 ? ret : 0;
}

static int let_go(int talk, struct rusage *spent, struct error *err)
{
	struct word word;
	int ret;

	/* a child that is dead by now is a worker that died, with its exit status */
	(void)!send(talk, "", 1, MSG_NOSIGNAL);
	while ((ret = receive(talk, &word, err)) > 0)
		*spent = word.spent;
	return ret;
}

static int bring_up(const struct launch *launch, struct started *started, int talk,
		    struct error *err)
{
	int ret = wait_ready(talk, err);

	if (ret)
		return ret;
	ret = counters_attach(launch->counters, &started->counters, started->pid, err);
	if (ret)
		return ret;
	started->exec_ns = clock_ns(CLOCK_MONOTONIC);
	ret = let_go(talk, &started->spent, err);
	if (ret)
		counters_close(&started->counters);
	return ret;
}

static int fork_and_bring_up(const struct launch *launch, struct started *started,
			     struct wires *wires, char **argv, struct error *err)
{
	pid_t parent = getpid();
	int ret;

	started->pid = fork();
	if (started->pid < 0)
		return error_set(err, errno, "fork: %s", strerror(errno));
	if (!started->pid)
		run_child(launch, wires, parent, argv);
	close_end(&wires->talk[1]);
	close_end(&wires->out[1]);
	close_end(&wires->err[1]);
	ret = bring_up(launch, started, wires->talk[0], err);
	if (ret) {
		kill(started->pid, SIGKILL);
		waitpid(started->pid, NULL, 0);
	}
	return ret;
}

int launch_start(const struct launch *launch, struct started *started, struct error *err)
{
	struct started made = { 0 };
	struct wires wires;
	char **argv, *deadline;
	int ret;

	ret = open_wires(&wires, err);
	if (ret)
		return ret;
	argv = make_argv(launch, &deadline);
	ret = fork_and_bring_up(launch, &made, &wires, argv, err);
	free(argv);
	free(deadline);
	if (!ret) {
		made.out_fd = wires.out[0];
		made.err_fd = wires.err[0];
		wires.out[0] = wires.err[0] = -1; /* now the caller's */
		*started = made;
	}
	close_wires(&wires);
	return ret;
}
