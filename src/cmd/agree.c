// SPDX-License-Identifier: GPL-2.0-only
/* cmd/agree.c - schedproof agree: the model against a kernel core, decision by decision. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/agree_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_FILE_MAX (64 << 20)

struct agree_cfg {
	char *machine;
	char *workload;
	char *kernel;
	uint64_t runs;
	uint64_t length;
	uint64_t seed;
	char *set;
	char *events;
	char *replay;
	uint64_t shrink_ns;
	bool table;
	bool json;
};

static const struct opt agree_opts[] = {
	OPT(struct agree_cfg, machine, NULL, 0, 0,
	    "as topo takes it: a name, \"pack:2 l3:1 core:4 pu:2\""),
	OPT(struct agree_cfg, workload, "random", 0, 0,
	    "hackbench, schbench, hogs, nice, affinity, fork, waves or random"),
	OPT(struct agree_cfg, kernel, NULL, 0, 0,
	    "a core that was built (schedproof kernel list); with --table several, with commas "
	    "between"),
	OPT(struct agree_cfg, runs, "20", 1, 1000000, "runs, each of the next seed"),
	OPT(struct agree_cfg, length, "1000", 1, 1e9,
	    "events of a run at most, from when its first tasks are there"),
	OPT(struct agree_cfg, seed, "1", 1, 1e15, "of the first run"),
	OPT_LINES(struct agree_cfg, set,
		  "NAME=VALUE: a knob of the model over its preset, to see it differ"),
	OPT(struct agree_cfg, events, NULL, 0, 0,
	    "file for the fewest events that lead to the first difference"),
	OPT(struct agree_cfg, replay, NULL, 0, 0, "such a file: run over its events instead"),
	OPT_NS(struct agree_cfg, "shrink-time", shrink_ns, "10s", 0, 3600e9,
	       "longest time to look for the fewest events"),
	OPT(struct agree_cfg, table, "no", 0, 0,
	    "all workloads on a dozen machines, as doc/AGREEMENT-TABLE.md"),
	OPT(struct agree_cfg, json, "no", 0, 0, "JSON lines"),
	OPT_END,
};

static const char *const table_machines[] = {
	"core:2 pu:1",
	"l3:1 core:4 pu:1",
	"l3:1 core:4 pu:2",
	"pack:2 [numa] l3:1 core:8 pu:1",
	"pack:2 [numa] l3:1 core:8 pu:2",
	"phone-3cap",
	"hybrid-desktop",
	"amd-3900x",
	"opteron-6272",
	"x4600",
	"kunpeng-920-96",
	"sapphire-rapids-2s",
	"epyc-zen3-nps4",
	"pack:4 [numa] l3:1 core:64 pu:2",
};

static int find_script(const struct agree_script **script, const char *name, struct error *err)
{
	*script = agree_script_find(name);
	return *script ? 0
		       : error_set(err, EINVAL,
				   "workload: '%.40s' is none of hackbench, schbench, hogs, nice, "
				   "affinity, fork, waves, random",
				   name);
}

/* The first difference once more, by the fewest events, with the model's reasons. */
static int explain(struct strbuf *text, struct agree_ops *ops, const struct agree_setup *setup,
		   enum agree_kind kind, const struct agree_cfg *cfg, struct error *err)
{
	struct agree_setup closer = *setup;
	struct agree_outcome out = { 0 };
	int ret = agree_shrink(ops, setup, kind, cfg->shrink_ns, err);

	closer.config.passes = kind == AGREE_PASSES;
	if (!ret)
		ret = agree_replay(&out, &closer, ops, true, err);
	if (!ret)
		strbuf_addstr(text, strbuf_str(&out.text));
	agree_outcome_release(&out);
	return ret;
}

static int write_events(const struct agree_cell *cell, const struct agree_ops *ops,
			const char *path, struct error *err)
{
	struct strbuf sb = { 0 };
	int ret;

	strbuf_addf(&sb,
		    "# schedproof agree --machine '%s' --kernel %s --replay THIS: a difference of "
		    "kind %s\n",
		    cell->machine, cell->kernel->facts.name,
		    agree_kind_name(cell->total.first_kind));
	agree_ops_print(ops, &sb);
	ret = file_put(path, strbuf_str(&sb), sb.len, 0666, err);
	strbuf_release(&sb);
	return ret;
}

