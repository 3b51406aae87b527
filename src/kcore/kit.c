// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/kit.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/strbuf.h"

#include <assert.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct kit_file kit_files[] = {
#include "kit.inc"
};

const struct kit_file *kit_at(size_t i)
{
	return i < ARRAY_SIZE(kit_files) ? &kit_files[i] : NULL;
}

const char *kit_text(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(kit_files); i++)
		if (!strcmp(kit_files[i].path, path))
			return kit_files[i].text;
	assert(!"a file that the kit has");
	abort();
}

uint64_t kit_hash(void)
{
	uint64_t hash = HASH64_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(kit_files); i++) {
		hash = hash64(hash, kit_files[i].path, strlen(kit_files[i].path) + 1);
		hash = hash64(hash, kit_files[i].text, strlen(kit_files[i].text) + 1);
	}
	return hash;
}

static int put_file(const char *path, const char *text, struct error *err)
{
	size_t n = strlen(text);
	struct strbuf there = { 0 };
	char *slash, *folder;
	int ret = 0;
	bool same;

	same = !file_read(&there, AT_FDCWD, path, n, NULL) && there.len == n &&
	       !memcmp(strbuf_str(&there), text, n);
	strbuf_release(&there);
	if (same)
		return 0;
	folder = xstrdup(path);
	slash = strrchr(folder, '/');
	*slash = '\0';
	ret = make_folders(AT_FDCWD, folder, 0755, err);
	free(folder);
	return ret ? ret : file_replace(AT_FDCWD, path, text, n, 0644, err);
}

int kit_unpack(const char *folder, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kit_files) && !ret; i++) {
		char *path = xasprintf("%s/%s", folder, kit_files[i].path);

		ret = put_file(path, kit_files[i].text, err);
		free(path);
	}
	return ret;
}

size_t kit_list(const char **at, char *buf, size_t size, char **word, size_t max)
{
	while (**at) {
		size_t len = strcspn(*at, "\n"), n = 0;
		char *save = NULL;

		assert(len < size);
		memcpy(buf, *at, len);
		buf[len] = '\0';
		*at += len + ((*at)[len] ? 1 : 0);
		buf[strcspn(buf, "#")] = '\0';
		for (char *w = strtok_r(buf, " \t", &save); w && n < max;
		     w = strtok_r(NULL, " \t", &save))
			word[n++] = w;
		if (n)
			return n;
	}
	return 0;
}
