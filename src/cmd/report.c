// SPDX-License-Identifier: GPL-2.0-only
/* cmd/report.c - schedproof report: the verdict on a stored result, again. */
#include "cmd/cmd.h"

#include "cmd/jsonl_file.h"
#include "cmd/output.h"
#include "lab/experiment.h"
#include "store/jsonl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_cfg {
	bool json;
	bool all;
	char *format;
	char *store;
	char *fail_on;
};

static const struct opt report_opts[] = {
	OPT(struct report_cfg, json, "no", 0, 0,
	    "JSON lines: every run, then every verdict; import reads them"),
	OPT(struct report_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct report_cfg, all, "no", 0, 0, "every counter, not only those that moved"),
	OPT(struct report_cfg, fail_on, NULL, 0, 0,
	    "regressed, or regressed:2%: exit 1 if a primary metric regressed (by that much)"),
	OPT(struct report_cfg, store, NULL, 0, 0, "results file"),
	OPT_END,
};

/* JSON lines go through a store in memory, so that there is one way from runs to a report. */
static int load_file(struct store **store, int64_t *id, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int64_t *ids = NULL;
	size_t n = 0;
	int ret;

	ret = jsonl_file_read(&text, path, err);
	if (!ret)
		ret = store_open(store, ":memory:", STORE_WRITE, err);
	if (!ret)
		ret = jsonl_import(*store, path, strbuf_str(&text), text.len, &ids, &n, err);
	if (!ret && n != 1)
		ret = error_set(err, EINVAL, "%s: holds %zu experiments, import it and name one",
				path, n);
	if (!ret)
		*id = ids[0];
	free(ids);
	strbuf_release(&text);
	return ret;
}

/* No experiment has a '/' in its name; a bare word with a dot may be either. */
static bool is_file(const char *result)
{
	return strchr(result, '/') || (strchr(result, '.') && !access(result, F_OK));
}

/* A number is an id, everything else a name. */
static int find_stored(struct store **store, int64_t *id, const char *result, const char *path,
		       struct error *err)
{
	int ret = open_store(store, path, STORE_READ, err);

	if (ret)
		return ret;
	if (result && result[strspn(result, "0123456789")] == '\0') {
		errno = 0;
		*id = strtoll(result, NULL, 10);
		return errno ? error_set(err, ENOENT, "no result has the number %s", result) : 0;
	}
	return store_find_experiment(*store, result, id, err);
}

static int report_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct report_cfg *cfg = cfg_;
	struct output_style style = { .json = cfg->json, .all = cfg->all };
	const char *result = nr_args ? args[0] : NULL;
	struct report *report = NULL;
	struct fail_on fail_on = { 0 };
	struct store *store = NULL;
	struct error err = { 0 };
	int64_t id = 0;
	double worst;
	int status = EXIT_DONE, ret;

	ret = report_format_parse(&style.format, cfg->format, &err);
	if (!ret && cfg->fail_on)
		ret = fail_on_parse(&fail_on, cfg->fail_on, &err);
	if (!ret && result && is_file(result))
		ret = load_file(&store, &id, result, &err);
	else if (!ret)
		ret = find_stored(&store, &id, result, cfg->store, &err);
	if (!ret)
		ret = report_build(&report, store, id, &err);
	if (!ret)
		ret = output_report(report, store, &style, &err);
	if (ret)
		status = complain(&err, EXIT_USAGE);
	else if (fail_on.set && report_worst(report, &worst) && worst >= fail_on.fraction)
		status = EXIT_REGRESSED;
	report_free(report);
	store_close(store);
	return status;
}

const struct command command_report = {
	.name = "report",
	.args = "[RESULT]",
	.max_args = 1,
	.summary = "the report of a stored result, or its runs as JSON lines",
	.help = "RESULT is the number or the name of a stored experiment (of several with that "
		"name, the newest), or "
		"a file of JSON lines; without it, the newest of all.",
	.example = "schedproof report first --json > first.jsonl",
	.cfg_size = sizeof(struct report_cfg),
	.opts = report_opts,
	.run = report_run,
};
