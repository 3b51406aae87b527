// SPDX-License-Identifier: GPL-2.0-only
/* cmd/run.c - schedproof run: one workload, here or simulated, its figures in our form or in the original program's. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/words.h"
#include "cmd/find_worker.h"
#include "cmd/progress.h"
#include "cmd/workload_text.h"
#include "lab/once.h"
#include "lab/sim_crew.h"
#include "lab/sim_run.h"
#include "report/run_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	AS_OURS,
	AS_ORIGINAL
};

struct run_cfg {
	uint64_t repeat;
	int as;
	bool json;
	bool all;
	char *set;
	char *counters;
	uint64_t timeout_ns;
	bool store;
	char *store_file;
	char *worker;
	char *root;
	char *backend;
	char *machine;
	char *core;
	char *knob;
	char *costs;
	char *spread;
	uint64_t seed;
	bool check;
	char *trace;
	char *schedstat;
};

static const struct opt run_opts[] = {
	OPT(struct run_cfg, repeat, "1", 1, 1000,
	    "runs, one after the other; simulated ones beside each other"),
	OPT(struct run_cfg, backend, NULL, 0, 0,
	    "host or sim: here, or on a simulated machine, as --machine and --core say by "
	    "themselves"),
	OPT(struct run_cfg, machine, NULL, 0, 0,
	    "sim: as schedproof topo takes it, or a name of schedproof list machines; default: "
	    "this machine's shape"),
	OPT(struct run_cfg, core, NULL, 0, 0,
	    "sim: who schedules, a name of schedproof list cores; default: model"),
	OPT_LINES(struct run_cfg, knob,
		  "sim: NAME=VALUE, NAME or NO_NAME (schedproof list features); may be given "
		  "again"),
	OPT(struct run_cfg, costs, NULL, 0, 0,
	    "sim: file of what things take; default: the machine's, else built-in ones"),
	OPT(struct run_cfg, spread, NULL, 0, 0,
	    "sim: costs of a run are drawn within this of those of the file; default: 1%"),
	OPT(struct run_cfg, seed, "1", 0, 0x1p64,
	    "sim: of the first run's random numbers; the next runs have the next ones"),
	OPT(struct run_cfg, check, "no", 0, 0,
	    "sim: look after the simulator's invariants; a breach fails the run, and the events "
	    "that lead to it are shown"),
	OPT(struct run_cfg, trace, NULL, 0, 0,
	    "sim: file for what happened, in the form that its ending says: .perfetto-trace, "
	    ".pftrace, .txt, .ftrace or .jsonl"),
	OPT(struct run_cfg, schedstat, NULL, 0, 0,
	    "sim: file for the text of /proc/schedstat at the end"),
	OPT_CHOICE(struct run_cfg, as, "ours", "ours|original",
		   "ours: every figure; original: what the program that it models prints"),
	OPT(struct run_cfg, json, "no", 0, 0,
	    "a line of JSON for each run, as the worker prints it"),
	OPT(struct run_cfg, all, "no", 0, 0, "counters too"),
	OPT_LINES(struct run_cfg, set,
		  "KEY=VALUE: a setting as a variant has them (schedproof list settings); may be "
		  "given again"),
	OPT(struct run_cfg, counters, "default", 0, 0,
	    "what to count: default, none, or names of events joined by commas"),
	OPT_NS(struct run_cfg, "timeout", timeout_ns, "120s", 1e9, 86400e9,
	       "time after which a run is killed and counts as hung"),
	OPT(struct run_cfg, store, "no", 0, 0, "keep the runs among the results"),
	OPT(struct run_cfg, store_file, NULL, 0, 0, "results file for --store"),
	OPT(struct run_cfg, worker, NULL, 0, 0,
	    "path of schedproof-worker; default: beside schedproof"),
	OPT(struct run_cfg, root, "/", 0, 0,
	    "folder that sys/ and proc/ are taken from, for tests"),
	OPT_END,
};

static int set_rest(const struct workload *workload, void *cfg, char *const *words, size_t n,
		    struct error *err)
{
	struct strbuf text = { 0 };
	int ret;

	if (!workload->rest)
		return error_set(err, EINVAL, "takes no words behind --");
	words_join(&text, words, n);
	ret = opts_set(workload->opts, cfg, workload->rest, strbuf_str(&text), err);
	strbuf_release(&text);
	return ret;
}

static int set_parameter(const struct workload *workload, void *cfg, const char *word,
			 struct error *err)
{
	const char *equals = strchr(word, '=');
	char *key;
	int ret;

	if (!equals)
		return error_set(err, EINVAL, "'%.80s' is not of the form key=value", word);
	key = xstrndup(word, (size_t)(equals - word));
	ret = opts_set(workload->opts, cfg, key, equals + 1, err);
	free(key);
	return ret;
}

/* The words behind the workload's name. */
static int parse_parameters(const struct workload *workload, void *cfg, char *const *words,
			    size_t n, struct error *err)
{
	int ret = 0;

	opts_init(workload->opts, cfg);
	for (size_t i = 0; i < n && !ret; i++) {
		if (!strcmp(words[i], "--")) {
			ret = set_rest(workload, cfg, &words[i + 1], n - i - 1, err);
			break;
		}
		ret = set_parameter(workload, cfg, words[i], err);
	}
	if (!ret && workload->check)
		ret = workload->check(cfg, err);
	if (ret)
		error_prefix(err, "%s", workload->name);
	return ret;
}

