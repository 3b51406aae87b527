// SPDX-License-Identifier: GPL-2.0-only
#include "workload/limits.h"

#include "base/file.h"
#include "base/mem.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PID_MAX_LIMIT of 64-bit kernels: no sysctl goes beyond it. */
#define TASKS_EVER (1 << 22)

#define FILE_MAX_BYTES (1 << 20)
#define OWN_FDS	       2 /* open only while we look: the folder that is read, and @root_fd */

/* The file as a number; false for "max" and where there is none. */
static bool read_number(uint64_t *value, int root_fd, const char *path)
{
	char *line = file_read_line(root_fd, path);
	char *end;
	bool ok;

	if (!line)
		return false;
	errno = 0;
	*value = strtoull(line, &end, 10);
	ok = isdigit((unsigned char)*line) && !*end && !errno;
	free(line);
	return ok;
}

static bool read_number_in(uint64_t *value, int root_fd, const char *folder, const char *file)
{
	char *path = xasprintf("%s/%s", folder, file);
	bool ok = read_number(value, root_fd, path);

	free(path);
	return ok;
}

/* The number behind @field ("Uid:") of a status file. */
static bool status_number(const char *status, const char *field, int base, uint64_t *value)
{
	const char *at = strstr(status, field);

	if (!at)
		return false;
	*value = strtoull(at + strlen(field), NULL, base);
	return true;
}

static bool read_status(struct strbuf *sb, int root_fd, const char *pid)
{
	char *path = xasprintf("proc/%s/status", pid);
	int ret;

	strbuf_reset(sb);
	ret = file_read(sb, root_fd, path, FILE_MAX_BYTES, NULL);
	free(path);
	return !ret && sb->len;
}

static bool is_privileged(int root_fd)
{
	static const uint64_t above_limits =
		UINT64_C(1) << CAP_SYS_RESOURCE | UINT64_C(1) << CAP_SYS_ADMIN;
	struct strbuf sb = { 0 };
	uint64_t caps = 0;

	if (read_status(&sb, root_fd, "self"))
		status_number(sb.s, "\nCapEff:", 16, &caps);
	strbuf_release(&sb);
	return caps & above_limits;
}

