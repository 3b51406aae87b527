/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd/cmd.h - a subcommand: one row of cmd/list.h, one file. Only this folder talks to the user or ends the
 * program: results go to standard output, chatter to standard error.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/error.h"
#include "base/opt.h"
#include "host/host.h"
#include "store/store.h"

#include <signal.h>
#include <stddef.h>

/* Exit statuses of every command. */
enum {
	EXIT_DONE = 0,
	EXIT_REGRESSED = 1, /* only where --fail-on asks */
	EXIT_USAGE = 2,	    /* bad usage or input; nothing was run */
	EXIT_RUN = 3,	    /* the run failed */
};

/**
 * struct command - one subcommand
 * @args:     its positional arguments as shown: "FILE", "[RESULT]", "" for none
 * @max_args: most of them
 * @help:     paragraphs for --help and the manual
 * @example:  one command line that works as it stands
 * @cfg_size: size of the struct that @opts fills
 * @usage:    exit status of bad usage, and of output that can't be written or memory that isn't there; 0: EXIT_USAGE, EXIT_RUN
 * @rest:     takes the words behind "--" apart from its arguments: the "--" itself stays among them
 * @ends:     end_at_signals() is called before @run
 * @recovers: calls recover_settings() itself; for all others it is done before @run
 * @run:      Return: one of the exit statuses; what went wrong was said
 */
struct command {
	const char *name;
	const char *args;
	size_t min_args, max_args;
	const char *summary;
	const char *help;
	const char *example;
	size_t cfg_size;
	const struct opt *opts;
	int usage;
	bool rest;
	bool ends;
	bool recovers;
	int (*run)(const void *cfg, char *const *args, size_t nr_args);
};

#define COMMAND(name) extern const struct command command_##name;
#include "cmd/list.h"
#undef COMMAND

/** command_at() - the @i-th command, NULL behind the last */
const struct command *command_at(size_t i);

/** the stop flag that signals set: the number of the first signal, 0 while there was none */
extern volatile sig_atomic_t stop_signal;

/** end_at_signals() - from now on a signal ends the program at once, for what has nothing to put back nor to take away */
void end_at_signals(void);

/** complain() - "schedproof: " and an error's line on standard error. Return: @status */
int complain(const struct error *err, int status);

/** complain_of() - the same. Return: EXIT_RUN for what went wrong under way, as its code tells, else EXIT_USAGE */
int complain_of(const struct error *err);

/** open_store() - at @path or, where NULL, the default place */
int open_store(struct store **out, const char *path, enum store_mode mode, struct error *err);

/**
 * recover_settings() - put back what an experiment that died has left changed, and say so on standard error
 * @root: see host_open()
 *
 * Return: 0 or -errno with the words in @err.
 */
int recover_settings(const char *root, struct error *err);

/**
 * finish_stdout() - the last thing that a command does
 *
 * Where whoever reads has gone (`| head`), nothing is said, and the program ends by SIGPIPE when all is put back, unless @status has more to say.
 *
 * Return: @status, or EXIT_RUN with a complaint, made once, if not all could be written
 */
int finish_stdout(int status);

#endif
