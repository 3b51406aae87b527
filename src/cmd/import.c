// SPDX-License-Identifier: GPL-2.0-only
/* cmd/import.c - schedproof import */
#include "cmd/cmd.h"

#include "base/file.h"
#include "store/jsonl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct import_cfg {
	char *store;
};

static const struct opt import_opts[] = {
	OPT(struct import_cfg, store, NULL, 0, 0, "results file"),
	OPT_END,
};

static int import_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct import_cfg *cfg = cfg_;
	struct store *store = NULL;
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int64_t *ids = NULL;
	size_t n = 0;
	int ret;

	(void)nr_args;
	ret = file_read_input(&text, args[0], JSONL_MAX_FILE, &err);
	if (!ret)
		ret = open_store(&store, cfg->store, STORE_WRITE, &err);
	if (!ret)
		ret = jsonl_import(store, args[0], strbuf_str(&text), text.len, &ids, &n, &err);
	for (size_t i = 0; !ret && i < n; i++)
		printf("stored as result %" PRId64 "\n", ids[i]);
	free(ids);
	store_close(store);
	strbuf_release(&text);
	return ret ? complain(&err, EXIT_USAGE) : EXIT_DONE;
}

const struct command command_import = {
	.name = "import",
	.args = "FILE",
	.min_args = 1,
	.max_args = 1,
	.summary = "store results that report --json has written",
	.help = "Reads JSON lines from a file or, for -, from standard input, and stores the "
		"experiments in "
		"them as new results: all of them, or none if a line is wrong.",
	.example = "schedproof import results.jsonl",
	.cfg_size = sizeof(struct import_cfg),
	.opts = import_opts,
	.ends = true,
	.run = import_run,
};
