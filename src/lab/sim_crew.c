// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_crew.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "host/launch_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_JOBS    64
#define MAX_WAITING 256
#define OUT_MAX	    (16u << 20)
/* Between two looks at how far a run is. */
#define WATCH_NS UINT64_C(500000000)
/* For a core to boot: with 8192 CPUs it takes seconds. */
#define BOOT_NS UINT64_C(120000000000)

/**
 * struct sim_process - a run
 * @out_fd, @err_fd: -1 at the end of each; then it has ended
 * @hung: it was killed at its time limit
 * @seen_ns: in memory that it shares, its simulated time; NULL: there is none
 * @trace, @schedstat: of its job
 */
struct sim_process {
	pid_t pid;
	int out_fd;
	int err_fd;
	char *workload;
	uint64_t timeout_ns;
	uint64_t end_ns;
	struct strbuf out;
	struct last_line last;
	bool hung;
	bool flooded;
	volatile uint64_t *seen_ns;
	char *trace;
	char *schedstat;
};

/* struct sim_crew - @list: list[n], oldest first; @watch: NULL: nobody looks */
struct sim_crew {
	size_t jobs;
	struct sim_process *list[MAX_WAITING];
	size_t n;
	void (*watch)(void *ctx, uint64_t simulated_ns);
	void *ctx;
	uint64_t watched_ns;
};

static size_t count_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set))
		n = CPU_COUNT(&set);
	return n < 1 ? 1 : n > MAX_JOBS ? MAX_JOBS : (size_t)n;
}

struct sim_crew *sim_crew_new(void)
{
	struct sim_crew *crew = xcalloc(1, sizeof(*crew));

	crew->jobs = count_cpus();
	return crew;
}

void sim_crew_watch(struct sim_crew *crew, void (*watch)(void *ctx, uint64_t simulated_ns),
		    void *ctx)
{
	crew->watch = watch;
	crew->ctx = ctx;
}

size_t sim_crew_jobs(const struct sim_crew *crew)
{
	return crew->jobs;
}

static bool has_ended(const struct sim_process *p)
{
	return p->out_fd < 0 && p->err_fd < 0;
}

bool sim_crew_room(const struct sim_crew *crew)
{
	size_t running = 0;

	for (size_t i = 0; i < crew->n; i++)
		running += !has_ended(crew->list[i]);
	return running < crew->jobs && crew->n < MAX_WAITING;
}

/* --- the child --- */

