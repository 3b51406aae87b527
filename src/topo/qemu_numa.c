// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_numa.c - QEMU's -numa and the memory objects it names. */
#include "topo/qemu.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct qemu_node *find_node(struct qemu *q, unsigned int id)
{
	for (unsigned int i = 0; i < q->nr_nodes; i++)
		if (q->node[i].id == id)
			return &q->node[i];
	return NULL;
}

static int add_node(struct qemu *q, struct qemu_node *node, struct error *err)
{
	if (q->nr_nodes == MACHINE_MAX_NODES)
		return error_set(err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
	if (find_node(q, node->id))
		return error_set(err, EINVAL, "-numa node: a second node %u", node->id);
	q->node = xreallocarray(q->node, q->nr_nodes + 1, sizeof(*q->node));
	q->node[q->nr_nodes++] = *node;
	return 0;
}

static int add_cpus(struct cpumask *to, const char *list, struct error *err)
{
	struct cpumask mask = { 0 };
	unsigned int cpu;
	int ret = cpumask_parse(&mask, list, err);

	if (!ret)
		cpumask_for_each (cpu, &mask)
			cpumask_set(to, cpu);
	cpumask_release(&mask);
	return ret;
}

static uint64_t memdev_kb(const struct qemu *q, const char *id)
{
	for (unsigned int i = 0; i < q->nr_memdevs; i++)
		if (!strcmp(q->memdev[i].id, id))
			return q->memdev[i].kb;
	return 1; /* there is some, the size isn't told */
}

static int read_node(struct qemu *q, char *arg, struct error *err)
{
	struct qemu_node node = { .id = q->nr_nodes };
	char *key, *value;
	long n = 0;
	int ret = 0;

	while (arg && !ret) {
		arg = qemu_next_option(arg, &key, &value);
		if (!value)
			continue;
		if (!strcmp(key, "nodeid")) {
			ret = qemu_number("-numa node", key, value, 0, MACHINE_MAX_NODES - 1, &n,
					  err);
			if (!ret)
				node.id = (unsigned int)n;
		} else if (!strcmp(key, "cpus")) {
			ret = add_cpus(&node.cpus, value, err);
			node.has_cpus = true;
		} else if (!strcmp(key, "mem")) {
			node.mem_kb = qemu_memory_kb(value, 1 << 20);
		} else if (!strcmp(key, "memdev")) {
			node.mem_kb = memdev_kb(q, value);
		}
	}
	if (!ret)
		ret = add_node(q, &node, err);
	if (ret)
		cpumask_release(&node.cpus);
	return ret;
}

static int read_dist(struct qemu *q, char *arg, struct error *err)
{
	struct qemu_dist d = { 0 };
	char *key, *value;
	long n = 0;
	int ret = 0;

	while (arg && !ret) {
		arg = qemu_next_option(arg, &key, &value);
		ret = qemu_number("-numa dist", key, value, 0, MACHINE_MAX_NODES - 1, &n, err);
		if (ret)
			break;
		if (!strcmp(key, "src"))
			d.src = (unsigned int)n;
		else if (!strcmp(key, "dst"))
			d.dst = (unsigned int)n;
		else if (!strcmp(key, "val"))
			d.val = (unsigned int)n;
		else
			ret = error_set(err, EINVAL, "-numa dist: unknown key '%.40s'", key);
	}
	if (!ret && d.src == d.dst && d.val != 10)
		ret = error_set(err, EINVAL, "-numa dist: node %u is 10 from itself, not %u", d.src,
				d.val);
	if (!ret && (d.val < 10 || d.val > 255))
		ret = error_set(err, EINVAL, "-numa dist: val=%u is not from 10 to 255", d.val);
	if (ret)
		return ret;
	if (q->nr_dists == (size_t)MACHINE_MAX_NODES * MACHINE_MAX_NODES)
		return error_set(err, EFBIG, "too many -numa dist");
	if (!(q->nr_dists & (q->nr_dists - 1)))
		q->dist =
			xreallocarray(q->dist, q->nr_dists ? 2 * q->nr_dists : 1, sizeof(*q->dist));
	q->dist[q->nr_dists++] = d;
	return 0;
}

int qemu_read_place(struct qemu_place *place, const char *where, const char *key, const char *value,
		    struct error *err)
{
	static const char *const keys[NR_QEMU_LEVELS] = {
		[QEMU_DRAWERS] = "drawer-id",	[QEMU_BOOKS] = "book-id",
		[QEMU_SOCKETS] = "socket-id",	[QEMU_DIES] = "die-id",
		[QEMU_CLUSTERS] = "cluster-id", [QEMU_MODULES] = "module-id",
		[QEMU_CORES] = "core-id",	[QEMU_THREADS] = "thread-id",
	};
	long n = 0;
	int ret = 0;

	for (unsigned int i = 0; i < NR_QEMU_LEVELS && !ret; i++) {
		if (strcmp(key, keys[i]))
			continue;
		ret = qemu_number(where, key, value, 0, MACHINE_MAX_CPUS - 1, &n, err);
		if (!ret)
			place->id[i] = (int)n;
	}
	if (!strcmp(key, "node-id")) {
		ret = qemu_number(where, key, value, 0, MACHINE_MAX_NODES - 1, &n, err);
		if (!ret)
			place->node = (unsigned int)n;
	}
	return ret;
}

static int read_numa_cpu(struct qemu *q, char *arg, struct error *err)
{
	struct qemu_place p;
	char *key, *value;
	int ret = 0;

	memset(p.id, -1, sizeof(p.id));
	p.node = 0;
	while (arg && !ret) {
		arg = qemu_next_option(arg, &key, &value);
		ret = qemu_read_place(&p, "-numa cpu", key, value, err);
	}
	if (ret)
		return ret;
	if (q->nr_places == MACHINE_MAX_CPUS)
		return error_set(err, EFBIG, "too many -numa cpu");
	q->place = xreallocarray(q->place, q->nr_places + 1, sizeof(*q->place));
	q->place[q->nr_places++] = p;
	return 0;
}

int qemu_read_numa(struct qemu *q, char *arg, struct error *err)
{
	char *key, *value, *rest;

	if (!*arg)
		return error_set(err, EINVAL, "-numa without its argument");
	rest = qemu_next_option(arg, &key, &value);
	if (!strcmp(key, "node"))
		return read_node(q, rest, err);
	if (!strcmp(key, "dist"))
		return read_dist(q, rest, err);
	if (!strcmp(key, "cpu"))
		return read_numa_cpu(q, rest, err);
	if (!strncmp(key, "hmat", 4))
		return 0; /* latencies: no kernel makes domains of them */
	return error_set(err, EINVAL, "-numa: '%.40s' is none of node, cpu, dist", key);
}

/* {"qom-type":"memory-backend-ram","id":"m0"} as qom-type=memory-backend-ram,id=m0, in place. */
static void flatten_json(char *arg)
{
	char *to = arg;

	if (*arg != '{')
		return;
	for (; *arg; arg++)
		if (!strchr("{}\" ", *arg))
			*to++ = *arg == ':' ? '=' : *arg;
	*to = '\0';
}

void qemu_read_object(struct qemu *q, char *arg)
{
	char *key, *value, *id = NULL;
	bool is_memory = false;
	uint64_t kb = 0;

	flatten_json(arg);
	while (arg) {
		const char *type;

		arg = qemu_next_option(arg, &key, &value);
		type = value ? value : key;
		if (!strncmp(type, "memory-backend", 14))
			is_memory = true;
		if (value && !strcmp(key, "id"))
			id = value;
		if (value && !strcmp(key, "size"))
			kb = qemu_memory_kb(value, 1);
	}
	if (!is_memory || !id || q->nr_memdevs == MACHINE_MAX_NODES)
		return;
	q->memdev = xreallocarray(q->memdev, q->nr_memdevs + 1, sizeof(*q->memdev));
	snprintf(q->memdev[q->nr_memdevs].id, sizeof(q->memdev->id), "%s", id);
	q->memdev[q->nr_memdevs++].kb = kb ? kb : 1;
}
