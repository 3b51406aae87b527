// SPDX-License-Identifier: GPL-2.0-only
/* cmd/ab.c - schedproof ab: run an experiment and say what it showed. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "lab/execute.h"
#include "lab/experiment.h"
#include "lab/plan.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ab_cfg {
	bool dry_run;
	bool resume;
	bool json;
	bool all;
	bool quiet;
	char *format;
	char *store;
	char *report;
	char *fail_on;
	char *worker;
	char *root;
};

static const struct opt ab_opts[] = {
	OPT(struct ab_cfg, dry_run, "no", 0, 0,
	    "show the plan (order, count, estimated time); run nothing"),
	OPT(struct ab_cfg, resume, "no", 0, 0,
	    "continue the newest experiment of this name where it was interrupted"),
	OPT(struct ab_cfg, fail_on, NULL, 0, 0, FAIL_ON_HELP),
	OPT(struct ab_cfg, store, NULL, 0, 0, "results file"),
	OPT(struct ab_cfg, report, NULL, 0, 0,
	    "where the report is written; default: beside the results"),
	OPT(struct ab_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct ab_cfg, json, "no", 0, 0,
	    "print the results as JSON lines instead of the report"),
	OPT(struct ab_cfg, all, "no", 0, 0, "report every counter, not only those that moved"),
	OPT(struct ab_cfg, quiet, "no", 0, 0, "no progress display"),
	OPT(struct ab_cfg, worker, NULL, 0, 0,
	    "path of schedproof-worker; default: beside schedproof"),
	OPT(struct ab_cfg, root, "/", 0, 0, "folder that sys/ and proc/ are taken from, for tests"),
	OPT_END,
};

/* Installed both lie in one folder; in a build tree each has its own. */
static char *find_worker(const char *wanted, struct error *err)
{
	static const char *const places[] = { "schedproof-worker", "../worker/schedproof-worker" };
	char self[PATH_MAX];
	ssize_t n;

	if (wanted)
		return xstrdup(wanted);
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0) {
		error_set(err, errno, "/proc/self/exe: %s", strerror(errno));
		return NULL;
	}
	self[n] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		char *copy = xstrdup(self);
		char *path = xasprintf("%s/%s", dirname(copy), places[i]);

		free(copy);
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	error_set(err, ENOENT,
		  "schedproof-worker is not beside %s: install it there, or name it with --worker",
		  self);
	return NULL;
}

static void print_order(const struct experiment *experiment, int64_t block)
{
	size_t n = plan_block_size(experiment);
	struct planned_run *runs = xcalloc(n, sizeof(*runs));

	plan_block(experiment, block, runs);
	if (block < 0)
		printf("warm-up %" PRId64, -block);
	else
		printf("block %" PRId64, block + 1);
	for (size_t i = 0; i < n; i++) {
		bool same = i && runs[i].point == runs[i - 1].point;

		printf("%s%s %s",
		       same ? ","
		       : i  ? ";  "
			    : ":  ",
		       same ? "" : experiment->points[runs[i].point].label,
		       experiment->variants[runs[i].variant].name);
	}
	printf("\n");
	free(runs);
}

static void print_estimate(const struct experiment *experiment, const char *store_path)
{
	struct strbuf text = { 0 };
	struct store *store = NULL;
	uint64_t ns;

	if (!open_store(&store, store_path, STORE_READ, NULL) &&
	    !lab_estimate(experiment, store, &ns)) {
		output_duration(&text, ns);
		printf("estimated time: %s, from stored runs of these workloads\n", text.s);
	} else {
		printf("estimated time: not known, these workloads have no stored run yet\n");
	}
	if (experiment->budget_ns) {
		strbuf_reset(&text);
		output_duration(&text, experiment->budget_ns);
		printf("time budget: %s\n", text.s);
	}
	strbuf_release(&text);
	store_close(store);
}

