// SPDX-License-Identifier: GPL-2.0-only
#include "host/launch_group.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "workload/run.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Kinds of waiting that are told one by one. */
#define KINDS_SHOWN  5
#define PAUSE_MAX_NS 10000000

/**
 * struct kind - tasks of one name that do the same
 * @what: "sender running", "reader in futex_wait"
 */
struct kind {
	char *what;
	unsigned int n;
};

struct tally {
	struct kind *kinds;
	size_t n;
	unsigned int tasks;
};

static void tally_add(struct tally *tally, char *what)
{
	size_t i = 0;

	while (i < tally->n && strcmp(tally->kinds[i].what, what) != 0)
		i++;
	if (i == tally->n) {
		tally->kinds = xreallocarray(tally->kinds, i + 1, sizeof(*tally->kinds));
		tally->kinds[tally->n++] = (struct kind){ .what = what };
	} else {
		free(what);
	}
	tally->kinds[i].n++;
	tally->tasks++;
}

static void tally_release(struct tally *tally)
{
	for (size_t i = 0; i < tally->n; i++)
		free(tally->kinds[i].what);
	free(tally->kinds);
}

static int by_number(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->what, y->what);
}

static void tally_print(struct tally *tally, struct strbuf *sb)
{
	unsigned int rest = tally->tasks;

	if (!tally->tasks) {
		strbuf_addstr(sb, "no task left");
		return;
	}
	qsort(tally->kinds, tally->n, sizeof(*tally->kinds), by_number);
	strbuf_addf(sb, "%u task%s left: ", tally->tasks, tally->tasks == 1 ? "" : "s");
	for (size_t i = 0; i < tally->n && i < KINDS_SHOWN; i++) {
		strbuf_addf(sb, "%s%u %s", i ? ", " : "", tally->kinds[i].n, tally->kinds[i].what);
		rest -= tally->kinds[i].n;
	}
	if (rest)
		strbuf_addf(sb, ", %u elsewhere", rest);
}

/*
 * Reads state and process group of a task: "PID (NAME) STATE PPID PGRP ...". The name may hold anything, other
 * parentheses too.
 */
static bool read_stat(int dir_fd, const char *path, char *state, pid_t *pgrp)
{
	char *line = file_read_line(dir_fd, path);
	char *end = line ? strrchr(line, ')') : NULL;
	bool ok = end && end[1] == ' ' && end[2];

	if (ok) {
		*state = end[2];
		strtol(end + 3, &end, 10);
		*pgrp = (pid_t)strtol(end, NULL, 10);
	}
	free(line);
	return ok;
}

static bool is_dead(char state)
{
	return state == 'Z' || state == 'X' || state == 'x';
}

/*
 * The system call it sleeps in by its number, where the kernel doesn't tell the function: "0 0x3 0x7ffc... " of
 * /proc/PID/syscall, "running" or "-1 ..." where it is in none.
 */
static const char *syscall_name(int task_fd)
{
	static const struct {
		long nr;
		const char *name;
	} names[] = {
		{ SYS_read, "read()" },
		{ SYS_write, "write()" },
		{ SYS_futex, "futex()" },
		{ SYS_ppoll, "poll()" },
		{ SYS_epoll_pwait, "epoll_wait()" },
		{ SYS_wait4, "wait4()" },
		{ SYS_waitid, "waitid()" },
		{ SYS_clock_nanosleep, "nanosleep()" },
		{ SYS_recvfrom, "recv()" },
		{ SYS_sendto, "send()" },
		{ SYS_accept4, "accept()" },
		{ SYS_connect, "connect()" },
		{ SYS_flock, "flock()" },
		{ SYS_fsync, "fsync()" },
#ifdef SYS_poll
		{ SYS_poll, "poll()" },
		{ SYS_epoll_wait, "epoll_wait()" },
		{ SYS_pause, "pause()" },
#endif
	};
	char *line = file_read_line(task_fd, "syscall");
	const char *name = NULL;

	for (size_t i = 0; line && isdigit((unsigned char)*line) && i < ARRAY_SIZE(names); i++)
		if (strtol(line, NULL, 10) == names[i].nr)
			name = names[i].name;
	free(line);
	return name;
}

static char *where_it_sleeps(int task_fd, char state)
{
	char *wchan = file_read_line(task_fd, "wchan");
	const char *call;

	if (wchan && *wchan && strcmp(wchan, "0") != 0)
		return wchan;
	free(wchan);
	call = syscall_name(task_fd);
	return xstrdup(call ? call : state == 'D' ? "uninterruptible sleep" : "sleep");
}

/* "reader in pipe_read", "writer running" */
static char *what_it_does(int task_fd, char state)
{
	char *comm = file_read_line(task_fd, "comm");
	const char *name = comm && *comm ? comm : "task";
	char *where, *what;

	if (state == 'R') {
		what = xasprintf("%s running", name);
	} else if (state == 'T' || state == 't') {
		what = xasprintf("%s stopped", name);
	} else {
		where = where_it_sleeps(task_fd, state);
		what = xasprintf("%s in %s", name, where);
		free(where);
	}
	free(comm);
	return what;
}

/* Calls @look for each folder of @dir_fd, named @path, that is a number. */
static void for_each_number(int dir_fd, const char *path, void (*look)(int, struct tally *, pid_t),
			    struct tally *tally, pid_t pgid)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int one;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		one = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (one < 0)
			continue; /* gone meanwhile */
		look(one, tally, pgid);
		close(one);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

static void look_at_task(int task_fd, struct tally *tally, pid_t pgid)
{
	char state;
	pid_t pgrp;

	if (read_stat(task_fd, "stat", &state, &pgrp) && pgrp == pgid && !is_dead(state))
		tally_add(tally, what_it_does(task_fd, state));
}

/* A leading thread that has ended is a zombie while others of its process go on. */
static void look_at_process(int pid_fd, struct tally *tally, pid_t pgid)
{
	char state;
	pid_t pgrp;

	if (read_stat(pid_fd, "stat", &state, &pgrp) && pgrp == pgid)
		for_each_number(pid_fd, "task", look_at_task, tally, pgid);
}

static void tally_group(struct tally *tally, pid_t pgid)
{
	for_each_number(AT_FDCWD, "/proc", look_at_process, tally, pgid);
}

void group_describe(pid_t pgid, struct strbuf *sb)
{
	struct tally tally = { 0 };

	tally_group(&tally, pgid);
	tally_print(&tally, sb);
	tally_release(&tally);
}

static bool is_gone(pid_t pgid)
{
	struct tally tally = { 0 };
	bool gone;

	if (kill(-pgid, 0) && errno == ESRCH)
		return true;
	tally_group(&tally, pgid);
	gone = !tally.tasks;
	tally_release(&tally);
	return gone;
}

int group_wait_gone(pid_t pgid, uint64_t timeout_ns)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + timeout_ns;
	struct timespec pause = { .tv_nsec = 200000 };

	while (!is_gone(pgid)) {
		if (clock_ns(CLOCK_MONOTONIC) >= end_ns)
			return -ETIMEDOUT;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < PAUSE_MAX_NS)
			pause.tv_nsec *= 2;
	}
	return 0;
}
