// SPDX-License-Identifier: GPL-2.0-only
/* cmd/aa.c - schedproof aa: two equal variants: what this host's noise lets one see. */
#include "cmd/cmd.h"

#include "base/mem.h"
#include "cmd/lab_run.h"
#include "cmd/outlook_text.h"
#include "cmd/workload_text.h"
#include "lab/plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct aa_cfg {
	uint64_t budget_ns;
	char *effect;
	uint64_t seed;
	bool json;
	bool quiet;
	char *store;
	char *worker;
	char *root;
};

static const struct opt aa_opts[] = {
	OPT_NS(struct aa_cfg, "time", budget_ns, "1m", 1e9, 30 * 86400e9, "how long to measure"),
	OPT(struct aa_cfg, effect, NULL, 0, 0,
	    "1%: also say how long it takes here to see a change of this size"),
	OPT(struct aa_cfg, seed, "1", 0, 0x1p64, "decides the order of the runs"),
	OPT(struct aa_cfg, store, NULL, 0, 0, "results file"),
	OPT(struct aa_cfg, json, "no", 0, 0, "print the results as JSON lines"),
	OPT(struct aa_cfg, quiet, "no", 0, 0, "no progress display"),
	OPT(struct aa_cfg, worker, NULL, 0, 0,
	    "path of schedproof-worker; default: beside schedproof"),
	OPT(struct aa_cfg, root, "/", 0, 0, "folder that sys/ and proc/ are taken from, for tests"),
	OPT_END,
};

/* A fifth of a second a run on two idle CPUs, so that a minute holds more than thirty blocks. */
static const char *const usual[] = { "hackbench", "groups=4", "fds=10", "loops=200" };

static bool is_file(const char *word)
{
	size_t n = strlen(word);

	return !strcmp(word, "-") || (n > 4 && !strcmp(word + n - 4, ".ini"));
}

/* An experiment file's text from "hackbench groups=4": its lines are the words, so that "aa:2: unknown key" is of the second one. */
static int parse_words(struct experiment **out, const char *const *words, size_t n,
		       struct error *err)
{
	struct strbuf text = { 0 };
	int ret = 0;

	if (!workload_named("aa", words[0], "; the name of an experiment file ends in .ini", err))
		return -EINVAL;
	strbuf_addf(&text, "[workload %s]\n", words[0]);
	for (size_t i = 1; i < n && !ret; i++) {
		const char *equals = strchr(words[i], '=');

		if (!equals || strchr(words[i], '\n'))
			ret = error_set(err, EINVAL, "aa: '%.80s': expected key=value", words[i]);
		else
			strbuf_addf(&text, "%.*s = %s\n", (int)(equals - words[i]), words[i],
				    equals + 1);
	}
	strbuf_addstr(&text, "[variant a]\n[variant again]\n");
	if (!ret)
		ret = experiment_parse(out, "aa", text.s, text.len, err);
	strbuf_release(&text);
	return ret;
}

static int load(struct experiment **out, char *const *args, size_t nr_args, struct error *err)
{
	char *name;
	int ret;

	if (!nr_args)
		return parse_words(out, usual, ARRAY_SIZE(usual), err);
	if (nr_args > 1 || !is_file(args[0]))
		return parse_words(out, (const char *const *)args, nr_args, err);
	ret = experiment_load(out, args[0], err);
	if (ret)
		return ret;
	experiment_against_itself(*out, 0);
	name = xasprintf("%s.aa", (*out)->name);
	free((*out)->name);
	(*out)->name = name;
	return 0;
}

struct aa {
	const struct experiment *experiment;
	double effect;
};

static void say_false_calls(const struct report *report)
{
	size_t rows = 0, called = 0;

	for (size_t i = 0; i < report->nr_rows; i++) {
		rows += report->rows[i].primary;
		called += report->rows[i].primary &&
			  report->rows[i].verdict.word <= VERDICT_REGRESSED;
	}
	if (called)
		printf("%zu of %zu rows were called a change though there is none. That happens in "
		       "one of twenty such tests;\nif it happens again, something disturbs this "
		       "host in step with the runs.\n",
		       called, rows);
	else
		printf("No change was called, and there is none.\n");
}

