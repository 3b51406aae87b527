// SPDX-License-Identifier: GPL-2.0-only
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((weak)) int mem_exit_status(void)
{
	return 3;
}

static void *or_die(void *p)
{
	if (p)
		return p;
	fputs("schedproof: out of memory\n", stderr);
	_exit(mem_exit_status());
}

void *xcalloc(size_t n, size_t size)
{
	return or_die(calloc(n ? n : 1, size ? size : 1));
}

void *xaligned(size_t alignment, size_t size)
{
	void *p = NULL;

	if (posix_memalign(&p, alignment, size ? size : 1))
		p = NULL;
	return memset(or_die(p), 0, size);
}

void *xlarge(size_t size)
{
	void *p = NULL;

	size = (size + XLARGE_BYTES - 1) & ~(XLARGE_BYTES - 1);
	if (posix_memalign(&p, XLARGE_BYTES, size))
		p = NULL;
	or_die(p);
	(void)madvise(p, size, MADV_HUGEPAGE); /* fails where there are none */
	return memset(p, 0, size);
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	return or_die(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return or_die(strdup(s));
}

char *xstrndup(const char *s, size_t n)
{
	return or_die(strndup(s, n));
}

char *xasprintf(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	return or_die(text);
}
