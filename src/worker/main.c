// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedproof-worker - runs one workload and prints one line of JSON (workload/result.h).
 *
 * Exit status: 0 the run is good, 1 it failed (the line says why), 2 bad usage (one line on standard error).
 */
#include "base/error.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "workload/program.h"
#include "workload/run.h"
#include "workload/workload.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define EXIT_RUN_FAILED 1
#define EXIT_USAGE	2

/* The kernel takes no runtime below this. */
#define DEADLINE_MIN_NS 1024

/* What @name of argv[0] says that this file was executed as, by a workload of ours; NULL: it is the worker. */
static const struct workload *find_program(const char *name)
{
	static const char prefix[] = PROGRAM_PREFIX;
	const struct workload *workload = NULL;

	if (name && !strncmp(name, prefix, strlen(prefix)))
		workload = workload_find(name + strlen(prefix));
	return workload && workload->program ? workload : NULL;
}

static void print_option(const struct opt *opt)
{
	struct strbuf range = { 0 };

	opt_print_range(opt, &range);
	printf("  %-10s %s (%s; default %s)\n", opt->name, opt->help, range.s,
	       opt->def ? opt->def : "none");
	strbuf_release(&range);
}

static void print_workload(const struct workload *workload)
{
	printf("\n%s: %s\n", workload->name, workload->summary);
	for (const struct opt *opt = workload->opts; opt->name; opt++)
		print_option(opt);
}

static void print_help(void)
{
	const struct workload *workload;

	printf("Usage: schedproof-worker [--deadline RUNTIME/DEADLINE/PERIOD] WORKLOAD [key=value "
	       "...] [-- COMMAND]\n"
	       "       schedproof-worker --list | --help\n"
	       "Run one workload and print one line of JSON.\n"
	       "Example: schedproof-worker hackbench groups=2 loops=1000 transport=pipe\n"
	       "\n"
	       "  --deadline  run every task under SCHED_DEADLINE with these times, as "
	       "3ms/10ms/10ms\n"
	       "  --list      names of the workloads\n"
	       "\n"
	       "Exit status: 0 done, 1 the run failed (the line says why), 2 bad usage.\n");
	for (size_t i = 0; (workload = workload_at(i)); i++)
		print_workload(workload);
}

static void print_list(void)
{
	const struct workload *workload;

	for (size_t i = 0; (workload = workload_at(i)); i++)
		printf("%s\n", workload->name);
}

/* "3ms/10ms/10ms" */
static int parse_deadline(struct task_deadline *attr, const char *text, struct error *err)
{
	uint64_t *const times[] = { &attr->runtime_ns, &attr->deadline_ns, &attr->period_ns };
	char *copy = xstrdup(text);
	char *rest = copy;
	size_t n = 0;
	int ret = 0;

	for (char *word = strsep(&rest, "/"); word && !ret; word = strsep(&rest, "/"), n++)
		ret = n < ARRAY_SIZE(times) ? parse_ns(times[n], word, err) : 0;
	free(copy);
	if (!ret && n != ARRAY_SIZE(times))
		ret = error_set(err, EINVAL, "'%.80s' is not of the form RUNTIME/DEADLINE/PERIOD",
				text);
	if (!ret &&
	    !(DEADLINE_MIN_NS <= attr->runtime_ns && attr->runtime_ns <= attr->deadline_ns &&
	      attr->deadline_ns <= attr->period_ns))
		ret = error_set(err, EINVAL,
				"'%.80s' is not %d ns <= runtime <= deadline <= period", text,
				DEADLINE_MIN_NS);
	if (ret)
		error_prefix(err, "--deadline");
	attr->deadline = !ret;
	return ret;
}

/* NULL with why. */
static const struct workload *find_workload(const char *name, struct error *err)
{
	const struct workload *workload = workload_find(name);
	const char *near = workload_nearest(name);

	if (workload)
		return workload;
	if (*name == '-')
		error_set(err, EINVAL, "unknown option '%.80s', try --help", name);
	else if (near)
		error_set(err, ENOENT, "unknown workload '%.80s', did you mean '%s'?", name, near);
	else
		error_set(err, ENOENT, "unknown workload '%.80s', try --list", name);
	return NULL;
}

static int set_option(const struct workload *workload, void *cfg, const char *word,
		      struct error *err)
{
	const char *equals = strchr(word, '=');
	char *key;
	int ret;

