// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines that people reported to kernel developers, as they described them, with what the kernels of the
 * time made of them and what those after the fix do. Spans at a distance are worked out by hand from the
 * rows: node j is in reach of node i at level d if their distance is at most d.
 */
#include "case.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char x4600[] =
	"cpus 32\nshare llc 0-3 step 4 times 8\nshare package 0-3 step 4 times 8\n"
	"node 0-7 ? 0-3 step 4\n"
	"distance 0 10 12 12 14 14 14 14 16\n"
	"distance 1 12 10 14 12 14 14 12 14\n"
	"distance 2 12 14 10 14 12 12 14 14\n"
	"distance 3 14 12 14 10 12 12 14 14\n"
	"distance 4 14 14 12 12 10 14 12 14\n"
	"distance 5 14 14 12 12 14 10 14 12\n"
	"distance 6 14 12 14 14 12 14 10 12\n"
	"distance 7 16 14 14 14 14 12 12 10\n";

/* T1: three hops. Only 5.11 and 5.12, between the warning (b5b217346de8) and the fix, say so. */
static void test_x4600_warns_between_warning_and_fix(void **state)
{
	unsigned int major = RELEASE_FIRST_MAJOR, minor = RELEASE_FIRST_MINOR;
	char kernel[16];

	(void)state;
	do {
		bool warned = major == 5 && (minor == 11 || minor == 12);
		struct built b;

		snprintf(kernel, sizeof(kernel), "%u.%u", major, minor);
		b = build(x4600, ARCH_X86, kernel, NULL);
		assert_distances(&b, "10 12 14 16");
		assert_int_equal(b.tree->levels.numa.type, NUMA_GLUELESS_MESH);
		assert_reach(&b, 0, "{0-2} {0-6} {0-7}");
		assert_reach(&b, 1, "{0-1,3,6} {0-7}");
		assert_reach(&b, 7, "{5-7} {1-7} {0-7}");
		assert_said(&b, "Shortest NUMA path spans too many nodes", warned);
		assert_int_equal(b.tree->failed, false);
		built_free(&b);
	} while (release_next(&major, &minor));
}

/* The command of the fix, 585b6d2723dc, in a year whose QEMU told of no clusters. */
static const char three_hops[] = "# qemu 5.2 qemu-system-aarch64\n"
				 "qemu-system-aarch64 -M virt -nographic \\\n"
				 " -smp cpus=8 \\\n"
				 " -numa node,cpus=0-1,nodeid=0 \\\n"
				 " -numa node,cpus=2-3,nodeid=1 \\\n"
				 " -numa node,cpus=4-5,nodeid=2 \\\n"
				 " -numa node,cpus=6-7,nodeid=3 \\\n"
				 " -numa dist,src=0,dst=1,val=12 \\\n"
				 " -numa dist,src=0,dst=2,val=20 \\\n"
				 " -numa dist,src=0,dst=3,val=22 \\\n"
				 " -numa dist,src=1,dst=2,val=22 \\\n"
				 " -numa dist,src=2,dst=3,val=12 \\\n"
				 " -numa dist,src=1,dst=3,val=24 \\\n"
				 " -m 4G -cpu cortex-a57\n";

/* T2: the groups of node 0's third level, with CPUs from outside of it before the fix. */
static void test_three_hops_groups_leave_the_span_before_the_fix(void **state)
{
	struct built b = build(three_hops, ARCH_ARM64, "5.12", NULL);
	char *text = dump(&b);

	(void)state;
	assert_levels(&b, 0, "MC 0-1, NUMA 0-3, NUMA 0-5, NUMA 0-7");
	assert_ring(&b, 0, 1, "{0-1} {2-3}");
	assert_ring(&b, 0, 2, "{0-3} {4-7}");
	assert_non_null(strstr(text, "ERROR: groups don't span domain->span"));
	free(text);
	built_free(&b);
}

