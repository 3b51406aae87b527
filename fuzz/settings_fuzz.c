// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/settings_fuzz.c - "key = value" lines: what is printed is read back as the same. */
#include "host/settings.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Lines without '=' are passed over; of the others all must be taken if @strict. */
static struct settings *read_lines(char *text, bool strict)
{
	struct settings *settings = settings_new();
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *equal = strchr(line, '=');
		struct error err = { 0 };
		size_t n;
		int ret;

		if (!equal)
			continue;
		*equal = '\0';
		for (n = strlen(line); n && line[n - 1] == ' '; n--)
			line[n - 1] = '\0';
		ret = settings_set(settings, line, equal + 1, &err);
		if (ret ? strict || -ret != err.code || !*err.text : err.code)
			abort();
	}
	return settings;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct strbuf first = { 0 }, second = { 0 };
	struct settings *settings = read_lines(text, false);
	char *copy;
	int valid;

	valid = settings_validate(settings, NULL);
	settings_print(settings, &first);
	settings_free(settings);
	copy = xstrdup(strbuf_str(&first));
	settings = read_lines(copy, true);
	settings_print(settings, &second);
	if (strcmp(strbuf_str(&first), strbuf_str(&second)) != 0 ||
	    settings_validate(settings, NULL) != valid)
		abort();
	settings_free(settings);
	strbuf_release(&first);
	strbuf_release(&second);
	free(copy);
	free(text);
	return 0;
}
