/* SPDX-License-Identifier: GPL-2.0-only */
/* host/launch_judge.h - what a worker left behind made into a result. */
#ifndef HOST_LAUNCH_JUDGE_H
#define HOST_LAUNCH_JUDGE_H

#include "base/strbuf.h"
#include "workload/result.h"

#include <stdbool.h>
#include <stddef.h>

/* What is kept of a line of standard error. */
#define LAST_LINE_MAX 256

/**
 * struct last_line - the last line with anything in it of a stream that may be endless
 * @text: terminated, at most LAST_LINE_MAX bytes of it
 * @next: the line being received
 *
 * Initialise with { 0 }.
 */
struct last_line {
	char text[LAST_LINE_MAX + 1];
	char next[LAST_LINE_MAX + 1];
	size_t len;
};

/** last_line_add() - the next bytes of the stream, in pieces of any size; control characters become blanks */
void last_line_add(struct last_line *line, const char *bytes, size_t n);

/** last_line_end() - the stream is at its end: a last line without a newline counts too */
void last_line_end(struct last_line *line);

/**
 * struct ending - how a worker ended
 * @status:   as of wait()
 * @hang:     what was found at the time limit, NULL if it ended by itself
 * @flooded:  it wrote more to its standard output than is read
 * @out:      its standard output
 * @last:     last line of its standard error, "" if none
 */
struct ending {
	int status;
	const char *hang;
	bool flooded;
	const struct strbuf *out;
	const char *last;
};

/**
 * launch_judge() - fill @result
 * @result:   fresh
 * @workload: what was run
 *
 * RUN_OK is only what ended with exit code 0 and one valid result of @workload that says so itself and has its
 * first metric, which the verdict is about.
 */
void launch_judge(struct result *result, const char *workload, const struct ending *ending);

#endif
