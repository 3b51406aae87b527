// SPDX-License-Identifier: GPL-2.0-only
/* cmd/calibrate.c - schedproof calibrate: this machine's shape and costs, for the simulator. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/calibrate_text.h"
#include "cmd/output.h"
#include "host/calibrate_nodes.h"
#include "host/calibrate_raw.h"
#include "sim/machine.h"
#include "topo/machine.h"
#include "topo/source.h"
#include "workload/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MACHINE_SUFFIX ".machine"
#define COSTS_SUFFIX   ".costs"

/* What a run takes without memory, and a pair of nodes in it, as the help says too. */
#define RUN_NS UINT64_C(2000000000)
#define WAY_NS UINT64_C(500000000)

struct calibrate_cfg {
	char *machine_out;
	char *out;
	char *cpus;
	uint64_t runs;
	bool json;
	bool dry_run;
};

static const struct opt calibrate_opts[] = {
	{
		.name = "machine-out",
		.type = OPT_TYPE_STR,
		.offset = offsetof(struct calibrate_cfg, machine_out),
		.def = "here" MACHINE_SUFFIX,
		.help = "the machine's file",
	},
	OPT(struct calibrate_cfg, out, NULL, 0, 0,
	    "the file of its costs [beside the machine's, as here" COSTS_SUFFIX "]"),
	OPT(struct calibrate_cfg, cpus, NULL, 0, 0,
	    "list of those that are measured on [all that are allowed]"),
	OPT(struct calibrate_cfg, runs, "15", 1, CALIBRATE_RUNS_MAX, "how often all is measured"),
	OPT(struct calibrate_cfg, json, "no", 0, 0, "print JSON instead of a table"),
	{
		.name = "dry-run",
		.type = OPT_TYPE_BOOL,
		.offset = offsetof(struct calibrate_cfg, dry_run),
		.def = "no",
		.help = "say what would be measured and written, and do neither",
	},
	OPT_END,
};

/* struct here - this machine as topo and the simulator see it */
struct here {
	struct machine *machine;
	struct release release;
	struct sim_machine sim;
	struct cpumask cpus;
};

static int read_machine(struct here *here, struct error *err)
{
	struct source_opts opts = { .release = &here->release };
	struct utsname uts;
	int ret;

	if (uname(&uts))
		return error_set(err, errno, "uname: %s", strerror(errno));
	ret = release_parse(&here->release, uts.release, ARCH_X86, err);
	if (!ret)
		ret = source_open(&here->machine, "live", &opts, err);
	if (!ret && here->machine->arch != here->release.arch)
		ret = release_parse(&here->release, uts.release, here->machine->arch, err);
	if (!ret)
		ret = sim_machine_make(&here->sim, here->machine, &here->release, err);
	return ret;
}

/* Those that are asked for must be there; without a list all that are. */
static int choose_cpus(struct here *here, const char *list, struct error *err)
{
	struct cpumask allowed = { 0 };
	unsigned int cpu;
	int ret = place_allowed(&allowed, err);

	if (!ret && list) {
		ret = cpumask_parse(&here->cpus, list, err);
		if (ret)
			error_prefix(err, "--cpus");
	}
	cpumask_for_each (cpu, &allowed)
		if (!list && cpu < here->sim.of.nr_cpus && here->sim.of.online[cpu])
			cpumask_set(&here->cpus, cpu);
	if (!ret && !cpumask_weight(&here->cpus))
		ret = error_set(err, EINVAL, "--cpus: no CPU to measure on");
	cpumask_for_each (cpu, &here->cpus)
		if (!ret && (!cpumask_test(&allowed, cpu) || cpu >= here->sim.of.nr_cpus ||
			     !here->sim.of.online[cpu]))
			ret = error_set(err, EINVAL,
					"--cpus: CPU %u is offline or not allowed to this process",
					cpu);
	cpumask_release(&allowed);
	return ret;
}

/* "a.machine" -> "a.costs" */
static char *costs_path(const struct calibrate_cfg *cfg)
{
	const size_t n = strlen(cfg->machine_out), suffix = strlen(MACHINE_SUFFIX);
	const bool has = n > suffix && !strcmp(cfg->machine_out + n - suffix, MACHINE_SUFFIX);

	if (cfg->out)
		return xstrdup(cfg->out);
	return xasprintf("%.*s" COSTS_SUFFIX, (int)(has ? n - suffix : n), cfg->machine_out);
}

/* How many runs each pair of nodes is in. */
static void say_ways(const struct calibrate_ways *ways, unsigned int runs)
{
	unsigned int least, most;

	calibrate_ways_runs(ways, runs, &least, &most);
	printf("memory: %zu of %zu pairs of nodes, %zu a run, each in %u", ways->nr_turns, ways->nr,
	       ways->slots, least);
	if (most > least)
		printf(" or %u", most);
	printf(" of %u\n", runs);
}

