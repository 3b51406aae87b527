// SPDX-License-Identifier: GPL-2.0-only
/* topo/siblings.c - what an x86 kernel says of CPUs that share something across nodes. */
#include "topo/domains_build.h"

#include "topo/threads.h"

#include "base/mem.h"

#include <stdlib.h>

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

/* By the number of the second level of cache where the set was already taken apart. */
static bool same_l2(const struct machine *m, unsigned int a, unsigned int b)
{
	const struct machine_cpu *x = &m->cpu[a], *y = &m->cpu[b];

	if (x->share[SHARE_CLUSTER] && cset_test(x->share[SHARE_CLUSTER], b))
		return true;
	return x->cluster >= 0 && x->cluster == y->cluster && x->package == y->package;
}

/*
 * What two CPUs share though they are in different nodes, in the order in which the kernel asks. Intel's
 * sub-NUMA clusters share the last cache across nodes by design, so there it is passed over.
 */
static const char *shared_across(const struct domain_tree *tree, unsigned int cpu,
				 unsigned int other)
{
	const struct machine *m = tree->machine;
	const struct cset *llc = machine_llc(m, cpu);

	if (threads_same_core(m, cpu, other))
		return "smt";
	if (m->vendor == VENDOR_AMD)
		return llc && cset_test(llc, other) ? "llc" : NULL;
	return tree->release.topo_l2_siblings && same_l2(m, cpu, other) ? "l2c" : NULL;
}

static bool complain_cpu(struct domain_tree *tree, unsigned int cpu, const struct cbits *up)
{
	const struct machine *m = tree->machine;
	const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];
	unsigned int other;

	if (!package || cset_subset(package, m->node[m->cpu[cpu].node].cpus))
		return false;
	cset_for_each (other, package) {
		const char *what;

		if (!cbits_test(up, other) || m->cpu[cpu].node == m->cpu[other].node)
			continue;
		what = shared_across(tree, cpu, other);
		if (!what)
			continue;
		x86_sibling(tree, cpu, other, what);
		return true;
	}
	return false;
}

/* Where nodes are counted and there is one a package, a package in two nodes is a surprise. */
static bool complain_package(struct domain_tree *tree, unsigned int cpu, const struct cbits *up)
{
	const struct machine *m = tree->machine;
	const struct cset *package = m->cpu[cpu].share[SHARE_PACKAGE];
	unsigned int other;

	if (!package || cset_subset(package, m->node[m->cpu[cpu].node].cpus))
		return false;
	cset_for_each (other, package)
		if (cbits_test(up, other) && m->cpu[cpu].node != m->cpu[other].node) {
			complaints_add(&tree->complaints, COMPLAINT_PACKAGE_NODE, cpu,
				       "WARNING: arch/x86/kernel/smpboot.c at "
				       "set_cpu_sibling_map, CPU#%u",
				       cpu);
			return true;
		}
	return false;
}

void domains_complain_siblings(struct domain_tree *tree)
{
	bool package =
		!tree->release.topo_counted_nodes || machine_nodes_per_package(tree->machine) > 1;
	bool sibling = false;
	unsigned int *order;
	struct cbits *up;

	if (tree->release.arch != ARCH_X86)
		return;
	order = xcalloc(tree->up->weight, sizeof(*order));
	up = cbits_new(tree->machine->pool);
	bring_up_order(order, tree->machine, &tree->release, tree->up);
	/* as the CPUs come up one by one, each is held against those that are up; each warning once a boot */
	for (unsigned int i = 0; i < tree->up->weight && !(package && sibling); i++) {
		package = package || complain_package(tree, order[i], up);
		sibling = sibling || complain_cpu(tree, order[i], up);
		cbits_set(up, order[i]);
	}
	cbits_free(up);
	free(order);
}
