// SPDX-License-Identifier: GPL-2.0-only
#include "noise.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_LENGTH 200

/* One number, and *at behind it. Return: its logarithm, NAN if there is none. */
static double parse_log(const char **at)
{
	char *end;
	double x = strtod(*at, &end);

	if (end == *at || !(x > 0) || !isfinite(x) || !strchr(" \t\n", *end))
		return NAN;
	*at = end;
	return log(x);
}

static const char *skip_blank(const char *at)
{
	at += strspn(at, " \t\n");
	while (*at == '#') {
		at += strcspn(at, "\n");
		at += strspn(at, " \t\n");
	}
	return at;
}

/* "folder/pipe.txt": "pipe" */
static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return xstrndup(name, strlen(name) - strlen(".txt"));
}

static int parse_trace(struct noise *noise, const char *path, const char *text, struct error *err)
{
	double *y = xcalloc(strlen(text) / 2 + 1, sizeof(*y));
	const char *at;
	size_t n = 0;

	for (at = skip_blank(text); *at; at = skip_blank(at)) {
		y[n] = parse_log(&at);
		if (isnan(y[n++])) {
			free(y);
			return error_set(err, EINVAL, "%s: number %zu is no positive number", path,
					 n);
		}
	}
	if (n < LEAST_LENGTH) {
		free(y);
		return error_set(err, EINVAL, "%s: %zu numbers, %d are needed", path, n,
				 LEAST_LENGTH);
	}
	*noise = (struct noise){
		.name = name_of(path), .model = NOISE_TRACE, .trace = y, .length = n
	};
	return 0;
}

static int read_trace(struct noise *noise, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read(&text, AT_FDCWD, path, 1 << 20, err);

	if (ret == 0)
		ret = parse_trace(noise, path, strbuf_str(&text), err);
	strbuf_release(&text);
	return ret;
}

int traces_read(struct noise **traces, size_t *n, const char *folder, struct error *err)
{
	char *pattern = xasprintf("%s/*.txt", folder);
	glob_t found = { 0 };
	struct noise *read;
	size_t done = 0;
	int ret = 0;

	if (glob(pattern, 0, NULL, &found))
		ret = error_set(err, ENOENT, "%s: no such file", pattern);
	read = xcalloc(found.gl_pathc, sizeof(*read));
	while (ret == 0 && done < found.gl_pathc) {
		ret = read_trace(&read[done], found.gl_pathv[done], err);
		done += ret == 0;
	}
	globfree(&found);
	free(pattern);
	if (ret) {
		traces_free(read, done);
		return ret;
	}
	*traces = read;
	*n = done;
	return 0;
}

void traces_free(struct noise *traces, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free((char *)traces[i].name);
		free((double *)traces[i].trace);
	}
	free(traces);
}
