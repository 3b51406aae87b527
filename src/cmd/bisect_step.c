// SPDX-License-Identifier: GPL-2.0-only
/* cmd/bisect_step.c - schedproof bisect-step: an experiment or a result as a step of git bisect run. */
#include "cmd/cmd.h"

#include "base/mem.h"
#include "cmd/output.h"
#include "cmd/result.h"
#include "lab/experiment.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* git bisect run takes 1 ... 127 for bad, except for 125, and ends at what is above. */
#define EXIT_CANNOT_SAY 125
#define EXIT_STOP	128

struct bisect_cfg {
	char *fail_on;
	char *format;
	char *store;
	char *worker;
	char *root;
};

static const struct opt bisect_opts[] = {
	OPT(struct bisect_cfg, fail_on, "regressed:2%", 0, 0,
	    "what is bad: regressed:2%, or regressed for any regression"),
	OPT(struct bisect_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct bisect_cfg, store, NULL, 0, 0, "results file"),
	OPT(struct bisect_cfg, worker, NULL, 0, 0,
	    "path of schedproof-worker; default: beside schedproof"),
	OPT(struct bisect_cfg, root, "/", 0, 0,
	    "folder that sys/ and proc/ are taken from, for tests"),
	OPT_END,
};

static bool is_experiment(const char *word)
{
	size_t n = strlen(word);

	return n > 4 && !strcmp(word + n - 4, ".ini");
}

/* schedproof ab --json: runs in a process of its own, so that its settings are put back whatever happens to us. */
static int start_ab(pid_t *pid, int *out, const struct bisect_cfg *cfg, const char *file,
		    struct error *err)
{
	char *argv[] = { "schedproof",
			 "ab",
			 "--json",
			 "--root",
			 cfg->root,
			 cfg->store ? "--store" : "--json",
			 cfg->store ? cfg->store : "--json",
			 cfg->worker ? "--worker" : "--json",
			 cfg->worker ? cfg->worker : "--json",
			 "--",
			 (char *)file,
			 NULL };
	posix_spawn_file_actions_t actions;
	int pipe_fds[2], ret;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
	ret = posix_spawn(pid, "/proc/self/exe", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipe_fds[1]);
	if (ret) {
		close(pipe_fds[0]);
		return error_set(err, ret, "/proc/self/exe: %s", strerror(ret));
	}
	*out = pipe_fds[0];
	return 0;
}

/* A signal that only we were sent is passed on once. */
static void read_all(struct strbuf *text, int fd, pid_t pid)
{
	bool passed = false;
	char bytes[65536];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			strbuf_add(text, bytes, (size_t)n);
		if (stop_signal && !passed) {
			kill(pid, stop_signal);
			passed = true;
		}
	}
}

/*
 * Run the experiment and read what it stored.
 *
 * Return: 0; -errno where it failed, of which it has spoken itself: then err->code is 0.
 */
static int run_experiment(struct store **store, int64_t *id, const struct bisect_cfg *cfg,
			  const char *file, struct error *err)
{
	struct strbuf text = { 0 };
	int fd = -1, status = 0, ret;
	pid_t pid;

	ret = start_ab(&pid, &fd, cfg, file, err);
	if (ret)
		return ret;
	read_all(&text, fd, pid);
	close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) > EXIT_REGRESSED)
		ret = -ECANCELED;
	else
		ret = result_parse(store, id, file, strbuf_str(&text), text.len, err);
	strbuf_release(&text);
	return ret;
}

/**
 * judge() - one experiment or result
 * @step: filled on success
 *
 * Return: 0, or -errno as run_experiment().
 */
static int judge(enum report_step *step, const struct bisect_cfg *cfg, const char *word,
		 double fraction, struct error *err)
{
	const struct output_style style = { .format = report_format_find(cfg->format) };
	struct report *report = NULL;
	struct store *store = NULL;
	int64_t id = 0;
	int ret;

	if (is_experiment(word))
		ret = run_experiment(&store, &id, cfg, word, err);
	else
		ret = result_open(&store, &id, word, cfg->store, err);
	if (!ret)
		ret = report_build(&report, store, id, err);
	if (!ret)
		ret = output_report(report, store, &style, err);
	if (!ret)
		*step = report_step(report, fraction);
	report_free(report);
	store_close(store);
	return ret;
}

static const char *step_name(enum report_step step)
{
	static const char *const names[] = {
		[STEP_GOOD] = "good", [STEP_BAD] = "bad", [STEP_CANNOT_SAY] = "can't say"
	};

	return names[step];
}

/* Bad where any is; good only where all are. */
static int bisect_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct bisect_cfg *cfg = cfg_;
	const struct report_format *format;
	enum report_step all = STEP_GOOD;
	struct fail_on fail_on = { 0 };
	struct error err = { 0 };

	if (report_format_parse(&format, cfg->format, &err) ||
	    fail_on_parse(&fail_on, cfg->fail_on, &err))
		return complain(&err, EXIT_STOP);
	for (size_t i = 0; i < nr_args && all != STEP_BAD && !stop_signal; i++) {
		enum report_step step = STEP_CANNOT_SAY;

		if (judge(&step, cfg, args[i], fail_on.fraction, &err)) {
			if (err.code)
				complain(&err, 0);
			if (!is_experiment(args[i]))
				return EXIT_STOP;
		}
		fprintf(stderr, "bisect-step: %s: %s\n", args[i], step_name(step));
		if (step != STEP_GOOD)
			all = step;
	}
	if (all == STEP_GOOD)
		return EXIT_DONE;
	return all == STEP_BAD ? EXIT_REGRESSED : EXIT_CANNOT_SAY;
}

const struct command command_bisect_step = {
	.name = "bisect-step",
	.args = "EXPERIMENT.ini|RESULT ...",
	.min_args = 1,
	.max_args = 64,
	.summary = "one step of git bisect run: exit 0 good, 1 bad, 125 can't say",
	.help = "Runs each experiment file and judges it, or judges a stored RESULT (number, name "
		"or "
		"file of JSON lines). Bad, exit 1: a primary metric regressed by what --fail-on "
		"says or "
		"more. Good, exit 0: all intervals exclude that. Exit 125, which git bisect skips: "
		"neither, or runs failed; more blocks would tell. Exit 128, at which git bisect "
		"stops: "
		"bad usage. With several, one bad is bad and all must be good. The experiment's "
		"base "
		"has to stay the same at every step, as a build of the good commit kept elsewhere "
		"does; "
		"both sides are then run again in blocks at each step.",
	.example = "git bisect run sh -c 'make || exit 125; schedproof bisect-step wakeup.ini'",
	.cfg_size = sizeof(struct bisect_cfg),
	.opts = bisect_opts,
	.usage = EXIT_STOP,
	.recovers = true,
	.run = bisect_run,
};
