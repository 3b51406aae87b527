/* SPDX-License-Identifier: GPL-2.0-only */
/* base/file.h - whole files: read into memory, written entirely or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stddef.h>
#include <sys/types.h>

/**
 * file_read() - append a file's bytes to @sb
 * @dir_fd: folder that a relative @path starts from, or AT_FDCWD
 * @max:    more bytes than this are refused
 *
 * Made for /proc and /sys as well: what stat() says of the size is not believed.
 *
 * Return: 0; -errno of open or read, -EFBIG above @max; then @sb is as it was.
 */
int file_read(struct strbuf *sb, int dir_fd, const char *path, size_t max, struct error *err);

/**
 * file_read_line() - a small file's first line without its newline, and without NUL bytes
 *
 * Return: the text, the caller's to free, or NULL if it can't be read (errno says why).
 */
char *file_read_line(int dir_fd, const char *path);

/**
 * file_write() - write one value to an existing kernel file, in one write()
 *
 * Return: 0, or -errno of open or write.
 */
int file_write(int dir_fd, const char *path, const char *text, struct error *err);

/** fd_write() - all @n bytes to an open file, in as many write()s as it takes. Return: 0 or -errno */
int fd_write(int fd, const void *bytes, size_t n);

/**
 * file_replace() - put @n bytes at @path: all of them, on disk, or nothing changes
 * @mode: permission bits of the new file
 *
 * Written beside @path, synced, renamed over it, and the folder synced.
 */
int file_replace(int dir_fd, const char *path, const void *bytes, size_t n, mode_t mode,
		 struct error *err);

/** make_folders() - create @path and what is missing above it. Return: 0 or -errno */
int make_folders(int dir_fd, const char *path, mode_t mode, struct error *err);

#endif
