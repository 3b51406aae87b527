// SPDX-License-Identifier: GPL-2.0-only
/* topo/sysfs_cpu.c - what the files of one CPU tell. */
#include "topo/sysfs.h"

#include "topo/text.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CACHE_INDEX 16

/* A mask in hex groups, most significant first, as *siblings files without "_list" have it. */
static int hex_mask(struct cpumask *mask, const char *text)
{
	size_t n = strlen(text);
	unsigned int bit = 0;

	while (n--) {
		int c = tolower((unsigned char)text[n]);
		unsigned int digit;

		if (c == ',' || isspace(c))
			continue;
		if (!isxdigit(c))
			return -EINVAL;
		digit = (unsigned int)(isdigit(c) ? c - '0' : c - 'a' + 10);
		for (unsigned int i = 0; i < 4; i++)
			if (digit & 1u << i) {
				if (bit + i >= CPUMASK_MAX)
					return -ERANGE;
				cpumask_set(mask, bit + i);
			}
		bit += 4;
	}
	return 0;
}

int sysfs_add_mask(struct cpumask *mask, const char *list, const char *hex)
{
	struct cpumask read = { 0 };
	unsigned int cpu;
	int ret = -ENOENT;

	if (list && *list)
		ret = cpumask_parse(&read, list, NULL);
	if (ret && hex && *hex)
		ret = hex_mask(&read, hex);
	if (!ret)
		cpumask_for_each (cpu, &read)
			cpumask_set(mask, cpu);
	cpumask_release(&read);
	return ret;
}

const struct cset *sysfs_read_mask(struct sysfs *s, const char *list, const char *hex)
{
	struct cpumask mask = { 0 };
	const struct cset *set = NULL;
	int ret = sysfs_add_mask(&mask, list, hex);

	if (ret)
		s->bad_masks += (list && *list) || (hex && *hex);
	else if (cpumask_next(&mask, s->m->nr_cpus) < CPUMASK_MAX)
		s->cut_masks++;
	if (!ret)
		set = cset_of_mask(s->m->pool, &mask);
	cpumask_release(&mask);
	return set && set->weight ? set : NULL;
}

void sysfs_note_cpus(struct machine *m, const struct cset *cpus, const char *what)
{
	struct strbuf list = { 0 };

	cset_print(cpus, &list);
	if (cpus->weight)
		machine_note(m, "CPUs %.80s %s", strbuf_str(&list), what);
	strbuf_release(&list);
}

static const struct cset *topology_mask(struct sysfs *s, unsigned int cpu, const char *name)
{
	char *list = tree_read(s->tree, SYSFS_CPU "/cpu%u/topology/%s_list", cpu, name);
	char *hex = list ? NULL : tree_read(s->tree, SYSFS_CPU "/cpu%u/topology/%s", cpu, name);
	const struct cset *set = sysfs_read_mask(s, list, hex);

	free(list);
	free(hex);
	return set;
}

static int topology_number(const struct sysfs *s, unsigned int cpu, const char *name)
{
	char *text = tree_read(s->tree, SYSFS_CPU "/cpu%u/topology/%s", cpu, name);
	long n = -1;

	if (text)
		text_long(text, -1, INT32_MAX, &n);
	free(text);
	return n == 65535 ? -1 : (int)n;
}

static void read_topology(struct sysfs *s, unsigned int cpu)
{
	static const struct {
		enum machine_share share;
		const char *names[2]; /* the newer first */
	} masks[] = {
		{ SHARE_THREADS, { "core_cpus", "thread_siblings" } },
		{ SHARE_CLUSTER, { "cluster_cpus", NULL } },
		{ SHARE_DIE, { "die_cpus", NULL } },
		{ SHARE_PACKAGE, { "package_cpus", "core_siblings" } },
		{ SHARE_BOOK, { "book_siblings", NULL } },
		{ SHARE_DRAWER, { "drawer_siblings", NULL } },
	};
	struct machine_cpu *c = &s->m->cpu[cpu];

	for (size_t i = 0; i < ARRAY_SIZE(masks); i++)
		for (size_t n = 0; n < 2 && masks[i].names[n] && !c->share[masks[i].share]; n++)
			c->share[masks[i].share] = topology_mask(s, cpu, masks[i].names[n]);
	c->package = topology_number(s, cpu, "physical_package_id");
	c->die = topology_number(s, cpu, "die_id");
	c->cluster = topology_number(s, cpu, "cluster_id");
	if (c->die < 0)
		c->share[SHARE_DIE] = NULL; /* -1: there are none, whatever the list says */
	c->core = topology_number(s, cpu, "core_id");
}

