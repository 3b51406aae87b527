// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/unixbench_tools.c - the scripts of the shell tests, and small programs that do the same without a shell, a
 * libc to load, or a locale: as many forks, executions and pipes in the same order.
 */
#include "workload/unixbench.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "workload/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define INPUT "input"

/* About the size of the original's: 362 lines, 1200 words, 35 lines that grep finds. */
#define INPUT_LINES 362
#define INPUT_SEED  5

#define MAX_TEXT (1u << 24)
#define MAX_RUN	 8 /* scripts at once */
#define MAX_PIPE 3 /* programs of a pipeline */

/* The script's files; the process number of tst.sh makes the names different. */
static const char *const files[] = { "sorted", "dump", "lines", "count" };

static const char multi_sh[] = "#!/bin/sh\n"
			       "n=$1\n"
			       "while [ \"$n\" -gt 0 ]; do\n"
			       "\t/bin/sh ./tst.sh " INPUT " &\n"
			       "\tn=$((n - 1))\n"
			       "done\n"
			       "wait\n";

static const char tst_sh[] = "#!/bin/sh\n"
			     "sort <$1 >sorted.$$\n"
			     "od sorted.$$ | sort -n -k 1 >dump.$$\n"
			     "grep " UB_PATTERN " sorted.$$ | tee lines.$$ | wc >count.$$\n"
			     "rm sorted.$$ lines.$$ dump.$$ count.$$\n";

static void add_word(struct strbuf *sb, struct rng *rng)
{
	for (uint64_t n = 2 + rng_below(rng, 9); n; n--)
		strbuf_addch(sb, (char)('a' + rng_below(rng, 26)));
}

/* Mostly short lines, some long ones; a tenth has the word that grep looks for. */
void ub_input(struct strbuf *sb)
{
	struct rng rng;

	rng_seed(&rng, INPUT_SEED, "unixbench-input", 0);
	for (int line = 0; line < INPUT_LINES; line++) {
		uint64_t words = rng_below(&rng, 2) ? 1 : 1 + rng_below(&rng, 10);

		for (uint64_t i = 0; i < words; i++) {
			if (i)
				strbuf_addch(sb, ' ');
			add_word(sb, &rng);
		}
		if (line % 10 == 3)
			strbuf_addstr(sb, " " UB_PATTERN);
		strbuf_addch(sb, '\n');
	}
}

static int write_new(const char *folder, const char *name, const char *text, size_t n,
		     struct error *err)
{
	char *path = xasprintf("%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700), ret = 0;

	if (fd < 0 || write(fd, text, n) != (ssize_t)n)
		ret = error_set(err, errno ? errno : ENOSPC, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

int ub_scripts(const char *folder, struct error *err)
{
	struct strbuf input = { 0 };
	int ret;

	ub_input(&input);
	ret = write_new(folder, INPUT, input.s, input.len, err);
	if (!ret)
		ret = write_new(folder, "multi.sh", multi_sh, strlen(multi_sh), err);
	if (!ret)
		ret = write_new(folder, "tst.sh", tst_sh, strlen(tst_sh), err);
	strbuf_release(&input);
	return ret;
}

int ub_tools_probe(struct error *err)
{
	static const char *const names[] = { "sh", "sort", "od", "grep", "tee", "wc", "rm" };
	char *path;
	int ret = access("/bin/sh", X_OK)
			  ? error_set(err, ENOENT, "/bin/sh is missing: use tools=own")
			  : 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(names); i++) {
		path = program_find(names[i]);
		if (!path)
			ret = error_set(err, ENOENT, "%s is not in PATH: use tools=own", names[i]);
		free(path);
	}
	return ret;
}

void ub_tool_exec(const char *self, const char *tool, const char *arg)
{
	execl(self, PROGRAM_PREFIX "unixbench", tool, self, arg, (char *)NULL);
}

static void read_all(struct strbuf *sb)
{
	char buffer[4096];
	ssize_t n;

	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0 && sb->len < MAX_TEXT)
		strbuf_add(sb, buffer, (size_t)n);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_numbers(const void *a, const void *b)
{
	unsigned long x = strtoul(*(char *const *)a, NULL, 10);
	unsigned long y = strtoul(*(char *const *)b, NULL, 10);

	return x != y ? (x > y) - (x < y) : compare_text(a, b);
}

/* Standard input's lines in order. */
static int sort_lines(int (*compare)(const void *, const void *))
{
	struct strbuf in = { 0 }, out = { 0 };
	char **lines, *rest;
	size_t n = 0;
	int status;

	read_all(&in);
	lines = xcalloc(in.len + 1, sizeof(*lines));
	rest = in.s;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (rest || *line)
			lines[n++] = line;
	qsort(lines, n, sizeof(*lines), compare);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&out, "%s\n", lines[i]);
	status = !!fd_write(STDOUT_FILENO, out.s, out.len);
	free(lines);
	strbuf_release(&in);
	strbuf_release(&out);
	return status;
}

/* 16 bytes a line, as octal numbers of two bytes each; the last line is the length. */
static int dump(void)
{
	struct strbuf in = { 0 }, out = { 0 };
	int status;

	read_all(&in);
	for (size_t i = 0; i < in.len; i += 2) {
		unsigned int low = (unsigned char)in.s[i];
		unsigned int high = i + 1 < in.len ? (unsigned char)in.s[i + 1] : 0;

		if (i % 16 == 0)
			strbuf_addf(&out, "%s%07zo", i ? "\n" : "", i);
		strbuf_addf(&out, " %06o", low | high << 8);
	}
	strbuf_addf(&out, "%s%07zo\n", in.len ? "\n" : "", in.len);
	status = !!fd_write(STDOUT_FILENO, out.s, out.len);
	strbuf_release(&in);
	strbuf_release(&out);
	return status;
}

static int filter_lines(void)
{
	struct strbuf in = { 0 }, out = { 0 };
	char *rest;
	int status;

	read_all(&in);
	rest = in.s;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (strstr(line, UB_PATTERN))
			strbuf_addf(&out, "%s\n", line);
	status = !!fd_write(STDOUT_FILENO, out.s, out.len);
	strbuf_release(&in);
	strbuf_release(&out);
	return status;
}

static int copy_to(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), status;
	struct strbuf in = { 0 };

