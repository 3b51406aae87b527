// SPDX-License-Identifier: GPL-2.0-only
/* cmd/patch.c - schedproof patch: a commit of a kernel tree, before and after, on a shelf of simulated machines. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/lab_run.h"
#include "cmd/output.h"
#include "cmd/patch_cores.h"
#include "cmd/patch_first.h"
#include "lab/shelf.h"
#include "lab/sim_probe.h"
#include "report/across.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct patch_cfg {
	char *before;
	char *after;
	char *machines;
	char *workloads;
	uint64_t runs;
	uint64_t seed;
	char *config;
	uint64_t cpus;
	bool first_difference;
	char *machine;
	char *workload;
	char *events;
	uint64_t shrink_ns;
	char *replay;
	char *fail_on;
	char *store;
	bool json;
	bool quiet;
};

static const struct opt patch_opts[] = {
	OPT(struct patch_cfg, before, NULL, 0, 0,
	    "instead of TREE and REV: a core of schedproof kernel list, or model:k6.12"),
	OPT(struct patch_cfg, after, NULL, 0, 0, "the core that it is compared with"),
	OPT(struct patch_cfg, machines, "small", 0, 0,
	    "small, big or all of the shelf, or names with commas between"),
	OPT(struct patch_cfg, workloads, NULL, 0, 0,
	    "names with commas between [hackbench, schbench, pipe and cpuload, as far as they have "
	    "a model]"),
	OPT(struct patch_cfg, runs, "12", 1, EXPERIMENT_MAX_BLOCKS,
	    "of each side on each machine; those of a pair have one seed and the same costs"),
	OPT(struct patch_cfg, seed, "1", 0, 1e18, "another one gives other runs"),
	OPT(struct patch_cfg, config, NULL, 0, 0,
	    "a .config that the scheduler's options are taken from [TREE/.config]"),
	OPT(struct patch_cfg, cpus, "0", 0, 8192, "most CPUs the cores can have, 0: as usual"),
	OPT(struct patch_cfg, first_difference, "no", 0, 0,
	    "name the first decision in which the two differ, and the events that lead to it"),
	OPT(struct patch_cfg, machine, NULL, 0, 0,
	    "with --first-difference: no table, only that machine"),
	OPT(struct patch_cfg, workload, NULL, 0, 0, "likewise; both are given or none"),
	OPT(struct patch_cfg, events, NULL, 0, 0,
	    "with --first-difference: a file for the least list of events that still differs"),
	OPT_NS(struct patch_cfg, "shrink-time", shrink_ns, "20s", 0, 86400e9,
	       "how long to look for a shorter one"),
	OPT(struct patch_cfg, replay, NULL, 0, 0,
	    "play such a file again, to its cores or to --before and --after"),
	OPT(struct patch_cfg, fail_on, NULL, 0, 0, FAIL_ON_HELP),
	OPT(struct patch_cfg, store, NULL, 0, 0, "results file"),
	OPT(struct patch_cfg, json, "no", 0, 0, "print the table as JSON lines"),
	OPT(struct patch_cfg, quiet, "no", 0, 0, "no progress display"),
	OPT_END,
};

/* struct patch - what the command has come to know */
struct patch {
	const struct patch_cfg *cfg;
	struct shelf_pick pick;
	struct across *across;
	const char *ground; /* machine whose runs are made */
	struct patch_cores cores;
};

static int find_cores(struct patch *patch, char *const *args, size_t nr_args, struct error *err)
{
	const struct patch_cfg *cfg = patch->cfg;

	if (cfg->replay && !nr_args && !cfg->before && !cfg->after)
		return 0;
	if (nr_args == 2 && !cfg->before && !cfg->after)
		return patch_cores_build(&patch->cores, args[0], args[1], cfg->config, cfg->cpus,
					 err);
	if (!nr_args && cfg->before && cfg->after)
		return patch_cores_find(&patch->cores, cfg->before, cfg->after, err);
	return error_set(err, EINVAL, "patch: give TREE and REV, or --before and --after");
}

/* --- the runs --- */

static int make_experiment(struct experiment **out, const struct patch *patch, size_t i,
			   struct error *err)
{
	const struct shelf_trial trial = { .before = patch->cores.name[0],
					   .after = patch->cores.name[1],
					   .runs = patch->cfg->runs,
					   .seed = patch->cfg->seed };
	struct strbuf text = { 0 };
	uint32_t cpus = 0;
	int ret = shelf_cpus(patch->pick.machines[i].source, &cpus, err);

	if (!ret) {
		shelf_experiment(&patch->pick, i, cpus, &trial, &text);
		ret = experiment_parse(out, patch->pick.machines[i].name, strbuf_str(&text),
				       text.len, err);
	}
	strbuf_release(&text);
	return ret;
}

static void collect(void *ctx, const struct report *report)
{
	struct patch *patch = ctx;

	across_add(patch->across, patch->ground, report);
}

