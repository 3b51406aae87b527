// SPDX-License-Identifier: GPL-2.0-only
/* Machines that are hostile or plainly wrong: what they cost us, and what the kernel's own checks say of them. */
#include "topo/domains.h"
#include "topo/print.h"
#include "topo/source.h"

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static struct machine *machine_of(const char *text, enum machine_arch arch)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct machine *m = NULL;
	struct error err = { 0 };

	release_preset(&r, 6, 12, arch);
	if (machine_file_parse(&m, text, &opts, &err))
		fail_msg("%s", err.text);
	return m;
}

static struct domain_tree *tree_of(const struct machine *m, unsigned int major, unsigned int minor)
{
	struct release r;

	release_preset(&r, major, minor, m->arch);
	return domains_build(m, &r, m->online, m->online);
}

/* Nodes of 4 CPUs with random distances, so that almost every pair of nodes sees other levels. */
static struct machine *random_nodes(unsigned int nr_nodes, unsigned int nr_distances)
{
	struct machine *m = machine_new(nr_nodes * 4);
	struct rng rng;

	rng_seed(&rng, 1, "distances", 0);
	machine_set_nodes(m, nr_nodes);
	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		m->cpu[cpu].node = cpu / 4;
	for (unsigned int i = 0; i < nr_nodes; i++)
		for (unsigned int j = 0; j < i; j++)
			m->distance[i * nr_nodes + j] = m->distance[j * nr_nodes + i] =
				11 + (unsigned int)rng_below(&rng, nr_distances);
	assert_int_equal(machine_finish(m, NULL), 0);
	return m;
}

/* What linking can't do without, from the outcome. */
struct needed {
	uint64_t domains; /* a look each, at its ring or at the one before */
	uint64_t rings, entries;
	uint64_t span; /* sum of the spans of the domains that have a ring of their own */
};

static struct needed needed_of(const struct domain_tree *tree)
{
	unsigned int n = tree->machine->nr_cpus;
	struct needed sum = { 0 };

	for (unsigned int table = 0; table < tree->levels.nr; table++) {
		const struct ring *last = NULL;

		for (unsigned int cpu = 0; cpu < n; cpu++) {
			const struct domain *sd = domain_at(tree, cpu, table);

			if (!sd->span)
				continue;
			sum.domains++;
			if (sd->ring == last)
				continue;
			last = sd->ring;
			sum.rings++;
			sum.entries += sd->ring->nr;
			sum.span += sd->span->weight;
		}
	}
	return sum;
}

/*
 * 128 nodes with 100 distances. A ring needs a look at each of its groups, one that finds no more CPU at
 * the end of each of its two parts, and for each group the halvings among at most 8 + 101 levels (7, and the
 * one before them). Its groups, as many as entries at most, cost the 8 words of 512 CPUs for their
 * capacity. The rest is once a domain: is the ring that of the CPU before, does it run, who balances.
 */
static void test_linking_looks_at_groups_not_at_spans(void **state)
{
	struct machine *m = random_nodes(128, 100);
	struct domain_tree *tree = tree_of(m, 6, 12);
	struct needed need = needed_of(tree);
	uint64_t bound = need.entries * (1 + 8 + 8) + need.rings * 2 + need.domains * 3;

	(void)state;
	assert_true(tree->levels.numa.nr == 101);
	assert_true(tree->looks <= bound);
	/* walking the spans instead would be a look at each of their CPUs */
	assert_true(tree->looks * 2 < need.span);
	domain_tree_free(tree);
	machine_free(m);
}

/*
 * Threads numbered i and i + 512: each CPU of the cache meets the 512 cores in another order, but turns
 * around in the same ring.
 */
static void test_siblings_far_apart_share_one_ring(void **state)
{
	struct machine *m =
		machine_of("cpus 1024\nshare llc 0-1023\nshare package 0-1023\n", ARCH_X86);
	const struct ring *ring;
	struct domain_tree *tree;
	long key[1024];

	(void)state;
	for (unsigned int cpu = 0; cpu < 1024; cpu++)
		key[cpu] = cpu % 512;
	machine_share_by_key(m, SHARE_THREADS, key);
	assert_int_equal(machine_finish(m, NULL), 0);
	tree = tree_of(m, 6, 12);
	ring = tree->base[0]->parent->ring;
	assert_int_equal(ring->nr, 512);
	for (unsigned int cpu = 0; cpu < 1024; cpu++) {
		const struct domain *sd = tree->base[cpu]->parent;

		assert_ptr_equal(sd->ring, ring);
		assert_int_equal(domain_group(sd, 0)->id, cpu % 512);
		assert_int_equal(domain_group(sd, 1)->id, (cpu + 1) % 512);
	}
	domain_tree_free(tree);
	machine_free(m);
}

