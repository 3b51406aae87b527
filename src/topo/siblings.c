// SPDX-License-Identifier: GPL-2.0-only
/* topo/siblings.c - what an x86 kernel says of CPUs that share something across nodes. */
#include "topo/domains_build.h"

#include <string.h>

static void x86_sibling(struct domain_tree *tree, unsigned int cpu, unsigned int other,
			const char *what)
{
	const struct machine *m = tree->machine;

	complaints_add(&tree->complaints, COMPLAINT_SIBLING, cpu,
		       "sched: CPU #%u's %s-sibling CPU #%u is not on the same node! "
		       "[node: %u != %u]. Ignoring dependency.",
		       cpu, what, other, m->node[m->cpu[cpu].node].id,
		       m->node[m->cpu[other].node].id);
}

/*
 * Two threads of a core by their numbers, where the siblings were already taken apart. AMD's older models
 * number their cores anew in each node of a package: equal numbers say nothing there.
 */
static bool same_core(const struct machine *m, unsigned int a, unsigned int b)
{
	const struct machine_cpu *x = &m->cpu[a], *y = &m->cpu[b];

	if (cset_test(x->share[SHARE_THREADS], b))
		return true;
	return m->vendor != VENDOR_AMD && x->core >= 0 && x->core == y->core && x->package >= 0 &&
	       x->package == y->package && x->die == y->die && x->cluster == y->cluster;
}

/*
 * As the CPUs come up one by one, each is held against those that are up. One warning a boot. Intel's
 * sub-NUMA clusters share a cache across nodes by design, so there is none for the cache.
 */
static void complain_siblings(struct domain_tree *tree)
{
	const struct machine *m = tree->machine;
	unsigned int cpu, other;

	cset_for_each (cpu, tree->up) {
		const struct cset *llc = m->cpu[cpu].share[SHARE_LLC];
		const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];

		if (!package || cset_subset(package, m->node[m->cpu[cpu].node].cpus))
			continue;
		for (other = package->first; other < cpu; other = cset_next(package, other + 1)) {
			if (!cset_test(tree->up, other) || m->cpu[cpu].node == m->cpu[other].node)
				continue;
			if (same_core(m, cpu, other)) {
				x86_sibling(tree, cpu, other, "smt");
				return;
			}
			if (m->vendor == VENDOR_AMD && llc && cset_test(llc, other)) {
				x86_sibling(tree, cpu, other, "llc");
				return;
			}
		}
	}
}

/* Where nodes are counted and there is one a package, a package in two nodes is a surprise. */
static void complain_package(struct domain_tree *tree)
{
	const struct machine *m = tree->machine;
	unsigned int cpu;

	for (unsigned int i = 0; i < tree->levels.nr; i++) {
		if (strcmp(tree->levels.level[i].name, "PKG"))
			continue;
		cset_for_each (cpu, tree->up) {
			const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];
			unsigned int other = package ? package->first : CSET_END;

			for (; other < cpu; other = cset_next(package, other + 1)) {
				if (!cset_test(tree->up, other) ||
				    m->cpu[other].node == m->cpu[cpu].node)
					continue;
				complaints_add(&tree->complaints, COMPLAINT_PACKAGE_NODE, cpu,
					       "WARNING: arch/x86/kernel/smpboot.c at "
					       "set_cpu_sibling_map, CPU#%u",
					       cpu);
				return;
			}
		}
	}
}

void domains_complain_siblings(struct domain_tree *tree)
{
	if (tree->release.arch != ARCH_X86)
		return;
	complain_siblings(tree);
	if (tree->release.topo_counted_nodes)
		complain_package(tree);
}
