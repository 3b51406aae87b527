// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Input is quoted in errors; what it holds must not move the user's cursor or add a line. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

int error_set(struct error *err, int code, const char *fmt, ...)
{
	va_list ap;

	assert(code > 0);
	if (!err)
		return -code;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	make_printable(err->text);
	return -code;
}

void error_prefix(struct error *err, const char *fmt, ...)
{
	char old[sizeof(err->text)];
	size_t used;
	va_list ap;
	int n;

	if (!err)
		return;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	used = n < 0 ? 0 : (size_t)n;
	if (used >= sizeof(err->text))
		used = sizeof(err->text) - 1;
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", old);
	make_printable(err->text);
}
