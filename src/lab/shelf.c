// SPDX-License-Identifier: GPL-2.0-only
#include "lab/shelf.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "topo/preset.h"
#include "topo/source.h"
#include "workload/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct shelf_machine machines[] = {
	{ "2-cpus", "package:1 l3cache:1 core:2 pu:1", false },
	{ "8-smt", "package:1 l3cache:1 core:4 pu:2", false },
	{ "16-2-nodes", "package:2 numanode:1 l3cache:1 core:8 pu:1", false },
	{ "hybrid-desktop", "hybrid-desktop", false },
	{ "kunpeng-920-128", "kunpeng-920-128", true },
	{ "x86-8s-320", "x86-8s-320", true },
	{ "power10-768", "power10-768", true },
	{ "x86-8s-960", "x86-8s-960", true },
};

/* --- how much there is to do on a machine of that size --- */

static uint64_t within(uint64_t value, uint64_t min, uint64_t max)
{
	return value < min ? min : value > max ? max : value;
}

/* A group is 20 tasks: up to 16 CPUs more tasks than CPUs, on large machines fewer, as one that is not full has. */
static void add_hackbench(struct strbuf *sb, uint32_t cpus)
{
	strbuf_addf(sb, "groups = %" PRIu64 "\nfds = 10\nloops = 100\n", within(cpus / 4, 1, 12));
}

static void add_schbench(struct strbuf *sb, uint32_t cpus)
{
	strbuf_addf(sb,
		    "threads = %" PRIu64 "\nmessengers = 1\nruntime = 500ms\nwarmup = 0\n"
		    "think = 2ms\nsleep = 2ms\n",
		    within(cpus / 2, 2, 64));
}

static void add_pipe(struct strbuf *sb, uint32_t cpus)
{
	(void)cpus;
	strbuf_addstr(sb, "loops = 4000\n");
}

/* Half as many tasks again as CPUs: what balancing makes of a number that doesn't come out even. */
static void add_cpuload(struct strbuf *sb, uint32_t cpus)
{
	const uint64_t tasks = cpus + (cpus + 1) / 2;

	strbuf_addf(sb, "tasks = %" PRIu64 "\nops = %" PRIu64 "\n", tasks, 40 * tasks);
}

static const struct {
	const char *name;
	void (*add)(struct strbuf *sb, uint32_t cpus);
} workloads[] = {
	{ "hackbench", add_hackbench },
	{ "schbench", add_schbench },
	{ "pipe", add_pipe },
	{ "cpuload", add_cpuload },
};

/* --- what was asked for --- */

static void put_machine(struct shelf_pick *pick, const char *name, const char *source, bool big)
{
	pick->machines =
		xreallocarray(pick->machines, pick->nr_machines + 1, sizeof(*pick->machines));
	pick->machines[pick->nr_machines++] = (struct shelf_machine){ .name = xstrdup(name),
								      .source = xstrdup(source),
								      .big = big };
}

static void put_workload(struct shelf_pick *pick, const char *name)
{
	pick->workloads =
		xreallocarray(pick->workloads, pick->nr_workloads + 1, sizeof(*pick->workloads));
	pick->workloads[pick->nr_workloads++] = xstrdup(name);
}

static int put_machine_named(struct shelf_pick *pick, const char *name, struct error *err)
{
	const char *nearest;

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (!strcmp(machines[i].name, name)) {
			put_machine(pick, name, machines[i].source, machines[i].big);
			return 0;
		}
	}
	if (preset_find(name, &nearest)) {
		put_machine(pick, name, name, true);
		return 0;
	}
	if (nearest)
		return error_set(err, EINVAL, "no machine '%.80s', did you mean '%s'?", name,
				 nearest);
	return error_set(
		err, EINVAL,
		"no machine '%.80s': small, big, all, or names of schedproof list machines", name);
}

