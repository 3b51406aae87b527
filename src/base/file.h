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
 * Return: 0; -errno of open or read as fd_read() has it, -EFBIG above @max; then @sb is as it was.
 */
int file_read(struct strbuf *sb, int dir_fd, const char *path, size_t max, struct error *err);

/** text_check() - has text[n] no NUL byte, behind which it would not be read? Return: 0, or -EINVAL with the line */
int text_check(const char *text, size_t n, struct error *err);

/**
 * file_read_input() - file_read() of what a user names: "-" is standard input, as it was opened, whoever may open it again
 *
 * A byte order mark in front, as editors elsewhere write it, is left out.
 *
 * file_read_text() is for what is to be text: text_check() too.
 */
int file_read_input(struct strbuf *sb, const char *path, size_t max, struct error *err);
int file_read_text(struct strbuf *sb, const char *path, size_t max, struct error *err);

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

/**
 * fd_read() - what there is of an open file, at most @n bytes
 *
 * A signal ends the waiting for what may never come, of a pipe or a terminal: a file is read on.
 *
 * Return: how many, 0 at the end, or -errno.
 */
ssize_t fd_read(int fd, void *buf, size_t n);

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

/** file_beside() - the name of what a process makes to take @path's place, the caller's to free */
char *file_beside(const char *path, pid_t pid);

/**
 * file_create_beside() - a new file to be written and renamed to @path
 * @beside: its name, file_beside() of this process; the caller's to free, also after a failure
 *
 * Return: a descriptor, or -errno.
 */
int file_create_beside(char **beside, int dir_fd, const char *path, mode_t mode, struct error *err);

/**
 * file_put() - @n bytes to the place that a user names
 * @mode: permission bits of a new file
 *
 * A file is replaced as file_replace() does it, also one that a link leads to. To a device, a pipe, and to what is standard output or
 * error, they are written.
 */
int file_put(const char *path, const void *bytes, size_t n, mode_t mode, struct error *err);

/** file_put_place() - the file that is replaced, the caller's to free; NULL where @path is written to */
char *file_put_place(const char *path);

/** file_put_check() - can it be put there, as far as is known before? Changes nothing. Return: 0 or -errno */
int file_put_check(const char *path, struct error *err);

/** make_folders() - create @path and what is missing above it. Return: 0 or -errno */
int make_folders(int dir_fd, const char *path, mode_t mode, struct error *err);

#endif
