/* SPDX-License-Identifier: GPL-2.0-only */
/* tests/fake_root.h - a small recorded machine below a folder of its own, for tests. */
#ifndef TESTS_FAKE_ROOT_H
#define TESTS_FAKE_ROOT_H

#include "base/file.h"
#include "base/mem.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/** fake_root_new() - an empty folder; its path, freed by fake_root_free() */
static inline char *fake_root_new(void)
{
	char *dir = xstrdup("/tmp/fake_root.XXXXXX");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static inline int fake_root_remove_one(const char *path, const struct stat *st, int type,
				       struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void fake_root_free(char *dir)
{
	assert_int_equal(nftw(dir, fake_root_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	free(dir);
}

/** fake_file() - make @path below @dir with all folders, holding @content */
static inline void fake_file(const char *dir, const char *path, const char *content)
{
	char *full = xasprintf("%s/%s", dir, path);
	FILE *f;

	*strrchr(full, '/') = '\0';
	assert_int_equal(make_folders(AT_FDCWD, full, 0755, NULL), 0);
	full[strlen(full)] = '/';
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(content, f) >= 0);
	assert_int_equal(fclose(f), 0);
	free(full);
}

/** fake_has() - does @path below @dir hold @content? NULL: is there no such file? */
static inline bool fake_has(const char *dir, const char *path, const char *content)
{
	char *full = xasprintf("%s/%s", dir, path);
	struct strbuf sb = { 0 };
	int ret = file_read(&sb, AT_FDCWD, full, 1 << 16, NULL);
	bool same = content ? !ret && !strcmp(strbuf_str(&sb), content) : ret != 0;

	if (!same)
		print_error("%s holds: %s\n", path, strbuf_str(&sb));
	strbuf_release(&sb);
	free(full);
	return same;
}

#endif
