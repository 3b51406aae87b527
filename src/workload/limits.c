// SPDX-License-Identifier: GPL-2.0-only
#include "workload/limits.h"

#include "base/cpumask.h"
#include "base/file.h"
#include "base/mem.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <sched.h>
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

void limits_read_user(struct limit *limit, int root_fd, uid_t uid, rlim_t max)
{
	if (max == RLIM_INFINITY || uid == 0 || is_privileged(root_fd))
		return;
	limit->binds = true;
	limit->max = max;
	limit->used = count_tasks_of(root_fd, uid);
	limit->what = xasprintf("RLIMIT_NPROC of user %u", (unsigned int)uid);
}

static uint64_t room(const struct limit *limit)
{
	return limit->max > limit->used ? limit->max - limit->used : 0;
}

/**
 * struct controller - a limit of cgroups in one version of them
 * @name:  of the hierarchy in version 1, NULL for version 2
 * @mount: where its tree is
 * @max:   file with the limit
 * @used:  file with what is used
 * @spare: words of memory.stat: file pages that the kernel gives up when room is needed
 */
struct controller {
	const char *name;
	const char *mount;
	const char *max;
	const char *used;
	const char *spare[2];
};

static const struct controller pids_controllers[] = {
	{ NULL, "sys/fs/cgroup", "pids.max", "pids.current" },
	{ NULL, "sys/fs/cgroup/unified", "pids.max", "pids.current" },
	{ "pids", "sys/fs/cgroup/pids", "pids.max", "pids.current" },
	{ 0 },
};

static const struct controller memory_controllers[] = {
	{ NULL,
	  "sys/fs/cgroup",
	  "memory.max",
	  "memory.current",
	  { "inactive_file", "active_file" } },
	{ NULL,
	  "sys/fs/cgroup/unified",
	  "memory.max",
	  "memory.current",
	  { "inactive_file", "active_file" } },
	{ "memory",
	  "sys/fs/cgroup/memory",
	  "memory.limit_in_bytes",
	  "memory.usage_in_bytes",
	  { "total_inactive_file", "total_active_file" } },
	{ 0 },
};

/* Sum of the controller's spare words in @folder/memory.stat: lines "inactive_file 4096". */
static uint64_t read_spare(int root_fd, const char *folder, const struct controller *controller)
{
	char *path = xasprintf("%s/memory.stat", folder);
	struct strbuf sb = { 0 };
	uint64_t sum = 0;

	strbuf_addch(&sb, '\n');
	file_read(&sb, root_fd, path, FILE_MAX_BYTES, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(controller->spare) && controller->spare[i]; i++) {
		char *word = xasprintf("\n%s ", controller->spare[i]);
		uint64_t bytes;

		if (status_number(sb.s, word, 10, &bytes))
			sum += bytes;
		free(word);
	}
	strbuf_release(&sb);
	free(path);
	return sum;
}

static bool read_group(struct limit *here, int root_fd, const char *folder,
		       const struct controller *controller)
{
	uint64_t spare;

	here->binds = read_number_in(&here->max, root_fd, folder, controller->max) &&
		      read_number_in(&here->used, root_fd, folder, controller->used);
	if (here->binds && controller->spare[0]) {
		spare = read_spare(root_fd, folder, controller);
		here->used = here->used > spare ? here->used - spare : 0;
	}
	return here->binds;
}

