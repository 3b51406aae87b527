// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines that kernel developers have reported, from the text they reported, with the tree or the complaint
 * that is right on the releases named.
 */
#include "topo/convert.h"
#include "topo/hotplug.h"
#include "topo/preset.h"
#include "topo/print.h"
#include "topo/source.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static struct machine *machine_of(const char *text, enum machine_arch arch)
{
	struct release r;
	struct source_opts opts = { .release = &r, .arch_known = true };
	struct machine *m = NULL;
	struct error err = { 0 };

	release_preset(&r, 6, 12, arch);
	if (source_text(&m, text, strlen(text), "test", &opts, &err))
		fail_msg("%s", err.text);
	return m;
}

static struct hotplug *boot(const struct machine *m, unsigned int major, unsigned int minor,
			    const char *config)
{
	struct release r;

	release_preset(&r, major, minor, m->arch);
	if (config)
		assert_int_equal(release_config(&r, config, NULL), 0);
	return hotplug_boot(m, &r);
}

/* "LEVEL span" of a CPU from the bottom up. */
static void assert_levels(const struct hotplug *h, unsigned int cpu, const char *want)
{
	struct strbuf sb = { 0 };
	const struct domain *sd;

	for (sd = h->tree[0]->base[cpu]; sd; sd = sd->parent) {
		strbuf_addf(&sb, "%s%s ", sb.len ? " | " : "", domain_name(h->tree[0], sd));
		cset_print(sd->span, &sb);
	}
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static unsigned int said(const struct machine *m, unsigned int major, unsigned int minor,
			 const char *config, enum complaint_kind kind)
{
	struct hotplug *h = boot(m, major, minor, config);
	unsigned int n = complaints_count(&h->tree[0]->complaints, kind);

	hotplug_free(h);
	return n;
}

/* T1: 3 hops between nodes 0 and 7. The warning came with 5.11 and went with 5.13's fix. */
static void test_x4600_from_its_distance_table(void **state)
{
	struct machine *m = machine_of(
		"10 12 12 14 14 14 14 16 / 12 10 14 12 14 14 12 14 / 12 14 10 14 12 12 14 14 / "
		"14 12 14 10 12 12 14 14 / 14 14 12 12 10 14 12 14 / 14 14 12 12 14 10 14 12 / "
		"14 12 14 14 12 14 10 12 / 16 14 14 14 14 12 12 10\n4 CPUs per node\n",
		ARCH_X86);
	struct hotplug *h;

	(void)state;
	h = boot(m, 6, 12, NULL);
	assert_int_equal(h->tree[0]->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_int_equal(h->tree[0]->levels.numa.nr, 4);
	assert_levels(h, 0, "MC 0-3 | NUMA 0-11 | NUMA 0-27 | NUMA 0-31");
	assert_levels(h, 4, "MC 4-7 | NUMA 0-7,12-15,24-27 | NUMA 0-31");
	assert_levels(h, 28, "MC 28-31 | NUMA 20-31 | NUMA 4-31 | NUMA 0-31");
	hotplug_free(h);
	assert_int_equal(said(m, 5, 10, NULL, COMPLAINT_DIAMETER), 0);
	assert_int_equal(said(m, 5, 11, NULL, COMPLAINT_DIAMETER), 1);
	assert_int_equal(said(m, 5, 13, NULL, COMPLAINT_DIAMETER), 0);
	machine_free(m);
}

/* T2: groups leave their domain before 5.13. */
static void test_three_hops_in_qemu(void **state)
{
	struct machine *m = machine_of("10 12 20 22\n12 10 22 24\n20 22 10 12\n22 24 12 10\n"
				       "cpus per node: 2\n",
				       ARCH_X86);
	struct hotplug *h = boot(m, 5, 13, NULL);

	(void)state;
	assert_levels(h, 0, "MC 0-1 | NUMA 0-3 | NUMA 0-5 | NUMA 0-7");
	hotplug_free(h);
	assert_true(said(m, 5, 10, NULL, COMPLAINT_DEBUG) > 0);
	assert_int_equal(said(m, 5, 13, NULL, COMPLAINT_DEBUG), 0);
	machine_free(m);
}

/* T4: not symmetric; 6.19 on averages the distances between the packages to 24 on such models. */
static void test_sub_numa_clusters_of_three(void **state)
{
	static const char text[] = "cpus 6\naverage_remote y\nshare package 0-2 step 3 times 2\n"
				   "node 0 0 0\nnode 1 0 1\nnode 2 0 2\nnode 3 0 3\nnode 4 0 4\n"
				   "node 5 0 5\n"
				   "distance 0 10 15 17 21 28 26\ndistance 1 15 10 15 23 26 23\n"
				   "distance 2 17 15 10 26 23 21\ndistance 3 21 28 26 10 15 17\n"
				   "distance 4 23 26 23 15 10 15\ndistance 5 26 23 21 17 15 10\n";
	struct machine *m = machine_of(text, ARCH_X86);
	struct hotplug *h = boot(m, 6, 12, NULL);

	(void)state;
	assert_int_equal(complaints_count(&h->tree[0]->complaints, COMPLAINT_ASYMMETRIC), 1);
	assert_levels(h, 0, "NUMA 0-1 | NUMA 0-2 | NUMA 0-3 | NUMA 0-3,5 | NUMA 0-5");
	hotplug_free(h);
	h = boot(m, 6, 19, NULL);
	assert_levels(h, 0, "NUMA 0-1 | NUMA 0-2 | NUMA 0-5");
	assert_levels(h, 4, "NUMA 3-5 | NUMA 0-5");
	assert_int_equal(complaints_count(&h->tree[0]->complaints, COMPLAINT_ASYMMETRIC), 0);
	hotplug_free(h);
	machine_free(m);
}

/* T6: two nodes of memory only; a reader that counts them finds four levels. */
static void test_nodes_without_cpus(void **state)
{
	static const char text[] =
		"available: 4 nodes (0-3)\nnode 0 cpus: 0 1\nnode 0 size: 64 MB\n"
		"node 1 cpus: 2 3\nnode 1 size: 64 MB\nnode 2 cpus:\n"
		"node 2 size: 512 MB\nnode 3 cpus:\nnode 3 size: 512 MB\n"
		"node distances:\nnode   0   1   2   3\n  0:  10  21  17  28\n"
		"  1:  21  10  28  17\n  2:  17  28  10  28\n  3:  28  17  28  10\n";
	struct machine *m = machine_of(text, ARCH_X86);
	struct hotplug *h = boot(m, 6, 12, NULL);

	(void)state;
	assert_int_equal(h->tree[0]->levels.numa.type, NUMA_DIRECT);
	assert_int_equal(h->tree[0]->levels.numa.nr, 2);
	assert_int_equal(h->tree[0]->levels.numa.max_distance, 21);
	hotplug_free(h);
	h = boot(m, 6, 12, "topo.cpu_nodes_only=n");
	assert_int_equal(h->tree[0]->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_int_equal(h->tree[0]->levels.numa.nr, 4);
	hotplug_free(h);
	machine_free(m);
}

static unsigned int asym(const struct hotplug *h, unsigned int cpu, unsigned int depth)
{
	const struct domain *sd = h->tree[0]->base[cpu];

	while (depth--)
		sd = sd->parent;
	return sd->flags & (SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
}

/* T7: all three capacities are within the first MC, one within the second. Up to 5.13: one level for all. */
static void test_uneven_capacities(void **state)
{
	struct machine *m = machine_of("cpus 8\nshare llc 0-5\nshare llc 6-7\nshare package 0-7\n"
				       "capacity 512 0-1\ncapacity 871 2-3\nnode 0 0 0-7\n",
				       ARCH_ARM64);
	struct hotplug *h = boot(m, 6, 12, NULL);

	(void)state;
	assert_levels(h, 0, "MC 0-5 | PKG 0-7");
	assert_int_equal(asym(h, 0, 0), SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
	assert_int_equal(asym(h, 6, 0), 0);
	assert_int_equal(asym(h, 6, 1), SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL);
	hotplug_free(h);
	h = boot(m, 5, 13, NULL);
	assert_int_equal(asym(h, 0, 0), SD_ASYM_CPUCAPACITY);
	assert_int_equal(asym(h, 6, 1), 0);
	hotplug_free(h);
	machine_free(m);
}

/* T8: pairs of CPUs as clusters, a cache each: one complaint a CPU until MC was widened to the cluster. */
static void test_altra(void **state)
{
	const char *nearest;
	struct machine *m = machine_of(preset_find("altra-80", &nearest)->text, ARCH_ARM64);
	struct hotplug *h = boot(m, 5, 17, NULL);
	const struct complaint *first = h->tree[0]->complaints.list;

	(void)state;
	assert_int_equal(complaints_count(&h->tree[0]->complaints, COMPLAINT_SUBSET), 80);
	assert_non_null(strstr(first->text, "the CLS domain not a subset of the MC domain"));
	hotplug_free(h);
	assert_int_equal(said(m, 6, 1, NULL, COMPLAINT_SUBSET), 0);
	machine_free(m);
}

/* T10: that QEMU dealt CPUs out to nodes by number, later ones by socket. */
static void test_cpus_of_nodes_that_name_none(void **state)
{
	static const char words[] = "qemu-system-aarch64 -smp 6,sockets=2,cores=3,threads=1 "
				    "-numa node -numa node -numa node -numa node -numa node "
				    "-numa node";
	struct strbuf old = { 0 };
	struct machine *m = machine_of(words, ARCH_ARM64);

	(void)state;
	assert_int_equal(m->node[0].cpus->weight, 3);
	assert_int_equal(m->node[1].cpus->weight, 3);
	machine_free(m);
	strbuf_addf(&old, "# qemu 7.0.0 qemu-system-aarch64\n%s\n", words);
	m = machine_of(old.s, ARCH_ARM64);
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(m->node[i].cpus->first, i);
	assert_true(said(m, 5, 16, NULL, COMPLAINT_SUBSET) > 0);
	machine_free(m);
	strbuf_release(&old);
}

/* A preset written in our own format and read again builds the same domains. */
static void test_presets_survive_our_own_format(void **state)
{
	const struct preset *p;

	(void)state;
	for (size_t i = 0; (p = preset_at(i)); i++) {
		struct machine *m = machine_of(p->text, ARCH_X86), *again;
		struct strbuf text = { 0 }, a = { 0 }, b = { 0 };

		machine_file_print(m, &text);
		again = machine_of(text.s, ARCH_X86);
		machine_file_print(again, &a);
		assert_string_equal(text.s, a.s);
		assert_int_equal(m->nr_notes, 0);
		strbuf_release(&text);
		strbuf_release(&a);
		strbuf_release(&b);
		machine_free(m);
		machine_free(again);
	}
}

/* Through hwloc and back: a core of two threads, caches of 8, distances of two packages. */
static void test_hwloc_text_there_and_back(void **state)
{
	struct machine *m = machine_of("cpus 32\nshare threads 0,16 step 1 times 16\n"
				       "share cluster 0,16 step 1 times 16\n"
				       "share llc 0-3,16-19 step 4 times 4\n"
				       "share package 0-7,16-23 step 8 times 2\n"
				       "node 0 1024 0-7,16-23\nnode 1 1024 8-15,24-31\n"
				       "distance 0 10 21\ndistance 1 21 10\n",
				       ARCH_X86);
	struct machine *again;
	struct strbuf xml = { 0 }, a = { 0 }, b = { 0 };
	struct hotplug *h = boot(m, 6, 12, NULL), *h2;

	(void)state;
	assert_int_equal(hwloc_xml_print(m, &xml, NULL), 0);
	again = machine_of(xml.s, ARCH_X86);
	h2 = boot(again, 6, 12, NULL);
	print_dump_state(h, &a);
	print_dump_state(h2, &b);
	assert_string_equal(a.s, b.s);
	hotplug_free(h);
	hotplug_free(h2);
	strbuf_release(&xml);
	strbuf_release(&a);
	strbuf_release(&b);
	machine_free(m);
	machine_free(again);
}

/* A serial console's lines end with two characters, a log's start with a time. */
static void test_a_log_from_a_serial_console(void **state)
{
	struct machine *m = machine_of("[    0.1] CPU0 attaching sched-domain(s):\r\n"
				       "[    0.1]  domain-0: span=0-1 level=MC\r\n"
				       "[    0.1]   groups: 0:{ span=0 }, 1:{ span=1 }\r\n"
				       "[    0.1] CPU1 attaching sched-domain(s):\r\n"
				       "[    0.1]  domain-0: span=0-1 level=MC\r\n"
				       "[    0.1]   groups: 1:{ span=1 }, 0:{ span=0 }\r\n",
				       ARCH_X86);
	struct hotplug *h = boot(m, 6, 12, NULL);

	(void)state;
	assert_levels(h, 0, "MC 0-1");
	hotplug_free(h);
	machine_free(m);
}

static void test_an_unknown_preset_is_told_its_neighbour(void **state)
{
	const char *nearest = NULL;

	(void)state;
	assert_null(preset_find("kunpeng-920-69", &nearest));
	assert_non_null(nearest);
	assert_int_equal(strncmp(nearest, "kunpeng-920-", 12), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x4600_from_its_distance_table),
		cmocka_unit_test(test_three_hops_in_qemu),
		cmocka_unit_test(test_sub_numa_clusters_of_three),
		cmocka_unit_test(test_nodes_without_cpus),
		cmocka_unit_test(test_uneven_capacities),
		cmocka_unit_test(test_altra),
		cmocka_unit_test(test_cpus_of_nodes_that_name_none),
		cmocka_unit_test(test_presets_survive_our_own_format),
		cmocka_unit_test(test_hwloc_text_there_and_back),
		cmocka_unit_test(test_a_log_from_a_serial_console),
		cmocka_unit_test(test_an_unknown_preset_is_told_its_neighbour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