/* Median wall time of a run of the base at that point. */
static uint64_t typical_wall(const struct report *report, const char *point)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->counter && !strcmp(row->metric, "wall") && !strcmp(row->point, point) &&
		    row->verdict.has_effect && row->verdict.a.median > 0)
			return (uint64_t)row->verdict.a.median;
	}
	return 0;
}

/* The noise floor and what follows from it. */
static void say_more(void *ctx, const struct report *report)
{
	const struct aa *aa = ctx;
	const struct experiment *experiment = aa->experiment;
	struct outlook *outlooks = xcalloc(experiment->nr_points, sizeof(*outlooks));
	uint64_t *wall_ns = xcalloc(experiment->nr_points, sizeof(*wall_ns));
	size_t known = 0;

	printf("\nThis host, against itself\n");
	say_false_calls(report);
	for (size_t i = 0; i < report->nr_rows && i < experiment->nr_points; i++) {
		const struct report_row *row = &report->rows[i];

		if (!outlook_of_row(&outlooks[i], report, row))
			continue;
		known++;
		wall_ns[i] = typical_wall(report, row->point);
		printf("%s %s: runs scatter by %.1f%% (standard deviation); these %zu blocks would "
		       "have shown %.1f%%\n",
		       row->point, row->metric, 100 * row->verdict.a.sd / fabs(row->verdict.a.mean),
		       row->verdict.n, 100 * row->verdict.mde);
	}
	if (known)
		printf("\n");
	if (known)
		outlook_print_blocks(experiment, outlooks, wall_ns, aa->effect);
	else
		printf("Too few runs to say more: give it more --time.\n");
	free(outlooks);
	free(wall_ns);
}

static int run_aa(const struct aa_cfg *cfg, struct experiment *experiment, double effect)
{
	struct aa aa = { .experiment = experiment, .effect = effect };
	const struct lab_run run = {
		.store = cfg->store,
		.worker = cfg->worker,
		.root = cfg->root,
		.json = cfg->json,
		.quiet = cfg->quiet,
		.more = cfg->json ? NULL : say_more,
		.ctx = &aa,
	};

	experiment->purpose = PURPOSE_AA;
	experiment->seed = cfg->seed;
	experiment->budget_ns = cfg->budget_ns;
	experiment->until = experiment->margin = 0;
	experiment->own_blocks = false;
	lab_run_choose_blocks(experiment, cfg->store, false);
	return lab_run(&run, experiment);
}

static int aa_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct aa_cfg *cfg = cfg_;
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	double effect = 0;
	int status, ret;

	ret = load(&experiment, args, nr_args, &err);
	if (!ret && experiment->sim)
		ret = error_set(&err, EINVAL,
				"aa: simulated runs have no noise of a host; what random numbers "
				"do, run --repeat shows");
	if (!ret && cfg->effect)
		ret = percent_parse(&effect, "effect", cfg->effect, &err);
	status = ret ? complain(&err, EXIT_USAGE) : run_aa(cfg, experiment, effect);
	experiment_free(experiment);
	return status;
}

const struct command command_aa = {
	.name = "aa",
	.args = "[WORKLOAD [key=value ...] | FILE]",
	.max_args = 100,
	.summary = "two equal variants: this host's noise, and how long a wanted change takes here",
	.help = "Runs a workload (or those of an experiment file, with its base) under two equal "
		"variants, as ab does, and says what this host lets one see: how much runs "
		"scatter, the smallest change that so many would have shown, and the blocks and "
		"minutes that smaller ones take. Nothing may be found; if something is, again and "
		"again, the host is not fit.",
	.example = "schedproof aa --effect 1%",
	.cfg_size = sizeof(struct aa_cfg),
	.opts = aa_opts,
	.recovers = true,
	.run = aa_run,
};
