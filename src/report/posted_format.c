// SPDX-License-Identifier: GPL-2.0-only
/* report/posted_format.c - the formats of verdicts on posted figures */
#include "report/posted.h"

#include "base/mem.h"

#include <string.h>

static const struct posted_format *const formats[] = {
	&posted_format_text,
	&posted_format_md,
	&posted_format_csv,
	&posted_format_json,
};

const struct posted_format *posted_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
