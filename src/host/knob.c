// SPDX-License-Identifier: GPL-2.0-only
#include "host/knob.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void knobs_release(struct knobs *knobs)
{
	for (size_t i = 0; i < knobs->n; i++) {
		free(knobs->list[i].path);
		free(knobs->list[i].original);
	}
	free(knobs->list);
	*knobs = (struct knobs){ 0 };
}

static enum knob_kind kind_of(bool debugfs, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	if (debugfs)
		return strcmp(path, "sched/features") ? KNOB_CHOICE : KNOB_FEATURE;
	if (!strcmp(name, "cgroup.subtree_control"))
		return KNOB_CONTROLLER;
	return strstr(path, "/transparent_hugepage/") ? KNOB_CHOICE : KNOB_VALUE;
}

void knobs_add(struct knobs *knobs, bool debugfs, const char *path, const char *original)
{
	knobs->list = xreallocarray(knobs->list, knobs->n + 1, sizeof(*knobs->list));
	knobs->list[knobs->n++] = (struct knob){ .debugfs = debugfs,
						 .kind = kind_of(debugfs, path),
						 .path = xstrdup(path),
						 .original = xstrdup(original) };
}

static bool same_knob(const struct knob *a, const struct knob *b, const char *value)
{
	if (a->debugfs != b->debugfs || strcmp(a->path, b->path) != 0)
		return false;
	if (a->kind != KNOB_FEATURE && a->kind != KNOB_CONTROLLER)
		return true;
	return !strcmp(knob_name(a->kind, a->original), knob_name(a->kind, value));
}

/* "there is no X", and what else lies in its folder under such a name */
static int no_such_file(int dir_fd, const char *path, struct error *err)
{
	const char *name = strrchr(path, '/') + 1;
	char *folder = xstrndup(path, (size_t)(name - path));
	int fd = openat(dir_fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **entries = NULL;
	struct nearest nearest;
	int n = fd < 0 ? 0 : scandirat(fd, ".", &entries, NULL, alphasort);

	nearest_init(&nearest, name);
	for (int i = 0; i < n; i++)
		nearest_offer(&nearest, entries[i]->d_name);
	if (nearest.best)
		error_set(err, ENOENT, "there is no %s, did you mean %s?", path, nearest.best);
	else
		error_set(err, ENOENT, "there is no %s in this kernel", path);
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	if (fd >= 0)
		close(fd);
	free(folder);
	return -ENOENT;
}

/* Opening for writing is the only honest question whether that is allowed. */
static int check_writable(const struct knob *knob, int dir_fd, struct error *err)
{
	int fd = openat(dir_fd, knob->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	int code = fd < 0 ? errno : fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;

	if (fd >= 0)
		close(fd);
	switch (code) {
	case 0:
		return 0;
	case ENOENT:
	case ENOTDIR:
		return no_such_file(dir_fd, knob->path, err);
	case EPERM:
		if (knob->debugfs)
			return error_set(err, EPERM,
					 "%s: this kernel is locked down (man kernel_lockdown), "
					 "which closes debugfs",
					 knob->path);
		/* fall through */
	case EACCES:
		return error_set(err, EPERM, "%s: %s", knob->path,
				 geteuid() ? "only root may change it" : "can't be changed");
	default:
		return error_set(err, code, "%s: %s", knob->path, strerror(code));
	}
}

static int check_offered(const struct knob *knob, const char *content, const char *value,
			 struct error *err)
{
	struct strbuf words = { 0 };
	int ret = 0;

	if (knob->kind == KNOB_CHOICE && text_choices(content, &words) &&
	    !text_has_word(words.s, value))
		ret = error_set(err, EINVAL, "%s: '%.80s' is not among %s", knob->path, value,
				words.s);
	strbuf_release(&words);
	return ret;
}

/* It goes through the restore file, and is written in one piece. */
static bool can_come_back(const char *value)
{
	for (; *value; value++)
		if ((*value < ' ' && *value != '\t') || *value > '~')
			return false;
	return true;
}

static int no_such_feature(const char *content, const char *name, struct error *err)
{
	char *copy = xstrdup(content), *rest = NULL;
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (char *s = strtok_r(copy, " \n", &rest); s; s = strtok_r(NULL, " \n", &rest))
		nearest_offer(&nearest, knob_name(KNOB_FEATURE, s));
	if (nearest.best)
		error_set(err, ENOENT, "this kernel has no feature %.80s, did you mean %.80s?",
			  name, nearest.best);
	else
		error_set(err, ENOENT, "this kernel has no feature %.80s", name);
	free(copy);
	return -ENOENT;
}

static int read_original(struct knob *knob, const struct host *host, const char *value,
			 struct error *err)
{
	struct strbuf content = { 0 }, original = { 0 };
	const char *name = knob_name(knob->kind, value), *text;
	int ret = file_read(&content, knob_dir(knob, host), knob->path, KNOB_CONTENT_MAX, err);

	if (ret)
		error_prefix(err, "can't be read, so it could not be put back");
	text = strbuf_str(&content);
	if (!ret)
		ret = check_offered(knob, text, value, err);
	if (!ret && !knob_value(knob->kind, text, name, &original))
		ret = no_such_feature(text, name, err);
	if (!ret && !can_come_back(strbuf_str(&original)))
		ret = error_set(err, EOPNOTSUPP,
				"%s: its present value is not one line of plain text, so it could "
				"not be put back",
				knob->path);
	if (!ret)
		knob->original = strbuf_take(&original);
	strbuf_release(&original);
	strbuf_release(&content);
	return ret;
}

int knobs_find(struct knobs *knobs, const struct host *host, bool debugfs, const char *path,
	       const char *value, size_t *index, struct error *err)
{
	struct knob fresh = { .debugfs = debugfs, .kind = kind_of(debugfs, path) };
	size_t i = 0;
	int ret;

	if (debugfs && host->debugfs_fd < 0)
		return error_set(err, EPERM, "%s", host->debugfs_why);
	fresh.path = xstrdup(path);
	ret = check_writable(&fresh, knob_dir(&fresh, host), err);
	if (!ret)
		ret = read_original(&fresh, host, value, err);
	if (!ret) {
		while (i < knobs->n && !same_knob(&knobs->list[i], &fresh, value))
			i++;
		if (i == knobs->n)
			knobs_add(knobs, debugfs, path, fresh.original);
		*index = i;
	}
	free(fresh.path);
	free(fresh.original);
	return ret;
}