/* The whole plan: what a reader needs to see that nothing was chosen afterwards. */
static int dry_run(const struct experiment *experiment, const char *store_path)
{
	uint64_t blocks = experiment->blocks ? experiment->blocks : 1;

	printf("%s: %zu variants x %zu workloads x ", experiment->name, experiment->nr_variants,
	       experiment->nr_points);
	if (experiment->blocks)
		printf("%" PRIu64 " blocks = %" PRIu64 " runs", experiment->blocks,
		       experiment->blocks * plan_block_size(experiment));
	else
		printf("as many blocks as the time allows");
	printf(", after %" PRIu64 " warm-up runs each; seed %" PRIu64 "\n", experiment->warmup,
	       experiment->seed);
	print_estimate(experiment, store_path);
	if (experiment->by_kernel)
		printf("variants differ by kernel: the unit of inference is the boot, and %" PRIu64
		       " runs a boot make %" PRIu64 " boots a side\n",
		       experiment->runs_per_boot,
		       (blocks + experiment->runs_per_boot - 1) / experiment->runs_per_boot);
	for (uint64_t w = 1; w <= experiment->warmup; w++)
		print_order(experiment, -(int64_t)w);
	for (uint64_t b = 0; b < blocks; b++)
		print_order(experiment, (int64_t)b);
	if (!experiment->blocks)
		printf("... and so on, by the same seed\n");
	return EXIT_DONE;
}

/* <folder of the results>/reports/<name>-<id>.txt */
static char *default_report_path(const char *store_path, const struct report *report)
{
	char *results = store_path ? xstrdup(store_path) : store_default_path();
	char *path = xasprintf("%s/reports/%s-%" PRId64 ".txt", dirname(results),
			       report->experiment.name, report->experiment.id);

	free(results);
	return path;
}

static int write_report(const struct ab_cfg *cfg, const struct report *report, struct error *err)
{
	const struct report_style plain = { .all = true };
	char *standard = cfg->report ? NULL : default_report_path(cfg->store, report);
	const char *path = cfg->report ? cfg->report : standard;
	struct strbuf text = { 0 };
	int ret = 0;

	report_format_find("text")->render(report, &plain, &text);
	if (standard) {
		char *copy = xstrdup(standard);

		ret = make_folders(AT_FDCWD, dirname(copy), 0777, err);
		free(copy);
	}
	if (!ret)
		ret = file_replace(AT_FDCWD, path, text.s, text.len, 0666, err);
	if (!ret)
		fprintf(stderr, "report: %s\n", path);
	strbuf_release(&text);
	free(standard);
	return ret;
}

/* Known before the runs, not behind them. */
static int check_report_path(const char *path, struct error *err)
{
	char *copy = xstrdup(path);
	const char *folder = dirname(copy);
	int ret = 0;

	if (!*path || path[strlen(path) - 1] == '/')
		ret = error_set(err, EISDIR, "--report '%s': give a file", path);
	else if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS))
		ret = error_set(err, errno, "--report %s: its folder: %s", path, strerror(errno));
	free(copy);
	return ret;
}

static int exit_status(const struct experiment *experiment, const struct report *report)
{
	for (size_t i = 0; i < report->nr_failures; i++)
		if (report->failures[i].failed == report->failures[i].runs)
			return EXIT_RUN;
	return fail_on_status(&experiment->fail_on, report);
}

/* What there is, also after a stop: finished runs are worth a look. */
static int tell(const struct ab_cfg *cfg, const struct experiment *experiment, struct store *store,
		int64_t id, struct error *err)
{
	const struct output_style style = { .json = cfg->json,
					    .all = cfg->all,
					    .format = report_format_find(cfg->format) };
	struct report *report = NULL;
	int status, ret;

	ret = report_build(&report, store, id, err);
	if (!ret)
		ret = output_report(report, store, &style, err);
	if (!ret)
		ret = write_report(cfg, report, err);
	status = ret ? complain(err, EXIT_RUN) : exit_status(experiment, report);
	report_free(report);
	return status;
}