/* Return: an exit status; what went wrong was said */
static int run_machine(struct patch *patch, size_t i)
{
	const struct lab_run run = {
		.store = patch->cfg->store,
		.root = "/",
		.quiet = patch->cfg->quiet,
		.silent = true,
		.more = collect,
		.ctx = patch,
	};
	struct experiment *experiment = NULL;
	struct error err = { 0 };
	int status;

	if (make_experiment(&experiment, patch, i, &err))
		return complain(&err, EXIT_USAGE);
	patch->ground = patch->pick.machines[i].name;
	if (!patch->cfg->quiet)
		fprintf(stderr, "%s (%zu of %zu)\n", patch->ground, i + 1, patch->pick.nr_machines);
	status = lab_run(&run, experiment);
	experiment_free(experiment);
	return status;
}

/* A run of each kind is made to know it. Return: 0; -EINTR; where a machine or core can't be had */
static int say_time(const struct patch *patch, struct error *err)
{
	uint64_t runs = 2 * patch->cfg->runs * patch->pick.nr_workloads * patch->pick.nr_machines;
	uint64_t sum_ns = 0, ns = 0;
	struct strbuf text = { 0 };
	int ret = 0;

	for (size_t i = 0; !ret && i < patch->pick.nr_machines; i++) {
		struct experiment *experiment = NULL;

		ret = make_experiment(&experiment, patch, i, err);
		if (!ret)
			ret = sim_probe(experiment, &stop_signal, &ns, err);
		sum_ns += ns;
		experiment_free(experiment);
	}
	strbuf_addf(&text, "%" PRIu64 " simulated runs on %zu machine%s, about ", runs,
		    patch->pick.nr_machines, patch->pick.nr_machines == 1 ? "" : "s");
	output_duration(&text, sum_ns);
	if (!ret)
		fprintf(stderr, "%s\n", text.s);
	strbuf_release(&text);
	return ret;
}

static int worse(int a, int b)
{
	return a == EXIT_DONE || b > a ? b : a;
}

/* One that fails doesn't keep the others from being tried; a stop does. */
static int run_all(struct patch *patch)
{
	struct error err = { 0 };
	int status = EXIT_DONE;

	if (*patch->pick.left_out && !patch->cfg->quiet)
		fprintf(stderr, "left out, as they have no model: %s\n", patch->pick.left_out);
	if (!patch->cfg->quiet && say_time(patch, &err))
		return complain_of(&err);
	for (size_t i = 0; i < patch->pick.nr_machines && !stop_signal; i++)
		status = worse(status, run_machine(patch, i));
	across_judge(patch->across);
	return status;
}

/* --- what came out --- */

static void print(const struct patch *patch)
{
	struct strbuf text = { 0 };
	const char *ground, *point;

	/* stopped before the first run */
	if (!across_pick(patch->across, &ground, &point))
		return;
	if (patch->cfg->json) {
		across_json(patch->across, &text);
	} else {
		strbuf_addf(&text, "%s%" PRIu64 " runs of each side, seed %" PRIu64 "\n\n",
			    patch->cores.about, patch->cfg->runs, patch->cfg->seed);
		across_text(patch->across, isatty(STDOUT_FILENO) == 1, &text);
		strbuf_addstr(
			&text,
			"\nA difference here is one of decisions, at the costs that the machines "
			"are given;\nno host was measured. p is adjusted over the whole table.\n");
	}
	fwrite(text.s, 1, text.len, stdout);
	strbuf_release(&text);
}

/* --- the first difference --- */

static size_t machine_index(const struct patch *patch, const char *name)
{
	size_t i = 0;

	while (i < patch->pick.nr_machines && strcmp(patch->pick.machines[i].name, name) != 0)
		i++;
	return i;
}

static bool is_point(const struct experiment *experiment, size_t point, const char *label)
{
	return !label || !strcmp(experiment->points[point].label, label);
}

/* @label: of the only point that is looked at, NULL: all. Return: as first_difference() */
static int look_on_machine(const struct patch *patch, size_t machine, const char *label,
			   struct strbuf *text, struct error *err)
{
	const struct first first = { .before = patch->cores.name[0],
				     .after = patch->cores.name[1],
				     .events = patch->cfg->events,
				     .shrink_ns = patch->cfg->shrink_ns,
				     .json = patch->cfg->json };
	struct experiment *experiment = NULL;
	int ret = make_experiment(&experiment, patch, machine, err);

	for (size_t point = 0; !ret && point < experiment->nr_points; point++)
		if (is_point(experiment, point, label))
			ret = first_difference(&first, experiment,
					       patch->pick.machines[machine].name, point, text,
					       err);
	experiment_free(experiment);
	return ret;
}

/* Where the table shows most, then everywhere. */
static int look_everywhere(const struct patch *patch, struct strbuf *text, struct error *err)
{
	const char *ground, *label;
	int ret = 0;

	if (across_pick(patch->across, &ground, &label))
		ret = look_on_machine(patch, machine_index(patch, ground), label, text, err);
	for (size_t i = 0; !ret && i < patch->pick.nr_machines; i++)
		ret = look_on_machine(patch, i, NULL, text, err);
	return ret;
}