/* "A=1\nB" as a variant has it: "A=1,B" */
static int set_knobs(struct settings *settings, const char *lines, struct error *err)
{
	char *copy = xstrdup(lines);
	int ret;

	for (char *s = copy; *s; s++)
		if (*s == '\n')
			*s = ',';
	ret = settings_set(settings, "features", copy, err);
	if (ret)
		error_prefix(err, "--knob");
	free(copy);
	return ret;
}

/* The options that are settings of a variant. */
static int set_ground(struct settings *settings, const struct run_cfg *cfg, struct error *err)
{
	const struct {
		const char *key, *value;
	} rows[] = {
		{ "backend", cfg->backend }, { "machine", cfg->machine },
		{ "core", cfg->core },	     { "costs", cfg->costs },
		{ "spread", cfg->spread },   { "check", cfg->check ? "yes" : NULL },
	};
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !ret; i++)
		if (rows[i].value)
			ret = settings_set(settings, rows[i].key, rows[i].value, err);
	if (!ret && cfg->knob)
		ret = set_knobs(settings, cfg->knob, err);
	return ret;
}

/* Lines of KEY=VALUE. */
static int parse_lines(struct settings *settings, const char *lines, struct error *err)
{
	char *copy = xstrdup(lines ? lines : ""), *save = NULL;
	int ret = 0;

	for (char *line = strtok_r(copy, "\n", &save); line && !ret;
	     line = strtok_r(NULL, "\n", &save)) {
		char *equals = strchr(line, '=');

		if (!equals) {
			ret = error_set(err, EINVAL, "'%.80s' is not of the form KEY=VALUE", line);
			break;
		}
		*equals = '\0';
		ret = settings_set(settings, line, equals + 1, err);
	}
	if (!ret)
		ret = settings_validate(settings, err);
	if (!ret && settings_kernel(settings))
		ret = error_set(err, EINVAL, "kernel: is for experiments that several boots make");
	if (ret)
		error_prefix(err, "--set");
	free(copy);
	return ret;
}

static int parse_settings(struct settings *settings, const struct run_cfg *cfg, struct error *err)
{
	int ret = parse_lines(settings, cfg->set, err);

	if (!ret)
		ret = set_ground(settings, cfg, err);
	if (!ret)
		ret = settings_validate_for(settings, settings_sim(settings), err);
	return ret;
}

static char *make_title(const struct once *once)
{
	char **params = once_params(once->workload, once->cfg);
	struct strbuf sb = { 0 };

	strbuf_addstr(&sb, once->workload->name);
	for (char **param = params; *param; param++) {
		strbuf_addf(&sb, " %s", *param);
		free(*param);
	}
	free(params);
	/* which build of a core it is stands below the figures */
	if (once->ground)
		strbuf_addf(&sb, ", simulated: %.*s on %s",
			    (int)strcspn(once->ground->core.about, ";"), once->ground->core.about,
			    once->ground->machine->name);
	return strbuf_take(&sb);
}

