// SPDX-License-Identifier: GPL-2.0-only
#include "topo/unpack.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char *unpack_program(const char *data, size_t len)
{
	static const struct {
		const char *program, *start;
		size_t len;
	} kinds[] = {
		{ "gzip", "\x1f\x8b", 2 },
		{ "bzip2", "BZh", 3 },
		{ "xz",
		  "\xfd"
		  "7zXZ",
		  5 },
		{ "zstd", "\x28\xb5\x2f\xfd", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (len > kinds[i].len && !memcmp(data, kinds[i].start, kinds[i].len))
			return kinds[i].program;
	return NULL;
}

/* A file without name that holds the bytes, to be read from the start. */
static int file_of(const char *data, size_t len, struct error *err)
{
	int fd = memfd_create("packed", MFD_CLOEXEC);
	ssize_t n = 0;

	for (size_t at = 0; fd >= 0 && at < len && n >= 0; at += (size_t)n)
		n = write(fd, data + at, len - at);
	if (fd >= 0 && n >= 0 && !lseek(fd, 0, SEEK_SET))
		return fd;
	error_set(err, errno, "memory for unpacking: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Starts "program -dc" from @in; its output is at *@out. */
static int start(pid_t *pid, int *out, const char *program, int in, struct error *err)
{
	char *name = xstrdup(program), *args[] = { name, (char[]){ "-dc" }, NULL };
	posix_spawn_file_actions_t files;
	int fd[2], ret;

	if (pipe2(fd, O_CLOEXEC)) {
		free(name);
		return error_set(err, errno, "pipe: %s", strerror(errno));
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, fd[1], STDOUT_FILENO);
	/* its complaint of a cut archive is ours to make */
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	ret = posix_spawnp(pid, program, &files, NULL, args, environ);
	posix_spawn_file_actions_destroy(&files);
	free(name);
	close(fd[1]);
	if (!ret) {
		*out = fd[0];
		return 0;
	}
	close(fd[0]);
	return error_set(err, ret, "packed by %s, which can't be run: %s", program, strerror(ret));
}

static int read_all(struct strbuf *sb, int fd, size_t max, struct error *err)
{
	char block[1 << 16];
	size_t start = sb->len;
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			strbuf_add(sb, block, (size_t)n);
		if (sb->len - start > max)
			return error_set(err, EFBIG, "more than %zu MiB when unpacked", max >> 20);
	}
	return n < 0 ? error_set(err, errno, "unpacking: %s", strerror(errno)) : 0;
}

int unpack(struct strbuf *sb, const char *program, const char *data, size_t len, size_t max,
	   bool *cut, struct error *err)
{
	int in = file_of(data, len, err), out = -1, ret, status = 0;
	size_t before = sb->len;
	pid_t pid = -1;

	if (in < 0)
		return -EIO;
	ret = start(&pid, &out, program, in, err);
	close(in);
	if (ret)
		return ret;
	ret = read_all(sb, out, max, err);
	close(out);
	if (ret)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*cut = status != 0;
	if (!ret && sb->len == before)
		ret = error_set(err, EINVAL, "%s can't unpack it", program);
	return ret;
}