static int run_cell(struct agree_cell *cell, struct agree_bench *bench, struct error *err)
{
	cell->nr_cpus = bench->machine.of.nr_cpus;
	return agree_many(&cell->total, &bench->setup, cell->script, cell->seed, cell->runs,
			  cell->events, err);
}

static int tell_cell(struct agree_cell *cell, const struct agree_bench *bench,
		     const struct agree_cfg *cfg, struct strbuf *sb, struct error *err)
{
	struct strbuf text = { 0 };
	const size_t nr_ops = cell->total.first.nr;
	int ret = 0;

	if (cell->total.seed)
		ret = explain(&text, &cell->total.first, &bench->setup, cell->total.first_kind, cfg,
			      err);
	if (!ret && cell->total.seed && cfg->events)
		ret = write_events(cell, &cell->total.first, cfg->events, err);
	if (!ret && cfg->json) {
		agree_cell_json(cell, cell->total.seed ? strbuf_str(&text) : NULL, sb);
	} else if (!ret) {
		agree_cell_text(cell, sb);
		if (cell->total.seed)
			strbuf_addf(sb,
				    "\nfirst difference, of seed %" PRIu64
				    ", by %zu of %zu events:\n%s",
				    cell->total.seed, cell->total.first.nr, nr_ops,
				    strbuf_str(&text));
	}
	strbuf_release(&text);
	return ret;
}

static struct agree_cell cell_of(const struct agree_cfg *cfg, const struct agree_kernel *kernel,
				 const char *machine, const struct agree_script *script)
{
	return (struct agree_cell){ .machine = machine,
				    .script = script,
				    .kernel = kernel,
				    .seed = cfg->seed,
				    .runs = cfg->runs,
				    .events = cfg->length };
}

static int replay(const struct agree_bench *bench, const struct agree_cfg *cfg, struct strbuf *sb,
		  struct error *err)
{
	struct agree_outcome out = { 0 };
	struct agree_ops ops = { 0 };
	struct strbuf text = { 0 };
	int ret = file_read_text(&text, cfg->replay, EVENTS_FILE_MAX, err);

	if (!ret) {
		ret = agree_ops_parse(&ops, strbuf_str(&text), err);
		if (ret)
			error_prefix(err, "%s", cfg->replay);
	}
	if (!ret)
		ret = agree_replay(&out, &bench->setup, &ops, true, err);
	if (!ret) {
		agree_rates_text(&out.counts, sb);
		strbuf_addf(sb, "\n%s", out.text.len ? strbuf_str(&out.text) : "no difference\n");
	}
	agree_outcome_release(&out);
	agree_ops_release(&ops);
	strbuf_release(&text);
	return ret;
}

static int one(const struct agree_cfg *cfg, struct strbuf *sb, struct error *err)
{
	const struct agree_script *script = NULL;
	struct agree_kernel kernel = { 0 };
	struct agree_bench bench = { 0 };
	int ret = find_script(&script, cfg->workload, err);

	if (!ret && (!cfg->machine || !cfg->kernel))
		ret = error_set(err, EINVAL, "--machine and --kernel are needed");
	if (!ret && cfg->events)
		ret = file_put_check(cfg->events, err);
	if (!ret)
		ret = agree_kernel_find(&kernel, cfg->kernel, err);
	if (!ret)
		ret = agree_bench_init(&bench, &kernel, cfg->machine, cfg->set, err);
	if (!ret && cfg->replay) {
		ret = replay(&bench, cfg, sb, err);
	} else if (!ret) {
		struct agree_cell cell = cell_of(cfg, &kernel, cfg->machine, script);

		ret = run_cell(&cell, &bench, err);
		if (!ret)
			ret = tell_cell(&cell, &bench, cfg, sb, err);
		agree_total_release(&cell.total);
	}
	agree_bench_release(&bench);
	agree_kernel_release(&kernel);
	return ret;
}

/* struct table - cells so far, of kernels that stay where they are */
struct table {
	const struct agree_cfg *cfg;
	struct agree_cell *cell;
	size_t nr;
	struct strbuf *sb;
};

