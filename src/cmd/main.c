// SPDX-License-Identifier: GPL-2.0-only
/* cmd/main.c - the program: finds the command, reads its options, tells the truth in the exit status. */
#include "cmd/cmd.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "cmd/cli.h"
#include "cmd/manual.h"
#include "cmd/workload_text.h"
#include "host/tune.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t stop_signal;

/* The command that runs. */
static const struct command *running;

/* What is no verdict must not end as one. */
int mem_exit_status(void)
{
	return running && running->usage ? running->usage : EXIT_RUN;
}

static void on_signal(int signal)
{
	if (!stop_signal)
		stop_signal = signal;
}

/* No SA_RESTART: a wait that a signal interrupts looks at the flag. */
static void set_stopping(void (*handler)(int))
{
	static const int stopping[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const struct sigaction action = { .sa_handler = handler };

	for (size_t i = 0; i < ARRAY_SIZE(stopping); i++) {
		struct sigaction old;

		/* what nohup(1) or a shell's & had ignored stays ignored */
		if (!sigaction(stopping[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(stopping[i], &action, NULL);
	}
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_IGN };

	set_stopping(on_signal);
	/* settings are to be put back first: finish_stdout() looks whether somebody still reads */
	sigaction(SIGPIPE, &action, NULL);
}

/* What is opened next would else be a closed one, and our words go there. Neither way leads anywhere: who uses it hears of it. */
static void hold_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void end_at_signals(void)
{
	set_stopping(SIG_DFL);
	if (stop_signal)
		raise(stop_signal);
}

int complain(const struct error *err, int status)
{
	fprintf(stderr, "schedproof: %s\n", err->text);
	return status;
}

int complain_of(const struct error *err)
{
	/* stopped, out of room, or code of a kernel that doesn't compile, lacks something, crashes, complains or never ends */
	static const int under_way[] = { EINTR,	  EIO,	  ENOSPC, EDQUOT, ENOMEM,    EAGAIN, EMFILE,
					 ENOEXEC, EFAULT, EPROTO, ETIME,  ETIMEDOUT, ENOSYS };

	for (size_t i = 0; i < ARRAY_SIZE(under_way); i++)
		if (err->code == under_way[i])
			return complain(err, EXIT_RUN);
	return complain(err, EXIT_USAGE);
}

int open_store(struct store **out, const char *path, enum store_mode mode, struct error *err)
{
	char *standard = path ? NULL : store_default_path();
	int ret = store_open(out, path ? path : standard, mode, err);

	free(standard);
	return ret;
}

int recover_settings(const char *root, struct error *err)
{
	struct host host = { 0 };
	size_t count = 0;
	int ret = host_open(&host, root, err);

	if (ret)
		return ret;
	ret = tune_recover(&host, &count, err);
	if (!ret && count)
		fprintf(stderr,
			"schedproof: put back %zu setting%s left by an experiment that died\n",
			count, count == 1 ? "" : "s");
	host_release(&host);
	return ret;
}

/* The reader of a pipe has gone. */
static bool nobody_reads(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) == 1 && out.revents & (POLLERR | POLLHUP);
}

int finish_stdout(int status)
{
	struct error err = { 0 };
	int ret;

	errno = 0;
	ret = fflush(stdout) | ferror(stdout);
	if (!ret)
		return status;
	ret = errno;
	__fpurge(stdout); /* it is told once */
	clearerr(stdout);
	errno = ret;
	if (errno == EPIPE || (!errno && nobody_reads())) {
		if (!stop_signal && status == EXIT_DONE)
			stop_signal = SIGPIPE;
		return status;
	}
	/* what an earlier write failed of is gone by now */
	error_set(&err, errno ? errno : EIO, "standard output: %s",
		  errno ? strerror(errno) : "not all of it could be written");
	return complain(&err, EXIT_RUN);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; command_at(i); i++)
		if (!strcmp(command_at(i)->name, name))
			return command_at(i);
	return NULL;
}

static int unknown_command(const char *name)
{
	struct error err = { 0 };
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; command_at(i); i++)
		nearest_offer(&nearest, command_at(i)->name);
	if (nearest.best)
		error_set(&err, EINVAL, "unknown command '%s', did you mean '%s'?", name,
			  nearest.best);
	else
		error_set(&err, EINVAL, "unknown command '%s', see schedproof help", name);
	return complain(&err, EXIT_USAGE);
}

/* What could not be written is no answer either, where each number is one. */
static int end_status(const struct command *command, int status, int finished)
{
	return finished != status && command->usage ? command->usage : finished;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct error err = { 0 };
	struct cli cli;
	int ret, status;

	running = command;
	ret = cli_parse(&cli, command, argc, argv, &err);
	if (ret) {
		status = complain(&err, command->usage ? command->usage : EXIT_USAGE);
	} else if (cli.help) {
		const struct workload *workload = cli.nr_args ? workload_find(cli.args[0]) : NULL;
		struct strbuf text = { 0 };

		if (workload && command == &command_run)
			workload_text(workload, &text);
		else
			manual_command(command, &text);
		fputs(text.s, stdout);
		strbuf_release(&text);
		status = EXIT_DONE;
	} else {
		if (!command->recovers && recover_settings("/", &err))
			complain(&err, EXIT_RUN);
		if (command->ends)
			end_at_signals();
		status = command->run(cli.cfg, cli.args, cli.nr_args);
	}
	cli_release(&cli, command);
	return end_status(command, status, finish_stdout(status));
}

/* A shell must see that a signal ended us, or its loops and git bisect go on. */
static void die_by(int signal)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	sigaction(signal, &action, NULL);
	raise(signal);
}

static int run_named(const char *name, int argc, char **argv)
{
	const struct command *command;

	if (!strcmp(name, "--version")) {
		puts("schedproof " SCHEDPROOF_VERSION);
		return finish_stdout(EXIT_DONE);
	}
	command = find_command(name);
	if (!command)
		return unknown_command(name);
	return run_command(command, argc > 1 ? argc - 2 : 0, argv + 2);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "help";
	int status;

	hold_standard_fds();
	catch_signals();
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help"; /* what it is about may follow */
	status = run_named(name, argc, argv);
	if (stop_signal)
		die_by(stop_signal);
	return status;
}