	if (!equals)
		return error_set(err, EINVAL, "%s: '%.80s' is not of the form key=value",
				 workload->name, word);
	key = xstrndup(word, (size_t)(equals - word));
	ret = opts_set(workload->opts, cfg, key, equals + 1, err);
	free(key);
	if (ret)
		error_prefix(err, "%s", workload->name);
	return ret;
}

/* The words behind "--" are one parameter of those workloads that take a command. */
static int set_rest(const struct workload *workload, void *cfg, char **words, struct error *err)
{
	struct strbuf text = { 0 };
	size_t n = 0;
	int ret;

	if (!workload->rest)
		return error_set(err, EINVAL, "%s: takes no words behind --", workload->name);
	while (words[n])
		n++;
	words_join(&text, words, n);
	ret = opts_set(workload->opts, cfg, workload->rest, strbuf_str(&text), err);
	strbuf_release(&text);
	return ret;
}

/* Fill @run and *@cfg from the command line; *@cfg is the caller's to free in any case. */
static int parse_words(struct run *run, void **cfg, char **words, struct error *err)
{
	int ret = 0;

	if (*words && !strcmp(*words, "--deadline")) {
		if (!*++words)
			return error_set(err, EINVAL,
					 "--deadline: RUNTIME/DEADLINE/PERIOD is missing");
		ret = parse_deadline(&run->attr, *words++, err);
		if (ret)
			return ret;
	}
	if (!*words)
		return error_set(err, EINVAL, "no workload given, try --help");
	run->workload = find_workload(*words++, err);
	if (!run->workload)
		return -err->code;
	*cfg = xcalloc(1, run->workload->cfg_size);
	opts_init(run->workload->opts, *cfg);
	for (; *words && !ret && strcmp(*words, "--") != 0; words++)
		ret = set_option(run->workload, *cfg, *words, err);
	if (*words && !ret)
		ret = set_rest(run->workload, *cfg, words + 1, err);
	if (!ret && run->workload->check)
		ret = run->workload->check(*cfg, err);
	return ret;
}

/*
 * To the hard limit, which workload_check() has looked at. Not for a command of the user's: it is to find what it would
 * without us, and some close as many files as there may be.
 */
static int raise_fd_limit(const struct workload *workload, struct error *err)
{
	struct rlimit limit;

	if (workload->rest)
		return 0;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return error_set(err, errno, "RLIMIT_NOFILE: %s", strerror(errno));
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return error_set(err, errno, "RLIMIT_NOFILE: %s", strerror(errno));
	return 0;
}

static int run_workload(struct run *run, const void *cfg, struct error *err)
{
	int ret = workload_check(run->workload, cfg, err);

	if (!ret)
		ret = raise_fd_limit(run->workload, err);
	return ret ? ret : run->workload->run(run, cfg, err);
}

/* Return: exit status */
static int run_and_print(struct run *run, const void *cfg)
{
	struct strbuf line = { 0 };
	struct error err = { 0 };
	int status = 0;

	assert(run->workload);
	run->pid = getpid();
	run->result.workload = xstrdup(run->workload->name);
	if (run_workload(run, cfg, &err)) {
		result_fail(&run->result, RUN_FAILED, err.text);
		status = EXIT_RUN_FAILED;
	}
	result_write(&run->result, &line);
	if (puts(line.s) < 0 || fflush(stdout)) {
		fprintf(stderr, "schedproof-worker: standard output: %s\n", strerror(errno));
		status = EXIT_RUN_FAILED;
	}
	strbuf_release(&line);
	result_release(&run->result);
	return status;
}

int main(int argc, char **argv)
{
	const struct workload *program = find_program(argv[0]);
	struct run run = { 0 };
	struct error err = { 0 };
	void *cfg = NULL;
	int status;

	if (program)
		return program->program(argc, argv);
	if (argc == 2 && !strcmp(argv[1], "--help")) {
		print_help();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--list")) {
		print_list();
		return 0;
	}
	/* a task whose peer has died gets an error instead; ended tasks are to be reaped, whatever was inherited */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	if (parse_words(&run, &cfg, argv + 1, &err)) {
		fprintf(stderr, "schedproof-worker: %s\n", err.text);
		status = EXIT_USAGE;
	} else {
		status = run_and_print(&run, cfg);
	}
	if (cfg)
		opts_release(run.workload->opts, cfg);
	free(cfg);
	return status;
}