	if (fd < 0)
		return 1;
	read_all(&in);
	status = !!fd_write(STDOUT_FILENO, in.s, in.len);
	status |= !!fd_write(fd, in.s, in.len);
	close(fd);
	strbuf_release(&in);
	return status;
}

static int count_words(void)
{
	size_t lines = 0, words = 0;
	struct strbuf in = { 0 };
	bool inside = false;

	read_all(&in);
	for (size_t i = 0; i < in.len; i++) {
		bool blank = strchr(" \t\n", in.s[i]) != NULL;

		lines += in.s[i] == '\n';
		words += inside && blank;
		inside = !blank;
	}
	dprintf(STDOUT_FILENO, "%7zu %7zu %7zu\n", lines, words + inside, in.len);
	strbuf_release(&in);
	return 0;
}

static int remove_files(const char *suffix)
{
	char path[64];
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s.%s", files[i], suffix);
		status |= unlink(path) != 0;
	}
	return status;
}

/* struct program - one of a pipeline; a NULL file is the pipe, or what was inherited */
struct program {
	const char *tool;
	const char *arg;
	const char *in;
	const char *out;
};

static void redirect(const char *path, int flags, int to)
{
	int fd = open(path, flags, 0600);

	if (fd < 0)
		_exit(1);
	dup2(fd, to);
	close(fd);
}

static _Noreturn void be_program(const struct program *p, const char *self, int in, int out)
{
	if (in >= 0) {
		dup2(in, STDIN_FILENO);
		close(in);
	}
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		close(out);
	}
	if (p->in)
		redirect(p->in, O_RDONLY, STDIN_FILENO);
	if (p->out)
		redirect(p->out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
	ub_tool_exec(self, p->tool, p->arg);
	_exit(1);
}

static int wait_for(int n)
{
	int status, failed = 0;

	for (; n; n--)
		failed |= wait(&status) < 0 || status != 0;
	return failed;
}

/* All at once, each reads what the one before writes, until all have ended. Return: 0, or 1 if one failed */
static int pipeline(const char *self, const struct program *programs, int n)
{
	int in = -1, started = 0, failed = 0;

	for (int i = 0; i < n; i++) {
		int fds[2] = { -1, -1 };
		pid_t pid;

		if (i + 1 < n && pipe2(fds, O_CLOEXEC))
			return 1;
		pid = fork();
		if (!pid)
			be_program(&programs[i], self, in, fds[1]);
		if (in >= 0)
			close(in);
		if (fds[1] >= 0)
			close(fds[1]);
		in = fds[0];
		started += pid > 0;
		failed |= pid < 0;
	}
	return wait_for(started) | failed;
}

/* As tst.sh. */
static int tst(const char *self, const char *input)
{
	char pid[16], sorted[32], out[32], lines[32], count[32];
	int failed;

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	snprintf(sorted, sizeof(sorted), "sorted.%s", pid);
	snprintf(out, sizeof(out), "dump.%s", pid);
	snprintf(lines, sizeof(lines), "lines.%s", pid);
	snprintf(count, sizeof(count), "count.%s", pid);
	const struct program sort = { "sort", NULL, input, sorted };
	const struct program dumped[] = { { "od", NULL, sorted, NULL },
					  { "sort-n", NULL, NULL, out } };
	const struct program found[MAX_PIPE] = { { "grep", NULL, sorted, NULL },
						 { "tee", lines, NULL, NULL },
						 { "wc", NULL, NULL, count } };
	const struct program rm = { "rm", pid, NULL, NULL };

	failed = pipeline(self, &sort, 1);
	failed |= pipeline(self, dumped, ARRAY_SIZE(dumped));
	failed |= pipeline(self, found, ARRAY_SIZE(found));
	return failed | pipeline(self, &rm, 1);
}

/* As multi.sh. */
static int multi(const char *self, int n)
{
	int started = 0, failed = n < 1 || n > MAX_RUN;

	for (int i = 0; !failed && i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			ub_tool_exec(self, "tst", INPUT);
			_exit(1);
		}
		started += pid > 0;
		failed |= pid < 0;
	}
	return wait_for(started) | failed;
}

int ub_tool(int argc, char **argv)
{
	const char *tool = argc > 0 ? argv[0] : "", *arg = argc > 2 ? argv[2] : "";

	if (!strcmp(tool, "multi") && argc > 2)
		return multi(argv[1], (int)strtol(arg, NULL, 10));
	if (!strcmp(tool, "tst") && argc > 2)
		return tst(argv[1], arg);
	if (!strcmp(tool, "sort"))
		return sort_lines(compare_text);
	if (!strcmp(tool, "sort-n"))
		return sort_lines(compare_numbers);
	if (!strcmp(tool, "od"))
		return dump();
	if (!strcmp(tool, "grep"))
		return filter_lines();
	if (!strcmp(tool, "tee"))
		return copy_to(arg);
	if (!strcmp(tool, "wc"))
		return count_words();
	if (!strcmp(tool, "rm"))
		return remove_files(arg);
	fprintf(stderr, "schedproof-worker: no tool '%s'\n", tool);
	return 2;
}
