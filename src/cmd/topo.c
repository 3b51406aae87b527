// SPDX-License-Identifier: GPL-2.0-only
/* cmd/topo.c - schedproof topo: a machine and its sched domains. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "cmd/topo_kernel.h"
#include "topo/convert.h"
#include "topo/cost.h"
#include "topo/cost_scale.h"
#include "topo/draw_svg.h"
#include "topo/explain.h"
#include "topo/machine_json.h"
#include "topo/partition.h"
#include "topo/print.h"
#include "topo/source.h"
#include "topo/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct topo_cfg {
	char *kernel;
	char *kernel_tree;
	char *arch;
	char *config;
	char *boot;
	int format;
	char *explain;
	bool compare_releases;
	char *hotplug;
	char *partition;
	bool svg;
	bool cost;
	char *scale;
	char *cost_file;
	bool calibrate;
	bool strict;
	int to;
	char *out;
};

enum format {
	FORMAT_COMPACT,
	FORMAT_VERBOSE,
	FORMAT_DEBUGFS,
	FORMAT_DEBUGFS_FILES,
	FORMAT_SCHEDSTAT,
	FORMAT_COMPLAINTS,
	FORMAT_JSON,
};

enum to {
	TO_NOTHING,
	TO_MACHINE,
	TO_JSON,
	TO_SYSFS,
	TO_HWLOC,
	TO_QEMU,
	TO_SYNTHETIC,
};

static const struct opt topo_opts[] = {
	OPT(struct topo_cfg, kernel, NULL, 0, 0,
	    "release, as 6.12 or uname -r [that of a recording or of this machine, else the "
	    "newest]"),
	OPT(struct topo_cfg, kernel_tree, NULL, 0, 0,
	    "a kernel tree or a core built of one (schedproof kernel): what its own code logs when "
	    "it builds the domains, or with --partition those of each"),
	OPT(struct topo_cfg, arch, NULL, 0, 0, "x86, arm64, power, s390 or generic"),
	OPT(struct topo_cfg, config, NULL, 0, 0,
	    "words over the release's own: SCHED_CLUSTER=n,topo.span_check=linear_idset"),
	OPT(struct topo_cfg, boot, NULL, 0, 0,
	    "the kernel's command line; what changes domains counts, as isolcpus=, maxcpus=, "
	    "nr_cpus=, nosmt, numa=, relax_domain_level= and offline=, other words don't"),
	OPT_CHOICE(struct topo_cfg, format, "compact",
		   "compact|verbose|debugfs|debugfs-files|schedstat|complaints|json",
		   "what is printed; verbose is the kernel's own log"),
	OPT(struct topo_cfg, explain, NULL, 0, 0, "cpu:N: why each of its levels is there or not"),
	{
		.name = "compare-releases",
		.type = OPT_TYPE_BOOL,
		.offset = offsetof(struct topo_cfg, compare_releases),
		.def = "no",
		.help = "where the tree or a complaint changes from release to release",
	},
	OPT(struct topo_cfg, hotplug, NULL, 0, 0,
	    "half-offline, all-online, smt-off, smt=N or a list to take offline, one by one"),
	OPT(struct topo_cfg, partition, NULL, 0, 0,
	    "LIST[:isolated][/LIST...]: cpuset partitions, made one by one"),
	OPT(struct topo_cfg, svg, "no", 0, 0, "a drawing of the levels, capacities and distances"),
	OPT(struct topo_cfg, scale, NULL, 0, 0,
	    "A..B: growth of the cost from A to B CPUs, on machines built like this one"),
	OPT(struct topo_cfg, cost, "no", 0, 0,
	    "mask operations of a rebuild, or of all that --hotplug does, for each span check"),
	{
		.name = "cost-file",
		.type = OPT_TYPE_STR,
		.offset = offsetof(struct topo_cfg, cost_file),
		.help = "time of each operation, as --calibrate prints it: --cost shows seconds "
			"too",
	},
	OPT(struct topo_cfg, calibrate, "no", 0, 0,
	    "measure the time of each mask operation here and print it as a cost file"),
	OPT_CHOICE(struct topo_cfg, to, "nothing",
		   "nothing|machine|json|sysfs|hwloc|qemu|synthetic",
		   "write the machine in another form instead"),
	OPT(struct topo_cfg, out, NULL, 0, 0, "folder that --to sysfs fills"),
	OPT(struct topo_cfg, strict, "no", 0, 0, "refuse a machine of which something was assumed"),
	OPT_END,
};

/* The words of --config, split in place at commas and spaces. Returns how many; *@words to be freed. */
static size_t split_config(char ***words, char *config)
{
	char *save = NULL, *word;
	size_t n = 0;

	*words = xcalloc(strlen(config) / 2 + 2, sizeof(**words));
	for (word = strtok_r(config, ", ", &save); word; word = strtok_r(NULL, ", ", &save))
		(*words)[n++] = word;
	return n;
}

