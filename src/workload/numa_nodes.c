// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_nodes.h"

#include "base/file.h"
#include "base/mem.h"
#include "workload/place.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NODE_DIR  "sys/devices/system/node"
#define MASK_BITS (8 * sizeof(unsigned long))

/* Absent files are empty lists: *found says which. */
static int read_list(struct cpumask *mask, bool *found, int root_fd, const char *path,
		     struct error *err)
{
	char *line = file_read_line(root_fd, path);
	int ret = 0;

	*found = line;
	if (line)
		ret = cpumask_parse(mask, line, err);
	if (ret)
		error_prefix(err, "/%s", path);
	free(line);
	return ret;
}

static void keep_allowed(struct cpumask *cpus, const struct cpumask *allowed)
{
	unsigned int cpu;

	cpumask_for_each (cpu, cpus)
		if (!cpumask_test(allowed, cpu))
			cpumask_clear(cpus, cpu);
}

/* The nodes that the cpuset lets this process have memory from. Where it can't be read, all. */
static void read_allowed_memory(struct cpumask *memory, int root_fd)
{
	static const char key[] = "\nMems_allowed_list:";
	struct strbuf status = { 0 };
	struct cpumask allowed = { 0 };
	char *at, *end;

	if (!file_read(&status, root_fd, "proc/self/status", 1 << 16, NULL)) {
		at = strstr(strbuf_str(&status), key);
		end = at ? strchr(at + 1, '\n') : NULL;
		if (end) {
			*end = '\0';
			if (!cpumask_parse(&allowed, at + strlen(key), NULL))
				keep_allowed(memory, &allowed);
		}
	}
	cpumask_release(&allowed);
	strbuf_release(&status);
}

static int read_node(struct numa_node *node, int root_fd, const struct cpumask *allowed,
		     struct error *err)
{
	char *path = xasprintf(NODE_DIR "/node%u/cpulist", node->id);
	bool found;
	int ret = read_list(&node->cpus, &found, root_fd, path, err);

	keep_allowed(&node->cpus, allowed);
	free(path);
	return ret;
}

static void one_node(struct numa_nodes *nodes, const struct cpumask *allowed)
{
	unsigned int cpu;

	nodes->nodes = xcalloc(1, sizeof(*nodes->nodes));
	nodes->nr = 1;
	nodes->nodes[0].memory = true;
	cpumask_for_each (cpu, allowed)
		cpumask_set(&nodes->nodes[0].cpus, cpu);
}

static int read_nodes(struct numa_nodes *nodes, int root_fd, const struct cpumask *online,
		      const struct cpumask *memory, const struct cpumask *allowed,
		      struct error *err)
{
	unsigned int id;
	int ret = 0;

	nodes->nodes = xcalloc(cpumask_weight(online), sizeof(*nodes->nodes));
	cpumask_for_each (id, online) {
		struct numa_node *node = &nodes->nodes[nodes->nr];

		if (id >= NUMA_NODES_MAX)
			return error_set(err, EINVAL, "/" NODE_DIR "/online: node %u", id);
		node->id = id;
		node->memory = cpumask_test(memory, id);
		nodes->nr++;
		ret = read_node(node, root_fd, allowed, err);
		if (ret)
			return ret;
	}
	return 0;
}

static void find_whole(struct numa_nodes *nodes)
{
	nodes->whole = xcalloc(nodes->nr, sizeof(*nodes->whole));
	for (unsigned int i = 0; i < nodes->nr; i++)
		if (nodes->nodes[i].memory && cpumask_weight(&nodes->nodes[i].cpus))
			nodes->whole[nodes->nr_whole++] = i;
}

int numa_nodes_read(struct numa_nodes *nodes, int root_fd, const struct cpumask *allowed,
		    struct error *err)
{
	struct numa_nodes new = { 0 };
	struct cpumask online = { 0 }, memory = { 0 };
	bool found, tells_memory = false;
	int ret;

	ret = read_list(&online, &found, root_fd, NODE_DIR "/online", err);
	if (!ret)
		ret = read_list(&memory, &tells_memory, root_fd, NODE_DIR "/has_memory", err);
	if (!ret && !tells_memory) { /* kernels before 3.8 */
		cpumask_release(&memory);
		ret = read_list(&memory, &tells_memory, root_fd, NODE_DIR "/online", err);
	}
	if (!ret) {
		read_allowed_memory(&memory, root_fd);
		if (cpumask_weight(&online))
			ret = read_nodes(&new, root_fd, &online, &memory, allowed, err);
		else
			one_node(&new, allowed);
	}
	cpumask_release(&online);
	cpumask_release(&memory);
	if (ret) {
		numa_nodes_release(&new);
		return ret;
	}
	find_whole(&new);
	*nodes = new;
	return 0;
}

