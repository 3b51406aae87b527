/* SPDX-License-Identifier: GPL-2.0-only */
/* base/error.h - an error's words beside its number. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

/**
 * struct error - what went wrong, for a person
 * @code: positive errno, 0 while nothing is set
 * @text: one line without a newline: what, where (file:line, option, CPU) and what to do
 *
 * Caller's storage; initialise with { 0 }. No allocation; longer texts are cut.
 */
struct error {
	int code;
	char text[512];
};

/**
 * error_set() - note an error
 * @err:  filled; may be NULL
 * @code: positive errno
 * @fmt:  printf format of the line; control characters in the outcome become '?'
 *
 * Return: -@code, so that a caller can `return error_set(...)`.
 */
int error_set(struct error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * error_prefix() - put context in front of a noted error: "context: text"
 * @err: a set error; may be NULL
 */
void error_prefix(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
