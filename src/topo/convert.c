// SPDX-License-Identifier: GPL-2.0-only
#include "topo/convert.h"

#include "base/mem.h"

#include <hwloc.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A list of numbers that counts as a mask does: 0-3,8. */
static void print_list(struct strbuf *sb, const bool *member, unsigned int n, const char *before)
{
	const char *comma = before;

	for (unsigned int i = 0; i < n; i++) {
		unsigned int last = i;

		if (!member[i])
			continue;
		while (last + 1 < n && member[last + 1])
			last++;
		strbuf_addf(sb, "%s%u", comma, i);
		if (last > i)
			strbuf_addf(sb, "-%u", last);
		comma = ",cpus=";
		i = last;
	}
}

/* Memory isn't part of the shape, yet QEMU wants some for a node that has any. */
#define NODE_MEMORY_MB 256

static void qemu_nodes(const struct machine *m, const struct shape *shape, struct strbuf *sb)
{
	unsigned int n = m->possible->weight, with_memory = 0;
	bool *member = xcalloc(n, sizeof(*member));

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		with_memory += m->node[i].has_memory;
	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		bool memory = m->node[i].has_memory || !with_memory;

		for (unsigned int k = 0; k < n; k++)
			member[k] = m->cpu[shape->order[k]].node == i;
		if (memory)
			strbuf_addf(sb, "-object memory-backend-ram,id=m%u,size=%dM\n", i,
				    NODE_MEMORY_MB);
		strbuf_addf(sb, "-numa node,nodeid=%u", i);
		print_list(sb, member, n, ",cpus=");
		if (memory)
			strbuf_addf(sb, ",memdev=m%u", i);
		strbuf_addch(sb, '\n');
	}
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		for (unsigned int j = 0; j < m->nr_nodes; j++)
			if (i != j)
				strbuf_addf(sb, "-numa dist,src=%u,dst=%u,val=%u\n", i, j,
					    machine_distance(m, i, j));
	free(member);
}

int qemu_print(const struct machine *m, struct strbuf *sb, struct error *err)
{
	struct shape shape;
	unsigned int dies, clusters, cores;
	int ret = shape_find(&shape, m, err);

	if (ret)
		return ret;
	dies = shape.nodes * shape.caches;
	clusters = shape.clusters;
	cores = shape.cores;
	if (m->arch != ARCH_X86) {
		/* caches can't be told there: a cluster is what a core's neighbours are */
		clusters *= dies;
		dies = 1;
	} else if (cores == 1) {
		cores = clusters;
		clusters = 1;
	}
	if (!shape.plain)
		strbuf_addstr(sb, "# QEMU numbers the threads of a core one after the other; this "
				  "machine's CPUs are numbered in another way\n");
	if (m->arch == ARCH_X86 && clusters > 1)
		strbuf_addstr(sb, "-M q35,smp-cache.0.cache=l2,smp-cache.0.topology=module,"
				  "smp-cache.1.cache=l3,smp-cache.1.topology=die\n");
	strbuf_addf(sb, "-smp %u,sockets=%u", m->possible->weight, shape.packages);
	if (m->arch == ARCH_X86)
		strbuf_addf(sb, ",dies=%u", dies);
	if (m->arch == ARCH_X86 ? clusters > 1 : m->arch == ARCH_ARM64)
		strbuf_addf(sb, ",%s=%u", m->arch == ARCH_X86 ? "modules" : "clusters", clusters);
	if (m->arch != ARCH_X86 && m->arch != ARCH_ARM64)
		cores *= clusters;
	strbuf_addf(sb, ",cores=%u,threads=%u\n", cores, shape.threads);
	if (m->has_numa)
		qemu_nodes(m, &shape, sb);
	shape_release(&shape);
	return 0;
}

static void synthetic_of(const struct machine *m, const struct shape *shape, struct strbuf *sb)
{
	if (shape->node_packages > 1)
		strbuf_addf(sb, "numa:%u pack:%u ", shape->packages / shape->node_packages,
			    shape->node_packages);
	else
		strbuf_addf(sb, "pack:%u numa:%u ", shape->packages, shape->nodes);
	strbuf_addf(sb, "l3:%u l2:%u core:%u pu:%u", shape->caches, shape->clusters, shape->cores,
		    shape->threads);
	if (shape->plain)
		return;
	for (unsigned int i = 0; i < m->possible->weight; i++)
		strbuf_addf(sb, "%s%u", i ? "," : "(indexes=", shape->order[i]);
	strbuf_addch(sb, ')');
}

