// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/lab_run.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/find_worker.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "lab/block_size.h"
#include "lab/execute.h"
#include "lab/sim_ground.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* <folder of the results>/reports/<name>-<id>.txt */
static char *default_report_path(const char *store_path, const struct report *report)
{
	char *results = store_path ? xstrdup(store_path) : store_default_path();
	char *path = xasprintf("%s/reports/%s-%" PRId64 ".txt", dirname(results),
			       report->experiment.name, report->experiment.id);

	free(results);
	return path;
}

static int write_report(const struct lab_run *run, const struct report *report, struct error *err)
{
	const struct report_style plain = { .all = true, .tails = true };
	char *standard = run->report ? NULL : default_report_path(run->store, report);
	const char *path = run->report ? run->report : standard;
	struct strbuf text = { 0 };
	int ret = 0;

	report_format_find("text")->render(report, &plain, &text);
	if (standard) {
		char *copy = xstrdup(standard);

		ret = make_folders(AT_FDCWD, dirname(copy), 0777, err);
		free(copy);
	}
	if (!ret)
		ret = file_put(path, text.s, text.len, 0666, err);
	if (!ret)
		fprintf(stderr, "report: %s\n", path);
	strbuf_release(&text);
	free(standard);
	return ret;
}

/* Known before the runs, not behind them. */
static int check_report_path(const char *path, struct error *err)
{
	int ret = file_put_check(path, err);

	if (ret)
		error_prefix(err, "--report");
	return ret;
}

static int exit_status(const struct experiment *experiment, const struct report *report)
{
	return report_all_failed(report) ? EXIT_RUN : fail_on_status(&experiment->fail_on, report);
}

/* What there is, also after a stop: finished runs are worth a look. */
static int tell(const struct lab_run *run, const struct experiment *experiment, struct store *store,
		int64_t id, struct error *err)
{
	const struct output_style style = {
		.json = run->json, .all = run->all, .tails = run->tails, .format = run->format
	};
	struct report *report = NULL;
	int status, ret;

	ret = report_build(&report, store, id, err);
	if (!ret && !run->silent) {
		report_diagnose(report);
		ret = output_report(report, store, &style, err);
	}
	if (!ret && run->more)
		run->more(run->ctx, report);
	if (!ret && !run->silent)
		ret = write_report(run, report, err);
	status = ret ? complain(err, EXIT_RUN) : exit_status(experiment, report);
	report_free(report);
	return status;
}

static void say_how_it_ended(const struct lab_run *run, const struct lab_outcome *outcome, bool sim,
			     int ret)
{
	if (!ret && !outcome->runs && outcome->finished)
		fprintf(stderr, "nothing was left to run\n");
	if (outcome->given_up)
		fputs(outcome->given_up, stderr);
	if (outcome->left)
		fputs(outcome->left, stderr);
	if (outcome->ended)
		fprintf(stderr, "ended after a look: %s\n", outcome->ended);
	if (outcome->stopped || (outcome->experiment && ret))
		fprintf(stderr, "stopped early%s%s%s\n", sim ? "" : "; settings are put back",
			run->go_on ? ". Continue with: " : "", run->go_on ? run->go_on : "");
}

static int is_enough(void *ctx, int64_t experiment, char **why, struct error *err)
{
	const struct progress *progress = ctx;

	return report_enough(progress->store, experiment, why, err);
}

static int run_experiment(const struct lab_run *run, const struct experiment *experiment,
			  struct lab *lab, struct error *err)
{
	struct lab_outcome outcome = { 0 };
	struct progress progress;
	int status = EXIT_DONE, ret;

	progress_init(&progress, experiment, lab->store, !run->quiet);
	lab->event = progress_event;
	lab->simulated = progress_simulated;
	lab->enough = is_enough;
	lab->ctx = &progress;
	ret = lab_execute(lab, &outcome, err);
	progress_end(&progress);
	if (ret)
		status = complain(err, outcome.experiment ? EXIT_RUN : EXIT_USAGE);
	if (!ret && run->go_on && outcome.unfinished)
		fprintf(stderr,
			"note: result %" PRId64
			" of the same name was not finished; --resume continues it\n",
			outcome.unfinished);
	/* what broke off before its first run has nothing to tell */
	if (outcome.experiment && (!ret || outcome.runs)) {
		int told = tell(run, experiment, lab->store, outcome.experiment, err);

		status = ret ? status : told;
	}
	say_how_it_ended(run, &outcome, experiment->sim, ret);
	lab_outcome_release(&outcome);
	return status;
}

void lab_run_choose_blocks(struct experiment *experiment, const char *store_path, bool resume)
{
	struct store *store = NULL;

	if (open_store(&store, store_path, STORE_READ, NULL))
		store = NULL;
	block_size_look_up(experiment, store, resume);
	store_close(store);
}

/* Of a simulated experiment there is no host but a name. */
static int open_host(struct host *host, char **worker, const struct lab_run *run, bool sim,
		     struct error *err)
{
	int ret;

	if (sim) {
		host->root_fd = host->debugfs_fd = -1;
		host->boot_id = xstrdup(SIM_BOOT_ID);
		host->release = xstrdup(SIM_BOOT_ID);
		return 0;
	}
	ret = host_open(host, run->root, err);
	if (!ret)
		ret = recover_settings(run->root, err);
	if (!ret) {
		*worker = find_worker(run->worker, err);
		ret = *worker ? 0 : -ENOENT;
	}
	return ret;
}

int lab_run(const struct lab_run *run, const struct experiment *experiment)
{
	struct host host = { .root_fd = -1, .debugfs_fd = -1 };
	struct error err = { 0 };
	struct store *store = NULL;
	char *worker = NULL;
	int status = EXIT_USAGE, ret;

	ret = open_host(&host, &worker, run, experiment->sim, &err);
	if (!ret && run->report)
		ret = check_report_path(run->report, &err);
	if (!ret)
		ret = open_store(&store, run->store, STORE_WRITE, &err);
	if (ret) {
		complain(&err, EXIT_USAGE);
	} else {
		struct lab lab = {
			.experiment = experiment,
			.host = &host,
			.store = store,
			.worker = worker,
			.most_blocks = run->most_blocks,
			.resume = run->resume,
			.stop = &stop_signal,
		};

		status = run_experiment(run, experiment, &lab, &err);
	}
	store_close(store);
	free(worker);
	host_release(&host);
	return status;
}
