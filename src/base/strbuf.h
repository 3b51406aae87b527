/* SPDX-License-Identifier: GPL-2.0-only */
/* base/strbuf.h - a text that grows. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

/**
 * struct strbuf - growing text
 * @s:   the text, terminated; never NULL once something was added, NULL while fresh
 * @len: its bytes without the terminator; it may hold NUL bytes
 *
 * Caller's storage; initialise with { 0 }; heap memory inside, freed by strbuf_release().
 */
struct strbuf {
	char *s;
	size_t len;
	size_t size;
};

void strbuf_release(struct strbuf *sb);

/** strbuf_reset() - empty it, keep its memory */
void strbuf_reset(struct strbuf *sb);

/** strbuf_str() - the text, "" while fresh; borrowed until the next change */
const char *strbuf_str(const struct strbuf *sb);

/** strbuf_take() - the text, now the caller's to free; @sb is fresh again */
char *strbuf_take(struct strbuf *sb);

void strbuf_add(struct strbuf *sb, const void *bytes, size_t n);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_addch(struct strbuf *sb, char c);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0), nonnull(2)));

/** strbuf_pad() - add @c until the text is @len bytes long; nothing if it is longer */
void strbuf_pad(struct strbuf *sb, size_t len, char c);

#endif
