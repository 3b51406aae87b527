// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ssize_t read_some(int fd, void *buf, size_t n)
{
	ssize_t got;

	do {
		got = read(fd, buf, n);
	} while (got < 0 && errno == EINTR);
	return got;
}

static int read_all(struct strbuf *sb, int fd, size_t max)
{
	char buf[65536];
	size_t before = sb->len;
	ssize_t got;

	while ((got = read_some(fd, buf, sizeof(buf))) > 0) {
		strbuf_add(sb, buf, (size_t)got);
		if (sb->len - before > max)
			return -EFBIG;
	}
	return got < 0 ? -errno : 0;
}

int file_read(struct strbuf *sb, int dir_fd, const char *path, size_t max, struct error *err)
{
	size_t before = sb->len;
	int fd, ret;

	fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	ret = read_all(sb, fd, max);
	close(fd);
	if (!ret)
		return 0;
	sb->len = before;
	if (sb->s)
		sb->s[before] = '\0';
	if (ret == -EFBIG)
		return error_set(err, EFBIG, "%s: larger than %zu bytes", path, max);
	return error_set(err, -ret, "%s: %s", path, strerror(-ret));
}

char *file_read_line(int dir_fd, const char *path)
{
	struct strbuf sb = { 0 };
	char *text;
	int ret = file_read(&sb, dir_fd, path, 1 << 20, NULL);

	if (ret) {
		strbuf_release(&sb);
		errno = -ret;
		return NULL;
	}
	text = strbuf_take(&sb);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

int file_write(int dir_fd, const char *path, const char *text, struct error *err)
{
	size_t n = strlen(text);
	ssize_t done;
	int fd, ret = 0;

	fd = openat(dir_fd, path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_TRUNC);
	if (fd < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	do {
		done = write(fd, text, n);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		ret = error_set(err, errno, "%s: writing '%.80s': %s", path, text, strerror(errno));
	else if ((size_t)done != n)
		ret = error_set(err, EIO, "%s: only %zd of %zu bytes taken", path, done, n);
	close(fd);
	return ret;
}

int fd_write(int fd, const void *bytes, size_t n)
{
	const char *next = bytes;

	while (n) {
		ssize_t done = write(fd, next, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		next += done;
		n -= (size_t)done;
	}
	return 0;
}

static int write_and_sync(int fd, const char *bytes, size_t n)
{
	int ret = fd_write(fd, bytes, n);

	if (!ret && fsync(fd))
		ret = -errno;
	return ret;
}

static void sync_folder_of(int dir_fd, const char *path)
{
	char *copy = xstrdup(path);
	int fd = openat(dir_fd, dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		/* some file systems refuse to sync a folder: the rename is then all there is */
		(void)!fsync(fd);
		close(fd);
	}
	free(copy);
}

int file_replace(int dir_fd, const char *path, const void *bytes, size_t n, mode_t mode,
		 struct error *err)
{
	char *beside = xasprintf("%s.%ld.new", path, (long)getpid());
	int fd, ret;

	fd = openat(dir_fd, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0 && errno == EEXIST) {
		/* left by a process of our number that died in the middle */
		unlinkat(dir_fd, beside, 0);
		fd = openat(dir_fd, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	}
	if (fd < 0) {
		ret = error_set(err, errno, "%s: %s", beside, strerror(errno));
		goto out;
	}
	ret = write_and_sync(fd, bytes, n);
	if (close(fd) && !ret)
		ret = -errno;
	if (!ret && renameat(dir_fd, beside, dir_fd, path))
		ret = -errno;
	if (ret) {
		unlinkat(dir_fd, beside, 0);
		error_set(err, -ret, "%s: %s", path, strerror(-ret));
		goto out;
	}
	sync_folder_of(dir_fd, path);
out:
	free(beside);
	return ret;
}

int make_folders(int dir_fd, const char *path, mode_t mode, struct error *err)
{
	char *copy = xstrdup(path);
	int ret = 0;

	for (char *slash = copy + 1; *copy && !ret; slash++) {
		char c = *slash;

		if (c != '/' && c != '\0')
			continue;
		*slash = '\0';
		if (mkdirat(dir_fd, copy, mode) && errno != EEXIST)
			ret = error_set(err, errno, "%s: %s", copy, strerror(errno));
		*slash = c;
		if (!c)
			break;
	}
	free(copy);
	return ret;
}
