/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/exec.h - what the files of exec share. */
#ifndef WORKLOAD_EXEC_H
#define WORKLOAD_EXEC_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Of several matches: which, or what of all. */
enum {
	MATCH_LAST,
	MATCH_FIRST,
	MATCH_SUM,
	MATCH_MEAN,
	MATCH_LEAST,
	MATCH_MOST,
};

enum {
	OUTPUT_STDOUT,
	OUTPUT_BOTH,
};

struct exec_cfg {
	char *command;
	char *seconds;
	char *rate;
	char *higher;
	char *lower;
	int unit;
	int match;
	int output;
	uint64_t status;
};

/**
 * exec_find() - the number that a pattern finds in a text
 * @value:   filled on success
 * @pattern: POSIX extended; its first group is the number, or the whole of it where it has none
 * @text:    NUL-terminated; ^ and $ are the ends of its lines
 * @match:   what to take of several matches
 *
 * The number may have commas between digits, as 1,234.5 has.
 *
 * Return: 0; -EINVAL for a pattern that is none; -ENODATA if nothing matches; -EPROTO if what it finds is no number.
 */
int exec_find(double *value, const char *pattern, const char *text, int match, struct error *err);

/** exec_check_pattern() - Return: 0, or -EINVAL with what is wrong */
int exec_check_pattern(const char *pattern, struct error *err);

/** exec_last_line() - of a text, without control characters; "" if it has none. The caller's to free */
char *exec_last_line(const char *text);

#endif