static void test_three_hops_groups_stay_inside_after_the_fix(void **state)
{
	static const char *const kernels[] = { "5.13", "5.15", "6.12", "7.3" };

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct built b = build(three_hops, ARCH_ARM64, kernels[i], NULL);
		char *text = dump(&b);

		assert_levels(&b, 0, "MC 0-1, NUMA 0-3, NUMA 0-5, NUMA 0-7");
		assert_ring(&b, 0, 2, "{0-3} {4-5}");
		assert_ring(&b, 0, 3, "{0-5 mask 0-1} {4-7 mask 6-7}");
		assert_null(strstr(text, "ERROR"));
		free(text);
		built_free(&b);
	}
}

static const char snc3[] =
	"cpus 12\nshare package 0-5 step 6 times 2\nshare llc 0-1 step 2 times 6\n"
	"average_remote y\n"
	"node 0-5 ? 0-1 step 2\n"
	"distance 0 10 15 17 21 28 26\n"
	"distance 1 15 10 15 23 26 23\n"
	"distance 2 17 15 10 26 23 21\n"
	"distance 3 21 28 26 10 15 17\n"
	"distance 4 23 26 23 15 10 15\n"
	"distance 5 26 23 21 17 15 10\n";

/*
 * T4: (0,4) is 28 one way and 23 the other, (1,3) 23 and 28. The eighteen distances between the sockets sum
 * up to 434: 24 each.
 */
static void test_granite_rapids_is_asymmetric_as_told(void **state)
{
	struct built b = build(snc3, ARCH_X86, "6.17", NULL);
	char *text = dump(&b);

	(void)state;
	assert_reach(&b, 0, "{0-1} {0-2} {0-3} {0-3,5} {0-5}");
	assert_reach(&b, 4, "{3-5} {0,2-5} {0-5}");
	assert_complaints(&b, COMPLAINT_ASYMMETRIC, 1);
	assert_non_null(strstr(text, "Node-distance not symmetric"));
	free(text);
	built_free(&b);
}

static void test_granite_rapids_is_symmetric_averaged(void **state)
{
	struct built b = build(snc3, ARCH_X86, "6.19", NULL);

	(void)state;
	assert_distances(&b, "10 15 17 24");
	assert_reach(&b, 0, "{0-1} {0-2} {0-5}");
	assert_reach(&b, 4, "{3-5} {0-5}");
	assert_complaints(&b, COMPLAINT_ASYMMETRIC, 0);
	built_free(&b);
}

/* The command of the fix; distances to a lower node are told as well there, and are the same. */
static const char five_nodes[] = "qemu-system-x86_64 -enable-kvm -cpu host \\\n"
				 "  -m 20G -smp cpus=10,sockets=10 -machine q35 \\\n"
				 "  -object memory-backend-ram,size=4G,id=m0 \\\n"
				 "  -object memory-backend-ram,size=4G,id=m1 \\\n"
				 "  -object memory-backend-ram,size=4G,id=m2 \\\n"
				 "  -object memory-backend-ram,size=4G,id=m3 \\\n"
				 "  -object memory-backend-ram,size=4G,id=m4 \\\n"
				 "  -numa node,cpus=0-1,memdev=m0,nodeid=0 \\\n"
				 "  -numa node,cpus=2-3,memdev=m1,nodeid=1 \\\n"
				 "  -numa node,cpus=4-5,memdev=m2,nodeid=2 \\\n"
				 "  -numa node,cpus=6-7,memdev=m3,nodeid=3 \\\n"
				 "  -numa node,cpus=8-9,memdev=m4,nodeid=4 \\\n"
				 "  -numa dist,src=0,dst=1,val=39 \\\n"
				 "  -numa dist,src=0,dst=2,val=38 \\\n"
				 "  -numa dist,src=0,dst=3,val=37 \\\n"
				 "  -numa dist,src=0,dst=4,val=36 \\\n"
				 "  -numa dist,src=1,dst=2,val=38 \\\n"
				 "  -numa dist,src=1,dst=3,val=37 \\\n"
				 "  -numa dist,src=1,dst=4,val=36 \\\n"
				 "  -numa dist,src=2,dst=3,val=37 \\\n"
				 "  -numa dist,src=2,dst=4,val=36 \\\n"
				 "  -numa dist,src=3,dst=4,val=36 \\\n"
				 "  ...\n";

