/* SPDX-License-Identifier: GPL-2.0-only */
/* store/place.h - where a store lies, and what may be done there. */
#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include "store/store.h"

/**
 * struct place - where a store lies
 * @path:   as the user wrote it
 * @real:   absolute and without symbolic links: SQLite would take "file:..." for a URI, and puts its log beside
 *          what a link points to
 * @folder: that @real lies in
 * @exists: the file is there
 * @locked: the errno with which the file or its folder refuses to be written, or 0
 */
struct place {
	const char *path;
	char *real;
	char *folder;
	bool exists;
	int locked;
};

/**
 * place_find() - look at @path, which is borrowed; with STORE_WRITE, make its folders
 * @place: released by place_release(), after a failure too
 *
 * Return: 0; -ENOENT (STORE_READ); -EISDIR, -EINVAL (no regular file); -EACCES, -EROFS and the like.
 */
int place_find(struct place *place, const char *path, enum store_mode mode, struct error *err);
void place_release(struct place *place);

#endif
