// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/exec.c - any command as a workload: the time that it takes, and figures that it prints.
 * doc/workloads/exec.md.
 */
#include "workload/exec.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/words.h"
#include "workload/program.h"
#include "workload/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S      UINT64_C(1000000000)
#define NS_PER_US     UINT64_C(1000)
#define OUTPUT_MAX    (64u << 20)
#define KILL_ROUNDS   1000
#define KILL_PAUSE_NS 1000000

/* Exit statuses of what can't be executed, as a shell's; 125 if not even that far. */
#define EXIT_NOT_BEGUN 125

static const struct opt exec_opts[] = {
	OPT(struct exec_cfg, command, NULL, 0, 0,
	    "what to run, quoted as for a shell; on a command line it is what follows --"),
	OPT(struct exec_cfg, seconds, NULL, 0, 0,
	    "pattern of a time in its output, in the unit below: figure-time"),
	OPT(struct exec_cfg, rate, NULL, 0, 0,
	    "pattern of a number of things a second, of which more are better: figure-rate"),
	OPT(struct exec_cfg, higher, NULL, 0, 0,
	    "pattern of any other figure of which more is better: figure-higher"),
	OPT(struct exec_cfg, lower, NULL, 0, 0,
	    "pattern of any other figure of which less is better: figure-lower"),
	OPT_CHOICE(struct exec_cfg, unit, "s", "s|ms|us|ns|min|h", "unit of the time found"),
	OPT_CHOICE(struct exec_cfg, match, "last", "last|first|sum|mean|least|most",
		   "what to take where a pattern is found more than once"),
	OPT_CHOICE(struct exec_cfg, output, "stdout", "stdout|both",
		   "where to look: standard output, or also standard error"),
	OPT(struct exec_cfg, status, "0", 0, 255, "exit status of a good run"),
	OPT_END,
};

static const double unit_ns[] = { 1e9, 1e6, 1e3, 1, 60e9, 3600e9 };

static const struct metric exec_metrics[] = {
	{ "time", UNIT_NS, BETTER_LOWER, "from the command's start to its end" },
	{ "figure-time", UNIT_NS, BETTER_LOWER, "a time that the command told" },
	{ "figure-rate", UNIT_PER_SECOND, BETTER_HIGHER, "a rate that the command told" },
	{ "figure-higher", UNIT_COUNT, BETTER_HIGHER, "a figure that the command told" },
	{ "figure-lower", UNIT_COUNT, BETTER_LOWER, "a figure that the command told" },
	{ "task-user", UNIT_NS, BETTER_NONE, "CPU time of the command in its own code" },
	{ "task-sys", UNIT_NS, BETTER_NONE, "CPU time of the command in the kernel" },
	{ "max-rss", UNIT_BYTES, BETTER_NONE, "memory of the largest of its processes" },
	{ "left", UNIT_COUNT, BETTER_NONE,
	  "processes that the command left behind, which were killed" },
	{ 0 },
};

/* struct figure - a pattern, and the metric that it is for */
struct figure {
	const char *metric;
	const char *pattern;
	double scale;
};

#define NR_FIGURES 4

static void list_figures(struct figure figures[NR_FIGURES], const struct exec_cfg *cfg)
{
	figures[0] = (struct figure){ "figure-time", cfg->seconds, unit_ns[cfg->unit] };
	figures[1] = (struct figure){ "figure-rate", cfg->rate, 1 };
	figures[2] = (struct figure){ "figure-higher", cfg->higher, 1 };
	figures[3] = (struct figure){ "figure-lower", cfg->lower, 1 };
}

static int exec_check(const void *arg, struct error *err)
{
	const struct exec_cfg *cfg = arg;
	struct figure figures[NR_FIGURES];
	char **words;
	size_t n = 0;
	int ret;

	if (!cfg->command)
		return error_set(err, EINVAL, "command: is missing");
	ret = words_split(&words, &n, cfg->command, err);
	if (!ret)
		words_free(words);
	if (!ret && !n)
		ret = error_set(err, EINVAL, "it is empty");
	if (ret) {
		error_prefix(err, "command");
		return ret;
	}
	list_figures(figures, cfg);
	for (size_t i = 0; !ret && i < NR_FIGURES; i++)
		if (figures[i].pattern)
			ret = exec_check_pattern(figures[i].pattern, err);
	return ret;
}