static long cache_number(const struct sysfs *s, unsigned int cpu, unsigned int i, const char *name)
{
	char *text = tree_read(s->tree, SYSFS_CPU "/cpu%u/cache/index%u/%s", cpu, i, name);
	long n = text ? strtol(text, NULL, 10) : 0;

	free(text);
	return n > 0 ? n : 0;
}

/* Return: false if there is no such cache. */
static bool read_cache(struct sysfs *s, unsigned int cpu, unsigned int i)
{
	struct machine_cpu *c = &s->m->cpu[cpu];
	long level = cache_number(s, cpu, i, "level");
	char *type = tree_read(s->tree, SYSFS_CPU "/cpu%u/cache/index%u/type", cpu, i);
	char *list = tree_read(s->tree, SYSFS_CPU "/cpu%u/cache/index%u/shared_cpu_list", cpu, i);
	char *hex = tree_read(s->tree, SYSFS_CPU "/cpu%u/cache/index%u/shared_cpu_map", cpu, i);
	const struct cset *cpus = sysfs_read_mask(s, list, hex);
	bool there = level > 0 && level < 10;

	if (there && cpus) {
		if (cpus->first == cpu)
			machine_add_cache(s->m, (unsigned int)level, type ? type[0] : 'U',
					  (uint64_t)cache_number(s, cpu, i, "size"), cpus);
		if ((!type || type[0] != 'I') && (unsigned int)level >= c->llc_level) {
			c->llc_level = (unsigned int)level;
			c->share[SHARE_LLC] = cpus;
		}
		if (level == 2)
			c->share[SHARE_L2] = cpus;
	}
	free(type);
	free(list);
	free(hex);
	return there;
}

/* x86: before the cluster was shown, the L2 was there; some kernels left a thread out of it. */
static void cluster_of_l2(struct sysfs *s, struct machine_cpu *c)
{
	const struct cset *core = c->share[SHARE_THREADS];

	c->share[SHARE_CLUSTER] = c->share[SHARE_L2];
	if (!core || cset_subset(core, c->share[SHARE_L2]))
		return;
	c->share[SHARE_CLUSTER] = cset_or(s->m->pool, core, c->share[SHARE_L2]);
	s->short_l2++;
}

void sysfs_read_cpu(struct sysfs *s, unsigned int cpu)
{
	struct machine_cpu *c = &s->m->cpu[cpu];
	char *capacity = tree_read(s->tree, SYSFS_CPU "/cpu%u/cpu_capacity", cpu);
	long n;

	read_topology(s, cpu);
	for (unsigned int i = 0; i < MAX_CACHE_INDEX && read_cache(s, cpu, i); i++)
		;
	if (capacity && !text_long(capacity, 1, CAPACITY_FULL, &n))
		c->capacity = (unsigned int)n;
	free(capacity);
	if (s->m->arch == ARCH_X86 && !c->share[SHARE_CLUSTER] && c->share[SHARE_L2])
		cluster_of_l2(s, c);
}

static bool nobody_tells(const struct machine *m, enum machine_share share)
{
	unsigned int cpu;

	cset_for_each (cpu, m->online)
		if (m->cpu[cpu].share[share])
			return false;
	return true;
}

void sysfs_fill_unshown(struct sysfs *s)
{
	struct machine *m = s->m;
	bool clusters = m->arch == ARCH_ARM64 || m->arch == ARCH_GENERIC, threads = false;
	unsigned int cpu;

	for (unsigned int i = SHARE_BOOK; i <= SHARE_DRAWER && m->arch == ARCH_S390; i++) {
		if (!nobody_tells(m, (enum machine_share)i))
			continue;
		cset_for_each (cpu, m->present)
			m->cpu[cpu].share[i] = m->possible;
		machine_note(m, "no %ss are told: one is assumed",
			     machine_share_name((enum machine_share)i));
	}
	if (!clusters || !nobody_tells(m, SHARE_CLUSTER))
		return;
	cset_for_each (cpu, m->present) {
		const struct cset *core = m->cpu[cpu].share[SHARE_THREADS];

		m->cpu[cpu].share[SHARE_CLUSTER] = core;
		threads = threads || (core && core->weight > 1);
	}
	if (threads)
		machine_note(m, "no clusters are told: each core is taken for one");
}
