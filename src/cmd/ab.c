// SPDX-License-Identifier: GPL-2.0-only
/* cmd/ab.c - schedproof ab: run an experiment and say what it showed. */
#include "cmd/cmd.h"

#include "base/mem.h"
#include "cmd/dry_run.h"
#include "cmd/lab_run.h"
#include "cmd/plan.h"
#include "cmd/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct ab_cfg {
	bool dry_run;
	bool plan;
	char *effect;
	uint64_t boot_ns;
	bool resume;
	bool json;
	bool all;
	bool tails;
	bool quiet;
	char *format;
	char *until;
	char *margin;
	uint64_t budget_ns;
	uint64_t sessions;
	char *store;
	char *report;
	char *fail_on;
	char *worker;
	char *root;
};

static const struct opt ab_opts[] = {
	OPT(struct ab_cfg, dry_run, "no", 0, 0,
	    "show the plan (order, count, estimated time); run nothing"),
	OPT(struct ab_cfg, plan, "no", 0, 0,
	    "say how many blocks and how much time it takes to see a change, from stored runs of "
	    "these workloads or a short pilot"),
	OPT(struct ab_cfg, effect, NULL, 0, 0, "1%: with --plan, the smallest change to be seen"),
	OPT_NS(struct ab_cfg, "boot", boot_ns, "90s", 1e9, 86400e9,
	       "with --plan, how long a boot takes, where variants differ by kernel"),
	OPT(struct ab_cfg, resume, "no", 0, 0,
	    "continue the newest experiment of this name where it was interrupted"),
	OPT(struct ab_cfg, until, NULL, 0, 0,
	    "2%: look after each block and stop as soon as a change is known, or known to be "
	    "smaller than this, or not to be known in time"),
	OPT(struct ab_cfg, margin, NULL, 0, 0,
	    "1%: a smaller change does not matter, and lying within it is a result"),
	OPT_NS(struct ab_cfg, "time", budget_ns, NULL, 1e9, 30 * 86400e9,
	       "time budget; with blocks in the file, whichever ends first"),
	OPT(struct ab_cfg, sessions, NULL, 1, EXPERIMENT_MAX_BLOCKS,
	    "spread the blocks over so many sessions, on other days say: this one makes its part "
	    "and stops, --resume makes the next"),
	OPT(struct ab_cfg, fail_on, NULL, 0, 0, FAIL_ON_HELP),
	OPT(struct ab_cfg, store, NULL, 0, 0, "results file"),
	OPT(struct ab_cfg, report, NULL, 0, 0,
	    "where the report is written; default: beside the results"),
	OPT(struct ab_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct ab_cfg, json, "no", 0, 0,
	    "print the results as JSON lines instead of the report"),
	OPT(struct ab_cfg, all, "no", 0, 0, "report every counter, not only those that moved"),
	OPT(struct ab_cfg, tails, "no", 0, 0, TAILS_HELP),
	OPT(struct ab_cfg, quiet, "no", 0, 0, "no progress display"),
	OPT(struct ab_cfg, worker, NULL, 0, 0,
	    "path of schedproof-worker; default: beside schedproof"),
	OPT(struct ab_cfg, root, "/", 0, 0, "folder that sys/ and proc/ are taken from, for tests"),
	OPT_END,
};

/* What the command line says beyond the file. */
static int override(struct experiment *experiment, const struct ab_cfg *cfg, struct error *err)
{
	int ret = 0;

	if (cfg->fail_on)
		ret = fail_on_parse(&experiment->fail_on, cfg->fail_on, err);
	if (!ret && cfg->margin)
		ret = percent_parse(&experiment->margin, "margin", cfg->margin, err);
	if (!ret && cfg->until)
		ret = percent_parse(&experiment->until, "until", cfg->until, err);
	if (!ret && cfg->budget_ns && experiment->by_kernel)
		ret = error_set(err, EINVAL,
				"a time budget can't be shared between boots: give blocks in the "
				"file instead of --time");
	if (!ret && cfg->sessions && experiment->by_kernel)
		ret = error_set(err, EINVAL,
				"--sessions: variants differ by kernel, so each boot is a session");
	if (!ret && cfg->budget_ns)
		experiment->budget_ns = cfg->budget_ns;
	if (!ret && cfg->plan && experiment->sim)
		ret = error_set(
			err, EINVAL,
			"--plan: simulated runs have no noise of a host to plan by: give more "
			"blocks, or --until");
	experiment_set_blocks(experiment);
	if (!ret && cfg->sessions && !experiment->blocks)
		ret = error_set(err, EINVAL,
				"--sessions shares blocks: give their number in the file");
	return ret;
}

/* The command that goes on, the caller's to free. */
static char *command_to_go_on(const struct ab_cfg *cfg, const char *file)
{
	struct strbuf sb = { 0 };

	strbuf_addf(&sb, "schedproof ab %s --resume", file);
	if (cfg->until)
		strbuf_addf(&sb, " --until %s", cfg->until);
	if (cfg->margin)
		strbuf_addf(&sb, " --margin %s", cfg->margin);
	if (cfg->sessions)
		strbuf_addf(&sb, " --sessions %" PRIu64, cfg->sessions);
	return strbuf_take(&sb);
}

static int run_it(const struct ab_cfg *cfg, struct experiment *experiment, const char *file,
		  double effect)
{
	char *go_on = command_to_go_on(cfg, file);
	const struct lab_run run = {
		.store = cfg->store,
		.report = cfg->report,
		.worker = cfg->worker,
		.root = cfg->root,
		.go_on = go_on,
		.most_blocks = cfg->sessions
				       ? (experiment->blocks + cfg->sessions - 1) / cfg->sessions
				       : 0,
		.format = report_format_find(cfg->format),
		.resume = cfg->resume,
		.json = cfg->json,
		.all = cfg->all,
		.tails = cfg->tails,
		.quiet = cfg->quiet,
	};
	int status = cfg->plan ? plan_experiment(&run, experiment, effect, cfg->boot_ns)
			       : lab_run(&run, experiment);

	free(go_on);
	return status;
}

static int ab_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct ab_cfg *cfg = cfg_;
	const struct report_format *format;
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	double effect = 0;
	int status, ret;

	(void)nr_args;
	ret = experiment_load(&experiment, args[0], &err);
	if (!ret)
		ret = override(experiment, cfg, &err);
	if (!ret)
		ret = report_format_parse(&format, cfg->format, &err);
	if (!ret && cfg->effect)
		ret = percent_parse(&effect, "effect", cfg->effect, &err);
	if (!ret)
		lab_run_choose_blocks(experiment, cfg->store, cfg->resume);
	if (ret)
		status = complain(&err, EXIT_USAGE);
	else if (cfg->dry_run)
		status = dry_run(experiment, cfg->store);
	else
		status = run_it(cfg, experiment, args[0], effect);
	experiment_free(experiment);
	return status;
}

const struct command command_ab = {
	.name = "ab",
	.args = "FILE",
	.min_args = 1,
	.max_args = 1,
	.summary = "run an experiment, show progress, print the verdict, write the report",
	.help = "Runs every workload of the experiment file under every variant, in blocks of a "
		"few "
		"runs of each in an order drawn from the seed, and judges each metric by what the "
		"blocks show. "
		"Every run is "
		"stored as it ends. Ctrl-C stops cleanly; --resume goes on. Settings that variants "
		"change are "
		"put back on every way out, and at the next start after a crash.",
	.example = "schedproof ab experiments/first.ini",
	.cfg_size = sizeof(struct ab_cfg),
	.opts = ab_opts,
	.recovers = true,
	.run = ab_run,
};