static DIR *open_folder(int root_fd, const char *path)
{
	int fd = openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* The next entry that is a number, or NULL. */
static const char *next_number(DIR *dir)
{
	struct dirent *entry;

	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			return entry->d_name;
	return NULL;
}

static uint64_t count_tasks_of(int root_fd, uid_t uid)
{
	DIR *dir = open_folder(root_fd, "proc");
	uint64_t owner, threads, sum = 0;
	struct strbuf sb = { 0 };
	const char *pid;

	if (!dir)
		return 0;
	while ((pid = next_number(dir)))
		if (read_status(&sb, root_fd, pid) && status_number(sb.s, "\nUid:", 10, &owner) &&
		    owner == uid && status_number(sb.s, "\nThreads:", 10, &threads))
			sum += threads;
	closedir(dir);
	strbuf_release(&sb);
	return sum;
}

/* Of those below @max: a file that was opened under a higher limit takes no room below this one. */
static uint64_t count_fds(int root_fd, rlim_t max)
{
	DIR *dir = open_folder(root_fd, "proc/self/fd");
	const char *fd;
	uint64_t n = 0;

	if (!dir)
		return 0;
	while ((fd = next_number(dir)))
		n += strtoull(fd, NULL, 10) < max;
	closedir(dir);
	return n > OWN_FDS ? n - OWN_FDS : 0;
}

void limits_read_user(struct task_limit *limit, int root_fd, uid_t uid, rlim_t max)
{
	if (max == RLIM_INFINITY || uid == 0 || is_privileged(root_fd))
		return;
	limit->binds = true;
	limit->max = max;
	limit->used = count_tasks_of(root_fd, uid);
	limit->what = xasprintf("RLIMIT_NPROC of user %u", (unsigned int)uid);
}

static uint64_t room(const struct task_limit *limit)
{
	return limit->max > limit->used ? limit->max - limit->used : 0;
}

/* Every cgroup from @path up to the mount point counts; the one with the least room is kept. */
static void read_pids_max(struct task_limit *limit, int root_fd, const char *mount,
			  const char *path)
{
	char *folder = xasprintf("%s%s", mount, strcmp(path, "/") ? path : "");

	while (strlen(folder) >= strlen(mount)) {
		struct task_limit here = { .binds = true };

		if (read_number_in(&here.max, root_fd, folder, "pids.max") &&
		    read_number_in(&here.used, root_fd, folder, "pids.current") &&
		    (!limit->binds || room(&here) < room(limit))) {
			free(limit->what);
			*limit = here;
			limit->what = xasprintf("/%s/pids.max", folder);
		}
		*strrchr(folder, '/') = '\0';
	}
	free(folder);
}

static bool has_word(const char *list, size_t n, const char *word)
{
	const size_t len = strlen(word);

	for (const char *at = list; at + len <= list + n; at += strcspn(at, ",") + 1)
		if (!strncmp(at, word, len) && (at + len == list + n || at[len] == ','))
			return true;
	return false;
}

/* Lines "hierarchy:controllers:path"; hierarchy 0 is version 2. */
static void read_cgroup(struct task_limit *limit, int root_fd)
{
	struct strbuf sb = { 0 };
	char *save = NULL;

	if (file_read(&sb, root_fd, "proc/self/cgroup", FILE_MAX_BYTES, NULL) || !sb.len)
		goto out;
	for (char *line = strtok_r(sb.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path || path[1] != '/')
			continue;
		controllers++;
		if (!strncmp(line, "0::", 3)) {
			read_pids_max(limit, root_fd, "sys/fs/cgroup", path + 1);
			read_pids_max(limit, root_fd, "sys/fs/cgroup/unified", path + 1);
		} else if (has_word(controllers, (size_t)(path - controllers), "pids")) {
			read_pids_max(limit, root_fd, "sys/fs/cgroup/pids", path + 1);
		}
	}
out:
	strbuf_release(&sb);
}

/* /proc/loadavg: "0.10 0.05 0.01 2/92 11601", 92 tasks in all. */
static void read_system(struct task_limit *limit, int root_fd)
{
	static const char *const names[] = { "pid_max", "threads-max" };
	char *loadavg = file_read_line(root_fd, "proc/loadavg");
	const char *slash = loadavg ? strchr(loadavg, '/') : NULL;
	uint64_t max;

	for (size_t i = 0; slash && i < ARRAY_SIZE(names); i++) {
		if (!read_number_in(&max, root_fd, "proc/sys/kernel", names[i]) ||
		    (limit->binds && max >= limit->max))
			continue;
		free(limit->what);
		limit->binds = true;
		limit->max = max;
		limit->used = strtoull(slash + 1, NULL, 10);
		limit->what = xasprintf("kernel.%s", names[i]);
	}
	free(loadavg);
}

void limits_read(struct limits *limits, int root_fd)
{
	struct rlimit files = { RLIM_INFINITY, RLIM_INFINITY };
	struct rlimit tasks = { RLIM_INFINITY, RLIM_INFINITY };

	getrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_NPROC, &tasks);
	limits->max_fds = files.rlim_max;
	limits->used_fds = count_fds(root_fd, files.rlim_max);
	limits_read_user(&limits->user, root_fd, getuid(), tasks.rlim_cur);
	read_cgroup(&limits->cgroup, root_fd);
	read_system(&limits->system, root_fd);
}

void limits_release(struct limits *limits)
{
	free(limits->user.what);
	free(limits->cgroup.what);
	free(limits->system.what);
	*limits = (struct limits){ 0 };
}

static int check_fds(const struct limits *limits, uint64_t more, struct error *err)
{
	if (limits->used_fds + more <= limits->max_fds)
		return 0;
	return error_set(err, EMFILE,
			 "needs %" PRIu64 " more open files, RLIMIT_NOFILE is at most %" PRIu64
			 " and %" PRIu64 " are open: raise it to %" PRIu64
			 " as root with 'ulimit -n', LimitNOFILE= of the systemd unit, or "
			 "limits.conf",
			 more, (uint64_t)limits->max_fds, limits->used_fds,
			 limits->used_fds + more);
}

static int check_tasks(const struct task_limit *limit, uint64_t more, const char *how,
		       struct error *err)
{
	if (!limit->binds || more <= room(limit))
		return 0;
	return error_set(err, EAGAIN,
			 "needs %" PRIu64 " more tasks, %s is %" PRIu64 " and %" PRIu64
			 " are there: raise it to %" PRIu64 " %s",
			 more, limit->what, limit->max, limit->used, limit->used + more, how);
}

int limits_check(const struct limits *limits, const struct needs *needs, struct error *err)
{
	const uint64_t more = needs->tasks ? needs->tasks - 1 : 0;
	int ret;

	if (more >= TASKS_EVER)
		return error_set(err, EAGAIN,
				 "needs %" PRIu64 " more tasks, and Linux has %d at most", more,
				 TASKS_EVER);
	ret = check_fds(limits, needs->fds, err);
	if (!ret)
		ret = check_tasks(&limits->user, more,
				  "with 'ulimit -u' (above the hard limit as root), LimitNPROC= of "
				  "the systemd unit, or limits.conf",
				  err);
	if (!ret)
		ret = check_tasks(&limits->cgroup, more,
				  "by writing to that file, or TasksMax= of the systemd unit", err);
	if (!ret)
		ret = check_tasks(&limits->system, more, "as root with sysctl", err);
	return ret;
}
