// SPDX-License-Identifier: GPL-2.0-only
#include "host/cgroup.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX	   "cgroup."
#define PREFIX_LEN (sizeof(PREFIX) - 1)
#define NAME	   "schedproof-"
#define PARTITION  "cgroup.cpuset.cpus.partition"

/* What the kernel puts into a new cgroup and we use; a recorded tree has to be given it. */
static const char *const used_files[] = { "cgroup.procs", "cpu.weight", "cpu.max", "cpuset.cpus",
					  "cpuset.cpus.partition" };

/* Key of the @i-th cgroup setting at or behind *@at; NULL if there is none. */
static const char *next_key(const struct settings *settings, size_t *at, const char **value)
{
	const char *key;

	while ((key = settings_at(settings, (*at)++, value)))
		if (!strncmp(key, PREFIX, PREFIX_LEN))
			break;
	return key;
}

/* Folder above our own cgroup, below the root; the mount itself if we are in its root. */
static char *beside_own(const struct host *host)
{
	struct strbuf sb = { 0 };
	const char *own;
	char *path;

	file_read(&sb, host->root_fd, "proc/self/cgroup", 1 << 16, NULL);
	own = strstr(strbuf_str(&sb), "0::/");
	path = xasprintf("%s%s", host->cgroup2, own ? own + 3 : "/");
	strbuf_release(&sb);
	path[strcspn(path, "\n")] = '\0';
	*strrchr(path, '/') = '\0';
	return path;
}

static char *find_parent(const struct host *host)
{
	char *procs = xasprintf("%s/cgroup.procs", host->cgroup2);
	bool root = !host->live || !faccessat(host->root_fd, procs, W_OK, AT_EACCESS);

	free(procs);
	return root ? xstrdup(host->cgroup2) : beside_own(host);
}

/* @key is "cgroup.CONTROLLER.FILE" */
static int want_controller(struct wishes *wishes, struct knobs *knobs, const struct host *host,
			   const char *parent, const char *key, struct error *err)
{
	char *controller =
		xasprintf("+%.*s", (int)strcspn(key + PREFIX_LEN, "."), key + PREFIX_LEN);
	char *path = xasprintf("%s/cgroup.controllers", parent);
	char *offered = file_read_line(host->root_fd, path);
	int ret;

	free(path);
	path = xasprintf("%s/cgroup.subtree_control", parent);
	if (!offered || !text_has_word(offered, controller + 1))
		ret = error_set(
			err, EOPNOTSUPP,
			"%s: the cgroup v2 at %s has no %s controller; if cgroup v1 has it, "
			"boot with cgroup_no_v1=%s",
			key, parent, controller + 1, controller + 1);
	else
		ret = wishes_add(wishes, knobs, host, key, false, path, controller, err);
	free(offered);
	free(path);
	free(controller);
	return ret;
}

int cgroup_plan(char **path, struct wishes *wishes, struct knobs *knobs, const struct host *host,
		const struct settings *settings, size_t i, struct error *err)
{
	const char *key, *value;
	char *parent;
	size_t at = 0;
	int ret = 0;

	*path = NULL;
	key = next_key(settings, &at, &value);
	if (!key)
		return 0;
	if (!host->cgroup2)
		return error_set(err, EOPNOTSUPP, "%s: no cgroup v2 is mounted here", key);
	parent = find_parent(host);
	for (; key && !ret; key = next_key(settings, &at, &value))
		ret = want_controller(wishes, knobs, host, parent, key, err);
	if (!ret)
		*path = xasprintf("%s/" NAME "%ld.%zu", parent, (long)getpid(), i);
	free(parent);
	return ret;
}

static char *file_in(const char *path, const char *name)
{
	return xasprintf("%s/%s", path, name);
}

/* The kernel fills a new cgroup and empties one that goes; a recorded tree has to be helped. */
static void fill(const struct host *host, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(used_files); i++) {
		char *file = file_in(path, used_files[i]);
		int fd = openat(host->root_fd, file, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

		if (fd >= 0)
			close(fd);
		free(file);
	}
}

static void empty(const struct host *host, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(used_files); i++) {
		char *file = file_in(path, used_files[i]);

		unlinkat(host->root_fd, file, 0);
		free(file);
	}
}

static int check_file(const struct host *host, const char *file, const char *value,
		      struct error *err)
{
	char *line = file_read_line(host->root_fd, file);
	int ret = 0;

	if (!line)
		return error_set(err, errno, "%s: %s", file, strerror(errno));
	if (!text_same_value(line, value))
		ret = error_set(err, EIO, "%s: the kernel made '%.80s' of '%.80s'", file, line,
				value);
	free(line);
	return ret;
}

static int write_setting(const struct host *host, const char *path, const char *key,
			 const char *value, struct error *err)
{
	char *file = file_in(path, key + PREFIX_LEN);
	int ret = file_write(host->root_fd, file, value, err);

	if (!ret)
		ret = check_file(host, file, value, err);
	/* the CPUs that are really left: those that the cgroups above allow, and online */
	if (!ret && host->live && !strcmp(key, PREFIX "cpuset.cpus")) {
		free(file);
		file = file_in(path, "cpuset.cpus.effective");
		ret = check_file(host, file, value, err);
	}
	free(file);
	if (ret)
		error_prefix(err, "%s", key);
	return ret;
}

int cgroup_make(const struct host *host, const char *path, const struct settings *settings,
		struct error *err)
{
	const char *key, *value;
	size_t at = 0;
	int ret = 0;

	if (mkdirat(host->root_fd, path, 0755))
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	if (!host->live)
		fill(host, path);
	while (!ret && (key = next_key(settings, &at, &value)))
		if (strcmp(key, PARTITION) != 0)
			ret = write_setting(host, path, key, value, err);
	/* of the CPUs that it has by then */
	value = settings_get(settings, PARTITION);
	if (!ret && value)
		ret = write_setting(host, path, PARTITION, value, err);
	return ret;
}

/* What a removed partition had the kernel gives back later, even if it is the next one's by then (6.1). */
static void end_partition(const struct host *host, const char *path)
{
	char *file = file_in(path, &PARTITION[PREFIX_LEN]);

	file_write(host->root_fd, file, "member", NULL);
	free(file);
}

int cgroup_remove(const struct host *host, const char *path, struct error *err)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	char *kill = file_in(path, "cgroup.kill");
	int ret = 0;

	end_partition(host, path);
	if (!host->live)
		empty(host, path);
	/* the dead leave their cgroup a little after they were waited for */
	for (int tries = 0; tries < 100; tries++) {
		ret = unlinkat(host->root_fd, path, AT_REMOVEDIR) ? -errno : 0;
		if (ret != -EBUSY)
			break;
		file_write(host->root_fd, kill, "1", NULL);
		nanosleep(&pause, NULL);
	}
	free(kill);
	if (!ret || ret == -ENOENT)
		return 0;
	return error_set(err, -ret, "%s: %s", path, strerror(-ret));
}

bool cgroup_is_ours(const struct host *host, const char *path)
{
	size_t n = host->cgroup2 ? strlen(host->cgroup2) : 0;
	const char *name = strrchr(path, '/');

	if (!n || !name || strncmp(path, host->cgroup2, n) != 0 || path[n] != '/')
		return false;
	n = strlen("/" NAME);
	return !strncmp(name, "/" NAME, n) && name[n] && !name[n + strspn(name + n, "0123456789.")];
}
