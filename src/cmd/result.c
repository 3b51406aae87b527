// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/result.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "store/jsonl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JSON lines go through a store in memory, so that there is one way from runs to a report. */
static int result_parse(struct store **store, int64_t *id, const char *name, const char *text,
			size_t n, struct error *err)
{
	int64_t *ids = NULL;
	size_t nr = 0;
	int ret;

	ret = store_open(store, ":memory:", STORE_WRITE, err);
	if (!ret)
		ret = jsonl_import(*store, name, text, n, &ids, &nr, err);
	if (!ret && nr != 1)
		ret = error_set(err, EINVAL, "%s: holds %zu experiments, import it and name one",
				name, nr);
	if (!ret)
		*id = ids[0];
	free(ids);
	return ret;
}

static int load_file(struct store **store, int64_t *id, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read_input(&text, path, JSONL_MAX_FILE, err);

	if (!ret)
		ret = result_parse(store, id, path, strbuf_str(&text), text.len, err);
	strbuf_release(&text);
	return ret;
}

bool result_is_file(const char *result)
{
	return strchr(result, '/') || (strchr(result, '.') && !access(result, F_OK));
}

/* A number is an id, everything else a name. */
static int find_stored(struct store **store, int64_t *id, const char *result, const char *path,
		       struct error *err)
{
	int ret;

	if (result && !*result)
		return error_set(err, EINVAL, "an empty word names no result");
	ret = open_store(store, path, STORE_READ, err);
	if (ret)
		return ret;
	if (result && result[strspn(result, "0123456789")] == '\0') {
		errno = 0;
		*id = strtoll(result, NULL, 10);
		return errno ? error_set(err, ENOENT, "no result has the number %s", result) : 0;
	}
	return store_find_experiment(*store, result, id, err);
}

int result_open(struct store **store, int64_t *id, const char *result, const char *path,
		struct error *err)
{
	int ret;

	if (result && result_is_file(result))
		return load_file(store, id, result, err);
	ret = find_stored(store, id, result, path, err);
	if (ret == -ENOENT && result && !access(result, F_OK)) {
		char *words =
			xasprintf("%s; the file of that name is meant by ./%s", err->text, result);

		error_set(err, ENOENT, "%s", words);
		free(words);
	}
	return ret;
}
