// SPDX-License-Identifier: GPL-2.0-only
#include "workload/team.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREAD_CHECK_NS 100000000
#define GRACE_MS	20

/* What the first failed task said; in memory that forked tasks share. */
struct failure {
	atomic_bool claimed;
	atomic_bool said; /* err is whole */
	struct error err;
};

struct process {
	pid_t pid;
	bool ended;
};

struct thread {
	struct team *team;
	const char *name;
	team_fn *fn;
	void *arg;
	pthread_t id;
	atomic_bool started; /* id is there */
};

struct team {
	const struct run *run;
	bool is_threads;
	size_t max;
	size_t nr;
	size_t nr_ended;
	struct process *processes; /* ascending pids */
	struct thread *threads;	   /* in the order of their creation, and so joined */
	pthread_attr_t thread_attr;
	struct failure *failure;
};

/*
 * The least there is, as the originals use: above it glibc gives the stack's pages back when a thread ends, one
 * more system call in the timed part. Sanitizers' frames need more.
 */
static size_t stack_bytes(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return 1 << 20;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
	return 1 << 20;
#endif
#endif
	return (size_t)PTHREAD_STACK_MIN;
}

int team_new(struct team **out, const struct run *run, bool threads, size_t max, struct error *err)
{
	struct failure *failure = mmap(NULL, sizeof(*failure), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct team *team;

	if (failure == MAP_FAILED)
		return error_set(err, errno, "shared memory: %s", strerror(errno));
	team = xcalloc(1, sizeof(*team));
	team->run = run;
	team->is_threads = threads;
	team->max = max;
	team->processes = xcalloc(threads ? 0 : max, sizeof(*team->processes));
	team->threads = xcalloc(threads ? max : 0, sizeof(*team->threads));
	team->failure = failure;
	pthread_attr_init(&team->thread_attr);
	pthread_attr_setstacksize(&team->thread_attr, stack_bytes());
	*out = team;
	return 0;
}

/* In the new task. */
static int task_main(struct team *team, const char *name, team_fn *fn, void *arg)
{
	struct failure *failure = team->failure;
	struct error err = { 0 };
	int ret;

	prctl(PR_SET_NAME, name);
	ret = run_task_begin(team->run, !team->is_threads, &err);
	if (!ret)
		ret = fn(arg, &err);
	if (ret && !atomic_exchange(&failure->claimed, true)) {
		failure->err = err;
		atomic_store(&failure->said, true);
	}
	return ret;
}

static void *thread_main(void *arg)
{
	struct thread *thread = arg;

	task_main(thread->team, thread->name, thread->fn, thread->arg);
	return NULL;
}

/* Return: 0 or an errno */
static int start_thread(struct thread *thread)
{
	int code = pthread_create(&thread->id, &thread->team->thread_attr, thread_main, thread);

	atomic_store(&thread->started, !code);
	return code;
}

static struct thread *put_thread(struct team *team, const char *name, team_fn *fn, void *arg)
{
	struct thread *thread = &team->threads[team->nr];

	thread->team = team;
	thread->name = name;
	thread->fn = fn;
	thread->arg = arg;
	return thread;
}

static int add_thread(struct team *team, const char *name, team_fn *fn, void *arg)
{
	return start_thread(put_thread(team, name, fn, arg));
}

static int add_process(struct team *team, const char *name, team_fn *fn, void *arg)
{
	size_t at = team->nr;
	pid_t pid = fork();

	if (pid < 0)
		return errno;
	if (pid == 0)
		exit(task_main(team, name, fn, arg) ? 1
						    : 0); /* as the originals: _exit() is quicker */
	for (; at && team->processes[at - 1].pid > pid; at--)
		team->processes[at] = team->processes[at - 1];
	team->processes[at] = (struct process){ .pid = pid };
	return 0;
}

static int not_started(const struct team *team, size_t i, int code, struct error *err)
{
	return error_set(err, code, "task %zu of %zu can't be started: %s", i + 1, team->max,
			 strerror(code));
}

int team_add(struct team *team, const char *name, team_fn *fn, void *arg, struct error *err)
{
	int code;

	assert(team->nr < team->max);
	code = team->is_threads ? add_thread(team, name, fn, arg)
				: add_process(team, name, fn, arg);
	if (code)
		return not_started(team, team->nr, code, err);
	team->nr++;
	return 0;
}

void team_hold(struct team *team, const char *name, team_fn *fn, void *arg)
{
	assert(team->is_threads && team->nr < team->max);
	put_thread(team, name, fn, arg);
	team->nr++;
}

int team_start(struct team *team, size_t i, struct error *err)
{
	int code;

	assert(i < team->nr && !atomic_load(&team->threads[i].started));
	code = start_thread(&team->threads[i]);
	return code ? not_started(team, i, code, err) : 0;
}

static int failure_words(const struct team *team, struct error *err)
{
	if (!atomic_load(&team->failure->said))
		return error_set(err, EIO, "a task failed");
	return error_set(err, team->failure->err.code, "%s", team->failure->err.text);
}

static int compare_pids(const void *a, const void *b)
{
	pid_t x = ((const struct process *)a)->pid, y = ((const struct process *)b)->pid;

	return (x > y) - (x < y);
}

/* Reap one of the team. Return: 1, 0 if none has ended (WNOHANG), or -errno. */
static int reap(struct team *team, int flags, siginfo_t *info)
{
	struct process *process = NULL;

	while (!process) {
		info->si_pid = 0;
		if (waitid(P_ALL, 0, info, WEXITED | flags)) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (!info->si_pid)
			return 0;
		/* NULL for a child that this process had before it was executed */
		process = bsearch(&(struct process){ .pid = info->si_pid }, team->processes,
				  team->nr, sizeof(*process), compare_pids);
	}
	process->ended = true;
	team->nr_ended++;
	return 1;
}

static bool is_killed(const siginfo_t *info)
{
	return info->si_code != CLD_EXITED;
}

/* Why did this process end? 0 if it did its work. */
static int judge(const struct team *team, const siginfo_t *info, struct error *err)
{
	if (is_killed(info))
		return error_set(err, ECHILD, "a task (process %d) was killed by signal %d, %s",
				 (int)info->si_pid, info->si_status, strsignal(info->si_status));
	return info->si_status ? failure_words(team, err) : 0;
}

/*
 * A killed task makes others fail on its closed channels, and they may be reaped first: it is the reason, not they,
 * so give it a moment.
 */
static int prefer_killed(struct team *team, int ret, struct error *err)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	siginfo_t info;

	for (int i = 0; i < GRACE_MS; i++) {
		while (reap(team, WNOHANG, &info) > 0)
			if (is_killed(&info))
				return judge(team, &info, err);
		nanosleep(&moment, NULL);
	}
	return ret;
}

