// SPDX-License-Identifier: GPL-2.0-only
/* trace/read_json.c - our own JSON lines. */
#include "trace/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define VERSION 1

/* {"schedproof":"trace","version":1}: Return: 1 if it is that line, 0 if it isn't, -EINVAL for another version */
static int check_head(const char *line, size_t n, struct error *err)
{
	char key[JSON_IN_TEXT];
	bool is_head = false;
	int64_t version = VERSION;
	struct json_in in;
	int ret;

	json_in_init(&in, line, n);
	ret = json_in_open(&in, '{', NULL);
	while (!ret && (ret = json_in_member(&in, key, NULL)) > 0) {
		is_head = is_head || !strcmp(key, "schedproof");
		ret = strcmp(key, "version") ? json_in_skip(&in, NULL)
					     : json_in_int(&in, &version, 0, INT64_MAX, NULL);
	}
	if (!is_head || ret)
		return 0;
	if (version != VERSION)
		return error_set(err, EINVAL,
				 "a trace of version %" PRId64
				 ", only %d is known: written by a newer "
				 "schedproof?",
				 version, VERSION);
	return 1;
}

static int read_line(struct reader *reader, const char *line, size_t n, bool whole,
		     struct error *err)
{
	struct trace_event event;
	struct error why = { 0 };
	int ret = event_json_parse(&event, reader->texts, line, n, &why);

	if (!ret) {
		reader_tell(reader, &event);
		return 0;
	}
	if (!whole) {
		reader_broken(reader, "the last line is cut off: %s", why.text);
		return 0;
	}
	return error_set(err, -ret, "%s", why.text);
}

int read_json(struct reader *reader, struct error *err)
{
	bool whole, first = true;
	char *line;
	size_t n;
	int ret = 0;

	reader->found->format = "json";
	while (!reader->sink->enough &&
	       (ret = input_line(&reader->input, &line, &n, &whole, err)) > 0) {
		int head = first ? check_head(line, n, err) : 0;

		ret = head < 0 ? head : 0;
		if (!head && line[strspn(line, " \t")])
			ret = read_line(reader, line, n, whole, err);
		if (ret) {
			error_prefix(err, "%s:%" PRIu64, reader->name, reader->input.line);
			return ret;
		}
		first = false;
	}
	if (ret < 0)
		error_prefix(err, "%s", reader->name);
	return ret < 0 ? ret : 0;
}
