// SPDX-License-Identifier: GPL-2.0-only
/* topo/print_compact.c - each distinct tree once; the machine in some lines; JSON. */
#include "topo/machine_json.h"
#include "topo/print.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct domain *base_of(const struct hotplug *state, unsigned int cpu)
{
	const struct domain_tree *tree = hotplug_tree(state, cpu);

	return tree ? tree->base[cpu] : NULL;
}

/*
 * CPUs look alike if their levels have the same names, sizes, flags and numbers of groups: then one of them
 * stands for all.
 */
static bool alike(const struct domain *a, const struct domain *b)
{
	for (; a && b; a = a->parent, b = b->parent)
		if (a->table != b->table || a->flags != b->flags || a->weight != b->weight ||
		    a->span->weight != b->span->weight || a->ring->nr != b->ring->nr)
			return false;
	return !a && !b;
}

static void compact_domain(const struct domain_tree *tree, const struct domain *sd,
			   struct strbuf *sb)
{
	strbuf_addf(sb, "  %-5s ", domain_name(tree, sd));
	cset_print(sd->span, sb);
	strbuf_addf(sb, ": %u CPUs, %u groups, every %u to %u ms", sd->span->weight, sd->ring->nr,
		    sd->weight, 2 * sd->weight);
	if (sd->imb_numa_nr)
		strbuf_addf(sb, ", imbalance %u", sd->imb_numa_nr);
	for (unsigned int bit = 0; bit < NR_SD_FLAGS; bit++)
		if (sd->flags & 1u << bit && bit > 4)
			strbuf_addf(sb, " %s", sd_flag_name(bit, &tree->release) + 3);
	strbuf_addch(sb, '\n');
}

void print_compact(const struct hotplug *state, struct strbuf *sb)
{
	struct cset_pool *pool = state->machine->pool;
	struct cbits *bits = cbits_new(pool);
	const struct cset *left = state->machine->possible;
	unsigned int cpu;

	while (left->weight) {
		const struct domain *first = base_of(state, left->first), *sd;

		cbits_zero(bits);
		cset_for_each (cpu, left)
			if (alike(first, base_of(state, cpu)))
				cbits_set(bits, cpu);
		strbuf_addstr(sb, "CPUs ");
		cset_print(cset_intern(pool, bits), sb);
		strbuf_addf(sb, first ? "; CPU %u:\n" : ": no domain\n", left->first);
		for (sd = first; sd; sd = sd->parent)
			compact_domain(hotplug_tree(state, left->first), sd, sb);
		left = cset_andnot(pool, left, cset_intern(pool, bits));
	}
	cbits_free(bits);
}

static unsigned int distinct(const struct machine *m, enum machine_share share)
{
	unsigned int cpu, n = 0;

	cset_for_each (cpu, m->possible)
		n += m->cpu[cpu].share[share] && m->cpu[cpu].share[share]->first == cpu;
	return n;
}

void print_machine(const struct machine *m, struct strbuf *sb)
{
	static const struct {
		enum machine_share share;
		const char *one, *many;
	} counts[] = {
		{ SHARE_PACKAGE, "package", "packages" },
		{ SHARE_DIE, "die", "dies" },
		{ SHARE_LLC, "last-level cache", "last-level caches" },
		{ SHARE_CLUSTER, "cluster or L2 cache", "clusters or L2 caches" },
		{ SHARE_THREADS, "core", "cores" },
	};

	strbuf_addf(sb, "%s: %s, %u %s (%u online), %u node%s", m->name ? m->name : "machine",
		    machine_arch_name(m->arch), m->possible->weight,
		    m->possible->weight == 1 ? "CPU" : "CPUs", m->online->weight, m->nr_nodes,
		    m->nr_nodes == 1 ? "" : "s");
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		unsigned int nr = distinct(m, counts[i].share);

		if (nr)
			strbuf_addf(sb, ", %u %s", nr, nr == 1 ? counts[i].one : counts[i].many);
	}
	strbuf_addch(sb, '\n');
}

static void json_set(struct json_out *out, const char *key, const struct cset *set)
{
	struct strbuf text = { 0 };

	cset_print(set, &text);
	json_out_str(out, key, strbuf_str(&text));
	strbuf_release(&text);
}

static void json_domain(const struct domain_tree *tree, const struct domain *sd,
			struct json_out *out)
{
	json_out_object(out, NULL);
	json_out_str(out, "name", domain_name(tree, sd));
	json_set(out, "span", sd->span);
	json_out_int(out, "level", sd->level);
	json_out_int(out, "min_interval", sd->weight);
	json_out_int(out, "max_interval", 2 * (int64_t)sd->weight);
	json_out_int(out, "imbalance_pct", domain_imbalance_pct(sd));
	json_out_int(out, "imb_numa_nr", sd->imb_numa_nr);
	json_out_array(out, "flags");
	for (unsigned int bit = 0; bit < NR_SD_FLAGS; bit++)
		if (sd->flags & 1u << bit)
			json_out_str(out, NULL, sd_flag_name(bit, &tree->release));
	json_out_end_array(out);
	json_out_array(out, "groups");
	for (unsigned int i = 0; i < sd->ring->nr; i++) {
		const struct group *g = domain_group(sd, i);

		json_out_object(out, NULL);
		json_out_int(out, "id", g->id);
		json_set(out, "span", g->span);
		json_set(out, "balance", g->balance);
		json_out_int(out, "capacity", g->capacity);
		json_out_end_object(out);
	}
	json_out_end_array(out);
	json_out_end_object(out);
}

void print_json(const struct hotplug *state, struct json_out *out)
{
	unsigned int cpu;

	json_out_object(out, NULL);
	machine_json(state->machine, "machine", out);
	json_out_array(out, "complaints");
	for (unsigned int t = 0; t < state->nr_trees; t++)
		for (unsigned int i = 0; i < state->tree[t]->complaints.nr; i++)
			json_out_str(out, NULL, state->tree[t]->complaints.list[i].text);
	json_out_end_array(out);
	json_out_array(out, "cpus");
	cset_for_each (cpu, state->machine->possible) {
		const struct domain *sd = base_of(state, cpu);

		json_out_object(out, NULL);
		json_out_int(out, "cpu", cpu);
		json_out_array(out, "domains");
		for (; sd; sd = sd->parent)
			json_domain(hotplug_tree(state, cpu), sd, out);
		json_out_end_array(out);
		json_out_end_object(out);
	}
	json_out_end_array(out);
	json_out_end_object(out);
}
