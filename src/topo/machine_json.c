// SPDX-License-Identifier: GPL-2.0-only
#include "topo/machine_json.h"

#include "topo/machine_short.h"

static void put_set(struct json_out *out, const char *key, const struct cset *set)
{
	struct strbuf text = { 0 };

	cset_print(set, &text);
	json_out_str(out, key, strbuf_str(&text));
	strbuf_release(&text);
}

static void put_known(struct json_out *out, const char *key, int number)
{
	if (number >= 0)
		json_out_int(out, key, number);
}

static void put_cpus(struct json_out *out, const struct machine *m)
{
	unsigned int cpu;

	json_out_array(out, "cpu");
	cset_for_each (cpu, m->possible) {
		const struct machine_cpu *c = &m->cpu[cpu];

		json_out_object(out, NULL);
		json_out_int(out, "cpu", cpu);
		put_known(out, "package", c->package);
		put_known(out, "die", c->die);
		put_known(out, "cluster", c->cluster);
		put_known(out, "core", c->core);
		json_out_int(out, "node", m->node[c->node].id);
		json_out_int(out, "capacity", c->capacity);
		put_known(out, "llc_level", c->llc_level ? (int)c->llc_level : -1);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

/* Sets of CPUs; "of" where not all of them, or others too, see it so. A core of one thread goes without saying. */
static void put_share(struct json_out *out, const struct machine *m, enum machine_share share)
{
	const struct cset *left = m->possible, *held;

	json_out_array(out, machine_share_name(share));
	while (left->weight) {
		const struct cset *set = machine_next_share(m, share, &left, &held);

		if (!set || (share == SHARE_THREADS && set->weight == 1 && set == held))
			continue;
		json_out_object(out, NULL);
		put_set(out, "cpus", set);
		if (set != held)
			put_set(out, "of", held);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void put_nodes(struct json_out *out, const struct machine *m)
{
	json_out_array(out, "nodes");
	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		json_out_object(out, NULL);
		json_out_int(out, "id", m->node[i].id);
		json_out_bool(out, "has_memory", m->node[i].has_memory);
		json_out_int(out, "mem_kb", (int64_t)m->node[i].mem_kb);
		put_set(out, "cpus", m->node[i].cpus);
		json_out_end_object(out);
	}
	json_out_end_array(out);
	json_out_array(out, "distances");
	for (unsigned int i = 0; i < m->nr_nodes; i++) {
		json_out_array(out, NULL);
		for (unsigned int j = 0; j < m->nr_nodes; j++)
			json_out_int(out, NULL, machine_distance(m, i, j));
		json_out_end_array(out);
	}
	json_out_end_array(out);
}

static void put_caches(struct json_out *out, const struct machine *m)
{
	json_out_array(out, "caches");
	for (unsigned int i = 0; i < m->nr_caches; i++) {
		const struct machine_cache *c = &m->cache[i];

		json_out_object(out, NULL);
		json_out_int(out, "level", c->level);
		json_out_str(out, "type", machine_cache_type(c));
		json_out_int(out, "size_kb", (int64_t)c->size_kb);
		put_set(out, "cpus", c->cpus);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void put_boot(struct json_out *out, const struct machine_boot *boot)
{
	json_out_object(out, "boot");
	put_set(out, "isolcpus", boot->isolated);
	json_out_int(out, "maxcpus", boot->maxcpus);
	json_out_bool(out, "nosmt", boot->nosmt);
	json_out_int(out, "relax_domain_level", boot->relax_level);
	json_out_array(out, "offline");
	for (unsigned int i = 0; i < boot->nr_offlined; i++)
		json_out_int(out, NULL, boot->offlined[i]);
	json_out_end_array(out);
	json_out_end_object(out);
}

void machine_json(const struct machine *m, const char *key, struct json_out *out)
{
	json_out_object(out, key);
	if (m->name)
		json_out_str(out, "name", m->name);
	json_out_str(out, "arch", machine_arch_name(m->arch));
	if (m->vendor != VENDOR_UNKNOWN)
		json_out_str(out, "vendor", m->vendor == VENDOR_AMD ? "amd" : "intel");
	put_set(out, "possible", m->possible);
	put_set(out, "present", m->present);
	put_set(out, "online", m->online);
	json_out_bool(out, "smt", m->smt);
	json_out_bool(out, "itmt", m->itmt);
	json_out_bool(out, "average_remote", m->average_remote);
	json_out_int(out, "nodes_per_package", m->nodes_per_package);
	json_out_int(out, "reclaim_distance", m->reclaim_distance);
	json_out_bool(out, "has_numa", m->has_numa);
	put_boot(out, &m->boot);
	put_cpus(out, m);
	json_out_object(out, "share");
	for (unsigned int i = 0; i < NR_SHARES; i++)
		put_share(out, m, (enum machine_share)i);
	json_out_end_object(out);
	put_nodes(out, m);
	put_caches(out, m);
	json_out_end_object(out);
}