static void say_plan(const struct calibrate_cfg *cfg, const struct here *here, const char *costs)
{
	struct calibrate_pair pair[NR_SIM_DISTANCES][CALIBRATE_PAIRS];
	unsigned int nr[NR_SIM_DISTANCES];
	const unsigned int runs = (unsigned int)cfg->runs;
	struct strbuf sb = { 0 }, time = { 0 };
	struct calibrate_ways ways;

	calibrate_ways_init(&ways, &here->sim.of, &here->cpus, runs);
	cpumask_print(&here->cpus, &sb);
	output_duration(&time, runs * (RUN_NS + ways.slots * WAY_NS));
	printf("%u run%s on CPU %u of %s, about %s\n", runs, runs == 1 ? "" : "s",
	       cpumask_next(&here->cpus, 0), strbuf_str(&sb), strbuf_str(&time));
	strbuf_release(&time);
	calibrate_pairs(pair, nr, &here->sim.of, &here->cpus);
	for (size_t d = SIM_SAME + 1; d < NR_SIM_DISTANCES; d++) {
		printf("%s:", sim_distance_name((enum sim_distance)d));
		for (unsigned int i = 0; i < nr[d]; i++)
			printf(" %u-%u", pair[d][i].a, pair[d][i].b);
		printf("%s\n", nr[d] ? "" : " no such CPUs");
	}
	if (here->sim.of.nr_nodes > 1)
		say_ways(&ways, runs);
	calibrate_ways_release(&ways);
	printf("to be written: %s, %s\n", cfg->machine_out, costs);
	strbuf_release(&sb);
}

static void say_run(void *ctx, unsigned int runs)
{
	const struct calibrate_cfg *cfg = ctx;

	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%u of %u runs%s", runs, (unsigned int)cfg->runs,
			runs == cfg->runs ? "\n" : "");
}

static int measure(struct calibration *calibration, const struct calibrate_cfg *cfg,
		   const struct here *here, struct error *err)
{
	struct calibrate_setup setup = {
		.machine = &here->sim.of,
		.cpus = &here->cpus,
		.runs = (unsigned int)cfg->runs,
		.stop = &stop_signal,
		.ran = say_run,
		.ctx = (void *)cfg,
	};
	int ret;

	setup.root_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (setup.root_fd < 0)
		return error_set(err, errno, "/: %s", strerror(errno));
	ret = calibrate(calibration, &setup, err);
	close(setup.root_fd);
	return ret;
}

static void today(char date[16])
{
	const time_t now = time(NULL);
	struct tm tm;

	strftime(date, 16, "%Y-%m-%d", gmtime_r(&now, &tm));
}

static int write_files(const struct calibration *calibration, const struct here *here,
		       const char *machine_path, const char *path, struct error *err)
{
	struct strbuf machine = { 0 }, costs = { 0 };
	char date[16];
	int ret;

	today(date);
	machine_file_print(here->machine, &machine);
	calibrate_file(calibration, date, &costs);
	ret = file_put(path, costs.s, costs.len, 0644, err);
	if (!ret)
		ret = file_put(machine_path, machine.s, machine.len, 0644, err);
	strbuf_release(&machine);
	strbuf_release(&costs);
	return ret;
}

static void show(const struct calibration *calibration, bool json)
{
	struct strbuf sb = { 0 };
	struct json_out out = { .sb = &sb };

	if (json) {
		calibrate_json(calibration, &out);
		strbuf_addch(&sb, '\n');
	} else {
		calibrate_text(calibration, &sb);
	}
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
}

static int calibrate_here(const struct calibrate_cfg *cfg, const struct here *here,
			  const char *costs, struct error *err)
{
	struct calibration calibration = { 0 };
	int ret = measure(&calibration, cfg, here, err);

	if (ret)
		return ret;
	ret = write_files(&calibration, here, cfg->machine_out, costs, err);
	if (!ret)
		show(&calibration, cfg->json);
	if (!ret && !cfg->json)
		printf("written: %s, %s\n", cfg->machine_out, costs);
	calibration_release(&calibration);
	return ret;
}

static int calibrate_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct calibrate_cfg *cfg = cfg_;
	char *costs = costs_path(cfg);
	struct here here = { 0 };
	struct error err = { 0 };
	int status = EXIT_DONE, ret;

	(void)args;
	(void)nr_args;
	ret = read_machine(&here, &err);
	if (!ret)
		ret = choose_cpus(&here, cfg->cpus, &err);
	if (!ret)
		ret = file_put_check(cfg->machine_out, &err);
	if (!ret)
		ret = file_put_check(costs, &err);
	if (ret) {
		status = complain(&err, EXIT_USAGE);
	} else if (cfg->dry_run) {
		say_plan(cfg, &here, costs);
	} else {
		ret = calibrate_here(cfg, &here, costs, &err);
		if (ret)
			status = complain(&err, EXIT_RUN);
	}
	sim_machine_release(&here.sim);
	cpumask_release(&here.cpus);
	machine_free(here.machine);
	free(costs);
	return finish_stdout(status);
}

const struct command command_calibrate = {
	.name = "calibrate",
	.args = "",
	.summary = "measure this machine's costs into files for the simulator",
	.help = "Measures what switches, wake-ups, interrupts, system calls, copies, new tasks, "
		"cold caches and memory take here, by the distance between CPUs where it matters "
		"and for memory by pair of nodes, and writes the machine and its costs as the "
		"simulator reads them. Each value is "
		"the median of the runs; what can't be measured here keeps its default, and the "
		"file says so. An operation's costs add up to what it took as a whole: nothing is "
		"counted twice, and below the table stands how well that foretells what was not "
		"used.\n\n"
		"Takes some 2 s a run, and half a second for each pair of nodes measured in it, "
		"a node's own memory too. Those are 16 at most: where there are more, as from five "
		"nodes on, they take "
		"turns, each in three runs or more, and where the runs are too few for that "
		"some are left out and get what their distance has; --dry-run tells. Nothing on "
		"the machine is changed. Root's measuring has the highest priority; the quieter "
		"the machine, the better. When all is measured "
		"files of those names are replaced, each as a whole; what ends before leaves them "
		"as they are.",
	.example = "schedproof calibrate --runs 5 --machine-out ./here.machine",
	.cfg_size = sizeof(struct calibrate_cfg),
	.opts = calibrate_opts,
	.run = calibrate_run,
};
