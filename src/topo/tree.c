// SPDX-License-Identifier: GPL-2.0-only
#include "topo/tree.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE  ((size_t)1 << 20)
#define TAR_BLOCK 512

struct member {
	char *name; /* from "sys/" or "proc/" on */
	const char *data;
	size_t len;
};

struct tree {
	int fd;		       /* -1: an archive */
	struct member *member; /* sorted by name */
	size_t nr_members;
	const char *damage;
};

struct tree *tree_of_folder(int fd)
{
	struct tree *tree = xcalloc(1, sizeof(*tree));

	tree->fd = fd;
	return tree;
}

const char *tree_damage(const struct tree *tree)
{
	return tree->damage;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->nr_members; i++)
		free(tree->member[i].name);
	free(tree->member);
	free(tree);
}

/* Where the part of a name begins that all recorders share. */
static const char *inner_name(const char *name)
{
	static const char *const tops[] = { "sys/devices/", "proc/" };

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		const char *at = name;

		while ((at = strstr(at, tops[i]))) {
			if (at == name || at[-1] == '/')
				return at;
			at++;
		}
	}
	return NULL;
}

static void add_member(struct tree *tree, const char *name, const char *data, size_t len)
{
	const char *inner = inner_name(name);

	if (!inner)
		return;
	if (!(tree->nr_members & (tree->nr_members - 1)))
		tree->member =
			xreallocarray(tree->member, tree->nr_members ? 2 * tree->nr_members : 1,
				      sizeof(*tree->member));
	tree->member[tree->nr_members++] = (struct member){ xstrdup(inner), data, len };
}

/* An octal field; GNU's binary form only for sizes that nothing here can have. */
static size_t tar_size(const char *header)
{
	size_t n = 0;

	for (unsigned int i = 124; i < 136 && header[i]; i++)
		if (header[i] >= '0' && header[i] <= '7')
			n = n * 8 + (size_t)(header[i] - '0');
	return n;
}

static void tar_name(char *name, size_t size, const char *header)
{
	if (!memcmp(header + 257, "ustar", 5) && header[345] && header[257 + 5] == '\0')
		snprintf(name, size, "%.155s/%.100s", header + 345, header);
	else
		snprintf(name, size, "%.100s", header);
}

static bool tar_sum_ok(const char *header)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < TAR_BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)header[i];
	return sum == (unsigned int)strtoul((char[9]){ header[148], header[149], header[150],
						       header[151], header[152], header[153],
						       header[154], header[155], 0 },
					    NULL, 8);
}

static int compare_member(const void *a, const void *b)
{
	return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

/* The name of the next member: GNU's own kind of header ('L'), or a record of a POSIX one ('x'). */
static void long_name(char *name, size_t size, char type, const char *data, size_t len)
{
	char *text = xstrndup(data, len), *at = text;

	if (type == 'x') {
		at = strstr(text, " path=");
		if (at) {
			at += strlen(" path=");
			at[strcspn(at, "\n")] = '\0';
		}
	}
	if (at)
		snprintf(name, size, "%s", at);
	free(text);
}

int tree_of_tar(struct tree **out, const char *data, size_t len, struct error *err)
{
	struct tree *tree = xcalloc(1, sizeof(*tree));
	char name[1024], longer[1024] = "";
	size_t at = 0;

	tree->fd = -1;
	while (at + TAR_BLOCK <= len && data[at]) {
		const char *header = data + at;
		size_t size = tar_size(header), room;

		if (!tar_sum_ok(header)) {
			tree->damage = "the archive is damaged: only what comes before is read";
			break;
		}
		at += TAR_BLOCK;
		room = size < len - at ? size : len - at;
		if (header[156] == 'L' || header[156] == 'x') {
			long_name(longer, sizeof(longer), header[156], data + at, room);
		} else {
			tar_name(name, sizeof(name), header);
			if (header[156] == '0' || header[156] == '\0')
				add_member(tree, *longer ? longer : name, data + at, room);
			*longer = '\0';
		}
		if (size > len - at) {
			at = len;
			break;
		}
		at += (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
	}
	/* a block of zeros is the end */
	if (!tree->damage && at + TAR_BLOCK > len)
		tree->damage = "the archive is cut off: what comes before is read";
	if (!tree->nr_members) {
		tree_free(tree);
		return error_set(err, EINVAL, "no tar archive with sys/devices/system/cpu");
	}
	qsort(tree->member, tree->nr_members, sizeof(*tree->member), compare_member);
	*out = tree;
	return 0;
}

/* Recorded values may have NUL bytes behind the text, and more than one newline. */
static char *clean(const char *text, size_t len)
{
	char *out = xcalloc(len + 1, 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		if (text[i])
			out[n++] = text[i];
	while (n && (out[n - 1] == '\n' || out[n - 1] == ' '))
		out[--n] = '\0';
	return out;
}

static char *read_folder(const struct tree *tree, const char *path)
{
	struct strbuf sb = { 0 };
	char *text = NULL;

	if (!file_read(&sb, tree->fd, path, MAX_FILE, NULL))
		text = clean(strbuf_str(&sb), sb.len);
	strbuf_release(&sb);
	return text;
}

char *tree_read(const struct tree *tree, const char *fmt, ...)
{
	struct member key = { 0 }, *found;
	char path[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (tree->fd >= 0)
		return read_folder(tree, path);
	key.name = path;
	found = bsearch(&key, tree->member, tree->nr_members, sizeof(key), compare_member);
	if (!found)
		return NULL;
	return clean(found->data, found->len < MAX_FILE ? found->len : MAX_FILE);
}