/* More distinct capacities than a word has bits; the lower half of the CPUs has half of them. */
static void test_many_capacities(void **state)
{
	struct machine *m = machine_of("cpus 200\nshare llc 0-99 step 100 times 2\n"
				       "share package 0-199\n",
				       ARCH_ARM64);
	struct domain_tree *tree;

	(void)state;
	for (unsigned int cpu = 0; cpu < 200; cpu++)
		m->cpu[cpu].capacity = 1024 - cpu;
	tree = tree_of(m, 6, 12);
	assert_int_equal(tree->base[0]->flags & (SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL),
			 SD_ASYM_CPUCAPACITY);
	assert_int_equal(tree->base[0]->parent->flags &
				 (SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL),
			 SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
	/* 100 x 1024 - (0 + 1 + ... + 99) */
	assert_int_equal(domain_group(tree->base[0]->parent, 0)->capacity, 102400 - 4950);
	domain_tree_free(tree);
	machine_free(m);
}

/* The four nodes with CPUs of a machine that was booted: node 3 is 31 from node 1, and 16 the other way. */
static const char one_way[] = "cpus 5\nnode 0 1 0-1\nnode 1 1 2\nnode 2 1 3\nnode 3 1 4\n"
			      "share threads 0-1\nshare llc 0-1\nshare llc 2-3\n"
			      "share package 0-1\nshare package 2-3\n"
			      "distance 0 10 12 40 40\ndistance 1 12 10 25 16\n"
			      "distance 2 40 25 10 25\ndistance 3 40 31 25 10\n";

/* What that kernel (6.12) printed of its last CPU. The error breaks into the line of groups. */
static void test_group_that_is_not_the_child(void **state)
{
	static const char cpu4[] = "CPU4 attaching sched-domain(s):\n"
				   " domain-0: span=3-4 level=NUMA\n"
				   "  groups: 4:{ span=4 }, 3:{ span=3 }\n"
				   "  domain-1: span=0-4 level=NUMA\n"
				   "   groups: 3:{ span=2-4 mask=3-4 cap=3072\n"
				   "ERROR: domain->groups does not match domain->child\n"
				   " }, 0:{ span=0-2 mask=0-1 cap=3072 }\n"
				   "root domain span: 0-4\n";
	struct machine *m = machine_of(one_way, ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12);
	struct strbuf text = { 0 };

	(void)state;
	print_dump(tree, &text);
	assert_non_null(strstr(strbuf_str(&text), "CPU4"));
	assert_string_equal(strstr(strbuf_str(&text), "CPU4"), cpu4);
	assert_int_equal(complaints_count(&tree->complaints, COMPLAINT_ASYMMETRIC), 1);
	assert_true(complaints_count(&tree->complaints, COMPLAINT_DEBUG) > 0);
	strbuf_release(&text);
	domain_tree_free(tree);
	machine_free(m);
}

/* Up to 5.13 only one level has the flag of asymmetry, which is to be in every level above as well. */
static void test_flag_that_is_not_in_the_parent(void **state)
{
	struct machine *m = machine_of("cpus 8\nshare llc 0-3 step 4 times 2\n"
				       "share package 0-3 step 4 times 2\n"
				       "capacity 512 0-1\ncapacity 512 4-5\n"
				       "node 0 1 0-3\nnode 1 1 4-7\n",
				       ARCH_ARM64);
	struct domain_tree *tree = tree_of(m, 5, 10);
	struct strbuf text = { 0 };

	(void)state;
	print_dump(tree, &text);
	assert_non_null(strstr(strbuf_str(&text),
			       " domain-0: span=0-3 level=MC\n"
			       "ERROR: flag SD_ASYM_CPUCAPACITY set here but not in parent\n"
			       "  groups: 0:{ span=0 cap=512 }"));
	/* one entry for the eight CPUs */
	assert_int_equal(complaints_count(&tree->complaints, COMPLAINT_DEBUG), 8);
	assert_int_equal(tree->complaints.nr, 1);
	domain_tree_free(tree);
	tree = tree_of(m, 5, 14);
	assert_int_equal(complaints_count(&tree->complaints, COMPLAINT_DEBUG), 0);
	strbuf_release(&text);
	domain_tree_free(tree);
	machine_free(m);
}

/* Threads of unlike capacity: one warning, and domains all the same, as an arm64 boot of 6.12 had it. */
static void test_capacity_within_a_core(void **state)
{
	struct machine *m = machine_of("cpus 4\nshare threads 0-1 step 2 times 2\n"
				       "share package 0-3\ncapacity 512 1 step 2 times 2\n",
				       ARCH_ARM64);
	struct domain_tree *tree = tree_of(m, 6, 12);

	(void)state;
	assert_int_equal(complaints_count(&tree->complaints, COMPLAINT_SMT_CAPACITY), 1);
	assert_true(tree->base[0]->flags & SD_ASYM_CPUCAPACITY);
	domain_tree_free(tree);
	tree = tree_of(m, 5, 13);
	assert_int_equal(complaints_count(&tree->complaints, COMPLAINT_SMT_CAPACITY), 0);
	domain_tree_free(tree);
	machine_free(m);
}

/* The stale NUMA index was mended within the stable releases of 6.17. */
static void test_stale_index_is_gone_in_a_stable_release(void **state)
{
	struct release r;

	(void)state;
	assert_int_equal(release_parse(&r, "6.16.12+deb13-amd64", ARCH_X86, NULL), 0);
	assert_true(r.topo_node_mask_bug);
	assert_int_equal(release_parse(&r, "6.17", ARCH_X86, NULL), 0);
	assert_true(r.topo_node_mask_bug);
	assert_int_equal(release_parse(&r, "6.17.13+deb13-amd64", ARCH_X86, NULL), 0);
	assert_false(r.topo_node_mask_bug);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_linking_looks_at_groups_not_at_spans),
		cmocka_unit_test(test_siblings_far_apart_share_one_ring),
		cmocka_unit_test(test_many_capacities),
		cmocka_unit_test(test_group_that_is_not_the_child),
		cmocka_unit_test(test_flag_that_is_not_in_the_parent),
		cmocka_unit_test(test_capacity_within_a_core),
		cmocka_unit_test(test_stale_index_is_gone_in_a_stable_release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
