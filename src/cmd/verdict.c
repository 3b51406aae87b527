// SPDX-License-Identifier: GPL-2.0-only
/* cmd/verdict.c - schedproof verdict: what figures that others posted can and can't show. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "lab/experiment.h"
#include "posted/find.h"
#include "posted/judge.h"
#include "posted/pair.h"
#include "report/posted.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES ((size_t)256 << 20)

struct verdict_cfg {
	int order;
	uint64_t n;
	char *spread;
	int better;
	char *base;
	int format;
	bool json;
	bool all;
	char *fail_on;
};

static const struct opt verdict_opts[] = {
	OPT_CHOICE(struct verdict_cfg, order, "unknown", "unknown|random|sequence",
		   "how the runs of the sides followed each other; unknown: what the text says"),
	OPT(struct verdict_cfg, n, "0", 0, 1000000, "runs a side, where the text does not tell"),
	OPT(struct verdict_cfg, spread, NULL, 0, 0,
	    "3%: standard deviation of the runs, for figures posted without one"),
	OPT_CHOICE(struct verdict_cfg, better, "unknown", "unknown|lower|higher",
		   "which way is better, where the text does not tell"),
	OPT(struct verdict_cfg, base, NULL, 0, 0,
	    "name of the side that the others are compared with"),
	OPT_CHOICE(struct verdict_cfg, format, "text", "text|md|csv|json", "how it is printed"),
	OPT(struct verdict_cfg, json, "no", 0, 0,
	    "the same as --format json: a line for each table"),
	OPT(struct verdict_cfg, all, "no", 0, 0, "every counter, not only those that moved"),
	OPT(struct verdict_cfg, fail_on, NULL, 0, 0,
	    "regressed, or regressed:2%: exit 1 if a row regressed (by that much)"),
	OPT_END,
};

static const char *const format_names[] = { "text", "md", "csv", "json" };
static const enum trial_order orders[] = { TRIAL_UNKNOWN, TRIAL_RANDOM, TRIAL_SEQUENCE };
static const enum better betters[] = { BETTER_NONE, BETTER_LOWER, BETTER_HIGHER };

static int parse_spread(double *spread, const char *text, struct error *err)
{
	char *end;

	*spread = strtod(text, &end);
	if (end != text && *end == '%') {
		*spread /= 100;
		end++;
	}
	if (end == text || *end || !(*spread > 0 && *spread < 10))
		return error_set(err, EINVAL, "spread: '%s' is no part of the mean such as 3%%",
				 text);
	return 0;
}

static int read_text(struct posted *posted, const char *path, struct error *err)
{
	bool input = !strcmp(path, "-");
	struct strbuf text = { 0 };
	int ret = file_read_input(&text, path, MAX_BYTES, err);

	if (!ret)
		posted_find(posted, input ? "standard input" : path, strbuf_str(&text), text.len);
	strbuf_release(&text);
	return ret;
}

static int read_texts(struct posted *posted, char *const *args, size_t nr_args, struct error *err)
{
	int ret = 0;

	if (!nr_args)
		ret = read_text(posted, "-", err);
	for (size_t i = 0; !ret && i < nr_args; i++)
		ret = read_text(posted, args[i], err);
	if (!ret && !posted->nr_tables && posted->instead)
		ret = error_set(err, ENODATA, "no table found: %s", posted->instead);
	else if (!ret && !posted->nr_tables)
		ret = error_set(
			err, ENODATA,
			"%s%s: no table found in a form that is known; schedproof verdict --help "
			"names the forms",
			nr_args && strcmp(args[0], "-") != 0 ? args[0] : "standard input",
			nr_args > 1 ? " ..." : "");
	return ret;
}

static int set_rule(struct posted_rule *rule, struct fail_on *fail_on,
		    const struct verdict_cfg *cfg, struct error *err)
{
	int ret = 0;

	*rule = (struct posted_rule){
		.alpha = REPORT_ALPHA,
		.order = orders[cfg->order],
		.n = cfg->n,
		.better = betters[cfg->better],
	};
	if (cfg->spread)
		ret = parse_spread(&rule->spread, cfg->spread, err);
	if (!ret && cfg->fail_on)
		ret = fail_on_parse(fail_on, cfg->fail_on, err);
	return ret;
}

static void print_report(const struct verdict_cfg *cfg, const struct posted_report *report)
{
	const char *name = cfg->json ? "json" : format_names[cfg->format];
	struct strbuf sb = { 0 };

	posted_format_find(name)->render(report, &sb);
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
}

static bool has_failed(const struct posted_report *report, const struct fail_on *fail_on)
{
	double worst;

	for (size_t i = 0; fail_on->set && i < report->n; i++)
		if (posted_worst(&report->judged[i], &worst) && worst >= fail_on->fraction)
			return true;
	return false;
}

static int judge(const struct verdict_cfg *cfg, struct posted *posted,
		 const struct posted_rule *rule, const struct fail_on *fail_on)
{
	struct posted_judged *judged = xcalloc(posted->nr_tables, sizeof(*judged));
	const struct posted_report report = {
		.posted = posted,
		.judged = judged,
		.n = posted->nr_tables,
		.rule = *rule,
		.all = cfg->all,
		.colour = isatty(STDOUT_FILENO) == 1,
	};
	int status;

	for (size_t i = 0; i < posted->nr_tables; i++)
		posted_judge(&judged[i], posted->tables[i], rule);
	print_report(cfg, &report);
	status = has_failed(&report, fail_on) ? EXIT_REGRESSED : EXIT_DONE;
	for (size_t i = 0; i < posted->nr_tables; i++)
		posted_judged_release(&judged[i]);
	free(judged);
	return status;
}

static int verdict_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct verdict_cfg *cfg = cfg_;
	struct fail_on fail_on = { 0 };
	struct posted posted = { 0 };
	struct error err = { 0 };
	struct posted_rule rule;
	int status, ret = set_rule(&rule, &fail_on, cfg, &err);

	if (!ret)
		ret = read_texts(&posted, args, nr_args, &err);
	if (!ret)
		ret = posted_pair(&posted, cfg->base, &err);
	status = ret ? complain(&err, EXIT_USAGE) : judge(cfg, &posted, &rule, &fail_on);
	posted_release(&posted);
	return status;
}

const struct command command_verdict = {
	.name = "verdict",
	.args = "[FILE...]",
	.max_args = 16,
	.summary = "what figures that others posted can and can't show",
	.help = "Finds the tables in a mail, a CSV file or the output of a benchmark (standard "
		"input without "
		"FILE, or for -), and says of each row whether it is a change, or why that can't "
		"be told. Two "
		"files are two sides. Knows the kernel test robot's tables, mmtests, [pct imp](CV) "
		"and "
		"compare%(std%) tables, ministat, benchstat, perf stat, perf sched stats, "
		"/proc/schedstat, "
		"hackbench, schbench, sysbench, UnixBench, stress-ng, perf bench, CSV, and tables "
		"with a "
		"line of headings that name the sides.\n\n"
		"Exit status 2 where there is no table.",
	.example = "schedproof verdict mail.txt --n 5",
	.cfg_size = sizeof(struct verdict_cfg),
	.opts = verdict_opts,
	.ends = true,
	.run = verdict_run,
};
