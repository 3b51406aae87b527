// SPDX-License-Identifier: GPL-2.0-only
/* topo/sysfs.c - a machine from /sys and /proc: this computer's, or recorded ones with all their faults. */
#include "topo/source.h"

#include "topo/text.h"
#include "topo/tree.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPU_DIR		"sys/devices/system/cpu"
#define NODE_DIR	"sys/devices/system/node"
#define MAX_CACHE_INDEX 16

struct sysfs {
	const struct tree *tree;
	struct machine *m;
	const struct source_opts *opts;
	struct error *err;
	unsigned int cut_masks;
};

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

/* A list file, or the older hex file. NULL: neither, or nothing that can be read. */
static const struct cset *read_mask(struct sysfs *s, const char *list, const char *hex)
{
	struct cpumask mask = { 0 };
	const struct cset *set = NULL;
	int ret = -ENOENT;

	if (list && *list)
		ret = cpumask_parse(&mask, list, NULL);
	else if (hex && *hex)
		ret = hex_mask(&mask, hex);
	if (!ret && cpumask_next(&mask, s->m->nr_cpus) < CPUMASK_MAX)
		s->cut_masks++;
	if (!ret)
		set = cset_of_mask(s->m->pool, &mask);
	cpumask_release(&mask);
	return set && set->weight ? set : NULL;
}

static const struct cset *topology_mask(struct sysfs *s, unsigned int cpu, const char *name)
{
	char *list = tree_read(s->tree, CPU_DIR "/cpu%u/topology/%s_list", cpu, name);
	char *hex = list ? NULL : tree_read(s->tree, CPU_DIR "/cpu%u/topology/%s", cpu, name);
	const struct cset *set = read_mask(s, list, hex);

	free(list);
	free(hex);
	return set;
}

static int topology_number(const struct sysfs *s, unsigned int cpu, const char *name)
{
	char *text = tree_read(s->tree, CPU_DIR "/cpu%u/topology/%s", cpu, name);
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
	c->core = topology_number(s, cpu, "core_id");
}

static long cache_number(const struct sysfs *s, unsigned int cpu, unsigned int i, const char *name)
{
	char *text = tree_read(s->tree, CPU_DIR "/cpu%u/cache/index%u/%s", cpu, i, name);
	long n = text ? strtol(text, NULL, 10) : 0;

	free(text);
	return n > 0 ? n : 0;
}

