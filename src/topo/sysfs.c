// SPDX-License-Identifier: GPL-2.0-only
/* topo/sysfs.c - a machine from /sys and /proc: this computer's, or recorded ones with all their faults. */
#include "topo/sysfs.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static bool mask_file(struct cpumask *mask, const struct tree *tree, const char *name)
{
	char *text = tree_read(tree, SYSFS_CPU "/%s", name);
	bool there = text && *text && !cpumask_parse(mask, text, NULL);

	free(text);
	return there;
}

/* Without lists of CPUs, those that have a topology are there. */
static void scan_cpus(struct cpumask *mask, const struct tree *tree)
{
	unsigned int gap = 0;

	for (unsigned int cpu = 0; cpu < CPUMASK_MAX && gap < 256; cpu++, gap++) {
		char *text = tree_read(tree, SYSFS_CPU "/cpu%u/topology/core_id", cpu);

		if (!text)
			continue;
		cpumask_set(mask, cpu);
		gap = 0;
		free(text);
	}
}

static int find_cpus(struct sysfs *s)
{
	struct cpumask possible = { 0 }, present = { 0 }, online = { 0 };
	bool told_online = mask_file(&online, s->tree, "online");
	bool told_present = mask_file(&present, s->tree, "present");
	bool told_possible = mask_file(&possible, s->tree, "possible");
	unsigned int nr = 0, cpu;

	if (!told_online)
		scan_cpus(&online, s->tree);
	cpumask_for_each (cpu, &possible)
		nr = cpu + 1 > nr ? cpu + 1 : nr;
	cpumask_for_each (cpu, &present)
		nr = cpu + 1 > nr ? cpu + 1 : nr;
	cpumask_for_each (cpu, &online)
		nr = cpu + 1 > nr ? cpu + 1 : nr;
	if (nr) {
		s->m = machine_new(nr);
		s->m->online = cset_of_mask(s->m->pool, &online);
		s->m->present = told_present ? cset_of_mask(s->m->pool, &present) : s->m->online;
		if (!told_online)
			machine_note(s->m, "no list of online CPUs: those with a topology are");
		if (!cset_subset(s->m->online, s->m->present))
			machine_note(s->m, "CPUs are online that are not present");
		s->m->present = cset_or(s->m->pool, s->m->present, s->m->online);
		s->m->possible =
			told_possible ? cset_of_mask(s->m->pool, &possible) : s->m->present;
		if (!cset_subset(s->m->present, s->m->possible))
			machine_note(s->m, "CPUs are present that are not possible");
		s->m->possible = cset_or(s->m->pool, s->m->possible, s->m->present);
	}
	cpumask_release(&possible);
	cpumask_release(&present);
	cpumask_release(&online);
	return nr ? 0 : error_set(s->err, EINVAL, "no CPU below " SYSFS_CPU);
}

static int read_tree(struct machine **out, const struct tree *tree, const struct source_opts *opts,
		     struct error *err)
{
	struct sysfs s = { .tree = tree, .opts = opts, .err = err };
	unsigned int cpu;
	int ret = find_cpus(&s);

	if (ret)
		return ret;
	assert(s.m);
	s.m->arch = opts->release->arch;
	sysfs_read_cpuinfo(&s);
	cset_for_each (cpu, s.m->present)
		sysfs_read_cpu(&s, cpu);
	sysfs_read_nodes(&s);
	if (s.cut_masks)
		machine_note(s.m, "%u masks name CPUs beyond the possible ones", s.cut_masks);
	if (!s.m->nr_caches)
		machine_note(s.m, "no caches are told: no last level is shared");
	machine_guess_offline(s.m);
	ret = machine_finish(s.m, err);
	if (ret)
		machine_free(s.m);
	else
		*out = s.m;
	return ret;
}

int sysfs_read(struct machine **m, int root_fd, const struct source_opts *opts, struct error *err)
{
	struct tree *tree = tree_of_folder(root_fd);
	int ret = read_tree(m, tree, opts, err);

	tree_free(tree);
	return ret;
}

int tar_read(struct machine **m, const char *data, size_t len, const struct source_opts *opts,
	     struct error *err)
{
	struct tree *tree;
	int ret = tree_of_tar(&tree, data, len, err);

	if (ret)
		return ret;
	ret = read_tree(m, tree, opts, err);
	tree_free(tree);
	return ret;
}
