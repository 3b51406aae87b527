// SPDX-License-Identifier: GPL-2.0-only
#include "workload/program.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* execvp()'s where there is no PATH */
#define USUAL_PATH "/bin:/usr/bin"

static char *take_if_executable(char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

char *program_find(const char *name)
{
	const char *path = getenv("PATH");
	char *found = NULL, *folders, *rest;

	if (strchr(name, '/') || !*name)
		return take_if_executable(xstrdup(name));
	folders = xstrdup(path ? path : USUAL_PATH);
	rest = folders;
	for (char *folder = strsep(&rest, ":"); folder && !found; folder = strsep(&rest, ":"))
		found = take_if_executable(xasprintf("%s/%s", *folder ? folder : ".", name));
	free(folders);
	return found;
}
