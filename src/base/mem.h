/* SPDX-License-Identifier: GPL-2.0-only */
/* base/mem.h - memory that is there or the program ends: nobody else checks. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/** mem_exit_status() - what the program ends with where there is none: 3, unless it has a function of this name itself */
int mem_exit_status(void);

/**
 * xcalloc() - zeroed memory for @n objects of @size bytes
 *
 * Ends the program with one line on standard error when there is none, so a size that comes from
 * outside is bounded before it gets here. @n or @size of 0 gives a pointer that can be freed.
 */
void *xcalloc(size_t n, size_t size) __attribute__((malloc));

/**
 * xaligned() - @size zeroed bytes at a multiple of @alignment, a power of two; free() takes them
 */
void *xaligned(size_t alignment, size_t size) __attribute__((malloc));

/**
 * xlarge() - @size zeroed bytes, on large pages where the kernel has some; free() takes them
 *
 * For what takes megabytes and is walked through in no order: with small pages nearly each step looks for its page first.
 */
#define XLARGE_BYTES ((size_t)2048 * 1024)
void *xlarge(size_t size) __attribute__((malloc));

/**
 * xreallocarray() - resize to @n objects of @size bytes; new bytes are not cleared
 */
void *xreallocarray(void *p, size_t n, size_t size);

/**
 * xstrdup() - copy of @s, the caller's to free
 */
char *xstrdup(const char *s) __attribute__((malloc));

/**
 * xstrndup() - copy of at most @n bytes of @s, terminated; the caller's to free
 */
char *xstrndup(const char *s, size_t n) __attribute__((malloc));

/**
 * xasprintf() - formatted text, the caller's to free
 */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2), malloc));

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
