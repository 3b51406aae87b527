// SPDX-License-Identifier: GPL-2.0-only
#include "host/host.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Folder of the first mount of type @type, without its leading slashes, or NULL. */
static char *find_mount(const char *type)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	char buf[4096], *dir = NULL;
	struct mntent entry;

	if (!mounts)
		return NULL;
	while (!dir && getmntent_r(mounts, &entry, buf, sizeof(buf)))
		if (!strcmp(entry.mnt_type, type))
			dir = xstrdup(entry.mnt_dir + strspn(entry.mnt_dir, "/"));
	endmntent(mounts);
	return dir;
}

/* debugfs mounted where only our descriptor leads to it. */
static int detached_debugfs(void)
{
	int fs = fsopen("debugfs", FSOPEN_CLOEXEC);
	int fd = -1, code;

	if (fs < 0)
		return -1;
	if (!fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	code = errno;
	close(fs);
	errno = code;
	return fd;
}

static const char *why_no_debugfs(int code)
{
	switch (code) {
	case EACCES:
		return "debugfs is for root only";
	case EPERM:
		return "debugfs is not mounted, and only root may mount it";
	case ENODEV:
		return "this kernel has no debugfs";
	case ENOENT:
		return "there is no sys/kernel/debug in this folder";
	case ENOSYS:
		return "debugfs is not mounted: mount -t debugfs none /sys/kernel/debug";
	default:
		return "debugfs can't be opened";
	}
}

static void find_debugfs(struct host *host)
{
	char *mounted = host->live ? find_mount("debugfs") : xstrdup("sys/kernel/debug");

	host->debugfs_fd =
		mounted ? openat(host->root_fd, mounted, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
			: detached_debugfs();
	host->debugfs_why = host->debugfs_fd < 0 ? why_no_debugfs(errno) : NULL;
	free(mounted);
}

static void find_cgroup2(struct host *host)
{
	static const char dir[] = "sys/fs/cgroup";

	if (host->live)
		host->cgroup2 = find_mount("cgroup2");
	else if (!faccessat(host->root_fd, "sys/fs/cgroup/cgroup.controllers", F_OK, 0))
		host->cgroup2 = xstrdup(dir);
}

/* As the XDG base directory specification says; a relative path there is to be ignored. */
static char *user_state_dir(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const struct passwd *user;

	if (state && *state == '/')
		return xasprintf("%s/schedproof", state + strspn(state, "/"));
	if (!home || *home != '/') {
		user = getpwuid(geteuid());
		home = user ? user->pw_dir : NULL;
	}
	if (!home || *home != '/')
		return NULL;
	return xasprintf("%s/.local/state/schedproof", home + strspn(home, "/"));
}

static void read_online(struct host *host)
{
	char *text = file_read_line(host->root_fd, "sys/devices/system/cpu/online");

	if (text)
		cpumask_parse(&host->online, text, NULL);
	free(text);
}

static char *line_or_empty(int dir_fd, const char *path)
{
	char *line = file_read_line(dir_fd, path);

	return line ? line : xstrdup("");
}

static char *read_release(const struct host *host)
{
	struct utsname name;

	if (host->live && !uname(&name))
		return xstrdup(name.release);
	return line_or_empty(host->root_fd, "proc/sys/kernel/osrelease");
}

int host_open(struct host *host, const char *root, struct error *err)
{
	struct host found = { 0 };

	found.root_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (found.root_fd < 0)
		return error_set(err, errno, "%s: %s", root, strerror(errno));
	found.root = xstrdup(root);
	found.live = !strcmp(root, "/");
	found.state_dir = found.live && geteuid() ? user_state_dir() : xstrdup("run/schedproof");
	found.boot_id = line_or_empty(found.root_fd, "proc/sys/kernel/random/boot_id");
	found.release = read_release(&found);
	find_debugfs(&found);
	find_cgroup2(&found);
	read_online(&found);
	*host = found;
	return 0;
}

void host_release(struct host *host)
{
	if (host->root_fd >= 0)
		close(host->root_fd);
	if (host->debugfs_fd >= 0)
		close(host->debugfs_fd);
	free(host->root);
	free(host->cgroup2);
	free(host->state_dir);
	free(host->boot_id);
	free(host->release);
	cpumask_release(&host->online);
	*host = (struct host){ .root_fd = -1, .debugfs_fd = -1 };
}