int synthetic_print(const struct machine *m, struct strbuf *sb, struct error *err)
{
	struct shape shape;
	int ret = shape_find(&shape, m, err);

	if (ret)
		return ret;
	synthetic_of(m, &shape, sb);
	strbuf_addch(sb, '\n');
	shape_release(&shape);
	return 0;
}

static void add_distances(hwloc_topology_t topology, const struct machine *m)
{
	unsigned int n = (unsigned int)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	hwloc_obj_t *objs = xcalloc(n, sizeof(hwloc_obj_t));
	hwloc_uint64_t *values = xcalloc((size_t)n * n, sizeof(hwloc_uint64_t));
	unsigned int *node = xcalloc(n, sizeof(*node));
	hwloc_distances_add_handle_t handle;

	for (unsigned int i = 0; i < n; i++) {
		objs[i] = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i);
		node[i] = m->cpu[hwloc_bitmap_first(objs[i]->cpuset)].node;
	}
	for (unsigned int i = 0; i < n * n; i++)
		values[i] = machine_distance(m, node[i / n], node[i % n]);
	handle = hwloc_distances_add_create(
		topology, "NUMALatency",
		HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
	if (handle && !hwloc_distances_add_values(topology, handle, n, objs, values, 0))
		hwloc_distances_add_commit(topology, handle, 0);
	free(objs);
	free(values);
	free(node);
}

static uint64_t cache_bytes(const struct machine *m, hwloc_obj_t obj)
{
	for (unsigned int i = 0; i < m->nr_caches; i++) {
		const struct machine_cache *c = &m->cache[i];

		if (c->level == obj->attr->cache.depth && c->type != 'I' &&
		    (int)c->cpus->first == hwloc_bitmap_first(obj->cpuset) &&
		    (int)c->cpus->weight == hwloc_bitmap_weight(obj->cpuset))
			return c->size_kb * 1024;
	}
	return 0;
}

/* hwloc makes up sizes where it is told none: here they are the machine's, 0 where it knows none. */
static void set_sizes(hwloc_topology_t topology, const struct machine *m)
{
	hwloc_obj_t obj = NULL;

	while ((obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, obj))) {
		unsigned int cpu = (unsigned int)hwloc_bitmap_first(obj->cpuset);

		obj->attr->numanode.local_memory = m->node[m->cpu[cpu].node].mem_kb * 1024;
		obj->attr->numanode.page_types_len = 0;
	}
	for (int depth = 0; depth < hwloc_topology_get_depth(topology); depth++)
		for (obj = NULL; (obj = hwloc_get_next_obj_by_depth(topology, depth, obj));)
			if (hwloc_obj_type_is_cache(obj->type))
				obj->attr->cache.size = cache_bytes(m, obj);
}

static int export_xml(hwloc_topology_t topology, struct strbuf *sb, struct error *err)
{
	char *xml;
	int len;

	if (hwloc_topology_export_xmlbuffer(topology, &xml, &len, 0))
		return error_set(err, EINVAL, "hwloc can't write this machine");
	strbuf_addstr(sb, xml);
	hwloc_free_xmlbuffer(topology, xml);
	return 0;
}

int hwloc_xml_print(const struct machine *m, struct strbuf *sb, struct error *err)
{
	struct strbuf synthetic = { 0 };
	struct shape shape;
	hwloc_topology_t topology;
	int ret = shape_find(&shape, m, err);

	if (ret)
		return ret;
	synthetic_of(m, &shape, &synthetic);
	shape_release(&shape);
	if (hwloc_topology_init(&topology)) {
		strbuf_release(&synthetic);
		return error_set(err, ENOMEM, "hwloc does not start");
	}
	hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
	if (hwloc_topology_set_synthetic(topology, strbuf_str(&synthetic)) ||
	    hwloc_topology_load(topology)) {
		ret = error_set(err, EINVAL, "hwloc doesn't take '%.80s'", strbuf_str(&synthetic));
	} else {
		set_sizes(topology, m);
		add_distances(topology, m);
		hwloc_obj_add_info(hwloc_get_root_obj(topology), "Architecture",
				   machine_arch_name(m->arch));
		ret = export_xml(topology, sb, err);
	}
	hwloc_topology_destroy(topology);
	strbuf_release(&synthetic);
	return ret;
}
