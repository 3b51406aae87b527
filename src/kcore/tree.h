/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/tree.h - the kernel tree that a user names: only read. */
#ifndef KCORE_TREE_H
#define KCORE_TREE_H

#include "base/error.h"

/**
 * tree_release() - "6.12.117" of a kernel tree, by its makefile
 * @release: set on success, the caller's to free
 *
 * Return: 0; -ENOENT, -EINVAL if it is no kernel tree with a scheduler that can be built.
 */
int tree_release(char **release, const char *folder, struct error *err);

/** tree_path() - absolute, without links and dots; the caller's to free, NULL after a failure. Return: 0 or -errno */
int tree_path(char **path, const char *folder, struct error *err);

/**
 * overlay_make() - a folder that looks like @tree with one more architecture, by links
 * @overlay: made, or brought up to date
 * @arch:    folder that is to be arch/KIT_ARCH
 *
 * What a build in the tree itself has left at its top is not linked.
 *
 * Return: 0 or -errno.
 */
int overlay_make(const char *overlay, const char *tree, const char *arch, struct error *err);

#endif
