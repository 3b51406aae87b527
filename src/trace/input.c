// SPDX-License-Identifier: GPL-2.0-only
#include "trace/input.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ROOM ((size_t)4 * INPUT_LINE_MAX)

void input_init(struct input *input, int fd)
{
	*input = (struct input){ .fd = fd };
}

void input_init_memory(struct input *input, const void *bytes, size_t n)
{
	*input = (struct input){ .fd = -1, .memory = bytes, .left = n };
}

void input_release(struct input *input)
{
	free(input->buf);
	*input = (struct input){ .fd = -1 };
}

static ssize_t read_memory(struct input *input, char *to, size_t n)
{
	n = n < input->left ? n : input->left;
	if (n)
		memcpy(to, input->memory, n);
	input->memory += n;
	input->left -= n;
	return (ssize_t)n;
}

/* One byte of room is kept for a terminator. */
static void make_room(struct input *input, size_t n)
{
	if (input->begin) {
		memmove(input->buf, input->buf + input->begin, input->end - input->begin);
		input->end -= input->begin;
		input->begin = 0;
	}
	if (n + 1 > input->room) {
		input->room = n + 1 > FIRST_ROOM ? n + 1 : FIRST_ROOM;
		input->buf = xreallocarray(input->buf, input->room, 1);
	}
}

static int fill(struct input *input, struct error *err)
{
	char *to = input->buf + input->end;
	size_t room = input->room - 1 - input->end;
	ssize_t got = input->fd < 0 ? read_memory(input, to, room) : fd_read(input->fd, to, room);

	if (got < 0)
		return error_set(err, (int)-got, "%s",
				 got == -EINTR ? "stopped" : strerror((int)-got));
	input->end += (size_t)got;
	input->ended = !got;
	return 0;
}

ssize_t input_peek(struct input *input, const char **bytes, size_t n, struct error *err)
{
	int ret;

	if (input->end - input->begin < n && !input->ended)
		make_room(input, n);
	while (input->end - input->begin < n && !input->ended) {
		ret = fill(input, err);
		if (ret)
			return ret;
	}
	*bytes = input->buf ? input->buf + input->begin : "";
	return (ssize_t)(input->end - input->begin < n ? input->end - input->begin : n);
}

void input_take(struct input *input, size_t n)
{
	input->begin += n;
	input->offset += n;
}

/* To behind the newline of a line of which the begin was given. Return: false at the end */
static int skip_rest(struct input *input, struct error *err)
{
	while (input->in_line) {
		const char *bytes = "", *newline;
		ssize_t n = input_peek(input, &bytes, INPUT_LINE_MAX, err);

		if (n <= 0) {
			input->in_line = false;
			return (int)n;
		}
		newline = memchr(bytes, '\n', (size_t)n);
		input->in_line = !newline;
		input_take(input, newline ? (size_t)(newline - bytes) + 1 : (size_t)n);
	}
	return 0;
}

/* Where the line ends that begins here, NULL if its end isn't among the first INPUT_LINE_MAX bytes of the input. */
static char *find_newline(struct input *input, size_t *n, struct error *err, int *ret)
{
	size_t have = input->end - input->begin;
	char *newline = have ? memchr(input->buf + input->begin, '\n',
				      have < INPUT_LINE_MAX ? have : INPUT_LINE_MAX)
			     : NULL;
	const char *bytes = "";
	ssize_t got;

	if (newline || (have >= INPUT_LINE_MAX)) {
		*n = newline ? (size_t)(newline - input->buf) - input->begin : INPUT_LINE_MAX;
		return newline;
	}
	got = input_peek(input, &bytes, INPUT_LINE_MAX, err);
	*ret = got < 0 ? (int)got : 0;
	if (got <= 0) {
		*n = 0;
		return NULL;
	}
	newline = memchr(input->buf + input->begin, '\n', (size_t)got);
	*n = newline ? (size_t)(newline - input->buf) - input->begin : (size_t)got;
	return newline;
}

int input_line(struct input *input, char **line, size_t *n, bool *whole, struct error *err)
{
	int ret = skip_rest(input, err);
	size_t len = 0;
	char *newline;

	if (ret)
		return ret;
	newline = find_newline(input, &len, err, &ret);
	if (ret || (!newline && !len))
		return ret;
	*line = input->buf + input->begin;
	input->line++;
	*whole = newline != NULL;
	input_take(input, len + (newline ? 1 : 0));
	if (!newline && len == INPUT_LINE_MAX) {
		/* the byte behind it is still to come: it may not become the terminator */
		input->in_line = true;
		len--;
	}
	if (newline && len && (*line)[len - 1] == '\r')
		len--;
	(*line)[len] = '\0';
	*n = len;
	return 1;
}
