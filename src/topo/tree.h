/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/tree.h - small files below a folder, or inside a tar archive: what sysfs.c reads. */
#ifndef TOPO_TREE_H
#define TOPO_TREE_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stddef.h>

struct tree;

/** tree_of_folder() - files below an open folder; @fd is borrowed */
struct tree *tree_of_folder(int fd);

/**
 * tree_of_tar() - members of an archive (ustar, old tar, GNU long names); @data borrowed
 *
 * What stands before "sys/" and "proc/" in the members' names is left out. One that is cut off, or damaged on
 * the way, is read up to there.
 *
 * Return: 0; -EINVAL for what is no tar archive or has no "sys/devices/system/cpu".
 */
int tree_of_tar(struct tree **tree, const char *data, size_t len, struct error *err);
void tree_free(struct tree *tree);

/** tree_damage() - what is wrong with the archive, a line; NULL if nothing is */
const char *tree_damage(const struct tree *tree);

/**
 * tree_read() - a file's text without NUL bytes and without its last newline
 *
 * Return: the caller's to free; NULL if there is no such file. Files above 1 MiB are cut.
 */
char *tree_read(const struct tree *tree, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