/* The kernel that a recording comes from, or this one for "live". */
static char *kernel_of_source(const char *what)
{
	struct strbuf text = { 0 };
	struct utsname uts;
	char *path, *kernel = NULL;

	if (!strcmp(what, "live"))
		return uname(&uts) ? NULL : xstrdup(uts.release);
	path = xasprintf("%s/kernel.txt", what);
	if (!file_read(&text, AT_FDCWD, path, 4096, NULL))
		kernel = xstrdup(strbuf_str(&text));
	free(path);
	strbuf_release(&text);
	return kernel;
}

static int pick_release(struct release *r, const struct topo_cfg *cfg, const char *what,
			struct error *err)
{
	char *found = cfg->kernel ? NULL : kernel_of_source(what);
	const char *kernel = cfg->kernel ? cfg->kernel : found ? found : RELEASE_LAST;
	enum machine_arch arch = ARCH_X86;
	int ret = cfg->arch ? machine_arch_parse(&arch, cfg->arch, err) : 0;

	if (!ret)
		ret = release_parse(r, kernel, arch, err);
	if (!ret && cfg->arch && r->arch != arch)
		ret = error_set(err, EINVAL, "kernel %.60s is not of %s", kernel, cfg->arch);
	free(found);
	return ret;
}

/* A machine that names its architecture decides, where the user didn't: the release is made for it. */
static int fit_release(struct release *r, const struct topo_cfg *cfg, const struct machine *m,
		       const char *what, struct error *err)
{
	int ret = 0;

	if (m->arch != r->arch) {
		char *found = cfg->kernel ? NULL : kernel_of_source(what);

		ret = release_parse(r,
				    cfg->kernel ? cfg->kernel
				    : found	? found
						: RELEASE_LAST,
				    m->arch, err);
		free(found);
	}
	return ret;
}

/* A release that isn't known is taken for the last one known before it. */
static void say_newer(const struct release *r)
{
	struct release newest;

	if (!release_parse(&newest, RELEASE_LAST, r->arch, NULL) &&
	    release_at_least(r, newest.major, newest.minor + 1))
		fprintf(stderr,
			"kernel %u.%u is newer than " RELEASE_LAST
			", the last one known: taken for it\n",
			r->major, r->minor);
	else if (!release_known(r->major, r->minor))
		fprintf(stderr, "there is no kernel %u.%u: taken for the last release before it\n",
			r->major, r->minor);
}

static int lay_config(struct release *r, char *const *words, size_t n, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++)
		ret = release_config(r, words[i], err);
	return ret;
}

static int say_notes(const struct machine *m, bool strict, struct error *err)
{
	if (!m->nr_notes)
		return 0;
	fprintf(stderr, "%s", strbuf_str(&m->notes));
	if (strict)
		return error_set(err, EINVAL, "--strict: %u thing%s mended or assumed", m->nr_notes,
				 m->nr_notes == 1 ? " was" : "s were");
	return 0;
}

static int move_cpus(struct hotplug *h, const char *word, struct error *err)
{
	unsigned int *cpu, nr;
	bool *online;
	int ret = hotplug_plan(&cpu, &online, &nr, h, word, err);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < nr && !ret; i++)
		ret = online[i] ? hotplug_online(h, cpu[i], err) : hotplug_offline(h, cpu[i], err);
	free(cpu);
	free(online);
	return ret;
}

