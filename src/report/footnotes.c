// SPDX-License-Identifier: GPL-2.0-only
#include "report/footnotes.h"

#include "base/mem.h"
#include "report/layout.h"

#include <stdlib.h>
#include <string.h>

size_t footnotes_add(struct footnotes *notes, const char *text)
{
	for (size_t i = 0; i < notes->n; i++) {
		if (!strcmp(notes->texts[i], text))
			return i + 1;
	}
	notes->texts = xreallocarray(notes->texts, notes->n + 1, sizeof(*notes->texts));
	notes->texts[notes->n++] = text;
	return notes->n;
}

void footnotes_print(struct footnotes *notes, struct strbuf *sb)
{
	for (size_t i = 0; i < notes->n; i++)
		text_wrapf(sb, 0, 4, "[%zu] %s", i + 1, notes->texts[i]);
	free(notes->texts);
	*notes = (struct footnotes){ 0 };
}