/* Every cgroup from @path up to the mount point counts; the one with the least room is kept. */
static void read_groups(struct limit *limit, int root_fd, const struct controller *controller,
			const char *path)
{
	const size_t mount_len = strlen(controller->mount);
	char *folder = xasprintf("%s%s", controller->mount, strcmp(path, "/") ? path : "");

	while (strlen(folder) >= mount_len) {
		struct limit here = { 0 };

		if (read_group(&here, root_fd, folder, controller) &&
		    (!limit->binds || room(&here) < room(limit))) {
			free(limit->what);
			*limit = here;
			limit->what = xasprintf("/%s/%s", folder, controller->max);
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

/* One line of /proc/self/cgroup, "HIERARCHY:CONTROLLERS:PATH"; hierarchy 0 is version 2. */
static void read_cgroup_line(struct limit *limit, int root_fd, const char *line,
			     const struct controller *controllers)
{
	const bool v2 = !strncmp(line, "0::", 3);
	const char *names = strchr(line, ':');
	const char *path = names ? strchr(names + 1, ':') : NULL;

	if (!path || path[1] != '/')
		return;
	for (; controllers->mount; controllers++)
		if (controllers->name
			    ? has_word(names + 1, (size_t)(path - names - 1), controllers->name)
			    : v2)
			read_groups(limit, root_fd, controllers, path + 1);
}

static void read_cgroups(struct limits *limits, int root_fd)
{
	struct strbuf sb = { 0 };
	char *save = NULL;

	if (!file_read(&sb, root_fd, "proc/self/cgroup", FILE_MAX_BYTES, NULL) && sb.len) {
		for (char *line = strtok_r(sb.s, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save)) {
			read_cgroup_line(&limits->cgroup, root_fd, line, pids_controllers);
			read_cgroup_line(&limits->cgroup_memory, root_fd, line, memory_controllers);
		}
	}
	strbuf_release(&sb);
}

/* /proc/meminfo: "MemAvailable:   20103988 kB". */
static void read_memory(struct limit *limit, int root_fd)
{
	struct strbuf sb = { 0 };
	uint64_t kib;

	if (!file_read(&sb, root_fd, "proc/meminfo", FILE_MAX_BYTES, NULL) && sb.len &&
	    status_number(sb.s, "\nMemAvailable:", 10, &kib)) {
		limit->binds = true;
		limit->max = kib * 1024;
		limit->what = xstrdup("memory available (/proc/meminfo)");
	}
	strbuf_release(&sb);
}

static uint64_t count_cpus(void)
{
	const size_t bytes = CPU_ALLOC_SIZE(CPUMASK_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	uint64_t n = 0;

	if (set && !sched_getaffinity(0, bytes, set))
		n = (uint64_t)CPU_COUNT_S(bytes, set);
	CPU_FREE(set);
	return n;
}

/* /proc/loadavg: "0.10 0.05 0.01 2/92 11601", 92 tasks in all. */
static void read_system(struct limit *limit, int root_fd)
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
	read_cgroups(limits, root_fd);
	read_system(&limits->system, root_fd);
	read_memory(&limits->memory, root_fd);
	limits->cpus = count_cpus();
}

void limits_release(struct limits *limits)
{
	free(limits->user.what);
	free(limits->cgroup.what);
	free(limits->system.what);
	free(limits->memory.what);
	free(limits->cgroup_memory.what);
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

static int check_tasks(const struct limit *limit, uint64_t more, const char *how, struct error *err)
{
	if (!limit->binds || more <= room(limit))
		return 0;
	return error_set(err, EAGAIN,
			 "needs %" PRIu64 " more tasks, %s is %" PRIu64 " and %" PRIu64
			 " are there: raise it to %" PRIu64 " %s",
			 more, limit->what, limit->max, limit->used, limit->used + more, how);
}

static int check_memory(const struct limit *limit, uint64_t bytes, const char *how,
			struct error *err)
{
	if (!limit->binds || bytes <= room(limit))
		return 0;
	return error_set(err, ENOMEM,
			 "needs %" PRIu64 " bytes of memory, %s is %" PRIu64 " and %" PRIu64
			 " are used: %s",
			 bytes, limit->what, limit->max, limit->used, how);
}

static int check_cpus(const struct limits *limits, uint64_t cpus, struct error *err)
{
	if (!limits->cpus || cpus <= limits->cpus)
		return 0;
	return error_set(err, EOPNOTSUPP,
			 "needs %" PRIu64 " CPUs, this process may run on %" PRIu64
			 ": bring more online, or widen its affinity (taskset) and its cpuset",
			 cpus, limits->cpus);
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
	if (!ret)
		ret = check_memory(&limits->memory, needs->memory_bytes,
				   "free some, or choose smaller parameters", err);
	if (!ret)
		ret = check_memory(&limits->cgroup_memory, needs->memory_bytes,
				   "raise it by writing to that file, or MemoryMax= of the systemd "
				   "unit",
				   err);
	return ret ? ret : check_cpus(limits, needs->cpus, err);
}
