// SPDX-License-Identifier: GPL-2.0-only
/* cmd/bisect_step.c - schedproof bisect-step: an experiment or a result as a step of git bisect run. */
#include "cmd/cmd.h"

#include "base/mem.h"
#include "cmd/lab_run.h"
#include "cmd/output.h"
#include "cmd/result.h"
#include "lab/experiment.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * git bisect run takes 1 ... 127 for bad, except for 125, and ends at what is above. To skip is for what is this revision's: what is
 * wrong with the words or the experiment is so at each revision, and all would be skipped.
 */
#define EXIT_CANNOT_SAY 125
#define EXIT_STOP	128

struct bisect_cfg {
	char *fail_on;
	char *format;
	char *store;
	char *worker;
	char *root;
};

static const struct opt bisect_opts[] = {
	OPT(struct bisect_cfg, fail_on, "regressed:2%", 0, 0,
	    "what is bad: regressed:2%, or regressed for any regression"),
	OPT(struct bisect_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct bisect_cfg, store, NULL, 0, 0, "results file"),
	OPT(struct bisect_cfg, worker, NULL, 0, 0,
	    "path of schedproof-worker; default: beside schedproof"),
	OPT(struct bisect_cfg, root, "/", 0, 0,
	    "folder that sys/ and proc/ are taken from, for tests"),
	OPT_END,
};

static bool is_experiment(const char *word)
{
	size_t n = strlen(word);

	return n > 4 && !strcmp(word + n - 4, ".ini");
}

/* What the report of an experiment is judged by, and the outcome; @failed: its runs, as a build that doesn't work makes them. */
struct judgement {
	double fraction;
	enum report_step step;
	bool failed;
};

static void judge(void *ctx, const struct report *report)
{
	struct judgement *judgement = ctx;

	judgement->failed = report_all_failed(report);
	judgement->step =
		judgement->failed ? STEP_CANNOT_SAY : report_step(report, judgement->fraction);
}

/* Return: 0, or EXIT_STOP for what is not its runs' failure; what went wrong was said */
static int run_experiment(struct judgement *judgement, const struct bisect_cfg *cfg,
			  const struct experiment *experiment)
{
	const struct lab_run run = {
		.store = cfg->store,
		.worker = cfg->worker,
		.root = cfg->root,
		.format = report_format_find(cfg->format),
		.more = judge,
		.ctx = judgement,
	};
	const int status = lab_run(&run, experiment);

	return status > EXIT_REGRESSED && !judgement->failed ? EXIT_STOP : 0;
}

static int read_result(struct judgement *judgement, const struct bisect_cfg *cfg,
		       const char *result, struct error *err)
{
	const struct output_style style = { .format = report_format_find(cfg->format) };
	struct report *report = NULL;
	struct store *store = NULL;
	int64_t id = 0;
	int ret;

	ret = result_open(&store, &id, result, cfg->store, err);
	if (!ret)
		ret = report_build(&report, store, id, err);
	if (!ret) {
		report_diagnose(report);
		ret = output_report(report, store, &style, err);
	}
	if (!ret)
		judge(judgement, report);
	report_free(report);
	store_close(store);
	return ret;
}

static const char *step_name(enum report_step step)
{
	static const char *const names[] = {
		[STEP_GOOD] = "good", [STEP_BAD] = "bad", [STEP_CANNOT_SAY] = "can't say"
	};

	return names[step];
}

/* A wrong file behind one that takes an hour is known before that. Experiments are loaded, results only found. */
static int look_at_all(struct experiment **experiments, const struct bisect_cfg *cfg,
		       char *const *args, size_t nr_args, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < nr_args; i++) {
		struct store *store = NULL;
		int64_t id;

		if (is_experiment(args[i]))
			ret = experiment_load(&experiments[i], args[i], err);
		else
			ret = result_open(&store, &id, args[i], cfg->store, err);
		store_close(store);
	}
	return ret;
}

/* Bad where any is; good only where all are. Return: an exit status */
static int judge_all(struct experiment *const *experiments, const struct bisect_cfg *cfg,
		     double fraction, char *const *args, size_t nr_args)
{
	enum report_step all = STEP_GOOD;
	struct error err = { 0 };

	for (size_t i = 0; i < nr_args && all != STEP_BAD && !stop_signal; i++) {
		struct judgement judgement = { fraction, STEP_CANNOT_SAY, false };
		int status = 0;

		if (experiments[i])
			status = run_experiment(&judgement, cfg, experiments[i]);
		else if (read_result(&judgement, cfg, args[i], &err))
			status = complain(&err, EXIT_STOP);
		if (status)
			return status;
		fprintf(stderr, "bisect-step: %s: %s\n", args[i], step_name(judgement.step));
		if (judgement.step != STEP_GOOD)
			all = judgement.step;
	}
	if (all == STEP_GOOD)
		return EXIT_DONE;
	return all == STEP_BAD ? EXIT_REGRESSED : EXIT_CANNOT_SAY;
}

static int bisect_run(const void *cfg_, char *const *args, size_t nr_args)
{
	struct experiment **experiments = xcalloc(nr_args, sizeof(struct experiment *));
	const struct bisect_cfg *cfg = cfg_;
	const struct report_format *format;
	struct fail_on fail_on = { 0 };
	struct error err = { 0 };
	int status, ret;

	ret = report_format_parse(&format, cfg->format, &err);
	if (!ret)
		ret = fail_on_parse(&fail_on, cfg->fail_on, &err);
	if (!ret)
		ret = look_at_all(experiments, cfg, args, nr_args, &err);
	if (ret)
		status = complain(&err, EXIT_STOP);
	else
		status = judge_all(experiments, cfg, fail_on.fraction, args, nr_args);
	for (size_t i = 0; i < nr_args; i++)
		experiment_free(experiments[i]);
	free(experiments);
	return status;
}

const struct command command_bisect_step = {
	.name = "bisect-step",
	.args = "EXPERIMENT.ini|RESULT ...",
	.min_args = 1,
	.max_args = 64,
	.summary = "one step of git bisect run: exit 0 good, 1 bad, 125 can't say",
	.help = "Runs each experiment file and judges it, or judges a stored RESULT (number, name "
		"or "
		"file of JSON lines). Bad, exit 1: a primary metric regressed by what --fail-on "
		"says or "
		"more. Good, exit 0: all intervals exclude that. Exit 125, which git bisect skips: "
		"neither, so that more blocks would tell, or runs failed. Exit 128, at which git "
		"bisect stops: the words, the experiment file or something that it names is "
		"wrong, or the disk or the memory full, and would be at every revision. With "
		"several, one bad "
		"is bad and all must be good. The experiment's base "
		"has to stay the same at every step, as a build of the good commit kept elsewhere "
		"does; "
		"both sides are then run again in blocks at each step.",
	.example = "git bisect run sh -c 'make || exit 125; schedproof bisect-step wakeup.ini'",
	.cfg_size = sizeof(struct bisect_cfg),
	.opts = bisect_opts,
	.usage = EXIT_STOP,
	.recovers = true,
	.run = bisect_run,
};
