/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/kit.h - the kit: our architecture for a kernel tree, built into this program, and written out where make finds it. */
#ifndef KCORE_KIT_H
#define KCORE_KIT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Name of the architecture, and so of its folder in arch/. */
#define KIT_ARCH "schedproof"

/** struct kit_file - @path below kcore/kit, @text as it is there */
struct kit_file {
	const char *path;
	const char *text;
};

/** kit_at() - the @i-th file, NULL behind the last */
const struct kit_file *kit_at(size_t i);

/** kit_text() - of a file that is there */
const char *kit_text(const char *path);

/** kit_hash() - of all of it, and of core/core.h */
uint64_t kit_hash(void);

/**
 * kit_unpack() - make @folder hold the kit, and core/core.h
 *
 * Files that are as they should be are left alone, so that make doesn't take them for new.
 */
int kit_unpack(const char *folder, struct error *err);

/**
 * kit_list() - walk through one of the kit's lists: a word or two a line, '#' begins a comment
 * @at:   "objects.list" and the like; to begin with its text, afterwards where the walk is
 * @word: set to the words of the next line, NULL beyond the last; cut out of @buf
 *
 * Return: number of words, 0 at the end.
 */
size_t kit_list(const char **at, char *buf, size_t size, char **word, size_t max);

#endif
