// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_json_read.c - a machine from JSON. */
#include "topo/machine_json.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

struct json_reader {
	struct machine *m;
	struct machine_told told;
	struct error *err;
};

/* What jansson says of an object that isn't as it should be. */
static int bad(struct json_reader *r, const char *where, size_t i, const json_error_t *why)
{
	return error_set(r->err, EINVAL, "%s %zu: %s", where, i, why->text);
}

static int list_of(const struct cset **set, struct json_reader *r, const char *where,
		   const char *list)
{
	int ret = cset_parse(set, r->m->pool, list, r->err);

	if (ret)
		error_prefix(r->err, "%s", where);
	return ret;
}

static int node_index(const struct machine *m, json_int_t id)
{
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		if (m->node[i].id == id)
			return (int)i;
	return -1;
}

static int read_cpu(struct json_reader *r, size_t i, json_t *item)
{
	int cpu, node = -1, capacity = CAPACITY_FULL, llc = 0, ret;
	struct machine_cpu read = { .package = -1, .die = -1, .cluster = -1, .core = -1 }, *c;
	json_error_t why;

	if (json_unpack_ex(item, &why, 0, "{s:i,s?i,s?i,s?i,s?i,s?i,s?i,s?i!}", "cpu", &cpu,
			   "package", &read.package, "die", &read.die, "cluster", &read.cluster,
			   "core", &read.core, "node", &node, "capacity", &capacity, "llc_level",
			   &llc))
		return bad(r, "cpu", i, &why);
	if (cpu < 0 || (unsigned int)cpu >= r->m->nr_cpus)
		return error_set(r->err, EINVAL, "cpu %zu: there is no CPU %d", i, cpu);
	if (read.package < -1 || read.die < -1 || read.cluster < -1 || read.core < -1)
		return error_set(r->err, EINVAL, "cpu %zu: a number below -1", i);
	if (capacity < 1 || capacity > CAPACITY_FULL || llc < 0 || llc > 9)
		return error_set(r->err, EINVAL,
				 "cpu %zu: capacity is from 1 to 1024, llc_level from 0 to 9", i);
	if (node >= 0 && node_index(r->m, node) < 0)
		return error_set(r->err, EINVAL, "cpu %zu: there is no node %d", i, node);
	c = &r->m->cpu[cpu];
	c->package = read.package;
	c->die = read.die;
	c->cluster = read.cluster;
	c->core = read.core;
	c->capacity = (unsigned int)capacity;
	c->llc_level = (unsigned int)llc;
	if (node < 0)
		return 0;
	ret = machine_tell_node(r->m, &r->told, cset_single(r->m->pool, (unsigned int)cpu),
				(unsigned int)node_index(r->m, node), r->err);
	if (ret)
		error_prefix(r->err, "cpu %zu", i);
	return ret;
}

static int read_share(struct json_reader *r, enum machine_share share, size_t i, json_t *item)
{
	const struct cset *set, *held;
	const char *cpus, *of = NULL;
	json_error_t why;
	int ret;

	if (json_unpack_ex(item, &why, 0, "{s:s,s?s!}", "cpus", &cpus, "of", &of))
		return bad(r, machine_share_name(share), i, &why);
	ret = list_of(&set, r, machine_share_name(share), cpus);
	if (!ret)
		ret = list_of(&held, r, machine_share_name(share), of ? of : cpus);
	if (ret)
		return ret;
	ret = machine_tell_share(r->m, &r->told, share, held, set, r->err);
	if (ret)
		error_prefix(r->err, "%s %zu", machine_share_name(share), i);
	return ret;
}

/* An array of this name, or none: then *@array is NULL. */
static int array_of(json_t **array, struct json_reader *r, const json_t *object, const char *key)
{
	*array = json_object_get(object, key);
	if (*array && !json_is_array(*array))
		return error_set(r->err, EINVAL, "%s is no array", key);
	return 0;
}

