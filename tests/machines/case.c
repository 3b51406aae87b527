// SPDX-License-Identifier: GPL-2.0-only
#include "case.h"

#include "topo/print.h"
#include "topo/source.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

struct built build_bytes(const char *text, size_t len, enum machine_arch arch, const char *kernel,
			 const char *config)
{
	struct built b = { 0 };
	struct source_opts opts = { .release = &b.release, .arch_known = true };
	struct error err = { 0 };

	if (release_parse(&b.release, kernel, arch, &err) ||
	    (config && release_config(&b.release, config, &err)) ||
	    source_text(&b.m, text, len, "case", &opts, &err))
		fail_msg("%s", err.text);
	b.tree = domains_build(b.m, &b.release, b.m->online, b.m->online);
	return b;
}

struct built build(const char *text, enum machine_arch arch, const char *kernel, const char *config)
{
	return build_bytes(text, strlen(text), arch, kernel, config);
}

void built_free(struct built *b)
{
	domain_tree_free(b->tree);
	machine_free(b->m);
}

static void assert_text(struct strbuf *sb, const char *want)
{
	assert_string_equal(strbuf_str(sb), want);
	strbuf_release(sb);
}

void assert_levels(const struct built *b, unsigned int cpu, const char *want)
{
	struct strbuf sb = { 0 };

	for (const struct domain *sd = b->tree->base[cpu]; sd; sd = sd->parent) {
		strbuf_addf(&sb, "%s%s ", sb.len ? ", " : "", domain_name(b->tree, sd));
		cset_print(sd->span, &sb);
	}
	assert_text(&sb, want);
}

void assert_ring(const struct built *b, unsigned int cpu, unsigned int depth, const char *want)
{
	const struct domain *sd = b->tree->base[cpu];
	struct strbuf sb = { 0 };

	while (depth--)
		sd = sd->parent;
	for (unsigned int i = 0; i < sd->ring->nr; i++) {
		const struct group *g = domain_group(sd, i);

		strbuf_addstr(&sb, i ? " {" : "{");
		cset_print(g->span, &sb);
		if (g->balance != g->span) {
			strbuf_addstr(&sb, " mask ");
			cset_print(g->balance, &sb);
		}
		strbuf_addch(&sb, '}');
	}
	assert_text(&sb, want);
}

void assert_distances(const struct built *b, const char *want)
{
	const struct numa_levels *numa = &b->tree->levels.numa;
	struct strbuf sb = { 0 };

	for (unsigned int i = 0; i < numa->nr; i++)
		strbuf_addf(&sb, "%s%u", i ? " " : "", numa->distance[i]);
	assert_text(&sb, want);
}

/* Numbers of the nodes whose CPUs are all in a set. */
static void print_nodes(const struct built *b, const struct cset *cpus, struct strbuf *sb)
{
	struct cpumask nodes = { 0 };

	for (unsigned int i = 0; i < b->m->nr_nodes; i++)
		if (b->m->node[i].cpus->weight && cset_subset(b->m->node[i].cpus, cpus))
			cpumask_set(&nodes, b->m->node[i].id);
	cpumask_print(&nodes, sb);
	cpumask_release(&nodes);
}

void assert_reach(const struct built *b, unsigned int node, const char *want)
{
	const struct numa_levels *numa = &b->tree->levels.numa;
	const struct cset *last = NULL;
	struct strbuf sb = { 0 };

	for (unsigned int i = 0; i < numa->nr; i++) {
		const struct cset *mask = numa->node_mask[i * b->m->nr_nodes + node];

		if (i && mask != last) {
			strbuf_addstr(&sb, sb.len ? " {" : "{");
			print_nodes(b, mask, &sb);
			strbuf_addch(&sb, '}');
		}
		last = mask;
	}
	assert_text(&sb, want);
}

void assert_complaints(const struct built *b, enum complaint_kind kind, unsigned int want)
{
	assert_int_equal(complaints_count(&b->tree->complaints, kind), want);
}

void assert_said(const struct built *b, const char *words, unsigned int want)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < b->tree->complaints.nr; i++)
		if (strstr(b->tree->complaints.list[i].text, words))
			n += b->tree->complaints.list[i].times;
	assert_int_equal(n, want);
}

char *dump(const struct built *b)
{
	struct strbuf sb = { 0 };

	print_dump(b->tree, &sb);
	return strbuf_take(&sb);
}