static int wait_processes(struct team *team, struct error *err)
{
	siginfo_t info;
	int ret;

	while (team->nr_ended < team->nr) {
		ret = reap(team, 0, &info);
		if (ret < 0)
			return error_set(err, -ret, "waitid: %s", strerror(-ret));
		ret = judge(team, &info, err);
		if (ret)
			return is_killed(&info) ? ret : prefer_killed(team, ret, err);
	}
	return 0;
}

static struct timespec soon(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_nsec += THREAD_CHECK_NS;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_nsec -= 1000000000;
		ts.tv_sec++;
	}
	return ts;
}

/* Not pthread_clockjoin_np(): ThreadSanitizer doesn't know it. A step of the clock only moves the next look. */
static int wait_threads(struct team *team, struct error *err)
{
	while (team->nr_ended < team->nr) {
		struct thread *thread = &team->threads[team->nr_ended];
		struct timespec until = soon();
		int code = atomic_load(&thread->started)
				   ? pthread_timedjoin_np(thread->id, NULL, &until)
				   : 0;

		if (!code)
			team->nr_ended++;
		else if (code != ETIMEDOUT)
			return error_set(err, code, "pthread_join: %s", strerror(code));
		else if (atomic_load(&team->failure->said))
			break;
	}
	return atomic_load(&team->failure->said) ? failure_words(team, err) : 0;
}

int team_wait(struct team *team, struct error *err)
{
	return team->is_threads ? wait_threads(team, err) : wait_processes(team, err);
}

int team_check(struct team *team, struct error *err)
{
	siginfo_t info;
	int ret;

	if (team->is_threads)
		return atomic_load(&team->failure->said) ? failure_words(team, err) : 0;
	ret = reap(team, WNOHANG, &info);
	if (ret <= 0)
		return ret ? error_set(err, -ret, "waitid: %s", strerror(-ret)) : 0;
	ret = judge(team, &info, err);
	return ret ? ret : error_set(err, ECHILD, "a task ended before its time");
}

static void end_processes(struct team *team)
{
	siginfo_t info;

	for (size_t i = 0; i < team->nr; i++)
		if (!team->processes[i].ended)
			kill(team->processes[i].pid, SIGKILL);
	while (team->nr_ended < team->nr && reap(team, 0, &info) > 0)
		;
}

bool team_free(struct team *team)
{
	if (!team->is_threads)
		end_processes(team);
	else if (team->nr_ended < team->nr)
		return false;
	pthread_attr_destroy(&team->thread_attr);
	munmap(team->failure, sizeof(*team->failure));
	free(team->processes);
	free(team->threads);
	free(team);
	return true;
}
