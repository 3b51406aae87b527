// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/tree.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAKEFILE_MAX (1 << 20)

/* Value of "NAME = value" at the begin of a line; the caller's to free, NULL if there is none. */
static char *make_variable(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *at;
		size_t len;

		line += *line == '\n' ? 1 : 0;
		if (strncmp(line, name, n))
			continue;
		at = line + n + strspn(line + n, " \t");
		if (*at != '=')
			continue;
		at += 1 + strspn(at + 1, " \t");
		len = strcspn(at, " \t\n#");
		return xstrndup(at, len);
	}
	return NULL;
}

static char *release_of(const char *makefile)
{
	char *version = make_variable(makefile, "VERSION");
	char *patch = make_variable(makefile, "PATCHLEVEL");
	char *sub = make_variable(makefile, "SUBLEVEL");
	char *extra = make_variable(makefile, "EXTRAVERSION");
	char *release = NULL;

	if (version && patch && *version && *patch)
		release = xasprintf("%s.%s.%s%s", version, patch, sub && *sub ? sub : "0",
				    extra ? extra : "");
	free(version);
	free(patch);
	free(sub);
	free(extra);
	return release;
}

static int has_scheduler(const char *folder, struct error *err)
{
	static const char *const files[] = { "Kbuild", "Kconfig", "kernel/sched/core.c",
					     "kernel/sched/build_policy.c" };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files) && !ret; i++) {
		char *path = xasprintf("%s/%s", folder, files[i]);

		if (access(path, R_OK) && i < 3)
			ret = error_set(err, EINVAL, "%s: no kernel tree, or not all of it: %s: %s",
					folder, files[i], strerror(errno));
		else if (access(path, R_OK))
			ret = error_set(err, EINVAL, "%s: kernels before 5.18 can't be built",
					folder);
		free(path);
	}
	return ret;
}

int tree_release(char **release, const char *folder, struct error *err)
{
	char *path = xasprintf("%s/Makefile", folder), *found = NULL;
	struct strbuf text = { 0 };
	int ret = file_read(&text, AT_FDCWD, path, MAKEFILE_MAX, NULL);

	if (ret)
		ret = error_set(err, EINVAL, "%s: no kernel tree, or not to be read: Makefile: %s",
				folder, strerror(-ret));
	else
		found = release_of(strbuf_str(&text));
	if (!ret && !found)
		ret = error_set(err, EINVAL, "%s: no kernel tree: its Makefile tells no VERSION",
				folder);
	if (!ret)
		ret = has_scheduler(folder, err);
	if (!ret) {
		*release = found;
		found = NULL;
	}
	free(found);
	free(path);
	strbuf_release(&text);
	return ret;
}

int tree_path(char **path, const char *folder, struct error *err)
{
	*path = realpath(folder, NULL);
	return *path ? 0 : error_set(err, errno, "%s: %s", folder, strerror(errno));
}
