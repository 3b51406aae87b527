// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/jsonl_fuzz.c - what imports is exported as a text that imports again, to the same text. */
#include "store/jsonl.h"

#include "store/db.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Return: false if @text does not import. */
static bool import_and_export(struct store *store, const char *text, size_t n, struct strbuf *out)
{
	int64_t *ids = NULL;
	size_t nr_ids = 0;
	bool good;

	/* one transaction that is rolled back: a store made for each input would take most of the time */
	if (db_begin(store, true, NULL))
		abort();
	good = !jsonl_import(store, "fuzz", text, n, &ids, &nr_ids, NULL);
	for (size_t i = 0; i < nr_ids; i++)
		if (jsonl_export(store, ids[i], out, NULL))
			abort();
	free(ids);
	db_end(store, -ECANCELED, NULL);
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct store *store;
	struct strbuf once = { 0 }, twice = { 0 };

	if (!store && store_open(&store, ":memory:", STORE_WRITE, NULL))
		abort();
	if (import_and_export(store, (const char *)data, size, &once)) {
		if (!import_and_export(store, strbuf_str(&once), once.len, &twice))
			abort();
		if (once.len != twice.len ||
		    memcmp(strbuf_str(&once), strbuf_str(&twice), once.len) != 0)
			abort();
	}
	strbuf_release(&once);
	strbuf_release(&twice);
	return 0;
}
