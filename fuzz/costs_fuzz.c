// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/costs_fuzz.c - a file of costs: what is printed is read back as the same. */
#include "sim/costs.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size, 1);
	struct strbuf sb = { 0 };
	struct error err = { 0 };
	struct costs costs, again;

	memcpy(text, data, size);
	costs_default(&costs);
	if (costs_parse(&costs, "file", text, size, &err)) {
		if (!err.code || !*err.text)
			abort();
	} else {
		costs_print(&costs, NULL, NULL, &sb);
		memset(&again, 0, sizeof(again));
		if (costs_parse(&again, "file", sb.s, sb.len, NULL) ||
		    memcmp(&costs, &again, sizeof(costs)))
			abort();
	}
	strbuf_release(&sb);
	free(text);
	return 0;
}
