// SPDX-License-Identifier: GPL-2.0-only
#include "host/knob.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

static int record(const struct knob *knob, const struct host *host, const char *value,
		  struct error *err)
{
	struct strbuf before = { 0 }, after = { 0 };
	int dir_fd = knob_dir(knob, host);
	int ret = file_read(&before, dir_fd, knob->path, KNOB_CONTENT_MAX, err);

	if (!ret) {
		knob_recorded(knob->kind, strbuf_str(&before), value, &after);
		ret = file_write(dir_fd, knob->path, after.s, err);
	}
	strbuf_release(&before);
	strbuf_release(&after);
	return ret;
}

static int read_back(const struct knob *knob, const struct host *host, const char *value,
		     struct error *err)
{
	struct strbuf content = { 0 }, now = { 0 };
	int ret = file_read(&content, knob_dir(knob, host), knob->path, KNOB_CONTENT_MAX, err);

	if (!ret && !knob_holds(knob->kind, strbuf_str(&content), value)) {
		knob_value(knob->kind, strbuf_str(&content), knob_name(knob->kind, value), &now);
		ret = error_set(err, EIO, "%s: the kernel made '%.80s' of '%.80s'", knob->path,
				strbuf_str(&now), value);
	}
	strbuf_release(&content);
	strbuf_release(&now);
	return ret;
}

/*
 * Writes @value and reads back whether it was taken: -EIO if the file then shows something else. In a recorded tree the file becomes
 * what the kernel would show.
 */
static int knob_write(const struct knob *knob, const struct host *host, const char *value,
		      struct error *err)
{
	int ret;

	if (knob->debugfs && host->debugfs_fd < 0)
		return error_set(err, EPERM, "%s", host->debugfs_why);
	if (host->live) /* no bytes at all would change nothing */
		ret = file_write(knob_dir(knob, host), knob->path, *value ? value : "\n", err);
	else
		ret = record(knob, host, value, err);
	return ret ? ret : read_back(knob, host, value, err);
}

int knobs_write(const struct knobs *knobs, const struct host *host, const char *const *values,
		size_t *count, struct error *err)
{
	bool *done = xcalloc(knobs->n, sizeof(*done));
	size_t left = knobs->n, before;
	struct error first;

	do {
		before = left;
		first = (struct error){ 0 };
		for (size_t i = 0; i < knobs->n; i++) {
			if (done[i])
				continue;
			done[i] = !knob_write(&knobs->list[i], host, values[i],
					      first.code ? NULL : &first);
			left -= done[i];
		}
	} while (left && left < before);
	free(done);
	*count = knobs->n - left;
	return left ? error_set(err, first.code, "%s", first.text) : 0;
}
