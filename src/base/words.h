/* SPDX-License-Identifier: GPL-2.0-only */
/* base/words.h - words of a command in one text, quoted as a POSIX shell reads them. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stddef.h>

/** words_join() - append @n words joined by blanks, each in single quotes where a shell would not take it as it is */
void words_join(struct strbuf *sb, char *const *words, size_t n);

/**
 * words_split() - the words of @text, as a shell reads quotes and backslashes; no variable, no pattern is expanded
 * @out: NULL-terminated, set on success; free with words_free()
 * @nr:  their number; may be NULL
 *
 * What words_join() made comes back as it was.
 *
 * Return: 0; -EINVAL for a quote without its end, or for what only a shell can do (; | & < > ( ) $ `, unquoted).
 */
int words_split(char ***out, size_t *nr, const char *text, struct error *err);
void words_free(char **words);

#endif
