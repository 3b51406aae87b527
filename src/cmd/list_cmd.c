// SPDX-License-Identifier: GPL-2.0-only
/* cmd/list_cmd.c - schedproof list: what there is. */
#include "cmd/cmd.h"

#include "base/json_out.h"
#include "base/mem.h"
#include "cmd/workload_text.h"
#include "host/settings.h"
#include "report/levels.h"
#include "report/list_text.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list_cfg {
	bool json;
	char *store;
};

static const struct opt list_opts[] = {
	OPT(struct list_cfg, json, "no", 0, 0, "JSON lines"),
	OPT(struct list_cfg, store, NULL, 0, 0, "results file"),
	OPT_END,
};

static int list_workloads(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	(void)err;
	for (size_t i = 0; workload_at(i); i++) {
		if (cfg->json)
			workload_json(workload_at(i), sb);
		else
			workload_text(workload_at(i), sb);
	}
	return 0;
}

static int list_settings(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	const char *key, *help;

	(void)err;
	for (size_t i = 0; (key = settings_key(i, &help)); i++) {
		struct json_out out = { .sb = sb };

		if (!cfg->json) {
			strbuf_addf(sb, "%-20s %s\n", key, help);
			continue;
		}
		json_out_object(&out, NULL);
		json_out_str(&out, "kind", "setting");
		json_out_str(&out, "key", key);
		json_out_str(&out, "help", help);
		json_out_end_object(&out);
		strbuf_addch(sb, '\n');
	}
	return 0;
}

static void result_json(const struct experiment_row *row, const struct run_counts *counts,
			struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "result");
	json_out_int(&out, "id", row->id);
	json_out_str(&out, "name", row->name);
	json_out_int(&out, "created_ns", row->created_ns);
	json_out_bool(&out, "finished", row->finished);
	json_out_int(&out, "blocks", (int64_t)counts->blocks);
	json_out_int(&out, "planned_blocks", (int64_t)row->blocks);
	json_out_int(&out, "runs", (int64_t)(counts->ok + counts->failed));
	json_out_int(&out, "failed", (int64_t)counts->failed);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}

static int list_results(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	struct experiment_row *rows = NULL;
	struct run_counts *counts = NULL;
	struct store *store = NULL;
	size_t n = 0;
	int ret;

	ret = open_store(&store, cfg->store, STORE_READ, err);
	if (ret == -ENOENT && !cfg->store) {
		strbuf_addstr(sb,
			      cfg->json ? "" : "no results yet; schedproof ab FILE makes some\n");
		return 0;
	}
	if (!ret)
		ret = store_list_experiments(store, &rows, &n, err);
	counts = xcalloc(n, sizeof(*counts));
	for (size_t i = 0; !ret && i < n; i++)
		ret = store_count_runs(store, rows[i].id, &counts[i], err);
	if (!ret && !cfg->json)
		list_text(rows, counts, n, sb);
	for (size_t i = 0; i < n; i++) {
		if (!ret && cfg->json)
			result_json(&rows[i], &counts[i], sb);
		experiment_row_release(&rows[i]);
	}
	free(rows);
	free(counts);
	store_close(store);
	return ret;
}

static int list_levels(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	struct level_series *series = NULL;
	struct store *store = NULL;
	size_t n = 0;
	int ret;

	ret = open_store(&store, cfg->store, STORE_READ, err);
	/* nothing in the default place is no error */
	if (ret == -ENOENT && !cfg->store)
		ret = 0;
	else if (!ret)
		ret = levels_load(&series, &n, store, err);
	if (!ret && cfg->json)
		levels_json(series, n, sb);
	else if (!ret)
		levels_text(series, n, sb);
	levels_free(series, n);
	store_close(store);
	return ret;
}

static const struct {
	const char *name;
	int (*list)(const struct list_cfg *cfg, struct strbuf *sb, struct error *err);
} kinds[] = {
	{ "results", list_results },
	{ "levels", list_levels },
	{ "workloads", list_workloads },
	{ "settings", list_settings },
};

static int list_run(const void *cfg, char *const *args, size_t nr_args)
{
	const char *what = nr_args ? args[0] : "results";
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int ret = error_set(&err, EINVAL,
			    "list: '%s' is none of results, levels, workloads, settings", what);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, what))
			ret = kinds[i].list(cfg, &text, &err);
	if (!ret)
		fwrite(strbuf_str(&text), 1, text.len, stdout);
	strbuf_release(&text);
	return ret ? complain(&err, EXIT_USAGE) : EXIT_DONE;
}

const struct command command_list = {
	.name = "list",
	.args = "[results|levels|workloads|settings]",
	.max_args = 1,
	.summary = "stored results, workloads with their parameters, settings of a variant",
	.help = "Lists stored results (the default), the level of each workload across them and "
		"where it stepped, the workloads with their parameters and metrics, or the "
		"settings that a variant can have.",
	.example = "schedproof list workloads",
	.cfg_size = sizeof(struct list_cfg),
	.opts = list_opts,
	.run = list_run,
};
