// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

ssize_t fd_read(int fd, void *buf, size_t n)
{
	ssize_t got;

	do {
		got = read(fd, buf, n);
	} while (got < 0 && errno == EINTR && is_regular(fd));
	return got < 0 ? -errno : got;
}

static int read_all(struct strbuf *sb, int fd, size_t max)
{
	char buf[65536];
	size_t before = sb->len;
	ssize_t got;

	while ((got = fd_read(fd, buf, sizeof(buf))) > 0) {
		strbuf_add(sb, buf, (size_t)got);
		if (sb->len - before > max)
			return -EFBIG;
	}
	return (int)got;
}

/* All of @fd, or @sb is as it was. */
static int read_fd(struct strbuf *sb, int fd, const char *name, size_t max, struct error *err)
{
	size_t before = sb->len;
	int ret = read_all(sb, fd, max);

	if (!ret)
		return 0;
	sb->len = before;
	if (sb->s)
		sb->s[before] = '\0';
	if (ret == -EFBIG)
		return error_set(err, EFBIG, "%s: larger than %zu bytes", name, max);
	return error_set(err, -ret, "%s: %s", name, ret == -EINTR ? "stopped" : strerror(-ret));
}

int file_read(struct strbuf *sb, int dir_fd, const char *path, size_t max, struct error *err)
{
	int fd, ret;

	fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	ret = read_fd(sb, fd, path, max, err);
	close(fd);
	return ret;
}

static const char input_name[] = "standard input";

static bool is_input(const char *path)
{
	return !strcmp(path, "-");
}

int file_read_input(struct strbuf *sb, const char *path, size_t max, struct error *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t before = sb->len;
	int ret = is_input(path) ? read_fd(sb, STDIN_FILENO, input_name, max, err)
				 : file_read(sb, AT_FDCWD, path, max, err);

	if (!ret && sb->len - before >= 3 && !memcmp(sb->s + before, mark, 3)) {
		sb->len -= 3;
		memmove(sb->s + before, sb->s + before + 3, sb->len - before + 1);
	}
	return ret;
}

int text_check(const char *text, size_t n, struct error *err)
{
	const char *nul = memchr(text, '\0', n);
	size_t line = 1;

	for (const char *at = text; nul && at < nul; at++)
		line += *at == '\n';
	return nul ? error_set(err, EINVAL, "line %zu: a NUL byte: is this a text file?", line) : 0;
}

int file_read_text(struct strbuf *sb, const char *path, size_t max, struct error *err)
{
	size_t before = sb->len;
	int ret = file_read_input(sb, path, max, err);

	if (ret)
		return ret;
	ret = text_check(strbuf_str(sb) + before, sb->len - before, err);
	if (ret)
		error_prefix(err, "%s", is_input(path) ? input_name : path);
	return ret;
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

char *file_beside(const char *path, pid_t pid)
{
	size_t n = strlen(path);

	return xasprintf("%.*s.%ld.new", (int)(n - (n > 1 && path[n - 1] == '/')), path, (long)pid);
}

int file_create_beside(char **beside, int dir_fd, const char *path, mode_t mode, struct error *err)
{
	static const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd;

	*beside = file_beside(path, getpid());
	fd = openat(dir_fd, *beside, flags, mode);
	if (fd < 0 && errno == EEXIST) {
		/* left by a process of our number that died in the middle */
		unlinkat(dir_fd, *beside, 0);
		fd = openat(dir_fd, *beside, flags, mode);
	}
	return fd < 0 ? error_set(err, errno, "%s: %s", *beside, strerror(errno)) : fd;
}

int file_replace(int dir_fd, const char *path, const void *bytes, size_t n, mode_t mode,
		 struct error *err)
{
	char *beside;
	int fd = file_create_beside(&beside, dir_fd, path, mode, err), ret;

	if (fd < 0) {
		free(beside);
		return fd;
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

static bool same_file(int fd, const struct stat *st)
{
	struct stat other;

	return !fstat(fd, &other) && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/* Standard output or error by another name: what else goes there must not be lost. Return: -1 if it is neither */
static int standard_fd(const struct stat *st)
{
	return same_file(STDOUT_FILENO, st)   ? STDOUT_FILENO
	       : same_file(STDERR_FILENO, st) ? STDERR_FILENO
					      : -1;
}

char *file_put_place(const char *path)
{
	struct stat st;
	char *place;

	if (stat(path, &st))
		return xstrdup(path);
	if (!S_ISREG(st.st_mode) || standard_fd(&st) >= 0)
		return NULL;
	place = realpath(path, NULL);
	return place ? place : xstrdup(path);
}

/* In a folder as /tmp nobody replaces what is another's. */
static bool may_replace(const struct stat *folder, const struct stat *file)
{
	const uid_t uid = geteuid();

	return !(folder->st_mode & S_ISVTX) || !uid || folder->st_uid == uid || file->st_uid == uid;
}

static int check_folder(const char *place, const char *path, struct error *err)
{
	char *copy = xstrdup(place);
	const char *folder = dirname(copy);
	struct stat in, old;
	int ret = 0;

	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) || stat(folder, &in))
		ret = error_set(err, errno, "%s: its folder: %s", path, strerror(errno));
	else if (!lstat(place, &old) && !may_replace(&in, &old))
		ret = error_set(err, EPERM,
				"%s: is another user's, and %s lets nobody replace it: name "
				"another one",
				path, folder);
	free(copy);
	return ret;
}

int file_put_check(const char *path, struct error *err)
{
	char *place = file_put_place(path);
	struct stat st;
	int ret = 0;

	if (!*path || path[strlen(path) - 1] == '/' || (!stat(path, &st) && S_ISDIR(st.st_mode)))
		ret = error_set(err, EISDIR, "'%s' is no file: name another one", path);
	else if (place)
		ret = check_folder(place, path, err);
	else if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		ret = error_set(err, errno, "%s: %s", path, strerror(errno));
	free(place);
	return ret;
}

static int write_through(const char *path, const void *bytes, size_t n, struct error *err)
{
	struct stat st;
	int fd = stat(path, &st) ? -1 : standard_fd(&st), own = -1, ret;

	if (fd < 0)
		fd = own = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	ret = fd < 0 ? -errno : fd_write(fd, bytes, n);
	if (own >= 0 && close(own) && !ret)
		ret = -errno;
	return ret ? error_set(err, -ret, "%s: %s", path, strerror(-ret)) : 0;
}

int file_put(const char *path, const void *bytes, size_t n, mode_t mode, struct error *err)
{
	char *place = file_put_place(path);
	int ret = place ? file_replace(AT_FDCWD, place, bytes, n, mode, err)
			: write_through(path, bytes, n, err);

	free(place);
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