/* Return: false if there is no such cache. */
static bool read_cache(struct sysfs *s, unsigned int cpu, unsigned int i)
{
	struct machine_cpu *c = &s->m->cpu[cpu];
	long level = cache_number(s, cpu, i, "level");
	char *type = tree_read(s->tree, CPU_DIR "/cpu%u/cache/index%u/type", cpu, i);
	char *list = tree_read(s->tree, CPU_DIR "/cpu%u/cache/index%u/shared_cpu_list", cpu, i);
	char *hex = tree_read(s->tree, CPU_DIR "/cpu%u/cache/index%u/shared_cpu_map", cpu, i);
	const struct cset *cpus = read_mask(s, list, hex);
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

static void read_cpu(struct sysfs *s, unsigned int cpu)
{
	struct machine_cpu *c = &s->m->cpu[cpu];
	char *capacity = tree_read(s->tree, CPU_DIR "/cpu%u/cpu_capacity", cpu);
	long n;

	read_topology(s, cpu);
	for (unsigned int i = 0; i < MAX_CACHE_INDEX && read_cache(s, cpu, i); i++)
		;
	if (capacity && !text_long(capacity, 1, CAPACITY_FULL, &n))
		c->capacity = (unsigned int)n;
	free(capacity);
	/* before the cluster was shown, the L2 was there */
	if (s->m->arch == ARCH_X86 && !c->share[SHARE_CLUSTER])
		c->share[SHARE_CLUSTER] = c->share[SHARE_L2];
}

static uint64_t node_memory(const struct tree *tree, unsigned int id)
{
	char *text = tree_read(tree, NODE_DIR "/node%u/meminfo", id);
	const char *at = text ? strstr(text, "MemTotal:") : NULL;
	uint64_t kb = at ? strtoull(at + 9, NULL, 10) : 0;

	free(text);
	return kb;
}

static void read_distances(struct sysfs *s, unsigned int node)
{
	struct machine *m = s->m;
	char *text = tree_read(s->tree, NODE_DIR "/node%u/distance", m->node[node].id);
	char *word[MACHINE_MAX_NODES + 1];
	unsigned int nr = text ? text_words(text, word, ARRAY_SIZE(word)) : 0;
	long d;

	if (!nr)
		machine_note(m, "node %u tells no distances: 10 and 20 assumed", m->node[node].id);
	else if (nr != m->nr_nodes)
		machine_note(m, "node %u has %u distances for %u nodes: left out", m->node[node].id,
			     nr, m->nr_nodes);
	for (unsigned int i = 0; i < nr && nr == m->nr_nodes; i++)
		if (!text_long(word[i], 0, 255, &d))
			m->distance[node * m->nr_nodes + i] = (unsigned int)d;
	free(text);
}

static const struct cset *node_cpus(struct sysfs *s, unsigned int id)
{
	char *list = tree_read(s->tree, NODE_DIR "/node%u/cpulist", id);
	char *hex = list ? NULL : tree_read(s->tree, NODE_DIR "/node%u/cpumap", id);
	const struct cset *set = read_mask(s, list, hex);

	free(list);
	free(hex);
	return set;
}

/* Nodes are those with a cpulist or cpumap, whatever the list of nodes says. */
static unsigned int find_nodes(const struct sysfs *s, unsigned int *id)
{
	char *online = tree_read(s->tree, NODE_DIR "/online");
	struct cpumask mask = { 0 };
	unsigned int n = 0;
	bool listed = online && !cpumask_parse(&mask, online, NULL) && cpumask_weight(&mask);

	for (unsigned int i = 0; i < MACHINE_MAX_NODES; i++) {
		char *text;

		if (listed && !cpumask_test(&mask, i))
			continue;
		text = tree_read(s->tree, NODE_DIR "/node%u/cpulist", i);
		if (!text)
			text = tree_read(s->tree, NODE_DIR "/node%u/cpumap", i);
		if (text)
			id[n++] = i;
		free(text);
		/* no list of nodes: a long gap is the end */
		if (!listed && i > (n ? id[n - 1] : 0) + 128)
			break;
	}
	cpumask_release(&mask);
	free(online);
	return n;
}

static void read_nodes(struct sysfs *s)
{
	struct machine *m = s->m;
	unsigned int *id = xcalloc(MACHINE_MAX_NODES, sizeof(*id));
	unsigned int nr = find_nodes(s, id), cpu, alone = 0;

	if (nr) {
		machine_set_nodes(m, nr);
		m->has_numa = true;
	} else {
		machine_note(m, "no NUMA nodes are told: one is assumed");
	}
	for (unsigned int i = 0; i < nr; i++) {
		const struct cset *cpus = node_cpus(s, id[i]);

		m->node[i].id = id[i];
		m->node[i].mem_kb = node_memory(s->tree, id[i]);
		m->node[i].has_memory = m->node[i].mem_kb > 0;
		if (!cpus)
			continue;
		alone += cpus->weight == 1;
		cset_for_each (cpu, cpus)
			m->cpu[cpu].node = i;
	}
	for (unsigned int i = 0; i < nr; i++)
		read_distances(s, i);
	if (nr > 3 && alone == nr)
		machine_note(m, "every node has one CPU: broken firmware?");
	free(id);
}

static void guess_vendor(struct sysfs *s, const char *cpuinfo)
{
	static const struct {
		const char *words;
		enum machine_arch arch;
	} marks[] = {
		{ "\nCPU implementer", ARCH_ARM64 }, { "vendor_id       : IBM/S390", ARCH_S390 },
		{ "\ncpu\t\t: POWER", ARCH_POWER },  { "GenuineIntel", ARCH_X86 },
		{ "AuthenticAMD", ARCH_X86 },	     { "HygonGenuine", ARCH_X86 },
	};
	struct machine *m = s->m;

	if (strstr(cpuinfo, "GenuineIntel"))
		m->vendor = VENDOR_INTEL;
	if (strstr(cpuinfo, "AuthenticAMD") || strstr(cpuinfo, "HygonGenuine"))
		m->vendor = VENDOR_AMD;
	for (size_t i = 0; i < ARRAY_SIZE(marks) && !s->opts->arch_known; i++)
		if (strstr(cpuinfo, marks[i].words))
			m->arch = marks[i].arch;
}

/* Models whose remote distances newer kernels average: Granite Rapids and Clearwater Forest. */
static void guess_model(struct machine *m, const char *cpuinfo)
{
	const char *family = strstr(cpuinfo, "cpu family"), *model = strstr(cpuinfo, "model\t");
	long f, n;

	if (m->vendor != VENDOR_INTEL || !family || !model)
		return;
	family = strchr(family, ':');
	model = strchr(model, ':');
	if (!family || !model)
		return;
	f = strtol(family + 1, NULL, 10);
	n = strtol(model + 1, NULL, 10);
	m->average_remote = f == 6 && (n == 0xad || n == 0xae || n == 0xdd);
}

static bool mask_file(struct cpumask *mask, const struct tree *tree, const char *name)
{
	char *text = tree_read(tree, CPU_DIR "/%s", name);
	bool there = text && *text && !cpumask_parse(mask, text, NULL);

	free(text);
	return there;
}

/* Without lists of CPUs, those that have a topology are there. */
static void scan_cpus(struct cpumask *mask, const struct tree *tree)
{
	unsigned int gap = 0;

	for (unsigned int cpu = 0; cpu < CPUMASK_MAX && gap < 256; cpu++, gap++) {
		char *text = tree_read(tree, CPU_DIR "/cpu%u/topology/core_id", cpu);

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
	return nr ? 0 : error_set(s->err, EINVAL, "no CPU below " CPU_DIR);
}

static int read_tree(struct machine **out, const struct tree *tree, const struct source_opts *opts,
		     struct error *err)
{
	struct sysfs s = { .tree = tree, .opts = opts, .err = err };
	char *cpuinfo;
	unsigned int cpu;
	int ret = find_cpus(&s);

	if (ret)
		return ret;
	assert(s.m);
	s.m->arch = opts->release->arch;
	cpuinfo = tree_read(tree, "proc/cpuinfo");
	if (cpuinfo) {
		guess_vendor(&s, cpuinfo);
		guess_model(s.m, cpuinfo);
	}
	free(cpuinfo);
	cset_for_each (cpu, s.m->present)
		read_cpu(&s, cpu);
	read_nodes(&s);
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
