// SPDX-License-Identifier: GPL-2.0-only
#include "host/restore.h"

#include "base/mem.h"
#include "host/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

void restore_release(struct restore *restore)
{
	knobs_release(&restore->knobs);
	for (size_t i = 0; i < restore->nr_cgroups; i++)
		free(restore->cgroups[i]);
	free(restore->cgroups);
	*restore = (struct restore){ 0 };
}

void restore_add_cgroup(struct restore *restore, const char *path)
{
	restore->cgroups =
		xreallocarray(restore->cgroups, restore->nr_cgroups + 1, sizeof(*restore->cgroups));
	restore->cgroups[restore->nr_cgroups++] = xstrdup(path);
}

static int put_knobs_back(const struct knobs *knobs, const struct host *host, size_t *count,
			  struct error *err)
{
	const char **values = xcalloc(knobs->n, sizeof(*values));
	int ret;

	for (size_t i = 0; i < knobs->n; i++)
		values[i] = knobs->list[i].original;
	ret = knobs_write(knobs, host, values, count, err);
	free(values);
	return ret;
}

/* Cgroups first: a controller can't be taken from cgroups that use it. */
int restore_put_back(const struct restore *restore, const struct host *host, size_t *count,
		     struct error *err)
{
	size_t gone = 0;
	int first = 0, ret;

	for (size_t i = 0; i < restore->nr_cgroups; i++) {
		ret = cgroup_remove(host, restore->cgroups[i], first ? NULL : err);
		gone += !ret;
		first = first ? first : ret;
	}
	ret = put_knobs_back(&restore->knobs, host, count, first ? NULL : err);
	*count += gone;
	return first ? first : ret;
}

static int locked_by_other(int fd, struct error *err)
{
	char pid[24] = "";
	ssize_t n = pread(fd, pid, sizeof(pid) - 1, 0);

	pid[n > 0 ? strspn(pid, "0123456789") : 0] = '\0';
	return error_set(err, EBUSY, "another experiment is running%s%s; wait for it or stop it",
			 *pid ? " as process " : "", pid);
}

int restore_lock(const struct host *host, int *out, struct error *err)
{
	char *path = xasprintf("%s/lock", host->state_dir);
	int fd, ret = 0;

	fd = openat(host->root_fd, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0) {
		ret = error_set(err, errno, "%s: %s", path, strerror(errno));
		goto out;
	}
	if (flock(fd, LOCK_EX | LOCK_NB))
		ret = errno == EWOULDBLOCK ? locked_by_other(fd, err)
					   : error_set(err, errno, "%s: %s", path, strerror(errno));
	if (ret) {
		close(fd);
		goto out;
	}
	/* for a person to read: without it the lock holds as well */
	if (!ftruncate(fd, 0))
		dprintf(fd, "%ld\n", (long)getpid());
	*out = fd;
out:
	free(path);
	return ret;
}
