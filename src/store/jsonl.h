/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * store/jsonl.h - a stored experiment as JSON lines, out and in: a line for the experiment, one for each
 * session, one for each run. Unknown kinds of line are passed over, so that verdict lines may stand among them.
 */
#ifndef STORE_JSONL_H
#define STORE_JSONL_H

#include "store/store.h"

/** jsonl_export() - append an experiment's lines */
int jsonl_export(struct store *store, int64_t experiment, struct strbuf *sb, struct error *err);

/**
 * jsonl_import() - store what jsonl_export() wrote, as a new experiment each, all in one transaction
 * @name: what to call the text in errors ("results.jsonl")
 * @ids:  the new experiments' ids, heap array for the caller
 *
 * Return: 0; -EINVAL with "name:line: what"; then nothing was stored.
 */
int jsonl_import(struct store *store, const char *name, const char *text, size_t n, int64_t **ids,
		 size_t *nr_ids, struct error *err);

#endif
