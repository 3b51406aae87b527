/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/inputs.h - the files of a tree that went into an object, by which is told whether it is stale. */
#ifndef KCORE_INPUTS_H
#define KCORE_INPUTS_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdint.h>

/**
 * inputs_collect() - what kbuild noted while it built
 * @sb:      appended: paths below the tree, sorted, a line each
 * @build:   its output folder
 * @overlay: the source folder that make was shown
 * @objects: NULL-terminated paths below @build
 *
 * With the tree's makefiles and Kconfig files. Return: 0 or -errno.
 */
int inputs_collect(struct strbuf *sb, const char *build, const char *overlay, char *const *objects,
		   struct error *err);

/**
 * inputs_hash() - of names, sizes and times of change, as of now; never 0
 * @list: as inputs_collect() makes it
 * @newest_ns: set to the last change of any of them; may be NULL
 */
uint64_t inputs_hash(const char *list, const char *tree, uint64_t *newest_ns);

#endif