/* Good runs only: a program that failed prints no figure either. */
static void print_original(const struct once *once, const struct run_row *runs, size_t nr,
			   struct strbuf *sb)
{
	for (size_t i = 0; i < nr; i++)
		if (runs[i].result.status == RUN_OK)
			once->workload->original(&runs[i].result, once->cfg, sb);
}

static void print_json(const struct run_row *runs, size_t nr, struct strbuf *sb)
{
	for (size_t i = 0; i < nr; i++) {
		result_write(&runs[i].result, sb);
		strbuf_addch(sb, '\n');
	}
}

static void print_runs(const struct run_cfg *cfg, const struct once *once,
		       const struct run_row *runs, size_t nr)
{
	struct strbuf text = { 0 };
	char *title;

	if (cfg->as == AS_ORIGINAL) {
		print_original(once, runs, nr, &text);
	} else if (cfg->json) {
		print_json(runs, nr, &text);
	} else {
		title = make_title(once);
		run_text(title, runs, nr, cfg->all, &text);
		free(title);
	}
	fwrite(strbuf_str(&text), 1, text.len, stdout);
	(void)fflush(stdout); /* finish_stdout() looks at errors */
	strbuf_release(&text);
}

/* Where the reasons are not in what was printed. Return: how many failed */
static size_t say_failures(const struct run_cfg *cfg, const struct run_row *runs, size_t nr)
{
	size_t failed = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct result *result = &runs[i].result;

		if (result->status == RUN_OK)
			continue;
		failed++;
		if (cfg->json || cfg->as == AS_ORIGINAL)
			fprintf(stderr, "schedproof: run %zu: %s: %s\n", i + 1,
				run_status_name(result->status), result->reason);
	}
	return failed;
}

static int store_runs(struct store *store, const struct once *once, struct run_row *runs, size_t nr,
		      const char *notes, struct error *err)
{
	char *name = xasprintf("run-%s", once->workload->name);
	int64_t id = 0;
	int ret = once_store(once, store, name, runs, nr, notes, &id, err);

	if (!ret)
		fprintf(stderr, "stored as %s, result %" PRId64 "\n", name, id);
	free(name);
	return ret;
}

/* struct watching - @done: runs so far; @simulated_ns: of the last one */
struct watching {
	const struct once *once;
	uint64_t done;
	uint64_t simulated_ns;
};

/* "2 of 5 runs, 34% of 1.2 s simulated": @simulated may be empty, and one run is not counted. */
static void show(const struct watching *watching, const char *simulated)
{
	fputs("\r\033[K", stderr);
	if (watching->once->repeat > 1)
		fprintf(stderr, "%" PRIu64 " of %" PRIu64 " runs%s", watching->done,
			watching->once->repeat, *simulated ? ", " : "");
	fputs(simulated, stderr);
}

static void show_progress(void *ctx, const struct run_row *run)
{
	struct watching *watching = ctx;

	watching->done = (uint64_t)run->position + 1;
	watching->simulated_ns = progress_run_ns(run);
	if (watching->done < watching->once->repeat)
		show(watching, "");
	else
		fputs("\r\033[K", stderr);
}

static void show_simulated(void *ctx, uint64_t ns)
{
	const struct watching *watching = ctx;
	struct strbuf sb = { 0 };

	progress_add_simulated(&sb, ns, watching->simulated_ns);
	show(watching, sb.s);
	strbuf_release(&sb);
}

/* What is to be written is looked at before anything runs: it takes long to find out afterwards. */
static int open_outputs(const struct run_cfg *cfg, struct store **store, struct error *err)
{
	const char *const files[] = { cfg->trace, cfg->schedstat };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int ret = files[i] ? file_put_check(files[i], err) : 0;

		if (ret)
			return ret;
	}
	return cfg->store ? open_store(store, cfg->store_file, STORE_WRITE, err) : 0;
}

