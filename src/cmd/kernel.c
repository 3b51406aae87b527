// SPDX-License-Identifier: GPL-2.0-only
/* cmd/kernel.c - schedproof kernel: kernel trees made into scheduler cores. */
#include "cmd/cmd.h"

#include "base/clock.h"
#include "base/mem.h"
#include "cmd/kernel_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel_cfg {
	char *name;
	char *rev;
	char *config;
	uint64_t cpus;
	uint64_t jobs;
	bool cost;
	bool force;
	bool json;
};

static const struct opt kernel_opts[] = {
	OPT(struct kernel_cfg, name, NULL, 0, 0,
	    "how the core is to be called [the tree's release, or with --rev the commit]"),
	OPT(struct kernel_cfg, rev, NULL, 0, 0,
	    "a git revision of TREE instead of the files as they are; TREE is left alone"),
	OPT(struct kernel_cfg, config, NULL, 0, 0,
	    "a .config that the scheduler's options are taken from [TREE/.config]"),
	OPT(struct kernel_cfg, cpus, "0", 0, 8192, "most CPUs it can have, 0: as usual"),
	OPT(struct kernel_cfg, cost, "no", 0, 0,
	    "count the scheduler's own work, which takes some three times as long"),
	OPT(struct kernel_cfg, jobs, "0", 0, 1024, "of make, 0: one a CPU"),
	OPT(struct kernel_cfg, force, "no", 0, 0, "build although nothing has changed"),
	OPT(struct kernel_cfg, json, "no", 0, 0, "JSON lines"),
	OPT_END,
};

static void say(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

static int build(const struct kernel_cfg *cfg, const char *tree, struct strbuf *sb,
		 struct error *err)
{
	const struct kcore_build how = {
		.tree = tree,
		.name = cfg->name,
		.rev = cfg->rev,
		.config = cfg->config,
		.cpus = cfg->cpus,
		.jobs = cfg->jobs,
		.cost = cfg->cost,
		.force = cfg->force,
		.stop = &stop_signal,
		.say = say,
	};
	uint64_t start_ns = clock_ns(CLOCK_MONOTONIC);
	struct kcore_built built = { 0 };
	int ret = kcore_build(&built, &how, err);

	if (ret)
		return ret;
	if (cfg->json)
		kernel_json(&built.facts, sb);
	else
		kernel_built_text(&built, clock_ns(CLOCK_MONOTONIC) - start_ns, sb);
	kcore_built_release(&built);
	return 0;
}

static int list(const struct kernel_cfg *cfg, struct strbuf *sb, struct error *err)
{
	struct kcore_facts *facts = NULL;
	size_t n = 0;
	int ret = kcore_list(&facts, &n, err);

	if (ret)
		return ret;
	if (!n && !cfg->json)
		strbuf_addstr(sb, "no kernel cores yet; schedproof kernel build TREE makes one\n");
	else if (!cfg->json)
		kernel_list_text(facts, n, sb);
	for (size_t i = 0; i < n; i++) {
		if (cfg->json)
			kernel_json(&facts[i], sb);
		kcore_facts_release(&facts[i]);
	}
	free(facts);
	return 0;
}

static int kernel_run(const void *cfg, char *const *args, size_t nr_args)
{
	struct strbuf text = { 0 };
	struct error err = { 0 };
	int ret;

	if (!strcmp(args[0], "build") && nr_args == 2)
		ret = build(cfg, args[1], &text, &err);
	else if (!strcmp(args[0], "build"))
		ret = error_set(&err, EINVAL, "kernel build: which TREE?");
	else if (strcmp(args[0], "list"))
		ret = error_set(&err, EINVAL, "kernel: '%s' is none of build, list", args[0]);
	else if (nr_args != 1)
		ret = error_set(&err, EINVAL, "kernel list takes no more words");
	else
		ret = list(cfg, &text, &err);
	fwrite(strbuf_str(&text), 1, text.len, stdout);
	strbuf_release(&text);
	return ret ? complain_of(&err) : EXIT_DONE;
}

const struct command command_kernel = {
	.name = "kernel",
	.args = "build TREE | list",
	.min_args = 1,
	.max_args = 2,
	.summary = "kernel trees made into scheduler cores for the simulator",
	.help = "build: compiles the scheduler of a kernel tree, unchanged and by the tree's own "
		"makefiles, into an object that the simulator loads. TREE is only read: objects "
		"lie in ~/.cache/schedproof/cores (or below $XDG_CACHE_HOME). After an edit only "
		"what changed is compiled. Trees from 6.1 on; make, gcc, binutils, flex, bison and "
		"bc are needed, and git for --rev.\n\n"
		"list: those that are built, and whether what they were built from has changed.",
	.example = "schedproof kernel build ~/linux --rev HEAD~1 --name before",
	.cfg_size = sizeof(struct kernel_cfg),
	.opts = kernel_opts,
	.run = kernel_run,
};
