/* SPDX-License-Identifier: GPL-2.0-only */
/* base/ini_text.h - an INI text as sections of keys with their lines; knows nothing of experiments. */
#ifndef BASE_INI_TEXT_H
#define BASE_INI_TEXT_H

#include "base/error.h"

#include <stddef.h>

#define INI_TEXT_MAX_SECTION 49	   /* bytes of a section's name that inih keeps */
#define INI_TEXT_MAX_KEYS    10000 /* of a section */

/** struct ini_key - "name = value" as it stands in line @line */
struct ini_key {
	char *name;
	char *value;
	unsigned int line;
};

struct ini_section {
	char *name;
	unsigned int line;
	struct ini_key *keys;
	size_t nr_keys;
};

/** struct ini_text - sections in file order; heap inside, free with ini_text_release() */
struct ini_text {
	struct ini_section *sections;
	size_t nr_sections;
};

/**
 * ini_text_parse() - split a text
 * @path: what to call it in errors
 * @text: text[n]
 *
 * A comment begins with ';' or '#', at the start of a line or behind a blank. Lines may be indented and may end
 * with CR LF; a byte order mark is passed over. A value may be empty. inih splits the lines; what it would cut or
 * pass over in silence is refused here: a line or a section name that is too long for it, a NUL byte, text behind
 * a ']', a key outside a section, a key given twice in a section. Equal sections are not compared.
 *
 * Return: 0, or -EINVAL with "path:line: what".
 */
int ini_text_parse(struct ini_text *out, const char *path, const char *text, size_t n,
		   struct error *err);

void ini_text_release(struct ini_text *ini);

/** ini_section_find() - key @name, or NULL */
const struct ini_key *ini_section_find(const struct ini_section *section, const char *name);

#endif
