// SPDX-License-Identifier: GPL-2.0-only
/* cmd/report.c - schedproof report: the verdict on a stored result, again. */
#include "cmd/cmd.h"

#include "cmd/output.h"
#include "cmd/result.h"
#include "lab/experiment.h"

struct report_cfg {
	bool json;
	bool all;
	bool tails;
	char *format;
	char *store;
	char *fail_on;
};

static const struct opt report_opts[] = {
	OPT(struct report_cfg, json, "no", 0, 0,
	    "JSON lines: every run, then every verdict; import reads them"),
	OPT(struct report_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct report_cfg, all, "no", 0, 0, "every counter, not only those that moved"),
	OPT(struct report_cfg, tails, "no", 0, 0, TAILS_HELP),
	OPT(struct report_cfg, fail_on, NULL, 0, 0, FAIL_ON_HELP),
	OPT(struct report_cfg, store, NULL, 0, 0, "results file"),
	OPT_END,
};

static int report_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct report_cfg *cfg = cfg_;
	struct output_style style = { .json = cfg->json, .all = cfg->all, .tails = cfg->tails };
	const char *result = nr_args ? args[0] : NULL;
	struct report *report = NULL;
	struct fail_on fail_on = { 0 };
	struct store *store = NULL;
	struct error err = { 0 };
	int64_t id = 0;
	int status, ret;

	ret = report_format_parse(&style.format, cfg->format, &err);
	if (!ret && cfg->fail_on)
		ret = fail_on_parse(&fail_on, cfg->fail_on, &err);
	if (!ret)
		ret = result_open(&store, &id, result, cfg->store, &err);
	if (!ret)
		ret = report_build(&report, store, id, &err);
	if (!ret) {
		report_diagnose(report);
		ret = output_report(report, store, &style, &err);
	}
	status = ret ? complain(&err, EXIT_USAGE) : fail_on_status(&fail_on, report);
	report_free(report);
	store_close(store);
	return status;
}

const struct command command_report = {
	.name = "report",
	.args = "[RESULT]",
	.max_args = 1,
	.summary = "the report of a stored result in any format, or its runs as JSON lines",
	.help = "RESULT is the number or the name of a stored experiment (of several with that "
		"name, the newest), or "
		"a file of JSON lines; without it, the newest of all.",
	.example = "schedproof report first --json > first.jsonl",
	.cfg_size = sizeof(struct report_cfg),
	.opts = report_opts,
	.ends = true,
	.run = report_run,
};
