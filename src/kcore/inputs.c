// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/inputs.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "kcore/kit.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NOTES_MAX (16 << 20)

/* What no note of kbuild's names. */
static const char *const always[] = {
	"Makefile",
	"Kbuild",
	"kernel/Makefile",
	"kernel/sched/Makefile",
	"lib/Makefile",
	"scripts/Kbuild.include",
	"scripts/Makefile.build",
	"scripts/Makefile.lib",
	"scripts/link-vmlinux.sh",
};

/* Paths, owned. */
struct paths {
	char **path;
	size_t n;
};

static void add_path(struct paths *paths, const char *path, size_t n)
{
	if (!(paths->n & (paths->n - 1)))
		paths->path = xreallocarray(paths->path, paths->n ? 2 * paths->n : 1,
					    sizeof(*paths->path));
	paths->path[paths->n++] = xstrndup(path, n);
}

/*
 * A note names a file a line, behind blanks, or behind "source_NAME := "; those of Kconfig are relative to the sources, all
 * others aren't. Files of the build folder and ours don't count.
 */
static void add_line(struct paths *paths, const char *line, const char *overlay)
{
	static const char ours[] = "arch/" KIT_ARCH "/";
	size_t n = strlen(overlay);

	if (!strncmp(line, "source_", 7)) {
		line = strstr(line, ":= ");
		line = line ? line + 3 : "";
	} else if (*line != ' ' && *line != '\t') {
		return;
	}
	line += strspn(line, " \t");
	if (!strncmp(line, overlay, n) && line[n] == '/')
		line += n + 1;
	else if (!strncmp(line, "include/", 8) || strspn(line, "/$.#\n"))
		return;
	if (strncmp(line, ours, sizeof(ours) - 1))
		add_path(paths, line, strcspn(line, " \t\n\\):"));
}

static void add_lines(struct paths *paths, const char *text, const char *overlay)
{
	while (*text) {
		add_line(paths, text, overlay);
		text += strcspn(text, "\n");
		text += *text ? 1 : 0;
	}
}

static int add_note(struct paths *paths, const char *overlay, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read(&text, AT_FDCWD, path, NOTES_MAX, err);

	if (!ret)
		add_lines(paths, strbuf_str(&text), overlay);
	strbuf_release(&text);
	return ret;
}

/* "kernel/sched/core.o" has its note in "kernel/sched/.core.o.cmd". */
static int add_object_note(struct paths *paths, const char *build, const char *overlay,
			   const char *object, struct error *err)
{
	const char *slash = strrchr(object, '/'), *base = slash ? slash + 1 : object;
	char *path = xasprintf("%s/%.*s.%s.cmd", build, (int)(base - object), object, base);
	int ret = add_note(paths, overlay, path, err);

	free(path);
	return ret;
}

/* Kconfig files. */
static int add_config_note(struct paths *paths, const char *build, const char *overlay,
			   struct error *err)
{
	char *path = xasprintf("%s/include/config/auto.conf.cmd", build);
	int ret = add_note(paths, overlay, path, err);

	free(path);
	return ret;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_sorted(struct paths *paths, struct strbuf *sb)
{
	const char *last = "";

	qsort(paths->path, paths->n, sizeof(*paths->path), by_text);
	for (size_t i = 0; i < paths->n; i++) {
		if (*paths->path[i] && strcmp(paths->path[i], last))
			strbuf_addf(sb, "%s\n", paths->path[i]);
		last = paths->path[i];
	}
}

int inputs_collect(struct strbuf *sb, const char *build, const char *overlay, char *const *objects,
		   struct error *err)
{
	struct paths paths = { 0 };
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		add_path(&paths, always[i], strlen(always[i]));
	ret = add_config_note(&paths, build, overlay, err);
	for (; *objects && !ret; objects++)
		ret = add_object_note(&paths, build, overlay, *objects, err);
	if (!ret)
		put_sorted(&paths, sb);
	for (size_t i = 0; i < paths.n; i++)
		free(paths.path[i]);
	free(paths.path);
	return ret;
}

uint64_t inputs_hash(const char *list, const char *tree, uint64_t *newest_ns)
{
	uint64_t hash = HASH64_INIT, newest = 0;

	while (*list) {
		size_t n = strcspn(list, "\n");
		char *path = xasprintf("%s/%.*s", tree, (int)n, list);
		uint64_t seen[3] = { 0 };
		struct stat st;

		if (!stat(path, &st)) {
			seen[0] = 1;
			seen[1] = (uint64_t)st.st_size;
			seen[2] = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
				  (uint64_t)st.st_mtim.tv_nsec;
		}
		if (seen[2] > newest)
			newest = seen[2];
		hash = hash64(hash, list, n);
		hash = hash64(hash, seen, sizeof(seen));
		free(path);
		list += n + (list[n] ? 1 : 0);
	}
	if (newest_ns)
		*newest_ns = newest;
	return hash ? hash : 1;
}