/* As if nobody were there: Ctrl-C is for the parent, and no core is worth a file. */
static void leave_parent(pid_t parent)
{
	const struct rlimit none = { 0 };
	sigset_t all;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setrlimit(RLIMIT_CORE, &none);
	if (setpgid(0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(127);
}

static _Noreturn void run_child(const struct sim_job *asked, volatile uint64_t *seen_ns, int out,
				int err_fd, pid_t parent)
{
	struct sim_job job = *asked;
	struct strbuf text = { 0 };
	bool good;

	job.seen_ns = seen_ns;
	leave_parent(parent);
	if (dup2(err_fd, STDERR_FILENO) < 0)
		_exit(127);
	good = sim_run_here(&job, &text);
	if (fd_write(out, text.s, text.len))
		_exit(127);
	/* nothing of the parent's is flushed, closed or freed here */
	_exit(good ? 0 : 1);
}

/* --- the parent --- */

static int open_pipes(int out[2], int errs[2], struct error *err)
{
	if (pipe2(out, O_CLOEXEC))
		return error_set(err, errno, "pipe of a simulated run: %s", strerror(errno));
	if (!pipe2(errs, O_CLOEXEC))
		return 0;
	close(out[0]);
	close(out[1]);
	return error_set(err, errno, "pipe of a simulated run: %s", strerror(errno));
}

/* Without it a run is made as well. */
static volatile uint64_t *share_time(void)
{
	void *shared = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return shared == MAP_FAILED ? NULL : shared;
}

static void unshare_time(volatile uint64_t *seen_ns)
{
	if (seen_ns)
		munmap((void *)seen_ns, sizeof(*seen_ns));
}

int sim_crew_start(struct sim_crew *crew, const struct sim_job *job, struct error *err)
{
	struct sim_process *p;
	pid_t parent = getpid(), pid;
	int out[2] = { -1, -1 }, errs[2] = { -1, -1 };
	volatile uint64_t *seen_ns;
	int ret = open_pipes(out, errs, err);

	if (ret)
		return ret;
	seen_ns = share_time();
	pid = fork();
	if (!pid)
		run_child(job, seen_ns, out[1], errs[1], parent);
	close(out[1]);
	close(errs[1]);
	if (pid < 0) {
		ret = error_set(err, errno, "process of a simulated run: %s", strerror(errno));
		close(out[0]);
		close(errs[0]);
		unshare_time(seen_ns);
		return ret;
	}
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	p->out_fd = out[0];
	p->err_fd = errs[0];
	p->seen_ns = seen_ns;
	p->workload = xstrdup(job->workload ? job->workload->name : "boot");
	p->trace = job->trace ? xstrdup(job->trace) : NULL;
	p->schedstat = job->schedstat ? xstrdup(job->schedstat) : NULL;
	p->timeout_ns = job->timeout_ns;
	p->end_ns = clock_ns(CLOCK_MONOTONIC) + job->timeout_ns;
	fcntl(p->out_fd, F_SETFL, O_NONBLOCK);
	fcntl(p->err_fd, F_SETFL, O_NONBLOCK);
	crew->list[crew->n++] = p;
	return 0;
}

/* Return: number of bytes read; at its end *@fd is closed and becomes -1. */
static size_t read_some(int *fd, char *buf, size_t size)
{
	ssize_t n = *fd < 0 ? -1 : read(*fd, buf, size);

	if (n == 0) {
		close(*fd);
		*fd = -1;
	}
	return n < 0 ? 0 : (size_t)n;
}

static void read_process(struct sim_process *p)
{
	char buf[16384];
	size_t n;

	while ((n = read_some(&p->out_fd, buf, sizeof(buf)))) {
		if (p->out.len + n > OUT_MAX) {
			p->flooded = true;
			kill(p->pid, SIGKILL);
		} else {
			strbuf_add(&p->out, buf, n);
		}
	}
	while ((n = read_some(&p->err_fd, buf, sizeof(buf))))
		last_line_add(&p->last, buf, n);
}

static void look_at_clock(struct sim_process *p, uint64_t now_ns)
{
	if (has_ended(p) || p->hung || now_ns < p->end_ns)
		return;
	p->hung = true;
	kill(p->pid, SIGKILL);
}

/* Until a run writes or ends, the next time limit, or a signal that @mask lets in. */
static void wait_for_any(struct sim_crew *crew, const sigset_t *mask)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC), end_ns = UINT64_MAX;
	struct pollfd fds[2 * MAX_WAITING];
	struct timespec left;
	nfds_t n = 0;

	for (size_t i = 0; i < crew->n; i++) {
		struct sim_process *p = crew->list[i];

		look_at_clock(p, now_ns);
		if (!has_ended(p) && !p->hung && p->end_ns < end_ns)
			end_ns = p->end_ns;
		fds[n++] = (struct pollfd){ .fd = p->out_fd, .events = POLLIN };
		fds[n++] = (struct pollfd){ .fd = p->err_fd, .events = POLLIN };
	}
	if (crew->watch && end_ns > now_ns + WATCH_NS)
		end_ns = now_ns + WATCH_NS;
	left.tv_sec = (time_t)((end_ns - now_ns) / 1000000000);
	left.tv_nsec = (long)((end_ns - now_ns) % 1000000000);
	ppoll(fds, n, end_ns == UINT64_MAX ? NULL : &left, mask);
	for (size_t i = 0; i < crew->n; i++)
		read_process(crew->list[i]);
}

/* Of the oldest run, if it has begun. */
static void tell_time(struct sim_crew *crew)
{
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	const struct sim_process *p = crew->list[0];

	if (!crew->watch || has_ended(p) || !p->seen_ns || !*p->seen_ns ||
	    now_ns - crew->watched_ns < WATCH_NS)
		return;
	crew->watched_ns = now_ns;
	crew->watch(crew->ctx, *p->seen_ns);
}

