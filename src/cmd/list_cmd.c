// SPDX-License-Identifier: GPL-2.0-only
/* cmd/list_cmd.c - schedproof list: what there is. */
#include "cmd/cmd.h"

#include "base/json_out.h"
#include "base/mem.h"
#include "cmd/workload_text.h"
#include "host/settings.h"
#include "kcore/kcore.h"
#include "lab/sim_knobs.h"
#include "report/levels.h"
#include "report/list_text.h"
#include "sched/feature.h"
#include "sched/preset.h"
#include "sched/tunable.h"
#include "topo/preset.h"
#include "workload/workload.h"

#include <errno.h>
#include <inttypes.h>
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

/* A row of two columns, or a line of JSON with the words behind it. */
static void add_pair(const struct list_cfg *cfg, struct strbuf *sb, const char *kind,
		     const char *name, const char *text)
{
	struct json_out out = { .sb = sb };

	if (!cfg->json) {
		strbuf_addf(sb, "%-20s %s\n", name, text);
		return;
	}
	json_out_object(&out, NULL);
	json_out_str(&out, "kind", kind);
	json_out_str(&out, "name", name);
	json_out_str(&out, "text", text);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}

/* By the name that its file gives it. */
static void add_machine(const struct list_cfg *cfg, struct strbuf *sb, const struct preset *preset)
{
	static const char word[] = "\nname ";
	const char *at = strstr(preset->text, word);
	const char *name = at ? at + strlen(word) : "";
	char *text = xasprintf("%.*s%s", (int)strcspn(name, "\n"), name,
			       preset->costs ? "; with costs" : "");

	add_pair(cfg, sb, "machine", preset->name, text);
	free(text);
}

static int list_machines(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	(void)err;
	for (size_t i = 0; preset_at(i); i++)
		add_machine(cfg, sb, preset_at(i));
	return 0;
}

static int list_cores(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	struct kcore_facts *facts = NULL;
	size_t n = 0;
	int ret = kcore_list(&facts, &n, err);

	add_pair(cfg, sb, "core", "model", "our own, as " MODEL_DEFAULT_PRESET);
	for (size_t i = 0; model_preset_at(i); i++) {
		char *name = xasprintf("model:%s", model_preset_at(i));

		add_pair(cfg, sb, "core", name, "our own, as that release has it");
		free(name);
	}
	for (size_t i = 0; i < n; i++) {
		const char *stale = kcore_stale(&facts[i]);
		char *name = xasprintf("kernel:%s", facts[i].name);
		char *text = xasprintf("%s of %s%s%s", facts[i].release, facts[i].tree,
				       stale ? "; to be built again: " : "", stale ? stale : "");

		add_pair(cfg, sb, "core", name, text);
		free(text);
		free(name);
		kcore_facts_release(&facts[i]);
	}
	free(facts);
	return ret;
}

static void feature_json(const struct feature *feature, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "feature");
	json_out_str(&out, "name", feature->name);
	json_out_str(&out, "kernel_name", *feature->kernel ? feature->kernel : NULL);
	json_out_str(&out, "values", feature->values);
	json_out_str(&out, "default", feature->def);
	json_out_str(&out, "releases", feature->releases);
	json_out_str(&out, "section", feature->section);
	json_out_str(&out, "help", feature->help);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}

/* "up to 6.9, from 6.19" of "-6.9,6.19-" */
static void add_releases(struct strbuf *sb, const char *text, size_t n)
{
	const char *end = text + n;

	while (text < end) {
		size_t len = strcspn(text, ", ");
		const char *dash = memchr(text, '-', len);

		if (*text == '.')
			strbuf_addstr(sb, "no release");
		else if (len == 1)
			strbuf_addstr(sb, "all");
		else if (dash == text)
			strbuf_addf(sb, "up to %.*s", (int)len - 1, text + 1);
		else if (dash == text + len - 1)
			strbuf_addf(sb, "from %.*s", (int)len - 1, text);
		else
			strbuf_addf(sb, "%.*s", (int)len, text);
		text += len;
		if (text < end) {
			strbuf_addstr(sb, ", ");
			text++;
		}
	}
}

/* A line for each value with the releases that have it. */
static void feature_text(const struct feature *feature, struct strbuf *sb)
{
	const char *release = feature->releases;
	struct strbuf value = { 0 };

	strbuf_addf(sb, "%s%s%s: %s [%s]\n", feature->name, *feature->kernel ? ", " : "",
		    feature->kernel, feature->help, feature->section);
	for (size_t i = 0; feature_value(feature, i, &value); i++) {
		size_t n = strcspn(release, " ");

		strbuf_addf(sb, "  %-14s ", value.s);
		add_releases(sb, release, n);
		strbuf_addstr(sb, strcmp(value.s, feature->def) ? "\n" : " (default)\n");
		release += n + strspn(release + n, " ");
		strbuf_reset(&value);
	}
	strbuf_release(&value);
}

