// SPDX-License-Identifier: GPL-2.0-only
#include "workload/guard.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARENT_GONE SIGUSR1

struct guard {
	pid_t pid;
	int talk; /* a byte asks to restore, a struct error answers */
};

static void note_signal(int signal)
{
	(void)signal;
}

/* Only what can't be refused ends it; the terminal's signals are for the worker. */
static int prepare(sigset_t *open_mask, int talk)
{
	struct sigaction action = { .sa_handler = note_signal };
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigaction(PARENT_GONE, &action, NULL);
	*open_mask = all;
	sigdelset(open_mask, PARENT_GONE);
	prctl(PR_SET_NAME, GUARD_NAME);
	if (setsid() < 0 || prctl(PR_SET_PDEATHSIG, PARENT_GONE))
		return errno;
	close(STDIN_FILENO);
	close(STDOUT_FILENO); /* a script that reads our output is not to wait for this process */
	/* what it holds of pipes would hide their ends */
	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
		if (fd != talk)
			close(fd);
	return 0;
}

/*
 * Until the worker asks or is gone. The end of the socket says nothing, for the worker's tasks have it open as well;
 * the signal of its death can't be missed, since it is blocked but in ppoll().
 */
static bool is_asked(int talk, pid_t worker, const sigset_t *open_mask)
{
	struct pollfd fd = { .fd = talk, .events = POLLIN };
	char byte;

	while (getppid() == worker)
		if (ppoll(&fd, 1, NULL, open_mask) == 1 && read(talk, &byte, 1) >= 0)
			return true;
	return false;
}

static _Noreturn void guard_main(int talk, pid_t worker, guard_fn *restore, void *state)
{
	struct error err = { 0 };
	sigset_t open_mask;
	bool asked;

	err.code = prepare(&open_mask, talk);
	/* the worker goes on only when it is guarded */
	if (write(talk, &err.code, sizeof(err.code)) < 0 || err.code)
		_exit(1);
	asked = is_asked(talk, worker, &open_mask);
	restore(state, &err);
	if (asked)
		(void)!write(talk, &err, sizeof(err));
	else if (err.code)
		dprintf(STDERR_FILENO, "schedproof-worker: left behind: %s\n", err.text);
	_exit(err.code ? 1 : 0);
}

int guard_new(struct guard **out, guard_fn *restore, void *state, struct error *err)
{
	const pid_t worker = getpid();
	struct guard guard;
	int talk[2], code;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk))
		return error_set(err, errno, "socketpair: %s", strerror(errno));
	guard = (struct guard){ .pid = fork(), .talk = talk[0] };
	code = guard.pid < 0 ? errno : 0;
	if (!guard.pid)
		guard_main(talk[1], worker, restore, state);
	close(talk[1]);
	if (!code && read(talk[0], &code, sizeof(code)) != (ssize_t)sizeof(code))
		code = ECHILD;
	if (code) {
		close(talk[0]);
		return error_set(err, code, "the process that puts the machine back: %s",
				 strerror(code));
	}
	*out = xcalloc(1, sizeof(guard));
	**out = guard;
	return 0;
}

int guard_free(struct guard *guard, struct error *err)
{
	struct error answer = { 0 };
	int ret = 0;

	if (!guard)
		return 0;
	if (write(guard->talk, "", 1) != 1 ||
	    read(guard->talk, &answer, sizeof(answer)) != (ssize_t)sizeof(answer))
		ret = error_set(
			err, ECHILD,
			"the process that puts the machine back is gone: look at it yourself");
	else if (answer.code)
		ret = error_set(err, answer.code, "%s", answer.text);
	waitpid(guard->pid, NULL, 0);
	close(guard->talk);
	free(guard);
	return ret;
}
