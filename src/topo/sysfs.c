// SPDX-License-Identifier: GPL-2.0-only
/* topo/sysfs.c - a machine from /sys and /proc: this computer's, or recorded ones with all their faults. */
#include "topo/sysfs.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool mask_file(struct cpumask *mask, const struct tree *tree, const char *name)
{
	char *text = tree_read(tree, SYSFS_CPU "/%s", name);
	bool there = text && *text && !cpumask_parse(mask, text, NULL);

	free(text);
	return there;
}

/* Without a list of CPUs that are online, those that have a topology and don't say that they are offline. */
static void scan_cpus(struct cpumask *mask, const struct tree *tree)
{
	unsigned int gap = 0;

	for (unsigned int cpu = 0; cpu < CPUMASK_MAX && gap < 256; cpu++, gap++) {
		char *core = tree_read(tree, SYSFS_CPU "/cpu%u/topology/core_id", cpu);
		char *online = tree_read(tree, SYSFS_CPU "/cpu%u/online", cpu);

		if (core && (!online || strcmp(online, "0")))
			cpumask_set(mask, cpu);
		if (core || online)
			gap = 0;
		free(core);
		free(online);
	}
}

static unsigned int beyond(const struct cpumask *mask, unsigned int nr)
{
	unsigned int cpu;

	cpumask_for_each (cpu, mask)
		nr = cpu + 1 > nr ? cpu + 1 : nr;
	return nr;
}

/* The lists as they stand; each also holds what the one before it has. @told: there was one of CPUs online. */
static void set_lists(struct sysfs *s, const struct cpumask *online, const struct cpumask *present,
		      const struct cpumask *possible, bool told)
{
	struct machine *m = s->m;

	m->online = cset_of_mask(m->pool, online);
	m->present = cset_of_mask(m->pool, present);
	m->possible = cset_of_mask(m->pool, possible);
	if (!m->present->weight && told)
		machine_note(m, "no list of present CPUs: those online are");
	if (m->present->weight && !cset_subset(m->online, m->present))
		machine_note(m, "CPUs are online that are not present: taken as present");
	m->present = cset_or(m->pool, m->present, m->online);
	if (!m->possible->weight && told)
		machine_note(m, "no list of possible CPUs: those present are");
	if (m->possible->weight && !cset_subset(m->present, m->possible))
		machine_note(m, "CPUs are present that are not possible: taken as possible");
	m->possible = cset_or(m->pool, m->possible, m->present);
}

static int find_cpus(struct sysfs *s)
{
	struct cpumask possible = { 0 }, present = { 0 }, online = { 0 };
	bool told = mask_file(&online, s->tree, "online"), scanned = false;
	unsigned int nr;

	mask_file(&present, s->tree, "present");
	mask_file(&possible, s->tree, "possible");
	if (!told) {
		scan_cpus(&online, s->tree);
		scanned = cpumask_weight(&online) > 0;
		if (!scanned)
			sysfs_cpus_of_nodes(&online, s->tree);
	}
	nr = beyond(&online, beyond(&present, beyond(&possible, 0)));
	if (nr) {
		s->m = machine_new(nr);
		if (!told)
			machine_note(s->m, "no list of online CPUs: those %s are taken",
				     scanned ? "with a topology" : "of the nodes");
		set_lists(s, &online, &present, &possible, told);
	}
	cpumask_release(&possible);
	cpumask_release(&present);
	cpumask_release(&online);
	return nr ? 0 : error_set(s->err, EINVAL, "no CPU below " SYSFS_CPU);
}

/* CPUs that are online but know nothing of the kind. */
static const struct cset *silent(const struct machine *m, enum machine_share share)
{
	const struct cset *set = m->online;
	unsigned int cpu;

	cset_for_each (cpu, m->online)
		if (m->cpu[cpu].share[share])
			set = cset_andnot(m->pool, set, cset_single(m->pool, cpu));
	return set;
}

/* A kernel on AMD that finds no last-level cache takes a die's CPUs to share one (legacy_set_llc() of 6.9 and later). */
static void share_dies(struct machine *m)
{
	unsigned int cpu;

	cset_for_each (cpu, m->present) {
		struct machine_cpu *c = &m->cpu[cpu];

		c->share[SHARE_LLC] = c->share[c->share[SHARE_DIE] ? SHARE_DIE : SHARE_PACKAGE];
	}
}

/* Files and masks that are missing or can't be true. */
static void say_faults(struct sysfs *s)
{
	struct machine *m = s->m;

	if (s->bad_masks)
		machine_note(m, "%u masks can't be read: left out", s->bad_masks);
	if (s->cut_masks)
		machine_note(m, "%u masks name CPUs beyond the possible ones: cut", s->cut_masks);
	if (s->short_l2)
		machine_note(m,
			     "%u CPUs don't share the L2 with their own thread: taken to share it",
			     s->short_l2);
	sysfs_note_cpus(m, silent(m, SHARE_THREADS), "tell no siblings: each is taken for a core");
	if (!m->nr_caches && !silent(m, SHARE_LLC)->weight)
		machine_note(m, "no caches are told: a die shares the last level, as AMD's kernels "
				"take it");
	else if (!m->nr_caches)
		machine_note(m, "no caches are told: no last level is shared");
	else
		sysfs_note_cpus(m, silent(m, SHARE_LLC), "tell no caches: they share none");
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
	if (tree_damage(tree))
		machine_note(s.m, "%s", tree_damage(tree));
	sysfs_read_cpuinfo(&s);
	cset_for_each (cpu, s.m->present)
		sysfs_read_cpu(&s, cpu);
	sysfs_fill_unshown(&s);
	sysfs_read_nodes(&s);
	if (!s.m->nr_caches && s.m->vendor == VENDOR_AMD)
		share_dies(s.m);
	say_faults(&s);
	machine_guess_offline(s.m);
	sysfs_place_lost(&s);
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