/* All signals wait but inside ppoll(): a stop flag that was clear can't be set unnoticed. */
static int wait_for_oldest(struct sim_crew *crew, const volatile sig_atomic_t *stop,
			   struct error *err)
{
	sigset_t all, old;
	int ret = 0;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	while (!ret && !has_ended(crew->list[0])) {
		if (stop && *stop)
			ret = error_set(err, EINTR, "stopped");
		else
			wait_for_any(crew, &old);
		tell_time(crew);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return ret;
}

/* The result is the first line, what led to a breach the rest. */
static void split(struct sim_process *p, struct strbuf *breach)
{
	char *end = p->out.s ? strchr(p->out.s, '\n') : NULL;

	if (!end)
		return;
	if (breach)
		strbuf_addstr(breach, end + 1);
	*end = '\0';
	p->out.len = (size_t)(end - p->out.s);
}

/* How far it has come tells a run that takes long from one that stands still. */
static char *hang_words(const struct sim_process *p)
{
	const uint64_t seen_ns = p->seen_ns ? *p->seen_ns : 0;
	const char *suffix;
	double scale = unit_scale(UNIT_NS, (double)p->timeout_ns, &suffix);
	char *head = xasprintf("not done after %g %s of this computer's time",
			       (double)p->timeout_ns / scale, suffix);
	char *words = seen_ns ? xasprintf("%s, %" PRIu64 ".%06" PRIu64 " s simulated", head,
					  seen_ns / 1000000000, seen_ns / 1000 % 1000000)
			      : xasprintf("%s, nothing simulated", head);

	free(head);
	return words;
}

static void judge(struct sim_process *p, int status, struct result *result, struct strbuf *breach)
{
	char *hang = p->hung ? hang_words(p) : NULL;

	split(p, breach);
	last_line_end(&p->last);
	launch_judge(result, p->workload,
		     &(struct ending){
			     .status = status,
			     .hang = hang,
			     .flooded = p->flooded,
			     .out = &p->out,
			     .last = p->last.text,
		     });
	free(hang);
}

/* Killed where it runs; @wanted: its files. Return: its status as of wait() */
static int end_process(struct sim_process *p, bool wanted)
{
	const struct sim_job job = { .trace = p->trace, .schedstat = p->schedstat };
	int status = 0;

	if (!has_ended(p))
		kill(p->pid, SIGKILL);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	sim_run_put(&job, p->pid, wanted);
	return status;
}

static void free_process(struct sim_process *p)
{
	if (p->out_fd >= 0)
		close(p->out_fd);
	if (p->err_fd >= 0)
		close(p->err_fd);
	unshare_time(p->seen_ns);
	strbuf_release(&p->out);
	free(p->workload);
	free(p->trace);
	free(p->schedstat);
	free(p);
}

static void forget_oldest(struct sim_crew *crew)
{
	free_process(crew->list[0]);
	memmove(&crew->list[0], &crew->list[1], --crew->n * sizeof(crew->list[0]));
}

int sim_crew_take(struct sim_crew *crew, const volatile sig_atomic_t *stop, struct result *result,
		  struct strbuf *breach, struct error *err)
{
	struct sim_process *p;
	int ret = wait_for_oldest(crew, stop, err);

	if (ret)
		return ret;
	p = crew->list[0];
	judge(p, end_process(p, true), result, breach);
	forget_oldest(crew);
	return 0;
}

void sim_crew_drop(struct sim_crew *crew)
{
	end_process(crew->list[0], false);
	forget_oldest(crew);
}

void sim_crew_free(struct sim_crew *crew)
{
	if (!crew)
		return;
	for (size_t i = 0; i < crew->n; i++) {
		end_process(crew->list[i], false);
		free_process(crew->list[i]);
	}
	free(crew);
}

int sim_check(const struct sim_ground *ground, const struct point *points, size_t nr,
	      const volatile sig_atomic_t *stop, const struct point **which, struct error *err)
{
	struct sim_job job = {
		.ground = ground, .points = points, .nr_points = nr, .timeout_ns = BOOT_NS
	};
	struct sim_crew *crew = sim_crew_new();
	struct result result = { 0 };
	struct strbuf number = { 0 };
	int ret;

	*which = NULL;
	/* a point's is for all of its run */
	for (size_t i = 0; i < nr; i++)
		job.timeout_ns += points[i].timeout_ns;
	ret = sim_crew_start(crew, &job, err);

	if (!ret)
		ret = sim_crew_take(crew, stop, &result, &number, err);
	if (!ret && result.status != RUN_OK) {
		const size_t i = number.len ? strtoul(number.s, NULL, 10) : nr;

		*which = i < nr ? &points[i] : NULL;
		ret = error_set(err, EINVAL, "%s", result.reason);
	}
	strbuf_release(&number);
	result_release(&result);
	sim_crew_free(crew);
	return ret;
}