static void print_trees(const struct hotplug *h, struct strbuf *sb)
{
	for (unsigned int i = 0; i < h->nr_trees; i++)
		print_complaints(h->tree[i], sb);
}

static void print_as(const struct hotplug *h, enum format format, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	switch (format) {
	case FORMAT_COMPACT:
		print_machine(h->machine, sb);
		print_compact(h, sb);
		break;
	case FORMAT_VERBOSE:
		print_dump_state(h, sb);
		break;
	case FORMAT_DEBUGFS:
		print_debugfs(h, sb);
		break;
	case FORMAT_DEBUGFS_FILES:
		print_debugfs_files(h, sb);
		break;
	case FORMAT_SCHEDSTAT:
		print_schedstat(h, sb);
		break;
	case FORMAT_COMPLAINTS:
		print_trees(h, sb);
		break;
	case FORMAT_JSON:
		print_json(h, &out);
		strbuf_addch(sb, '\n');
		break;
	}
}

static int explain(const struct hotplug *h, const char *what, char *const *words, size_t n,
		   struct strbuf *sb, struct error *err)
{
	long cpu;

	if (strncmp(what, "cpu:", 4) != 0 || text_long(what + 4, 0, LONG_MAX, &cpu))
		return error_set(err, EINVAL, "--explain: '%.40s' is not cpu:N", what);
	if (cpu >= h->machine->nr_cpus || !cset_test(h->machine->possible, (unsigned int)cpu))
		return error_set(err, EINVAL, "--explain: there is no CPU %ld", cpu);
	explain_cpu(h, (unsigned int)cpu, words, n, sb);
	return 0;
}

static int read_cost_file(struct cost_model *model, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read_text(&text, path, 1 << 16, err);

	if (!ret) {
		ret = cost_model_parse(model, strbuf_str(&text), err);
		if (ret)
			error_prefix(err, "%s", path);
	}
	strbuf_release(&text);
	return ret;
}

/* Of what --hotplug does, or of one rebuild as it stands. */
static int show_cost(const struct topo_cfg *cfg, struct hotplug *h, struct strbuf *sb,
		     struct error *err)
{
	struct cost_model model;
	struct cost_run run;
	int ret = 0;

	if (cfg->cost_file)
		ret = read_cost_file(&model, cfg->cost_file, err);
	if (!ret && cfg->hotplug)
		ret = cost_hotplug(&run, h, cfg->hotplug, err);
	else if (!ret)
		cost_once(&run, h);
	if (!ret)
		cost_print(&run, cfg->cost_file ? &model : NULL, sb);
	return ret;
}

static int show_scale(const struct topo_cfg *cfg, const struct hotplug *h, struct strbuf *sb,
		      struct error *err)
{
	struct cost_model model;
	struct scale scale;
	unsigned int from, to;
	int ret = cost_scale_parse(&from, &to, cfg->scale, err);

	if (!ret && cfg->cost_file)
		ret = read_cost_file(&model, cfg->cost_file, err);
	if (!ret)
		ret = cost_scale(&scale, h->machine, &h->release, from, to, err);
	if (ret)
		return ret;
	cost_scale_print(&scale, cfg->cost_file ? &model : NULL, sb);
	scale_release(&scale);
	return 0;
}

static int calibrate(void)
{
	struct cost_model model;
	struct strbuf sb = { 0 };

	cost_calibrate(&model);
	cost_model_print(&model, &sb);
	fputs(strbuf_str(&sb), stdout);
	strbuf_release(&sb);
	return finish_stdout(EXIT_DONE);
}

/* Does anything but the trees take the place of the trees? */
static bool shows_else(const struct topo_cfg *cfg)
{
	return cfg->cost || cfg->scale || cfg->compare_releases || cfg->explain || cfg->svg;
}

static int show(const struct topo_cfg *cfg, struct hotplug *h, char *const *words, size_t n,
		struct strbuf *sb, struct error *err)
{
	bool log = (cfg->hotplug || cfg->partition) && cfg->format == FORMAT_VERBOSE &&
		   !shows_else(cfg);
	int ret = 0;

