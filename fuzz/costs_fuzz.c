// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/costs_fuzz.c - a file of costs: what is printed is read back as the same. */
#include "sim/costs.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All but the lines. */
static bool same_pairs(const struct costs_pairs *a, const struct costs_pairs *b)
{
	for (size_t i = 0; i < a->nr && i < b->nr; i++) {
		const struct costs_pair *x = &a->pair[i], *y = &b->pair[i];

		if (x->kind != y->kind || x->from != y->from || x->to != y->to ||
		    x->value != y->value)
			return false;
	}
	return a->nr == b->nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size, 1);
	struct strbuf sb = { 0 };
	struct error err = { 0 };
	struct costs_pairs pairs = { 0 }, pairs_again = { 0 };
	struct costs costs, again;

	memcpy(text, data, size);
	costs_default(&costs);
	if (costs_parse(&costs, &pairs, "file", text, size, &err)) {
		if (!err.code || !*err.text || pairs.nr)
			abort();
	} else {
		costs_print(&costs, &pairs, NULL, NULL, &sb);
		memset(&again, 0, sizeof(again));
		if (costs_parse(&again, &pairs_again, "file", sb.s, sb.len, NULL) ||
		    memcmp(&costs, &again, sizeof(costs)) || !same_pairs(&pairs, &pairs_again))
			abort();
	}
	costs_pairs_release(&pairs);
	costs_pairs_release(&pairs_again);
	strbuf_release(&sb);
	free(text);
	return 0;
}
