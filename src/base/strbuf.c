// SPDX-License-Identifier: GPL-2.0-only
#include "base/strbuf.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct strbuf *sb, size_t extra)
{
	size_t need = sb->len + extra + 1;

	if (need <= sb->size)
		return;
	sb->size = need > 2 * sb->size ? need : 2 * sb->size;
	if (sb->size < 64)
		sb->size = 64;
	sb->s = xreallocarray(sb->s, sb->size, 1);
}

void strbuf_release(struct strbuf *sb)
{
	free(sb->s);
	*sb = (struct strbuf){ 0 };
}

void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->s)
		sb->s[0] = '\0';
}

const char *strbuf_str(const struct strbuf *sb)
{
	return sb->s ? sb->s : "";
}

char *strbuf_take(struct strbuf *sb)
{
	char *s;

	make_room(sb, 0);
	sb->s[sb->len] = '\0';
	s = sb->s;
	*sb = (struct strbuf){ 0 };
	return s;
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n)
{
	make_room(sb, n);
	if (n)
		memcpy(sb->s + sb->len, bytes, n);
	sb->len += n;
	sb->s[sb->len] = '\0';
}

void strbuf_addstr(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void strbuf_addch(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	assert(n >= 0);
	make_room(sb, (size_t)n);
	vsnprintf(sb->s + sb->len, (size_t)n + 1, fmt, again);
	va_end(again);
	sb->len += (size_t)n;
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_pad(struct strbuf *sb, size_t len, char c)
{
	while (sb->len < len)
		strbuf_addch(sb, c);
}