	if (log)
		h->log = sb;
	hotplug_settle(h);
	if (cfg->partition)
		ret = partition_apply(h, cfg->partition, err);
	if (ret)
		return ret;
	if (cfg->cost)
		return show_cost(cfg, h, sb, err);
	if (cfg->scale)
		return show_scale(cfg, h, sb, err);
	if (cfg->hotplug)
		ret = move_cpus(h, cfg->hotplug, err);
	if (ret || log)
		return ret;
	if (cfg->compare_releases)
		compare_releases(h->machine, h->release.arch, words, n, sb);
	else if (cfg->explain)
		ret = explain(h, cfg->explain, words, n, sb, err);
	else if (cfg->svg)
		draw_svg(h, sb);
	else
		print_as(h, (enum format)cfg->format, sb);
	return ret;
}

static int answer(const struct topo_cfg *cfg, const struct machine *m, const struct release *r,
		  char *const *words, size_t n, struct error *err)
{
	struct strbuf sb = { 0 }, said = { 0 };
	struct hotplug *h = hotplug_boot(m, r);
	int ret;

	for (unsigned int i = 0; i < h->nr_trees; i++)
		print_complaints_once(h->tree[i], &said);
	ret = show(cfg, h, words, n, &sb, err);
	if (!ret) {
		fwrite(strbuf_str(&sb), 1, sb.len, stdout);
		if (cfg->format != FORMAT_COMPLAINTS && !shows_else(cfg))
			fputs(strbuf_str(&said), stderr);
	}
	hotplug_free(h);
	strbuf_release(&sb);
	strbuf_release(&said);
	return ret;
}

static int convert(const struct topo_cfg *cfg, const struct machine *m, struct error *err)
{
	struct strbuf sb = { 0 };
	struct json_out out = { .sb = &sb };
	int ret = 0;

	switch ((enum to)cfg->to) {
	case TO_JSON:
		machine_json(m, NULL, &out);
		strbuf_addch(&sb, '\n');
		break;
	case TO_SYSFS:
		ret = cfg->out ? sysfs_write(m, cfg->out, err)
			       : error_set(err, EINVAL, "--to sysfs needs --out FOLDER");
		break;
	case TO_HWLOC:
		ret = hwloc_xml_print(m, &sb, err);
		break;
	case TO_QEMU:
		ret = qemu_print(m, &sb, err);
		break;
	case TO_SYNTHETIC:
		ret = synthetic_print(m, &sb, err);
		break;
	default:
		machine_file_print(m, &sb);
	}
	if (!ret)
		fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
	return ret;
}

/* What the tree's own code makes of the machine. What it complains of is shown with what it logged up to there. */
static int ask_kernel(const struct topo_cfg *cfg, const struct kcore *kcore,
		      const struct machine *m, const struct release *r, struct error *err)
{
	struct strbuf sb = { 0 };
	int ret = topo_kernel_show(kcore, m, r, cfg->partition, &sb, err);

	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
	return ret;
}

/* A kernel's code gives its own log, and nothing else. */
static int check_kernel(const struct topo_cfg *cfg, struct error *err)
{
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "kernel", cfg->kernel },
		{ "hotplug", cfg->hotplug },
		{ "explain", cfg->explain },
		{ "compare-releases", cfg->compare_releases },
		{ "svg", cfg->svg },
		{ "scale", cfg->scale },
		{ "cost", cfg->cost },
		{ "format", cfg->format != FORMAT_COMPACT && cfg->format != FORMAT_VERBOSE },
		{ "to", cfg->to != TO_NOTHING },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].given)
			return error_set(
				err, EINVAL,
				"--kernel-tree shows what the tree's code logs of a boot or of "
				"--partition: not with --%s",
				others[i].name);
	return 0;
}

/* The tree's release is that of the level table too. */
static int open_kernel(struct kcore **kcore, struct topo_cfg *cfg, struct error *err)
{
	int ret = check_kernel(cfg, err);

	if (!ret)
		ret = topo_kernel_open(kcore, cfg->kernel_tree, err);
	if (!ret)
		cfg->kernel = xstrdup(kcore_ops(*kcore)->version);
	return ret;
}

