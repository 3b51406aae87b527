// SPDX-License-Identifier: GPL-2.0-only
#include "workload/place.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define NR_DISTANCES (DISTANCE_REMOTE + 1)
#define MAX_CACHES   16

static const char *const names[NR_DISTANCES] = {
	[DISTANCE_SAME] = "same", [DISTANCE_SMT] = "smt",	[DISTANCE_LLC] = "llc",
	[DISTANCE_NODE] = "node", [DISTANCE_REMOTE] = "remote",
};

const char *distance_name(enum distance distance)
{
	return names[distance];
}

int place_allowed(struct cpumask *mask, struct error *err)
{
	const size_t bytes = CPU_ALLOC_SIZE(CPUMASK_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	int ret = 0;

	if (!set || sched_getaffinity(0, bytes, set))
		ret = error_set(err, errno, "sched_getaffinity: %s", strerror(errno));
	for (unsigned int cpu = 0; !ret && cpu < CPUMASK_MAX; cpu++)
		if (CPU_ISSET_S(cpu, bytes, set))
			cpumask_set(mask, cpu);
	CPU_FREE(set);
	return ret;
}

static int error_bind(const struct cpumask *mask, int code, struct error *err)
{
	struct strbuf list = { 0 };
	int ret;

	cpumask_print(mask, &list);
	if (code == EINVAL)
		ret = error_set(err, EOPNOTSUPP,
				"CPUs %s: none of them is online and in the cpuset of this process",
				strbuf_str(&list));
	else
		ret = error_set(err, code, "CPUs %s: %s", strbuf_str(&list), strerror(code));
	strbuf_release(&list);
	return ret;
}

int place_bind(const struct cpumask *mask, struct error *err)
{
	const size_t bytes = CPU_ALLOC_SIZE(CPUMASK_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	unsigned int cpu;
	int code = 0;

	if (!set)
		return error_bind(mask, ENOMEM, err);
	CPU_ZERO_S(bytes, set);
	cpumask_for_each (cpu, mask)
		CPU_SET_S(cpu, bytes, set);
	if (sched_setaffinity(0, bytes, set))
		code = errno;
	CPU_FREE(set);
	return code ? error_bind(mask, code, err) : 0;
}

int place_bind_cpu(unsigned int cpu, struct error *err)
{
	struct cpumask mask = { 0 };
	int ret;

	cpumask_set(&mask, cpu);
	ret = place_bind(&mask, err);
	cpumask_release(&mask);
	return ret;
}

/* First CPU of a list file below cpuN: what shares something has the same one. False where there is no such list. */
static bool first_in_list(unsigned int *first, int root_fd, unsigned int cpu, const char *file)
{
	char *path = xasprintf("sys/devices/system/cpu/cpu%u/%s", cpu, file);
	char *line = file_read_line(root_fd, path);
	struct cpumask mask = { 0 };
	bool ok = line && !cpumask_parse(&mask, line, NULL) && cpumask_weight(&mask);

	if (ok)
		*first = cpumask_next(&mask, 0);
	cpumask_release(&mask);
	free(line);
	free(path);
	return ok;
}

static long number_of(int root_fd, unsigned int cpu, const char *file)
{
	char *path = xasprintf("sys/devices/system/cpu/cpu%u/%s", cpu, file);
	char *line = file_read_line(root_fd, path);
	long number = line ? strtol(line, NULL, 10) : -1;

	free(line);
	free(path);
	return number;
}

static bool is_last_level(int root_fd, unsigned int cpu, int cache, long *level)
{
	char *level_file = xasprintf("cache/index%d/level", cache);
	long here = number_of(root_fd, cpu, level_file);
	bool higher = here > *level;

	if (higher)
		*level = here;
	free(level_file);
	return higher;
}

/* struct place - a number for each thing a CPU is in: the first CPU in it, or the kernel's number */
struct place {
	unsigned int cpu;
	long core;
	long llc;
	long node;
};

/* The caches come in the order of their levels or not; the highest is the last. */
static long read_llc(int root_fd, unsigned int cpu)
{
	unsigned int first = 0;
	bool found = false;
	long level = 0;

	for (int i = 0; i < MAX_CACHES; i++) {
		char *list;

		if (!is_last_level(root_fd, cpu, i, &level))
			continue;
		list = xasprintf("cache/index%d/shared_cpu_list", i);
		found = first_in_list(&first, root_fd, cpu, list);
		free(list);
	}
	return found ? (long)first
		     : CPUMASK_MAX + number_of(root_fd, cpu, "topology/physical_package_id");
}

static bool has_cpu(int root_fd, unsigned int node, unsigned int cpu)
{
	char *path = xasprintf("sys/devices/system/node/node%u/cpulist", node);
	char *line = file_read_line(root_fd, path);
	struct cpumask mask = { 0 };
	bool has = line && !cpumask_parse(&mask, line, NULL) && cpumask_test(&mask, cpu);

	cpumask_release(&mask);
	free(line);
	free(path);
	return has;
}

static long read_node(int root_fd, unsigned int cpu)
{
	char *line = file_read_line(root_fd, "sys/devices/system/node/online");
	struct cpumask nodes = { 0 };
	unsigned int node;
	long found = 0;

	if (line)
		cpumask_parse(&nodes, line, NULL);
	cpumask_for_each (node, &nodes) {
		if (has_cpu(root_fd, node, cpu)) {
			found = node;
			break;
		}
	}
	cpumask_release(&nodes);
	free(line);
	return found;
}

static struct place read_place(int root_fd, unsigned int cpu)
{
	unsigned int core = cpu;

	first_in_list(&core, root_fd, cpu, "topology/thread_siblings_list");
	return (struct place){ .cpu = cpu,
			       .core = core,
			       .llc = read_llc(root_fd, cpu),
			       .node = read_node(root_fd, cpu) };
}

static enum distance distance_of(const struct place *a, const struct place *b)
{
	return a->cpu == b->cpu	    ? DISTANCE_SAME
	       : a->core == b->core ? DISTANCE_SMT
	       : a->llc == b->llc   ? DISTANCE_LLC
	       : a->node == b->node ? DISTANCE_NODE
				    : DISTANCE_REMOTE;
}

enum distance place_distance(int root_fd, unsigned int a, unsigned int b)
{
	const struct place x = read_place(root_fd, a), y = read_place(root_fd, b);

	return distance_of(&x, &y);
}

static int error_no_pair(enum distance distance, const bool *there, struct error *err)
{
	struct strbuf list = { 0 };
	int ret;

	for (int d = 0; d < NR_DISTANCES; d++)
		if (there[d])
			strbuf_addf(&list, "%s%s", list.len ? ", " : "", names[d]);
	ret = error_set(err, EOPNOTSUPP,
			"no two CPUs that this process may use are at distance '%s', there is: %s",
			names[distance], strbuf_str(&list));
	strbuf_release(&list);
	return ret;
}

int place_pair(unsigned int pair[2], enum distance distance, int root_fd,
	       const struct cpumask *allowed, struct error *err)
{
	struct place *places = xcalloc(cpumask_weight(allowed), sizeof(*places));
	bool there[NR_DISTANCES] = { false };
	unsigned int cpu;
	size_t n = 0;

	cpumask_for_each (cpu, allowed)
		places[n++] = read_place(root_fd, cpu);
	for (size_t a = 0; a < n && !there[distance]; a++) {
		for (size_t b = a; b < n && !there[distance]; b++) {
			there[distance_of(&places[a], &places[b])] = true;
			pair[0] = places[a].cpu;
			pair[1] = places[b].cpu;
		}
	}
	free(places);
	return there[distance] ? 0 : error_no_pair(distance, there, err);
}
