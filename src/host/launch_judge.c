// SPDX-License-Identifier: GPL-2.0-only
#include "host/launch_judge.h"

#include "base/mem.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void finish_line(struct last_line *line)
{
	line->next[line->len] = '\0';
	if (line->next[strspn(line->next, " ")])
		memcpy(line->text, line->next, line->len + 1);
	line->len = 0;
}

void last_line_add(struct last_line *line, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\n')
			finish_line(line);
		else if (line->len < LAST_LINE_MAX)
			line->next[line->len++] = c < ' ' || c == 0x7f ? ' ' : (char)c;
	}
}

void last_line_end(struct last_line *line)
{
	finish_line(line);
}

/* Says it with the last line of standard error behind it, if there is one. */
static void fail(struct result *result, const struct ending *ending, const char *what)
{
	char *reason;

	reason = xasprintf("%s%s%s", what, *ending->last ? ": " : "", ending->last);
	result_fail(result, RUN_FAILED, reason);
	free(reason);
}

static void judge_signal(struct result *result, const struct ending *ending)
{
	int sig = WTERMSIG(ending->status);
	char *what = xasprintf("killed by signal %d (%s)", sig, strsignal(sig));

	fail(result, ending, what);
	free(what);
}

static void judge_exit_code(struct result *result, const struct ending *ending, const char *more)
{
	char *what = xasprintf("exit code %d%s", WEXITSTATUS(ending->status), more);

	fail(result, ending, what);
	free(what);
}

/* What the verdict will be about, or NULL if the result has it or says itself that it failed. */
static const char *missing_figure(const struct result *result)
{
	const struct workload *workload = workload_find(result->workload);
	const char *primary = workload ? workload->metrics[0].name : NULL;

	if (result->status != RUN_OK || !primary || result_metric(result, primary))
		return NULL;
	return primary;
}

static void judge_text(struct result *result, const char *workload, const struct ending *ending)
{
	struct error err = { 0 };
	char *what = NULL;

	if (result_read(result, strbuf_str(ending->out), ending->out->len, &err))
		what = xasprintf("no valid result on standard output: %s", err.text);
	else if (strcmp(result->workload, workload) != 0)
		what = xasprintf("the result is one of %s, not of %s", result->workload, workload);
	else if (missing_figure(result))
		what = xasprintf("the result has no figure for %s", missing_figure(result));
	if (what)
		fail(result, ending, what);
	free(what);
}

/* A workload that failed by itself says so in its result and exits with 1. */
static void judge_exit(struct result *result, const char *workload, const struct ending *ending)
{
	int code = WEXITSTATUS(ending->status);

	if (code == 0 && !ending->out->len)
		judge_exit_code(result, ending, " without a result");
	else if (code == 0)
		judge_text(result, workload, ending);
	else if (code != 1 || result_read(result, strbuf_str(ending->out), ending->out->len, NULL))
		judge_exit_code(result, ending, "");
	else if (result->status == RUN_OK)
		judge_exit_code(result, ending, " after a good result");
}

void launch_judge(struct result *result, const char *workload, const struct ending *ending)
{
	if (ending->hang)
		result_fail(result, RUN_HANG, ending->hang);
	else if (ending->flooded)
		result_fail(result, RUN_FAILED, "more than 1 MiB on standard output");
	else if (!WIFEXITED(ending->status))
		judge_signal(result, ending);
	else
		judge_exit(result, workload, ending);
	free(result->workload);
	result->workload = xstrdup(workload);
}