static void add_tunable(const struct list_cfg *cfg, const struct tunable *tunable,
			struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	if (!cfg->json) {
		strbuf_addf(sb, "%s: %s\n  %" PRIu64 " .. %" PRIu64 ", %" PRIu64 " (default)%s\n",
			    tunable->name, tunable->help, tunable->min, tunable->max, tunable->def,
			    tunable->scaled ? ", scaled by the number of CPUs" : "");
		return;
	}
	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "tunable");
	json_out_str(&out, "name", tunable->name);
	json_out_int(&out, "default", (int64_t)tunable->def);
	json_out_int(&out, "min", (int64_t)tunable->min);
	json_out_int(&out, "max", (int64_t)tunable->max);
	json_out_bool(&out, "scaled", tunable->scaled);
	json_out_str(&out, "help", tunable->help);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}

static int list_features(const struct list_cfg *cfg, struct strbuf *sb, struct error *err)
{
	(void)err;
	for (size_t i = 0; feature_at(i); i++) {
		if (cfg->json)
			feature_json(feature_at(i), sb);
		else
			feature_text(feature_at(i), sb);
	}
	for (size_t i = 0; tunable_at(i); i++)
		add_tunable(cfg, tunable_at(i), sb);
	return 0;
}

static void knobs_json(const char *names, struct strbuf *sb)
{
	while (*names) {
		const size_t n = strcspn(names, "\n");
		char *name = xstrndup(names, n);
		struct json_out out = { .sb = sb };

		json_out_object(&out, NULL);
		json_out_str(&out, "kind", "knob");
		json_out_str(&out, "name", name);
		json_out_end_object(&out);
		strbuf_addch(sb, '\n');
		free(name);
		names += n + 1;
	}
}

static int list_knobs(const struct list_cfg *cfg, const char *core, struct strbuf *sb,
		      struct error *err)
{
	struct strbuf names = { 0 };
	int ret = sim_knobs(core, &names, err);

	if (!ret && cfg->json)
		knobs_json(strbuf_str(&names), sb);
	else if (!ret)
		strbuf_addstr(sb, strbuf_str(&names));
	strbuf_release(&names);
	return ret;
}

static const struct {
	const char *name;
	int (*list)(const struct list_cfg *cfg, struct strbuf *sb, struct error *err);
} kinds[] = {
	{ "results", list_results },	 { "levels", list_levels },
	{ "workloads", list_workloads }, { "settings", list_settings },
	{ "machines", list_machines },	 { "cores", list_cores },
	{ "features", list_features },
};

static int list_run(const void *cfg, char *const *args, size_t nr_args)
{
	const char *what = nr_args ? args[0] : "results";
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int ret = error_set(&err, EINVAL,
			    "list: '%s' is none of results, levels, workloads, settings, machines, "
			    "cores, features",
			    what);

	if (nr_args == 2 && !strcmp(what, "features"))
		ret = list_knobs(cfg, args[1], &text, &err);
	else if (nr_args == 2)
		ret = error_set(&err, EINVAL, "list: '%s' is one argument too many", args[1]);
	for (size_t i = 0; nr_args < 2 && i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, what))
			ret = kinds[i].list(cfg, &text, &err);
	if (!ret)
		fwrite(strbuf_str(&text), 1, text.len, stdout);
	strbuf_release(&text);
	return ret ? complain(&err, EXIT_USAGE) : EXIT_DONE;
}

const struct command command_list = {
	.name = "list",
	.args = "[results|levels|workloads|settings|machines|cores|features [CORE]]",
	.max_args = 2,
	.summary = "stored results, workloads, settings of a variant, machines, scheduler cores",
	.help = "Lists stored results (the default), the level of each workload across them and "
		"where it stepped, the workloads with their parameters and metrics, or the "
		"settings that a variant can have. Of simulated runs: the machines that are built "
		"in, the scheduler cores, and the features of the model with their values and the "
		"kernel releases that have each, and what else can be set by --knob. features "
		"CORE: the names of all that --knob can set of that core, a kernel's too.",
	.example = "schedproof list workloads",
	.cfg_size = sizeof(struct list_cfg),
	.opts = list_opts,
	.ends = true,
	.run = list_run,
};