/* The worker and the command; what else it makes only it knows. */
static void exec_needs(const void *cfg, struct needs *needs)
{
	(void)cfg;
	needs->tasks = 2;
	needs->fds = 4;
}

static int exec_probe(const void *arg, struct error *err)
{
	const struct exec_cfg *cfg = arg;
	char **words, *path;
	int ret = words_split(&words, NULL, cfg->command, err);

	if (ret)
		return ret;
	path = program_find(words[0]);
	if (!path)
		ret = error_set(err, ENOENT, "%.200s: no such program%s", words[0],
				strchr(words[0], '/') ? "" : " in PATH");
	free(path);
	words_free(words);
	return ret;
}

/**
 * struct command - one that runs, or has run
 * @output: a file in memory, so that nobody has to read while it is timed
 */
struct command {
	const struct exec_cfg *cfg;
	char **words;
	int output;
	int status;
	struct rusage usage;
	uint64_t left;
};

/* In the new process. It inherits what the worker did, but for what the worker has changed for itself. */
static _Noreturn void be_command(const struct command *command, const struct run *run)
{
	struct error err = { 0 };

	signal(SIGPIPE, SIG_DFL);
	if (run_task_begin(run, true, &err)) {
		dprintf(STDERR_FILENO, "%s\n", err.text);
		_exit(EXIT_NOT_BEGUN);
	}
	if (dup2(command->output, STDOUT_FILENO) < 0)
		_exit(EXIT_NOT_BEGUN);
	if (command->cfg->output == OUTPUT_BOTH && dup2(command->output, STDERR_FILENO) < 0)
		_exit(EXIT_NOT_BEGUN);
	execvp(command->words[0], command->words);
	dprintf(STDERR_FILENO, "%s: %s\n", command->words[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* The children of this process; what a command leaves behind becomes one. Return: one of them, 0: none */
static pid_t any_child(void)
{
	char *line = file_read_line(AT_FDCWD, "/proc/thread-self/children");
	pid_t pid = line ? (pid_t)strtol(line, NULL, 10) : 0;

	free(line);
	return pid;
}

/* Kill what it has left, and what that leaves, until nothing is there. */
static int kill_left(struct command *command, struct error *err)
{
	const struct timespec moment = { .tv_nsec = KILL_PAUSE_NS };
	pid_t pid = 0;

	for (int i = 0; i < KILL_ROUNDS; i++) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			command->left++;
		if (errno == ECHILD)
			return 0;
		pid = any_child();
		if (pid > 0)
			kill(pid, SIGKILL);
		nanosleep(&moment, NULL);
	}
	return error_set(err, EBUSY, "process %d, which the command left, can't be killed",
			 (int)pid);
}

static int wait_command(struct command *command, pid_t pid, struct error *err)
{
	pid_t got;

	for (;;) {
		got = wait4(-1, &command->status, 0, &command->usage);
		if (got == pid)
			return 0;
		if (got < 0 && errno != EINTR)
			return error_set(err, errno, "wait: %s", strerror(errno));
		/* one whose parent in the command has ended before it */
	}
}

static int run_command(struct run *run, struct command *command, struct error *err)
{
	int ret, left;
	pid_t pid;

	command->output = memfd_create("output", MFD_CLOEXEC);
	if (command->output < 0 || fcntl(command->output, F_SETFL, O_APPEND))
		return error_set(err, errno, "memory for the output: %s", strerror(errno));
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return error_set(err, errno, "PR_SET_CHILD_SUBREAPER: %s", strerror(errno));
	run_start(run);
	pid = fork();
	if (!pid)
		be_command(command, run);
	if (pid < 0)
		return error_set(err, errno, "fork: %s", strerror(errno));
	ret = wait_command(command, pid, err);
	run_stop(run);
	left = kill_left(command, ret ? NULL : err);
	return ret ? ret : left;
}

static int read_output(struct strbuf *text, const struct command *command, struct error *err)
{
	char *path = xasprintf("/proc/self/fd/%d", command->output);
	int ret = file_read(text, AT_FDCWD, path, OUTPUT_MAX, err);

	if (ret)
		error_prefix(err, "the command's output");
	/* a text ends at the first of these */
	for (size_t i = 0; !ret && i < text->len; i++)
		if (!text->s[i])
			text->s[i] = ' ';
	free(path);
	return ret;
}

/* Was it a good run? With the last words of one that wasn't. */
static int judge(const struct command *command, const char *text, struct error *err)
{
	char *last = exec_last_line(text);
	const char *colon = *last ? ": " : "";
	const int status = command->status;
	int ret = 0;

	if (WIFSIGNALED(status))
		ret = error_set(err, ECHILD, "%.80s was killed by signal %d, %s%s%.200s",
				command->words[0], WTERMSIG(status), strsignal(WTERMSIG(status)),
				colon, last);
	else if (WEXITSTATUS(status) != (int)command->cfg->status)
		ret = error_set(err, ECHILD, "%.80s: exit status %d%s%.200s", command->words[0],
				WEXITSTATUS(status), colon, last);
	free(last);
	return ret;
}

/* A pattern that finds nothing is often that of another version: show what there was. */
static void say_where(const char *text, struct error *err)
{
	char *last = exec_last_line(text), *what = xstrdup(err ? err->text : "");

	error_set(err, ENODATA, "%s in %zu bytes of output, which end in '%.100s'", what,
		  strlen(text), last);
	free(what);
	free(last);
}

static int sample_figures(struct run *run, const struct exec_cfg *cfg, const char *text,
			  struct error *err)
{
	struct figure figures[NR_FIGURES];
	double x;
	int ret = 0;

	list_figures(figures, cfg);
	for (size_t i = 0; !ret && i < NR_FIGURES; i++) {
		if (!figures[i].pattern)
			continue;
		ret = exec_find(&x, figures[i].pattern, text, cfg->match, err);
		if (!ret)
			run_sample(run, figures[i].metric, x * figures[i].scale);
	}
	if (ret == -ENODATA)
		say_where(text, err);
	return ret;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * NS_PER_S + (uint64_t)tv->tv_usec * NS_PER_US;
}

static int sample(struct run *run, const struct command *command, const char *text,
		  struct error *err)
{
	int ret;

	run_sample(run, "time", (double)(run->stop_ns - run->start_ns));
	ret = sample_figures(run, command->cfg, text, err);
	run_sample(run, "task-user", (double)timeval_ns(&command->usage.ru_utime));
	run_sample(run, "task-sys", (double)timeval_ns(&command->usage.ru_stime));
	run_sample(run, "max-rss", (double)command->usage.ru_maxrss * 1024);
	run_sample(run, "left", (double)command->left);
	return ret;
}

static int exec_run(struct run *run, const void *cfg, struct error *err)
{
	struct command command = { .cfg = cfg, .output = -1 };
	struct strbuf text = { 0 };
	int ret = words_split(&command.words, NULL, command.cfg->command, err);

	if (ret)
		return ret;
	ret = run_command(run, &command, err);
	if (!ret)
		ret = read_output(&text, &command, err);
	if (!ret)
		ret = judge(&command, strbuf_str(&text), err);
	if (!ret)
		ret = sample(run, &command, strbuf_str(&text), err);
	if (command.output >= 0)
		close(command.output);
	strbuf_release(&text);
	words_free(command.words);
	return ret;
}

const struct workload workload_exec = {
	.name = "exec",
	.summary = "any command: the time that it takes, and figures that it prints",
	.cfg_size = sizeof(struct exec_cfg),
	.opts = exec_opts,
	.rest = "command",
	.metrics = exec_metrics,
	.check = exec_check,
	.needs = exec_needs,
	.probe = exec_probe,
	.run = exec_run,
};
