/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/input.h - a file or memory read in pieces: lines of text, or bytes that follow each other. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A line or a piece can be no longer. */
#define INPUT_LINE_MAX	(1u << 16)
#define INPUT_PIECE_MAX (1u << 24)

/**
 * struct input - heap inside, freed by input_release()
 * @line:   number of the line that was taken last, from 1
 * @offset: bytes taken
 */
struct input {
	int fd; /* -1: from memory */
	const unsigned char *memory;
	size_t left;
	char *buf;
	size_t begin, end, room;
	bool ended;
	bool in_line; /* the rest of a line that was too long is still to come */
	uint64_t line;
	uint64_t offset;
};

void input_init(struct input *input, int fd);
void input_init_memory(struct input *input, const void *bytes, size_t n);
void input_release(struct input *input);

/**
 * input_peek() - have @n bytes ready, or as many as there are
 * @bytes: where they are; valid until the next call
 * @n:     at most INPUT_PIECE_MAX
 *
 * Return: how many there are, less than @n only at the end; -errno of read().
 */
ssize_t input_peek(struct input *input, const char **bytes, size_t n, struct error *err);

/** input_take() - go on behind @n bytes that are ready */
void input_take(struct input *input, size_t n);

/**
 * input_line() - the next line
 * @line:  without its newline (and a carriage return), terminated, may be changed in place; valid until the next call
 * @whole: false if it is the last one and has no newline, or was cut at INPUT_LINE_MAX bytes
 *
 * Return: 1, 0 at the end, -errno of read().
 */
int input_line(struct input *input, char **line, size_t *n, bool *whole, struct error *err);

#endif
