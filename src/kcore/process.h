/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/process.h - programs of others, started with words and not through a shell, in an environment of our making. */
#ifndef KCORE_PROCESS_H
#define KCORE_PROCESS_H

#include "base/error.h"
#include "base/strbuf.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct argv - an argument list in the making
 * @word: word[n], NULL behind; owned
 */
struct argv {
	char **word;
	size_t n;
};

/** argv_add() - one more, formatted */
void argv_add(struct argv *argv, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** argv_add_all() - copies of all of @more */
void argv_add_all(struct argv *argv, const struct argv *more);
bool argv_has(const struct argv *argv, const char *word);
void argv_release(struct argv *argv);

/**
 * struct process - how to run a program
 * @argv:   its name, looked up in PATH, and arguments
 * @folder: it starts in, NULL: ours
 * @env:    "NAME=value" beyond PATH, HOME, TMPDIR and the C locale, NULL-terminated; NULL: none
 * @input:  handed to its standard input; NULL: none
 * @output: its standard output is appended; NULL: goes where standard error goes
 * @log:    file that standard error is appended to
 * @stop:   once nonzero it is ended, and all that it started
 */
struct process {
	const struct argv *argv;
	const char *folder;
	const char *const *env;
	const struct strbuf *input;
	struct strbuf *output;
	const char *log;
	const volatile sig_atomic_t *stop;
};

/**
 * process_run() - and wait for it
 * @status: its exit status, 128 + n where signal n ended it
 *
 * It ends with us if we are killed.
 *
 * Return: 0; -ENOENT if there is no such program; -EINTR if it was stopped; -errno.
 */
int process_run(const struct process *process, int *status, struct error *err);

/** process_found() - is a program of that name in PATH? */
bool process_found(const char *name);

#endif