void numa_nodes_release(struct numa_nodes *nodes)
{
	for (unsigned int i = 0; i < nodes->nr; i++)
		cpumask_release(&nodes->nodes[i].cpus);
	free(nodes->nodes);
	free(nodes->whole);
	*nodes = (struct numa_nodes){ 0 };
}

int numa_node_find(const struct numa_nodes *nodes, unsigned int id)
{
	for (unsigned int i = 0; i < nodes->nr; i++)
		if (nodes->nodes[i].id == id)
			return (int)i;
	return -1;
}

int numa_node_of_cpu(const struct numa_nodes *nodes, unsigned int cpu)
{
	for (unsigned int i = 0; i < nodes->nr; i++)
		if (cpumask_test(&nodes->nodes[i].cpus, cpu))
			return (int)i;
	return -1;
}

struct numa_part numa_part_cpus(unsigned int nr_whole, uint64_t i, uint64_t n)
{
	uint64_t first = i * nr_whole / n, end = (i + 1) * nr_whole / n;

	if (n == 1 || end <= first)
		end = first + 1;
	return (struct numa_part){ (unsigned int)first, (unsigned int)(end - first) };
}

struct numa_part numa_part_memory(unsigned int nr_whole, uint64_t i, uint64_t n, bool inverse)
{
	struct numa_part part;

	if (inverse && n > 1 && n <= nr_whole)
		return numa_part_cpus(nr_whole, (i + n / 2) % n, n);
	part = numa_part_cpus(nr_whole, i, n);
	if (inverse)
		part.first = (part.first + nr_whole / 2) % nr_whole;
	return part;
}

int numa_bind_cpus(const struct numa_nodes *nodes, struct numa_part part, struct error *err)
{
	struct cpumask mask = { 0 };
	unsigned int cpu;
	int ret;

	for (unsigned int i = part.first; i < part.first + part.nr; i++)
		cpumask_for_each (cpu, &nodes->nodes[nodes->whole[i]].cpus)
			cpumask_set(&mask, cpu);
	ret = place_bind(&mask, err);
	cpumask_release(&mask);
	return ret;
}

/* The kernel wants the number of bits and one. */
static int set_policy(int mode, const unsigned long *mask, struct error *err)
{
	if (!syscall(SYS_set_mempolicy, mode, mask, mask ? NUMA_NODES_MAX + 1UL : 0UL))
		return 0;
	return error_set(err, errno, "set_mempolicy: %s%s", strerror(errno),
			 errno == EPERM ? " (containers often forbid it)" : "");
}

static void set_node(unsigned long *mask, unsigned int id)
{
	mask[id / MASK_BITS] |= 1UL << id % MASK_BITS;
}

int numa_bind_memory(const struct numa_nodes *nodes, struct numa_part part, struct error *err)
{
	unsigned long mask[NUMA_NODES_MAX / MASK_BITS + 1] = { 0 };

	for (unsigned int i = part.first; i < part.first + part.nr; i++)
		set_node(mask, nodes->nodes[nodes->whole[i]].id);
	return set_policy(MPOL_BIND, mask, err);
}

int numa_bind_memory_node(unsigned int id, struct error *err)
{
	unsigned long mask[NUMA_NODES_MAX / MASK_BITS + 1] = { 0 };

	set_node(mask, id);
	return set_policy(MPOL_BIND, mask, err);
}

int numa_bind_memory_nodes(const struct cpumask *ids, struct error *err)
{
	unsigned long mask[NUMA_NODES_MAX / MASK_BITS + 1] = { 0 };
	unsigned int id;

	cpumask_for_each (id, ids) {
		if (id >= NUMA_NODES_MAX)
			return error_set(err, EINVAL, "node %u is not below %d", id,
					 NUMA_NODES_MAX);
		set_node(mask, id);
	}
	return set_policy(MPOL_BIND, mask, err);
}

int numa_free_memory(struct error *err)
{
	return set_policy(MPOL_DEFAULT, NULL, err);
}

void numa_nodes_print(const struct numa_nodes *nodes, struct strbuf *sb)
{
	strbuf_addf(sb, "%u node%s:", nodes->nr, nodes->nr == 1 ? "" : "s");
	for (unsigned int i = 0; i < nodes->nr; i++) {
		const struct numa_node *node = &nodes->nodes[i];

		strbuf_addf(sb, "%s %u ", i ? "," : "", node->id);
		if (cpumask_weight(&node->cpus)) {
			strbuf_addstr(sb, "with CPUs ");
			cpumask_print(&node->cpus, sb);
		} else {
			strbuf_addstr(sb, "without CPUs");
		}
		if (!node->memory)
			strbuf_addstr(sb, " and no memory");
	}
}