static void say_how_it_ended(const struct lab_outcome *outcome, const char *file, int ret)
{
	if (!ret && !outcome->runs && outcome->finished)
		fprintf(stderr, "nothing was left to run\n");
	if (outcome->given_up)
		fputs(outcome->given_up, stderr);
	if (outcome->left)
		fputs(outcome->left, stderr);
	if (outcome->stopped || (outcome->experiment && ret))
		fprintf(stderr,
			"stopped early; settings are put back. Continue with: schedproof ab %s "
			"--resume\n",
			file);
}

static int run_experiment(const struct ab_cfg *cfg, const struct experiment *experiment,
			  const char *file, struct lab *lab, struct error *err)
{
	struct lab_outcome outcome = { 0 };
	struct progress progress;
	int status = EXIT_DONE, ret;

	progress_init(&progress, experiment, lab->store, !cfg->quiet);
	lab->event = progress_event;
	lab->ctx = &progress;
	ret = lab_execute(lab, &outcome, err);
	progress_end(&progress);
	if (ret)
		status = complain(err, outcome.experiment ? EXIT_RUN : EXIT_USAGE);
	if (outcome.unfinished)
		fprintf(stderr,
			"note: result %" PRId64
			" of the same name was not finished; --resume continues it\n",
			outcome.unfinished);
	/* what broke off before its first run has nothing to tell */
	if (outcome.experiment && (!ret || outcome.runs)) {
		int told = tell(cfg, experiment, lab->store, outcome.experiment, err);

		status = ret ? status : told;
	}
	say_how_it_ended(&outcome, file, ret);
	lab_outcome_release(&outcome);
	return status;
}

static int run_here(const struct ab_cfg *cfg, const struct experiment *experiment, const char *file)
{
	struct error err = { 0 };
	struct host host = { 0 };
	struct store *store = NULL;
	char *worker = NULL;
	int status = EXIT_USAGE, ret;

	ret = host_open(&host, cfg->root, &err);
	if (ret)
		return complain(&err, EXIT_USAGE);
	ret = recover_settings(cfg->root, &err);
	if (!ret && cfg->report)
		ret = check_report_path(cfg->report, &err);
	if (!ret) {
		worker = find_worker(cfg->worker, &err);
		ret = worker ? 0 : -ENOENT;
	}
	if (!ret)
		ret = open_store(&store, cfg->store, STORE_WRITE, &err);
	if (ret) {
		complain(&err, EXIT_USAGE);
	} else {
		struct lab lab = {
			.experiment = experiment,
			.host = &host,
			.store = store,
			.worker = worker,
			.resume = cfg->resume,
			.stop = &stop_signal,
		};

		status = run_experiment(cfg, experiment, file, &lab, &err);
	}
	store_close(store);
	free(worker);
	host_release(&host);
	return status;
}

static int ab_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct ab_cfg *cfg = cfg_;
	const struct report_format *format;
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	int status, ret;

	(void)nr_args;
	ret = experiment_load(&experiment, args[0], &err);
	if (!ret && cfg->fail_on)
		ret = fail_on_parse(&experiment->fail_on, cfg->fail_on, &err);
	if (!ret)
		ret = report_format_parse(&format, cfg->format, &err);
	if (ret)
		status = complain(&err, EXIT_USAGE);
	else if (cfg->dry_run)
		status = dry_run(experiment, cfg->store);
	else
		status = run_here(cfg, experiment, args[0]);
	experiment_free(experiment);
	return status;
}

const struct command command_ab = {
	.name = "ab",
	.args = "FILE",
	.min_args = 1,
	.max_args = 1,
	.summary = "run an experiment, show progress, print the verdict, write the report",
	.help = "Runs every workload of the experiment file under every variant, in blocks of one "
		"run of each, in "
		"an order drawn from the seed, and judges each metric by what the blocks show. "
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
