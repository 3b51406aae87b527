// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/find_worker.h"

#include "base/mem.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *find_worker(const char *wanted, struct error *err)
{
	static const char *const places[] = { "schedproof-worker", "../worker/schedproof-worker" };
	char self[PATH_MAX];
	ssize_t n;

	if (wanted)
		return xstrdup(wanted);
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0) {
		error_set(err, errno, "/proc/self/exe: %s", strerror(errno));
		return NULL;
	}
	self[n] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char *copy = xstrdup(self);
		char *path = xasprintf("%s/%s", dirname(copy), places[i]);

		free(copy);
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	error_set(err, ENOENT,
		  "schedproof-worker is not beside %s: install it there, or name it with --worker",
		  self);
	return NULL;
}