static bool put_shelf(struct shelf_pick *pick, const char *word)
{
	const bool all = !strcmp(word, "all"), big = !strcmp(word, "big");

	if (!all && !big && strcmp(word, "small") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (all || machines[i].big == big)
			put_machine(pick, machines[i].name, machines[i].source, machines[i].big);
	return true;
}

static int put_workload_named(struct shelf_pick *pick, const char *name, struct error *err)
{
	struct strbuf known = { 0 };
	const struct workload *w;
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		strbuf_addf(&known, "%s%s", i ? ", " : "", workloads[i].name);
		if (strcmp(workloads[i].name, name) != 0)
			continue;
		strbuf_release(&known);
		w = workload_find(name);
		if (!w || !w->model)
			return error_set(err, EINVAL, "workload %s has no model", name);
		put_workload(pick, name);
		return 0;
	}
	ret = error_set(err, EINVAL, "'%.80s' is no standard workload, these are: %s", name,
			known.s);
	strbuf_release(&known);
	return ret;
}

static int each_word(struct shelf_pick *pick, const char *words,
		     int (*put)(struct shelf_pick *pick, const char *word, struct error *err),
		     struct error *err)
{
	char *copy = xstrdup(words), *save = NULL;
	int ret = 0;

	for (char *word = strtok_r(copy, ", ", &save); !ret && word;
	     word = strtok_r(NULL, ", ", &save))
		ret = put(pick, word, err);
	free(copy);
	return ret;
}

static void put_standard(struct shelf_pick *pick, struct strbuf *left_out)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		const struct workload *w = workload_find(workloads[i].name);

		if (w && w->model)
			put_workload(pick, workloads[i].name);
		else
			strbuf_addf(left_out, "%s%s", left_out->len ? ", " : "", workloads[i].name);
	}
}

int shelf_choose(struct shelf_pick *pick, const char *machine_words, const char *workload_words,
		 struct error *err)
{
	struct shelf_pick got = { 0 };
	struct strbuf left_out = { 0 };
	int ret = 0;

	if (!put_shelf(&got, machine_words))
		ret = each_word(&got, machine_words, put_machine_named, err);
	if (!ret && workload_words)
		ret = each_word(&got, workload_words, put_workload_named, err);
	else if (!ret)
		put_standard(&got, &left_out);
	if (!ret && !got.nr_machines)
		ret = error_set(err, EINVAL, "no machine is named");
	if (!ret && !got.nr_workloads)
		ret = error_set(err, EINVAL, "no workload is named");
	got.left_out = xstrdup(strbuf_str(&left_out));
	strbuf_release(&left_out);
	if (ret)
		shelf_release(&got);
	else
		*pick = got;
	return ret;
}

void shelf_release(struct shelf_pick *pick)
{
	for (size_t i = 0; i < pick->nr_machines; i++) {
		free((char *)pick->machines[i].name);
		free((char *)pick->machines[i].source);
	}
	for (size_t i = 0; i < pick->nr_workloads; i++)
		free(pick->workloads[i]);
	free(pick->machines);
	free(pick->workloads);
	free(pick->left_out);
}

int shelf_cpus(const char *source, uint32_t *cpus, struct error *err)
{
	struct release release;
	const struct source_opts opts = { .release = &release };
	struct machine *machine = NULL;
	int ret = release_parse(&release, "6.12", ARCH_X86, err);

	if (!ret)
		ret = source_open(&machine, source, &opts, err);
	if (!ret)
		*cpus = machine->nr_cpus;
	machine_free(machine);
	return ret;
}

static void add_workload(struct strbuf *sb, const char *name, uint32_t cpus)
{
	strbuf_addf(sb, "[workload %s]\n", name);
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		if (!strcmp(workloads[i].name, name))
			workloads[i].add(sb, cpus);
}

void shelf_experiment(const struct shelf_pick *pick, size_t i, uint32_t cpus,
		      const struct shelf_trial *trial, struct strbuf *sb)
{
	strbuf_addf(sb,
		    "[experiment]\nname = patch-%s\nbackend = sim\nmachine = %s\n"
		    "blocks = %" PRIu64 "\nseed = %" PRIu64 "\n",
		    pick->machines[i].name, pick->machines[i].source, trial->runs, trial->seed);
	strbuf_addf(sb, "[variant before]\ncore = %s\n[variant after]\ncore = %s\n", trial->before,
		    trial->after);
	for (size_t w = 0; w < pick->nr_workloads; w++)
		add_workload(sb, pick->workloads[w], cpus);
}
