/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * store/jsonl.h - a stored experiment as JSON lines, out and in: a line for the experiment, one for each
 * session, one for each run. Unknown kinds of line are passed over, so that verdict lines may stand among them.
 *
 * {"schema":2,"kind":"experiment","name":"first","text":"[experiment]...","fingerprint":"...","seed":"1",
 *  "blocks":10,"budget_ns":0,"runs_per_boot":0,"created_ns":1,"finished":true,
 *  "runs_per_block":2,"margin":0,"until":0,"purpose":"ab","ended":"",
 *  "variants":[{"name":"base","settings":"","asks":""}, ...],
 *  "points":[{"label":"pipe","workload":"pipe","params":"turns=1000","primary":"turn"}, ...]}
 * {"schema":2,"kind":"session","session":0,"boot_id":"...","started_ns":1,"notes":"","facts":{...}}
 * {"schema":2,"kind":"run","session":0,"block":0,"position":0,"variant":"base","point":"pipe","warmup":false,
 *  "started_ns":1,"load":0.5,"facts":{...},"result":{as in workload/result.h}}
 *
 * Schema 1 did not have the third line; what it says is then as if it stood there, but for one run of each in a block.
 * Sessions and runs belong to the experiment line above them; sessions are counted from 0 in each experiment.
 * Seeds are texts since they have 64 bits; a load that is unknown is null. There are no ids, so that what is
 * imported is exported as the same bytes.
 */
#ifndef STORE_JSONL_H
#define STORE_JSONL_H

#include "store/store.h"

#define JSONL_SCHEMA   2
#define JSONL_MAX_LINE (32 << 20) /* bytes */
#define JSONL_MAX_FILE ((size_t)256 << 20)

/**
 * jsonl_export() - append an experiment's lines; runs by position
 *
 * Return: 0; -ENOENT; then @sb is as it was.
 */
int jsonl_export(struct store *store, int64_t experiment, struct strbuf *sb, struct error *err);

/**
 * jsonl_import() - store what jsonl_export() wrote, as a new experiment each, all in one transaction
 * @name: what to call the text in errors ("results.jsonl")
 * @ids:  the new experiments' ids, heap array for the caller
 *
 * They keep created_ns, seed and fingerprint. Lines may be empty; unknown keys are errors.
 *
 * Return: 0; -EINVAL with "name:line: what"; then nothing was stored. A text without an experiment is an error.
 */
int jsonl_import(struct store *store, const char *name, const char *text, size_t n, int64_t **ids,
		 size_t *nr_ids, struct error *err);

#endif