static int make_runs(const struct run_cfg *cfg, struct once *once)
{
	struct watching watching = { .once = once };
	struct strbuf notes = { 0 };
	struct run_row *runs = NULL;
	struct store *store = NULL;
	struct error err = { 0 };
	int status = EXIT_DONE, ret;
	size_t nr = 0;

	if (open_outputs(cfg, &store, &err))
		return complain(&err, EXIT_USAGE);
	if ((once->repeat > 1 || once->ground) && isatty(STDERR_FILENO)) {
		once->event = show_progress;
		once->simulated = show_simulated;
		once->ctx = &watching;
	}
	ret = once_run(once, &runs, &nr, &notes, &err);
	if (ret && once->event)
		fprintf(stderr, "\r\033[K");
	if (nr)
		print_runs(cfg, once, runs, nr);
	if (ret)
		status = complain(&err, nr || ret == -EINTR ? EXIT_RUN : EXIT_USAGE);
	if (say_failures(cfg, runs, nr))
		status = EXIT_RUN;
	if (nr && store && store_runs(store, once, runs, nr, strbuf_str(&notes), &err))
		status = complain(&err, EXIT_RUN);
	if (cfg->all && !cfg->json)
		fputs(strbuf_str(&notes), stderr);
	if (once->said)
		fputs(strbuf_str(once->said), stderr);
	for (size_t i = 0; i < nr; i++)
		run_row_release(&runs[i]);
	free(runs);
	store_close(store);
	strbuf_release(&notes);
	return status;
}

/* The machine and the worker are found; the rest of @once is filled. */
static int run_here(const struct run_cfg *cfg, struct once *once)
{
	struct error err = { 0 };
	struct host host = { 0 };
	int status = EXIT_USAGE, ret;
	char *worker = NULL;

	ret = host_open(&host, cfg->root, &err);
	if (ret)
		return complain(&err, EXIT_USAGE);
	ret = recover_settings(cfg->root, &err);
	if (!ret) {
		worker = find_worker(cfg->worker, &err);
		ret = worker ? 0 : -ENOENT;
	}
	if (!ret) {
		once->host = &host;
		once->worker = worker;
		status = make_runs(cfg, once);
		once->host = NULL;
		once->worker = NULL;
	} else {
		complain(&err, EXIT_USAGE);
	}
	free(worker);
	host_release(&host);
	return status;
}

static int run_simulated(const struct run_cfg *cfg, struct once *once)
{
	const struct point point = { .label = (char *)once->workload->name,
				     .workload = once->workload,
				     .cfg = (void *)once->cfg,
				     .timeout_ns = once->timeout_ns };
	const struct point *which;
	struct sim_ground *ground = NULL;
	struct strbuf said = { 0 };
	struct error err = { 0 };
	int status, ret;

	ret = sim_modelled(once->workload, &err);
	if (!ret)
		ret = sim_ground_open(&ground, once->settings, &err);
	if (!ret && cfg->trace && !sim_trace_format(cfg->trace, ground->shape.of.nr_cpus, &err))
		ret = -err.code;
	if (!ret)
		ret = sim_check(ground, &point, 1, once->stop, &which, &err);
	if (ret) {
		sim_ground_free(ground);
		return complain(&err, ret == -EINTR ? EXIT_RUN : EXIT_USAGE);
	}
	once->ground = ground;
	once->seed = cfg->seed;
	once->trace = cfg->trace;
	once->schedstat = cfg->schedstat;
	once->said = &said;
	status = make_runs(cfg, once);
	once->said = NULL;
	strbuf_release(&said);
	sim_ground_free(ground);
	return status;
}

/* The same name in the same folder: neither of the files need be there. */
static bool is_same_place(const char *a, const char *b)
{
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
	char *folder_a = slash_a ? xstrndup(a, (size_t)(slash_a + 1 - a)) : xstrdup(".");
	char *folder_b = slash_b ? xstrndup(b, (size_t)(slash_b + 1 - b)) : xstrdup(".");
	struct stat st_a, st_b;
	bool same = !strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) &&
		    !stat(folder_a, &st_a) && !stat(folder_b, &st_b) &&
		    st_a.st_dev == st_b.st_dev && st_a.st_ino == st_b.st_ino;

	free(folder_a);
	free(folder_b);
	return same;
}

