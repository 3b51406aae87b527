// SPDX-License-Identifier: GPL-2.0-only
#include "host/facts_source.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdlib.h>

/**
 * struct level - how many groups the online CPUs form, and how large those are
 */
struct level {
	unsigned int groups;
	unsigned int smallest, largest;
};

/* The file of CPU @cpu that lists its group, under its present and its former name. */
static char *read_siblings(const struct host *host, unsigned int cpu, const char *const names[2])
{
	char *line = NULL;

	for (int i = 0; i < 2 && !line; i++) {
		char *path = xasprintf("sys/devices/system/cpu/cpu%u/topology/%s", cpu, names[i]);

		line = file_read_line(host->root_fd, path);
		free(path);
	}
	return line;
}

/*
 * A group is counted at its first CPU. Ids are no help: die_id is -1 where there are no dies, and core_id
 * starts again in each package. Where nothing is said, a CPU is a group by itself.
 */
static void count_groups(struct level *level, const struct host *host, const char *const names[2])
{
	unsigned int cpu;

	cpumask_for_each (cpu, &host->online) {
		char *line = read_siblings(host, cpu, names);
		struct cpumask group = { 0 };
		unsigned int size;

		if (!line || cpumask_parse(&group, line, NULL) || !cpumask_test(&group, cpu))
			cpumask_set(&group, cpu);
		if (cpumask_next(&group, 0) == cpu) {
			size = cpumask_weight(&group);
			if (!level->groups || size < level->smallest)
				level->smallest = size;
			if (size > level->largest)
				level->largest = size;
			level->groups++;
		}
		cpumask_release(&group);
		free(line);
	}
}

/* Without NUMA support in the kernel there are no files, and one node. */
static unsigned int count_nodes(const struct host *host)
{
	char *line = file_read_line(host->root_fd, "sys/devices/system/node/online");
	struct cpumask nodes = { 0 };
	unsigned int n = 1;

	if (line && !cpumask_parse(&nodes, line, NULL) && cpumask_weight(&nodes))
		n = cpumask_weight(&nodes);
	cpumask_release(&nodes);
	free(line);
	return n;
}

static void add_count(struct strbuf *sb, unsigned int n, const char *what)
{
	strbuf_addf(sb, "%s%u %s%s", sb->len ? ", " : "", n, what, n == 1 ? "" : "s");
}

void fact_cpu_topology(const struct host *host, struct strbuf *sb)
{
	static const char *const packages[] = { "package_cpus_list", "core_siblings_list" };
	static const char *const dies[] = { "die_cpus_list", "core_siblings_list" };
	static const char *const cores[] = { "core_cpus_list", "thread_siblings_list" };
	struct level package = { 0 }, die = { 0 }, core = { 0 };

	if (!cpumask_weight(&host->online))
		return;
	count_groups(&package, host, packages);
	count_groups(&die, host, dies);
	count_groups(&core, host, cores);
	add_count(sb, package.groups, "package");
	add_count(sb, die.groups, "die");
	add_count(sb, core.groups, "core");
	if (core.smallest == core.largest)
		add_count(sb, core.largest, "thread");
	else
		strbuf_addf(sb, ", %u-%u threads", core.smallest, core.largest);
	strbuf_addstr(sb, " each");
	add_count(sb, count_nodes(host), "node");
}