/*
 * T5: CPU 9, the last to be built, has one NUMA level, so 6.16 takes the masks of that level for NODE's:
 * CPU 0's is that of nodes 0 and 4, which CPU 8's, all CPUs, overlaps in part.
 */
static void test_five_nodes_fail_with_the_stale_index(void **state)
{
	struct built b = build(five_nodes, ARCH_X86, "v6.16-rc1", NULL);
	const struct cset *node0;
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(b.tree->failed, true);
	assert_complaints(&b, COMPLAINT_SPAN, 1);
	assert_said(&b, "build_sched_domains", 1);
	assert_string_equal(b.tree->levels.level[b.tree->failed_level].name, "NODE");
	node0 = b.tree->levels.numa.node_mask[1 * b.m->nr_nodes];
	cset_print(node0, &sb);
	assert_string_equal(strbuf_str(&sb), "0-1,8-9");
	strbuf_release(&sb);
	assert_null(b.tree->base[0]);
	built_free(&b);
}

static void test_five_nodes_are_clean_else(void **state)
{
	static const char *const kernels[] = { "6.12", "6.15", "6.18", "7.3" };

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct built b = build(five_nodes, ARCH_X86, kernels[i], NULL);

		assert_int_equal(b.tree->failed, false);
		assert_int_equal(b.tree->complaints.nr, 0);
		assert_reach(&b, 0, "{0,4} {0,3-4} {0,2-4} {0-4}");
		assert_reach(&b, 4, "{0-4}");
		built_free(&b);
	}
}

static const char optane[] = "available: 4 nodes (0-3)\n"
			     "node 0 cpus: 0 1 2 3\nnode 0 size: 96000 MB\nnode 0 free: 90000 MB\n"
			     "node 1 cpus: 4 5 6 7\nnode 1 size: 96000 MB\nnode 1 free: 90000 MB\n"
			     "node 2 cpus:\nnode 2 size: 126000 MB\nnode 2 free: 125000 MB\n"
			     "node 3 cpus:\nnode 3 size: 126000 MB\nnode 3 free: 125000 MB\n"
			     "node distances:\nnode   0   1   2   3\n"
			     "  0:  10  21  17  28\n  1:  21  10  28  17\n"
			     "  2:  17  28  10  28\n  3:  28  17  28  10\n";

