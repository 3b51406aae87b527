// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/tree.h"

#include "base/file.h"
#include "base/mem.h"
#include "kcore/kit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of the overlay that are folders of links; all else in them is one link. */
static const struct {
	const char *folder;
	const char *left_out[6];
} parts[] = {
	/* .config too, as all that begins with a dot */
	{ "", { "arch", "include", "vmlinux*", "*.o", "*.a", "System.map" } },
	{ "include/", { "config", "generated" } },
	{ "arch/", { KIT_ARCH } },
};

static bool left_out(size_t part, const char *name)
{
	if (*name == '.')
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(parts[part].left_out) && parts[part].left_out[i]; i++)
		if (!fnmatch(parts[part].left_out[i], name, 0))
			return true;
	return false;
}

/* Is @path a link to @target already? */
static bool links_to(const char *path, const char *target)
{
	size_t n = strlen(target);
	char *is = xcalloc(n + 2, 1);
	ssize_t got = readlink(path, is, n + 1);
	bool same = got == (ssize_t)n && !memcmp(is, target, n);

	free(is);
	return same;
}

static int put_link(const char *path, const char *target, struct error *err)
{
	if (links_to(path, target))
		return 0;
	if (unlink(path) && errno != ENOENT)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	if (symlink(target, path))
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int link_all(const char *overlay, const char *tree, size_t part, struct error *err)
{
	char *from = xasprintf("%s/%s", tree, parts[part].folder);
	DIR *dir = opendir(from);
	struct dirent *entry;
	int ret = 0;

	if (!dir) {
		ret = error_set(err, errno, "%s: %s", from, strerror(errno));
		free(from);
		return ret;
	}
	while (!ret && (entry = readdir(dir))) {
		char *path, *target;

		if (left_out(part, entry->d_name))
			continue;
		path = xasprintf("%s/%s%s", overlay, parts[part].folder, entry->d_name);
		target = xasprintf("%s%s", from, entry->d_name);
		ret = put_link(path, target, err);
		free(path);
		free(target);
	}
	closedir(dir);
	free(from);
	return ret;
}

/* Links to what the tree no longer has. */
static void drop_dead(const char *overlay, size_t part)
{
	char *folder = xasprintf("%s/%s", overlay, parts[part].folder);
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_LNK && faccessat(dirfd(dir), entry->d_name, F_OK, 0))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	free(folder);
}

int overlay_make(const char *overlay, const char *tree, const char *arch, struct error *err)
{
	char *ours = xasprintf("%s/arch/" KIT_ARCH, overlay);
	int ret = 0;

	for (size_t part = 0; part < ARRAY_SIZE(parts) && !ret; part++) {
		char *folder = xasprintf("%s/%s", overlay, parts[part].folder);

		ret = make_folders(AT_FDCWD, folder, 0755, err);
		if (!ret)
			drop_dead(overlay, part);
		if (!ret)
			ret = link_all(overlay, tree, part, err);
		free(folder);
	}
	if (!ret)
		ret = put_link(ours, arch, err);
	free(ours);
	return ret;
}
