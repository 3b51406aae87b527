// SPDX-License-Identifier: GPL-2.0-only
#include "host/launch_left.h"

#include "base/file.h"
#include "base/mem.h"
#include "workload/guard.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_open(int proc, const char *pid, const char *fd, const struct stat *pipe)
{
	char *path = xasprintf("%s/fd/%s", pid, fd);
	struct stat st;
	bool has = !fstatat(proc, path, &st, 0) && st.st_dev == pipe->st_dev &&
		   st.st_ino == pipe->st_ino;

	free(path);
	return has;
}

static bool is_guard(int proc, const char *pid)
{
	char *path = xasprintf("%s/comm", pid);
	char *name = file_read_line(proc, path);
	bool is = name && !strcmp(name, GUARD_NAME);

	free(name);
	free(path);
	return is;
}

bool left_kill(int read_fd)
{
	DIR *dir = opendir("/proc");
	bool guarded = false;
	struct dirent *entry;
	struct stat pipe;

	if (!dir)
		return false;
	while (!fstat(read_fd, &pipe) && (entry = readdir(dir))) {
		const char *pid = entry->d_name;
		pid_t number = (pid_t)strtol(pid, NULL, 10);

		if (!isdigit((unsigned char)*pid) || number == getpid() ||
		    (!has_open(dirfd(dir), pid, "1", &pipe) &&
		     !has_open(dirfd(dir), pid, "2", &pipe)))
			continue;
		if (is_guard(dirfd(dir), pid))
			guarded = true;
		else
			kill(number, SIGKILL);
	}
	closedir(dir);
	return guarded;
}