static int read_shares(struct json_reader *r, json_t *shares)
{
	enum machine_share share;
	json_t *sets, *item;
	const char *key;
	size_t i;
	int ret;

	if (shares && !json_is_object(shares))
		return error_set(r->err, EINVAL, "share is no object");
	json_object_foreach(shares, key, sets)
	{
		ret = machine_share_parse(&share, key, r->err);
		if (!ret)
			ret = array_of(&sets, r, shares, key);
		if (ret)
			return ret;
		json_array_foreach(sets, i, item)
		{
			ret = read_share(r, share, i, item);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int read_node(struct json_reader *r, size_t i, json_t *item)
{
	struct machine_node *node = &r->m->node[i];
	int has_memory = -1;
	json_int_t id, mem_kb = 0;
	const struct cset *set;
	const char *cpus = "";
	json_error_t why;
	int ret;

	if (json_unpack_ex(item, &why, 0, "{s:I,s?b,s?I,s?s!}", "id", &id, "has_memory",
			   &has_memory, "mem_kb", &mem_kb, "cpus", &cpus))
		return bad(r, "node", i, &why);
	if (id < 0 || id > INT32_MAX || mem_kb < 0)
		return error_set(r->err, EINVAL, "node %zu: a number below 0, or too large", i);
	for (size_t before = 0; before < i; before++)
		if (r->m->node[before].id == id)
			return error_set(r->err, EINVAL, "a second node %d", (int)id);
	ret = list_of(&set, r, "nodes", cpus);
	if (ret)
		return ret;
	node->id = (unsigned int)id;
	node->mem_kb = (uint64_t)mem_kb;
	node->has_memory = has_memory < 0 ? mem_kb > 0 : has_memory;
	ret = machine_tell_node(r->m, &r->told, set, (unsigned int)i, r->err);
	if (ret)
		error_prefix(r->err, "node %d", (int)id);
	return ret;
}

static int read_distances(struct json_reader *r, const json_t *rows)
{
	unsigned int n = r->m->nr_nodes;

	if (rows && json_array_size(rows) != n)
		return error_set(r->err, EINVAL, "distances: %zu rows for %u nodes",
				 json_array_size(rows), n);
	for (unsigned int i = 0; rows && i < n; i++) {
		const json_t *row = json_array_get(rows, i);

		if (json_array_size(row) != n)
			return error_set(r->err, EINVAL, "distances: row %u has %zu for %u nodes",
					 i, json_array_size(row), n);
		for (unsigned int j = 0; j < n; j++) {
			json_int_t d = json_integer_value(json_array_get(row, j));

			if (!json_is_integer(json_array_get(row, j)) || d < 0 || d > 255)
				return error_set(r->err, EINVAL,
						 "distances: row %u: not from 0 to 255", i);
			r->m->distance[i * n + j] = (unsigned int)d;
		}
	}
	return 0;
}

static int read_cache(struct json_reader *r, size_t i, json_t *item)
{
	const struct cset *set;
	const char *type, *cpus;
	json_int_t size_kb = 0;
	json_error_t why;
	int level, ret;

	if (json_unpack_ex(item, &why, 0, "{s:i,s:s,s?I,s:s!}", "level", &level, "type", &type,
			   "size_kb", &size_kb, "cpus", &cpus))
		return bad(r, "cache", i, &why);
	if (level < 1 || level > 9 || size_kb < 0)
		return error_set(r->err, EINVAL,
				 "cache %zu: level is from 1 to 9, size_kb not below 0", i);
	ret = list_of(&set, r, "caches", cpus);
	if (!ret && set->weight)
		machine_add_cache(r->m, (unsigned int)level, type[0], (uint64_t)size_kb, set);
	return ret;
}

static int read_offline(struct json_reader *r, const json_t *cpus)
{
	struct machine_boot *boot = &r->m->boot;
	size_t nr = json_array_size(cpus);

	if (nr > r->m->nr_cpus)
		return error_set(r->err, EINVAL, "boot: more CPUs offline than there are");
	boot->offlined = xcalloc(nr ? nr : 1, sizeof(*boot->offlined));
	for (size_t i = 0; i < nr; i++) {
		json_int_t cpu = json_integer_value(json_array_get(cpus, i));

		if (!json_is_integer(json_array_get(cpus, i)) || cpu < 0 || cpu >= r->m->nr_cpus)
			return error_set(r->err, EINVAL, "boot: offline has what is no CPU");
		boot->offlined[boot->nr_offlined++] = (unsigned int)cpu;
	}
	return 0;
}

static int read_boot(struct json_reader *r, json_t *item)
{
	struct machine_boot *boot = &r->m->boot;
	int maxcpus = 0, relax = -1, nosmt = 0, ret;
	const char *isolated = "";
	json_t *offline = NULL;
	json_error_t why;

	if (!item)
		return 0;
	if (json_unpack_ex(item, &why, 0, "{s?s,s?i,s?b,s?i,s?o!}", "isolcpus", &isolated,
			   "maxcpus", &maxcpus, "nosmt", &nosmt, "relax_domain_level", &relax,
			   "offline", &offline))
		return error_set(r->err, EINVAL, "boot: %s", why.text);
	if (maxcpus < 0 || relax < -1 || maxcpus > MACHINE_MAX_CPUS || relax > MACHINE_MAX_CPUS)
		return error_set(r->err, EINVAL, "boot: a number that can't be");
	boot->maxcpus = (unsigned int)maxcpus;
	boot->nosmt = nosmt;
	boot->relax_level = relax;
	ret = list_of(&boot->isolated, r, "boot", isolated);
	return ret ? ret : read_offline(r, offline);
}

/* The machine's own members; what they hold is read by the functions above. */
struct members {
	const char *name, *arch, *vendor, *possible, *present, *online;
	int smt, itmt, average_remote, has_numa, nodes_per_package, reclaim_distance;
	json_t *boot, *cpu, *share, *nodes, *distances, *caches;
};

static int unpack_members(struct members *in, json_t *root, struct error *err)
{
	json_error_t why;

	/* what --format json prints has it as a member */
	if (json_is_object(json_object_get(root, "machine")))
		root = json_object_get(root, "machine");
	if (json_unpack_ex(root, &why, 0,
			   "{s?s,s?s,s?s,s:s,s?s,s?s,s?b,s?b,s?b,s?i,s?i,s?b,s?o,s?o,s?o,s?o,s?o,"
			   "s?o!}",
			   "name", &in->name, "arch", &in->arch, "vendor", &in->vendor, "possible",
			   &in->possible, "present", &in->present, "online", &in->online, "smt",
			   &in->smt, "itmt", &in->itmt, "average_remote", &in->average_remote,
			   "nodes_per_package", &in->nodes_per_package, "reclaim_distance",
			   &in->reclaim_distance, "has_numa", &in->has_numa, "boot", &in->boot,
			   "cpu", &in->cpu, "share", &in->share, "nodes", &in->nodes, "distances",
			   &in->distances, "caches", &in->caches))
		return error_set(err, EINVAL, "machine: %s", why.text);
	return 0;
}

static int make_machine(struct json_reader *r, const struct members *in,
			const struct source_opts *opts)
{
	struct cpumask mask = { 0 };
	unsigned int cpu, nr_cpus = 0;
	int ret = cpumask_parse(&mask, in->possible, r->err);

	if (!ret)
		cpumask_for_each (cpu, &mask)
			nr_cpus = cpu + 1;
	cpumask_release(&mask);
	if (!ret && !nr_cpus)
		ret = error_set(r->err, EINVAL, "no CPU in this machine");
	if (ret)
		return ret;
	r->m = machine_new(nr_cpus);
	machine_told_init(&r->told, r->m);
	r->m->arch = opts->release->arch;
	if (in->arch && !opts->arch_known)
		ret = machine_arch_parse(&r->m->arch, in->arch, r->err);
	if (!ret)
		ret = list_of(&r->m->possible, r, "possible", in->possible);
	r->m->present = r->m->online = r->m->possible;
	if (!ret && in->present)
		ret = list_of(&r->m->present, r, "present", in->present);
	if (!ret)
		ret = list_of(&r->m->online, r, "online",
			      in->online    ? in->online
			      : in->present ? in->present
					    : in->possible);
	return ret;
}

static int set_values(struct json_reader *r, const struct members *in)
{
	struct machine *m = r->m;

	if (in->vendor && strcmp(in->vendor, "intel") && strcmp(in->vendor, "amd"))
		return error_set(r->err, EINVAL, "vendor is neither intel nor amd");
	if (in->nodes_per_package < 0 || in->nodes_per_package > MACHINE_MAX_NODES ||
	    in->reclaim_distance < 0 || in->reclaim_distance > MACHINE_MAX_NODES)
		return error_set(r->err, EINVAL,
				 "nodes_per_package or reclaim_distance: not from 0 to %d",
				 MACHINE_MAX_NODES);
	if (in->vendor)
		m->vendor = *in->vendor == 'a' ? VENDOR_AMD : VENDOR_INTEL;
	m->name = in->name ? xstrdup(in->name) : NULL;
	m->smt = in->smt;
	m->itmt = in->itmt;
	m->average_remote = in->average_remote;
	m->nodes_per_package = (unsigned int)in->nodes_per_package;
	m->reclaim_distance = (unsigned int)in->reclaim_distance;
	m->has_numa = in->has_numa < 0 ? in->nodes != NULL : in->has_numa;
	return 0;
}

static int each(struct json_reader *r, const json_t *array, const char *key,
		int (*read)(struct json_reader *, size_t, json_t *))
{
	size_t i, n = json_array_size(array);
	int ret = 0;

	if (array && !json_is_array(array))
		return error_set(r->err, EINVAL, "%s is no array", key);
	for (i = 0; i < n && !ret; i++)
		ret = read(r, i, json_array_get(array, i));
	return ret;
}

static int read_nodes(struct json_reader *r, const json_t *nodes)
{
	size_t nr = json_array_size(nodes);

	if (nr > MACHINE_MAX_NODES)
		return error_set(r->err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
	if (nr)
		machine_set_nodes(r->m, (unsigned int)nr);
	return each(r, nodes, "nodes", read_node);
}

static int read_machine(struct json_reader *r, json_t *root, const struct source_opts *opts)
{
	struct members in = { .has_numa = -1 };
	int ret = unpack_members(&in, root, r->err);

	if (!ret)
		ret = make_machine(r, &in, opts);
	if (!ret)
		ret = set_values(r, &in);
	if (!ret)
		ret = read_nodes(r, in.nodes);
	if (!ret)
		ret = read_distances(r, in.distances);
	if (!ret)
		ret = each(r, in.cpu, "cpu", read_cpu);
	if (!ret)
		ret = read_shares(r, in.share);
	if (!ret)
		ret = each(r, in.caches, "caches", read_cache);
	if (!ret)
		ret = read_boot(r, in.boot);
	return ret ? ret : machine_finish(r->m, r->err);
}

int machine_json_parse(struct machine **m, const char *text, size_t len,
		       const struct source_opts *opts, struct error *err)
{
	struct json_reader r = { .err = err };
	json_error_t why;
	json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	int ret;

	if (!root)
		return error_set(err, EINVAL, "line %d: %s", why.line, why.text);
	ret = read_machine(&r, root, opts);
	json_decref(root);
	if (r.m)
		machine_told_release(&r.told);
	if (ret)
		machine_free(r.m);
	else
		*m = r.m;
	return ret;
}