/* Each is all that is printed. */
static int check_alone(const struct topo_cfg *cfg, struct error *err)
{
	const struct {
		const char *name;
		bool given;
	} outputs[] = {
		{ "cost", cfg->cost },
		{ "scale", cfg->scale },
		{ "compare-releases", cfg->compare_releases },
		{ "explain", cfg->explain },
		{ "svg", cfg->svg },
		{ "format", cfg->format != FORMAT_COMPACT },
		{ "to", cfg->to != TO_NOTHING },
	};
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
		if (!outputs[i].given)
			continue;
		if (first)
			return error_set(err, EINVAL, "--%s and --%s exclude each other", first,
					 outputs[i].name);
		first = outputs[i].name;
	}
	return 0;
}

/* What would not be looked at. */
static int check_words(const struct topo_cfg *cfg, struct error *err)
{
	int ret = check_alone(cfg, err);

	if (ret)
		return ret;
	if (cfg->cost_file && !cfg->cost && !cfg->scale)
		return error_set(err, EINVAL, "--cost-file goes with --cost or --scale");
	if (cfg->out && cfg->to != TO_SYSFS)
		return error_set(err, EINVAL, "--out goes with --to sysfs");
	return 0;
}

static int topo_run(const void *cfg_, char *const *args, size_t nr_args)
{
	struct topo_cfg own = *(const struct topo_cfg *)cfg_;
	const struct topo_cfg *cfg = &own;
	const char *what = nr_args ? args[0] : "live";
	struct error err = { 0 };
	struct kcore *kcore = NULL;
	struct release release;
	struct source_opts opts = { .release = &release, .arch_known = cfg->arch != NULL };
	struct machine *m = NULL;
	char **words, *config = xstrdup(cfg->config ? cfg->config : "");
	size_t n = split_config(&words, config);
	int ret;

	if (cfg->calibrate) {
		free(words);
		free(config);
		return calibrate();
	}
	ret = check_words(cfg, &err);
	if (!ret && cfg->kernel_tree)
		ret = open_kernel(&kcore, &own, &err);
	if (!kcore)
		end_at_signals();
	if (!ret)
		ret = pick_release(&release, cfg, what, &err);
	if (!ret)
		ret = source_open(&m, what, &opts, &err);
	if (!ret)
		ret = fit_release(&release, cfg, m, what, &err);
	if (!ret)
		say_newer(&release);
	if (!ret)
		ret = lay_config(&release, words, n, &err);
	if (!ret && cfg->boot)
		ret = machine_set_boot(m, cfg->boot, &err);
	if (!ret)
		ret = say_notes(m, cfg->strict, &err);
	if (!ret && cfg->to != TO_NOTHING)
		ret = convert(cfg, m, &err);
	else if (!ret && kcore)
		ret = ask_kernel(cfg, kcore, m, &release, &err);
	else if (!ret)
		ret = answer(cfg, m, &release, words, n, &err);
	machine_free(m);
	if (kcore)
		free(own.kernel);
	kcore_close(kcore);
	free(words);
	free(config);
	return ret ? complain_of(&err) : finish_stdout(EXIT_DONE);
}

const struct command command_topo = {
	.name = "topo",
	.args = "[SOURCE]",
	.max_args = 1,
	.summary = "a machine and its sched domains: shown, checked, explained",
	.help = "SOURCE is live (this computer, the default), a recorded tree of /sys and /proc (a "
		"folder or a tar archive), hwloc's XML or its synthetic syntax, QEMU's arguments "
		"(a file, or one quoted word), the output of numactl -H, a sched_verbose log, a "
		"machine file, or one of the machines built in (schedproof list machines).\n\n"
		"What the reader mended or assumed, and what the kernel would complain of, goes to "
		"standard error.",
	.example = "schedproof topo 'pack:2 l3:4 core:8 pu:2' --kernel 6.12 --format verbose",
	.cfg_size = sizeof(struct topo_cfg),
	.opts = topo_opts,
	.run = topo_run,
};