static int table_row(struct table *table, const struct agree_kernel *kernel, const char *machine,
		     struct error *err)
{
	struct agree_bench bench;
	int ret = agree_bench_init(&bench, kernel, machine, table->cfg->set, err);

	for (size_t i = 0; !ret && agree_script_at(i); i++) {
		struct agree_cell *cell = &table->cell[table->nr];

		*cell = cell_of(table->cfg, kernel, machine, agree_script_at(i));
		ret = run_cell(cell, &bench, err);
		table->nr++;
		if (!ret && table->cfg->json)
			agree_cell_json(cell, NULL, table->sb);
	}
	if (ret)
		error_prefix(err, "%s", machine);
	agree_bench_release(&bench);
	return ret;
}

static int table_kernel(struct table *table, const struct agree_kernel *kernel, struct error *err)
{
	int ret = 0;

	if (table->cfg->machine)
		return table_row(table, kernel, table->cfg->machine, err);
	for (size_t i = 0; i < ARRAY_SIZE(table_machines) && !ret; i++)
		ret = table_row(table, kernel, table_machines[i], err);
	return ret;
}

static size_t count_scripts(void)
{
	size_t n = 0;

	while (agree_script_at(n))
		n++;
	return n;
}

/* The names of --kernel, cut in place. */
static size_t split_names(char **name, size_t room, char *text)
{
	char *save = NULL;
	size_t n = 0;

	for (char *word = strtok_r(text, ",", &save); word && n < room;
	     word = strtok_r(NULL, ",", &save))
		name[n++] = word;
	return n;
}

#define TABLE_KERNELS 16

static int table(const struct agree_cfg *cfg, struct strbuf *sb, struct error *err)
{
	struct agree_kernel kernel[TABLE_KERNELS] = { 0 };
	struct table table = { .cfg = cfg, .sb = sb };
	char *names = xstrdup(cfg->kernel ? cfg->kernel : ""), *name[TABLE_KERNELS];
	const size_t n = split_names(name, TABLE_KERNELS, names);
	int ret = n ? 0 : error_set(err, EINVAL, "--kernel is needed");

	table.cell =
		xcalloc(n * count_scripts() * ARRAY_SIZE(table_machines) + 1, sizeof(*table.cell));
	for (size_t i = 0; i < n && !ret; i++)
		ret = agree_kernel_find(&kernel[i], name[i], err);
	for (size_t i = 0; i < n && !ret; i++)
		ret = table_kernel(&table, &kernel[i], err);
	if (!ret && !cfg->json)
		agree_table_text(table.cell, table.nr, sb);
	for (size_t i = 0; i < table.nr; i++)
		agree_total_release(&table.cell[i].total);
	for (size_t i = 0; i < n; i++)
		agree_kernel_release(&kernel[i]);
	free(table.cell);
	free(names);
	return ret;
}

static int agree_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct agree_cfg *cfg = cfg_;
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int ret = cfg->table ? table(cfg, &text, &err) : one(cfg, &text, &err);

	(void)args;
	(void)nr_args;
	if (!ret)
		fwrite(strbuf_str(&text), 1, text.len, stdout);
	strbuf_release(&text);
	return ret ? complain_of(&err) : finish_stdout(EXIT_DONE);
}

const struct command command_agree = {
	.name = "agree",
	.args = "",
	.summary = "the scheduler model against a kernel core, decision by decision",
	.help = "The model, with the preset of the kernel's release, and a kernel core (schedproof "
		"kernel) follow the same script of events in lock step. After each event their "
		"decisions are compared: CPUs chosen, tasks picked and moved, preemptions, "
		"interrupts, and all averages to the last digit.\n\n"
		"A run ends with its first difference, for what comes after it is a consequence. "
		"It is shown with both states, after the fewest events that lead to it. The rate "
		"of a kind is that of all runs, each up to its first difference. doc/AGREEMENT.md "
		"tells which differences are known.",
	.example = "schedproof agree --machine 'pack:2 core:4 pu:2' --workload hogs --kernel 6.12",
	.cfg_size = sizeof(struct agree_cfg),
	.opts = agree_opts,
	.run = agree_run,
};
