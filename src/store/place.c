// SPDX-License-Identifier: GPL-2.0-only
#include "store/place.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder_of(const char *path)
{
	char *copy = xstrdup(path);
	char *folder = xstrdup(dirname(copy));

	free(copy);
	return folder;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void place_release(struct place *place)
{
	free(place->real);
	free(place->folder);
}

static int check_kind(struct place *place, struct error *err)
{
	size_t n = strlen(place->path);
	struct stat st;

	if (!n)
		return error_set(err, EINVAL, "the store's path is empty: give a file");
	if (stat(place->path, &st)) {
		if (errno != ENOENT)
			return error_set(err, errno, "%s: %s", place->path, strerror(errno));
		if (place->path[n - 1] == '/')
			return error_set(err, EISDIR, "%s: a folder: give a file in it",
					 place->path);
		return 0;
	}
	place->exists = true;
	if (S_ISDIR(st.st_mode))
		return error_set(err, EISDIR, "%s: a folder: give a file in it", place->path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, EINVAL, "%s: no regular file: give another", place->path);
	return 0;
}

static int make_folder_of(const char *path, struct error *err)
{
	char *folder = folder_of(path);
	struct stat st;
	int ret = 0;

	if (stat(folder, &st))
		ret = make_folders(AT_FDCWD, folder, 0700, err);
	if (ret)
		error_prefix(err, "%s: can't make its folder", path);
	free(folder);
	return ret;
}

/* Fills @real and @folder; the folder exists. */
static int resolve(struct place *place, struct error *err)
{
	char *folder;
	int ret = 0;

	if (place->exists) {
		place->real = realpath(place->path, NULL);
		if (!place->real)
			return error_set(err, errno, "%s: %s", place->path, strerror(errno));
		place->folder = folder_of(place->real);
		return 0;
	}
	folder = folder_of(place->path);
	place->folder = realpath(folder, NULL);
	if (!place->folder)
		ret = error_set(err, errno, "%s: its folder: %s", place->path, strerror(errno));
	else
		place->real = xasprintf("%s/%s", place->folder, name_of(place->path));
	free(folder);
	return ret;
}

static int may_write(const struct place *place)
{
	if (place->exists && faccessat(AT_FDCWD, place->real, W_OK, AT_EACCESS))
		return errno;
	if (faccessat(AT_FDCWD, place->folder, W_OK | X_OK, AT_EACCESS))
		return errno;
	return 0;
}

int place_find(struct place *place, const char *path, enum store_mode mode, struct error *err)
{
	int ret;

	*place = (struct place){ .path = path };
	ret = check_kind(place, err);

	if (ret)
		return ret;
	if (!place->exists && mode == STORE_READ)
		return error_set(err, ENOENT, "%s: nothing is stored there yet", place->path);
	if (!place->exists)
		ret = make_folder_of(place->path, err);
	if (!ret)
		ret = resolve(place, err);
	if (ret)
		return ret;
	place->locked = may_write(place);
	if (place->locked && mode == STORE_WRITE)
		return error_set(
			err, place->locked,
			"%s: the file and its folder must be writable: %s: give another file",
			place->path, strerror(place->locked));
	return 0;
}