/* T6: persistent memory as nodes without CPUs. From 5.18 on they make no level. */
static void test_nodes_without_cpus_make_no_level(void **state)
{
	struct built b = build(optane, ARCH_X86, "6.12", NULL);

	(void)state;
	assert_distances(&b, "10 21");
	assert_int_equal(b.tree->levels.numa.type, NUMA_DIRECT);
	assert_int_equal(b.tree->levels.numa.max_distance, 21);
	built_free(&b);
	b = build(optane, ARCH_X86, "5.17", NULL);
	assert_distances(&b, "10 17 21 28");
	assert_int_equal(b.tree->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_int_equal(b.tree->levels.numa.max_distance, 28);
	built_free(&b);
}

static unsigned int asym_of(const struct built *b, unsigned int cpu, unsigned int depth)
{
	const struct domain *sd = b->tree->base[cpu];

	while (depth--)
		sd = sd->parent;
	return sd->flags & (SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
}

static const char uneven[] = "cpus 8\nshare llc 0-5\nshare llc 6-7\nshare package 0-7\n"
			     "capacity 512 0-1\ncapacity 871 2-3\n"
			     "node 0 ? 0-7\ndistance 0 10\n";

/* T7: all three capacities are in CPU 0's cache, but only one in CPU 6's. */
static void test_uneven_capacity_is_found_at_each_level(void **state)
{
	const unsigned int full = SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL;
	struct built b = build(uneven, ARCH_ARM64, "6.12", NULL);

	(void)state;
	assert_levels(&b, 0, "MC 0-5, PKG 0-7");
	assert_levels(&b, 6, "MC 6-7, PKG 0-7");
	for (unsigned int cpu = 0; cpu < 8; cpu++) {
		assert_int_equal(asym_of(&b, cpu, 0), cpu < 6 ? full : 0);
		assert_int_equal(asym_of(&b, cpu, 1), full);
	}
	built_free(&b);
}

/* Before 5.14 one level is asymmetric, for all CPUs: the first in which some CPU sees the largest capacity. */
static void test_uneven_capacity_is_of_one_level_in_old_kernels(void **state)
{
	struct built b = build(uneven, ARCH_ARM64, "5.13", NULL);

	(void)state;
	for (unsigned int cpu = 0; cpu < 8; cpu++) {
		assert_int_equal(asym_of(&b, cpu, 0), SD_ASYM_CPUCAPACITY);
		assert_int_equal(asym_of(&b, cpu, 1), 0);
	}
	built_free(&b);
}

static const char altra[] =
	"cpus 80\nshare cluster 0-1 step 2 times 40\nshare llc 0 step 1 times 80\n"
	"share package 0-79\nnode 0 ? 0-79\ndistance 0 10\n";

/*
 * T8: MC is what shares the last level of cache, here one CPU, and smaller than CLS. db1e59483dfd (5.18)
 * makes it the cluster at least, so that MC goes; from 6.0 on CLS is it that goes.
 */
static void test_altra_clusters_without_a_cache(void **state)
{
	struct built b;

	(void)state;
	b = build(altra, ARCH_ARM64, "5.17", NULL);
	assert_said(&b,
		    "BUG: arch topology borken\n     the CLS domain not a subset of the MC domain",
		    80);
	assert_int_equal(b.tree->complaints.nr, 80);
	built_free(&b);
	b = build(altra, ARCH_ARM64, "5.18", NULL);
	assert_int_equal(b.tree->complaints.nr, 0);
	assert_levels(&b, 5, "CLS 4-5, DIE 0-79");
	built_free(&b);
	b = build(altra, ARCH_ARM64, "6.12", NULL);
	assert_int_equal(b.tree->complaints.nr, 0);
	assert_levels(&b, 5, "MC 4-5, PKG 0-79");
	built_free(&b);
}

static const char smt_guest[] =
	"qemu-system-aarch64 -enable-kvm -machine virt -net none -cpu host \\\n"
	" -bios ./QEMU_EFI.fd -m 2G \\\n"
	" -smp 48,sockets=2,cores=12,threads=2 \\\n"
	" -nographic -append \"console=ttyAMA0 sched_verbose loglevel=8\"\n";

/*
 * T9: the cluster is the socket, no smaller than MC, and gives way: to the CPU alone in 6.0 up to -rc4, which
 * is less than its core; to the core since (5ac251c8a05c).
 */
static void test_threads_of_a_guest_without_clusters(void **state)
{
	struct built b;

	(void)state;
	b = build(smt_guest, ARCH_ARM64, "6.0-rc4", "topo.cluster_smt=n");
	assert_said(&b, "the SMT domain not a subset of the CLS domain", 48);
	built_free(&b);
	b = build(smt_guest, ARCH_ARM64, "6.0", NULL);
	assert_int_equal(b.tree->complaints.nr, 0);
	assert_levels(&b, 0, "SMT 0-1, MC 0-23, DIE 0-47");
	built_free(&b);
}

#define SIX_NODES                                                                                  \
	"-machine virt,gic-version=host -cpu host \\\n"                                            \
	"-smp 6,sockets=2,cores=3,threads=1 \\\n"                                                  \
	"-numa node,nodeid=0 -numa node,nodeid=1 -numa node,nodeid=2 \\\n"                         \
	"-numa node,nodeid=3 -numa node,nodeid=4 -numa node,nodeid=5\n"

/* T10: nodes without cpus=. QEMU up to 7.0 deals CPUs out one by one, 7.1 by socket. */
static void test_default_nodes_of_a_guest(void **state)
{
	static const char old[] = "# qemu 7.0 qemu-system-aarch64\n" SIX_NODES;
	static const char new[] = "# qemu 7.1 qemu-system-aarch64\n" SIX_NODES;
	struct built b;

	(void)state;
	b = build(old, ARCH_ARM64, "5.17", NULL);
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(b.m->node[i].cpus->first, i);
	assert_said(&b, "the CLS domain not a subset of the MC domain", 6);
	assert_said(&b, "the DIE domain not a subset of the NODE domain", 6);
	built_free(&b);
	b = build(new, ARCH_ARM64, "5.17", NULL);
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(b.m->node[i].cpus->weight, i < 2 ? 3 : 0);
	assert_int_equal(b.tree->complaints.nr, 0);
	built_free(&b);
}

static const char wasted_cores[] =
	"cpus 64\nshare threads 0-1 step 2 times 32\n"
	"share llc 0-7 step 8 times 8\nshare package 0-15 step 16 times 4\n"
	"node 0-1 ? 0-7 step 8\nnode 2-5 ? 32-39 step 8\n"
	"node 6-7 ? 16-23 step 8\n"
	"distance 0 10 16 16 22 16 22 16 22\n"
	"distance 1 16 10 22 16 16 22 22 16\n"
	"distance 2 16 22 10 16 16 16 16 16\n"
	"distance 3 22 16 16 10 16 16 22 22\n"
	"distance 4 16 16 16 16 10 16 16 22\n"
	"distance 5 22 22 16 16 16 10 22 16\n"
	"distance 6 16 22 16 22 16 22 10 16\n"
	"distance 7 22 16 16 22 22 16 16 10\n";

/*
 * T15: nodes 1 and 2 are two hops apart, yet both one hop from node 0. A group of all that node 0 reaches
 * would hide node 1 from node 2; so each CPU's groups start from its own node: of the top groups that
 * node 2's CPUs see, one has node 1 without node 2.
 */
static void test_wasted_cores_machine(void **state)
{
	struct built b = build(wasted_cores, ARCH_X86, "6.12", NULL);
	const struct cset *node1 = b.m->node[1].cpus, *node2 = b.m->node[2].cpus;
	const struct domain *top = b.tree->base[node2->first];
	bool apart = false;

	(void)state;
	assert_distances(&b, "10 16 22");
	assert_int_equal(b.tree->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_reach(&b, 0, "{0-2,4,6} {0-7}");
	assert_reach(&b, 2, "{0,2-7} {0-7}");
	while (top->parent)
		top = top->parent;
	for (unsigned int i = 0; i < top->ring->nr; i++) {
		const struct cset *span = domain_group(top, i)->span;

		apart = apart || (cset_subset(node1, span) && !cset_intersects(node2, span));
	}
	assert_int_equal(apart, true);
	built_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x4600_warns_between_warning_and_fix),
		cmocka_unit_test(test_three_hops_groups_leave_the_span_before_the_fix),
		cmocka_unit_test(test_three_hops_groups_stay_inside_after_the_fix),
		cmocka_unit_test(test_granite_rapids_is_asymmetric_as_told),
		cmocka_unit_test(test_granite_rapids_is_symmetric_averaged),
		cmocka_unit_test(test_five_nodes_fail_with_the_stale_index),
		cmocka_unit_test(test_five_nodes_are_clean_else),
		cmocka_unit_test(test_nodes_without_cpus_make_no_level),
		cmocka_unit_test(test_uneven_capacity_is_found_at_each_level),
		cmocka_unit_test(test_uneven_capacity_is_of_one_level_in_old_kernels),
		cmocka_unit_test(test_altra_clusters_without_a_cache),
		cmocka_unit_test(test_threads_of_a_guest_without_clusters),
		cmocka_unit_test(test_default_nodes_of_a_guest),
		cmocka_unit_test(test_wasted_cores_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