/* Return: an exit status */
static int print_first(const struct patch *patch)
{
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int ret = look_everywhere(patch, &text, &err);

	if (!ret && !patch->cfg->json)
		strbuf_addstr(&text, "no difference: all decisions of all runs are the same\n");
	if (ret >= 0)
		printf("%s%s", patch->cfg->json || patch->cfg->machine ? "" : "\n",
		       strbuf_str(&text));
	strbuf_release(&text);
	return ret < 0 ? complain_of(&err) : EXIT_DONE;
}

static int replay(const struct patch *patch)
{
	const struct first first = { .before = patch->cores.name[0],
				     .after = patch->cores.name[1] };
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int ret = first_replay(&first, patch->cfg->replay, &text, &err);

	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	return ret < 0 ? complain_of(&err) : EXIT_DONE;
}

static int verdict_status(const struct across *across, const struct fail_on *fail_on)
{
	double worst;

	if (fail_on->set && across_worst(across, &worst) && worst >= fail_on->fraction)
		return EXIT_REGRESSED;
	return EXIT_DONE;
}

/* Options that only mean something together. */
static int check_options(const struct patch_cfg *cfg, struct error *err)
{
	const struct {
		bool given, in_vain;
		const char *why;
	} rules[] = {
		{ cfg->config, cfg->before || cfg->replay,
		  "--config is for TREE and REV, which are built" },
		{ cfg->cpus, cfg->before || cfg->replay,
		  "--cpus is for TREE and REV, which are built" },
		{ cfg->fail_on, cfg->machine || cfg->replay, "--fail-on needs the table" },
		{ cfg->json, cfg->replay, "--json and --replay exclude each other" },
		{ strcmp(cfg->machines, "small") != 0, cfg->machine,
		  "--machines and --machine exclude each other" },
		{ cfg->workloads, cfg->workload, "--workloads and --workload exclude each other" },
	};

	if (!cfg->machine != !cfg->workload)
		return error_set(err, EINVAL, "patch: --machine and --workload belong together");
	if ((cfg->machine || cfg->events) && !cfg->first_difference)
		return error_set(err, EINVAL,
				 "patch: --machine, --workload and --events belong to "
				 "--first-difference");
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].given && rules[i].in_vain)
			return error_set(err, EINVAL, "patch: %s", rules[i].why);
	return cfg->events ? file_put_check(cfg->events, err) : 0;
}

static int choose(struct patch *patch, struct error *err)
{
	const struct patch_cfg *cfg = patch->cfg;

	return shelf_choose(&patch->pick, cfg->machine ? cfg->machine : cfg->machines,
			    cfg->workload ? cfg->workload : cfg->workloads, err);
}

static int compare(struct patch *patch, const struct fail_on *fail_on)
{
	int status = EXIT_DONE;

	if (!patch->cfg->machine) {
		status = run_all(patch);
		print(patch);
	}
	if (patch->cfg->first_difference && !stop_signal) {
		fflush(stdout);
		status = worse(status, print_first(patch));
	}
	return status == EXIT_DONE ? verdict_status(patch->across, fail_on) : status;
}

static int prepare(struct patch *patch, struct fail_on *fail_on, char *const *args, size_t nr_args,
		   struct error *err)
{
	int ret = check_options(patch->cfg, err);

	if (!ret && patch->cfg->fail_on)
		ret = fail_on_parse(fail_on, patch->cfg->fail_on, err);
	if (!ret)
		ret = choose(patch, err);
	if (!ret)
		ret = find_cores(patch, args, nr_args, err);
	return ret;
}

static int patch_run(const void *cfg_, char *const *args, size_t nr_args)
{
	struct patch patch = { .cfg = cfg_, .across = across_new() };
	struct fail_on fail_on = { 0 };
	struct error err = { 0 };
	int status, ret = prepare(&patch, &fail_on, args, nr_args, &err);

	if (ret)
		status = complain_of(&err);
	else
		status = patch.cfg->replay ? replay(&patch) : compare(&patch, &fail_on);
	across_free(patch.across);
	shelf_release(&patch.pick);
	patch_cores_release(&patch.cores);
	return status;
}

const struct command command_patch = {
	.name = "patch",
	.args = "[TREE REV]",
	.min_args = 0,
	.max_args = 2,
	.summary = "a commit of a kernel tree, before and after, on a shelf of simulated machines",
	.help = "Builds the scheduler of REV^ and of REV (as schedproof kernel build --rev does, "
		"so a "
		"second time takes seconds), runs the standard workloads with both on each "
		"machine, and prints what changed where. Nothing is measured: the simulator's "
		"costs are the machine's, and the decisions are those of the tree's own code. "
		"TREE is only read.",
	.example = "schedproof patch ~/linux HEAD --machines all",
	.cfg_size = sizeof(struct patch_cfg),
	.opts = patch_opts,
	.run = patch_run,
};
