// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/stubs.h"

#include "kcore/kit.h"

#include <string.h>

/* The list's word for @name, copied; false if it isn't there. */
static bool find_word(char word[16], const char *list, const char *name)
{
	char buf[512], *words[2];
	size_t n;

	while ((n = kit_list(&list, buf, sizeof(buf), words, 2)))
		if (n == 2 && !strcmp(words[0], name)) {
			strncpy(word, words[1], 15);
			word[15] = '\0';
			return true;
		}
	return false;
}

enum stub_kind stub_kind(const struct object_symbol *symbol, const char *list)
{
	char word[16];

	if (find_word(word, list, symbol->name))
		return strcmp(word, "zero") ? STUB_ABORT : STUB_ZERO;
	return symbol->called ? STUB_ABORT : STUB_UNKNOWN;
}

void stub_prologue(struct strbuf *sb)
{
	strbuf_addstr(sb, "_Noreturn void kit_missing(const char *name);\n");
}

void stub_source(struct strbuf *sb, const char *name, enum stub_kind kind)
{
	if (kind == STUB_ZERO)
		strbuf_addf(sb, "long %s(void) { return 0; }\n", name);
	else
		strbuf_addf(sb, "void %s(void) { kit_missing(\"%s\"); }\n", name, name);
}