/* That would replace each other, which a device doesn't. */
static bool is_same_file(const char *a, const char *b)
{
	char *of_a = a ? file_put_place(a) : NULL, *of_b = b ? file_put_place(b) : NULL;
	bool same = of_a && of_b && is_same_place(of_a, of_b);

	free(of_a);
	free(of_b);
	return same;
}

/* Options that go with simulated runs, or with others, only. */
static int check_backend(const struct run_cfg *cfg, bool sim, struct error *err)
{
	if (!sim && (cfg->trace || cfg->schedstat))
		return error_set(err, EINVAL, "run: --%s goes with --backend sim only",
				 cfg->trace ? "trace" : "schedstat");
	if (cfg->repeat > 1 && (cfg->trace || cfg->schedstat))
		return error_set(err, EINVAL, "run: --%s is of one run, --repeat makes several",
				 cfg->trace ? "trace" : "schedstat");
	if (sim && cfg->worker)
		return error_set(err, EINVAL,
				 "run: --worker is of this machine, a simulated one has none");
	if (is_same_file(cfg->trace, cfg->schedstat))
		return error_set(err, EINVAL, "run: --trace and --schedstat are one file, %s",
				 cfg->trace);
	if (sim && strcmp(cfg->counters, "default") != 0)
		return error_set(err, EINVAL,
				 "run: --counters is of this machine, a simulated one counts "
				 "everything");
	return 0;
}

static int check_form(const struct run_cfg *cfg, const struct workload *workload, struct error *err)
{
	if (cfg->as != AS_ORIGINAL)
		return 0;
	if (cfg->json)
		return error_set(err, EINVAL, "run: --as original and --json exclude each other");
	if (!workload->original)
		return error_set(err, EINVAL, "run: %s has no original whose output it could print",
				 workload->name);
	return 0;
}

static int run_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct run_cfg *cfg = cfg_;
	struct error err = { 0 };
	const struct workload *workload = workload_named("run", args[0], "", &err);
	struct settings *settings;
	int status, ret;
	void *params;

	if (!workload)
		return complain(&err, EXIT_USAGE);
	settings = settings_new();
	params = xcalloc(1, workload->cfg_size);
	ret = parse_parameters(workload, params, args + 1, nr_args - 1, &err);
	if (!ret)
		ret = parse_settings(settings, cfg, &err);
	if (!ret)
		ret = check_backend(cfg, settings_sim(settings), &err);
	if (!ret)
		ret = check_form(cfg, workload, &err);
	if (ret) {
		status = complain(&err, EXIT_USAGE);
	} else {
		struct once once = { .workload = workload,
				     .cfg = params,
				     .settings = settings,
				     .counters = cfg->counters,
				     .timeout_ns = cfg->timeout_ns,
				     .repeat = cfg->repeat,
				     .stop = &stop_signal };

		status = settings_sim(settings) ? run_simulated(cfg, &once) : run_here(cfg, &once);
	}
	opts_release(workload->opts, params);
	free(params);
	settings_free(settings);
	return status;
}

const struct command command_run = {
	.name = "run",
	.args = "WORKLOAD [KEY=VALUE ...] [-- COMMAND]",
	.min_args = 1,
	.max_args = 1000,
	.rest = true,
	.summary = "one workload, here or simulated, once or several times: its figures",
	.help = "Runs one workload and prints what it measured, with --repeat also how much that "
		"varied. --as original prints the lines of the program that the workload models, "
		"for eyes and scripts that know them. schedproof run WORKLOAD --help shows its "
		"parameters and metrics. To compare two things use ab: figures taken one after the "
		"other differ by what the machine did meanwhile.\n\n"
		"With --machine, --core or --backend sim the workload's model runs on a simulated "
		"machine: the same seed gives the same figures, to the last digit, and runs of "
		"--repeat differ by their seeds alone. doc/SIMULATOR.md says what such figures "
		"mean and don't. Exit status 3 if a run failed or hung, with the reason: a "
		"deadlock, an endless loop, a core that crashed, a breach that --check found.",
	.example = "schedproof run pipe loops=100000 --repeat 5 --set cpus=0",
	.cfg_size = sizeof(struct run_cfg),
	.opts = run_opts,
	.recovers = true,
	.run = run_run,
};
