// SPDX-License-Identifier: GPL-2.0-only
/* Recorded trees of /sys with the faults that real ones have: what is made of them, and what is said. */
#include "topo/convert.h"
#include "topo/source.h"

#include "base/mem.h"
#include "check.h"
#include "fake_root.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPU  "sys/devices/system/cpu/"
#define NODE "sys/devices/system/node/"

/* Two packages, a node and a last cache each, of two cores with two threads: CPUs 0-3 and 4-7. */
static char *recording(void)
{
	static const char text[] =
		"arch x86\ncpus 8\nshare threads 0-1 step 2 times 4\n"
		"share cluster 0-1 step 2 times 4\nshare llc 0-3 step 4 times 2\n"
		"share package 0-3 step 4 times 2\nnode 0 1024 0-3\n"
		"node 1 1024 4-7\ndistance 0 10 21\ndistance 1 21 10\n";
	struct release r;
	struct source_opts opts = { .release = &r };
	struct machine *m = NULL;
	char *dir = fake_root_new();

	release_preset(&r, 6, 12, ARCH_X86);
	assert_int_equal(machine_file_parse(&m, text, &opts, NULL), 0);
	assert_int_equal(sysfs_write(m, dir, NULL), 0);
	machine_free(m);
	return dir;
}

static struct machine *read_back(char *dir, int *ret, struct error *err)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct machine *m = NULL;

	release_preset(&r, 6, 12, ARCH_X86);
	*ret = source_open(&m, dir, &opts, err);
	fake_root_free(dir);
	return m;
}

/* Reads the tree, whose only notes are these. */
static struct machine *read_with_notes(char *dir, const char *notes)
{
	struct error err = { 0 };
	int ret;
	struct machine *m = read_back(dir, &ret, &err);

	if (ret)
		fail_msg("%s", err.text);
	assert_string_equal(strbuf_str(&m->notes), notes);
	return m;
}

static void assert_set(const struct cset *set, const char *want)
{
	struct strbuf sb = { 0 };

	assert_non_null(set);
	cset_print(set, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void gone(const char *dir, const char *path)
{
	char *full = xasprintf("%s/%s", dir, path);

	assert_int_equal(unlink(full), 0);
	free(full);
}

static void test_a_sound_tree_needs_no_note(void **state)
{
	struct machine *m = read_with_notes(recording(), "");

	(void)state;
	assert_set(m->online, "0-7");
	assert_set(m->cpu[5].share[SHARE_LLC], "4-7");
	assert_int_equal(machine_distance(m, 0, 1), 21);
	machine_free(m);
}

static void test_bytes_behind_values(void **state)
{
	char *dir = recording(), *full = xasprintf("%s/" CPU "online", dir);
	FILE *f = fopen(full, "w");
	struct machine *m;

	(void)state;
	assert_non_null(f);
	assert_int_equal(fwrite("0-7\n\0\0\0", 1, 7, f), 7);
	assert_int_equal(fclose(f), 0);
	free(full);
	m = read_with_notes(dir, "");
	assert_set(m->online, "0-7");
	machine_free(m);
}

static void test_no_die_whatever_its_list_says(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	fake_file(dir, CPU "cpu0/topology/die_id", "-1\n");
	fake_file(dir, CPU "cpu0/topology/die_cpus_list", "0\n");
	m = read_with_notes(dir, "");
	assert_null(m->cpu[0].share[SHARE_DIE]);
	machine_free(m);
}

/* Without cpu/online the CPUs' own files tell, which CPU 0 hasn't got. */
static void test_no_list_of_online_cpus(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	gone(dir, CPU "online");
	fake_file(dir, CPU "cpu5/online", "0\n");
	fake_file(dir, CPU "cpu6/online", "1\n");
	m = read_with_notes(dir, "no list of online CPUs: those with a topology are taken\n");
	assert_set(m->online, "0-4,6-7");
	machine_free(m);
}

static void test_lists_that_disagree(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	fake_file(dir, CPU "present", "0-5\n");
	fake_file(dir, CPU "possible", "0-3\n");
	m = read_with_notes(dir, "CPUs are online that are not present: taken as present\n"
				 "CPUs are present that are not possible: taken as possible\n");
	assert_set(m->possible, "0-7");
	machine_free(m);
}

/* Numbers with a hole; a mask that has bits for 32 CPUs. */
static void test_holes_and_long_masks(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	fake_file(dir, CPU "online", "0-1,4-7\n");
	fake_file(dir, CPU "present", "0-1,4-7\n");
	fake_file(dir, CPU "possible", "0-1,4-7\n");
	gone(dir, CPU "cpu4/topology/package_cpus_list");
	gone(dir, CPU "cpu4/topology/core_siblings_list");
	fake_file(dir, CPU "cpu4/topology/core_siblings", "ffff00f0\n");
	fake_file(dir, NODE "node0/cpulist", "0-1\n");
	m = read_with_notes(dir, "1 masks name CPUs beyond the possible ones: cut\n"
				 "4 sibling lists named CPUs that are not possible: cut\n");
	assert_set(m->cpu[4].share[SHARE_PACKAGE], "4-7");
	assert_set(m->cpu[0].share[SHARE_LLC], "0-1");
	machine_free(m);
}

static void test_masks_that_are_none(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	fake_file(dir, CPU "cpu0/topology/core_cpus_list", "nonsense\n");
	m = read_with_notes(dir, "1 masks can't be read: left out\n");
	/* the older name of the same file still tells */
	assert_set(m->cpu[0].share[SHARE_THREADS], "0-1");
	machine_free(m);
}

static void test_nodes_that_can_t_be(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	fake_file(dir, NODE "node0/cpulist", "0-4\n");
	m = read_with_notes(dir, "CPUs 4 are in several nodes: taken into the first of them\n");
	assert_set(m->node[0].cpus, "0-4");
	assert_set(m->node[1].cpus, "5-7");
	machine_free(m);
}

/* Node 1 is listed, but was not recorded; its CPUs' siblings are in no node either. */
static void test_a_node_left_out(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	gone(dir, NODE "node1/cpulist");
	m = read_with_notes(dir, "node 1 is online but tells no CPUs: left out\n"
				 "node 0 has 2 distances for 1 nodes: left out\n");
	assert_int_equal(m->nr_nodes, 1);
	assert_set(m->node[0].cpus, "0-7");
	machine_free(m);
}

static void test_no_nodes_caches_or_distances(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	gone(dir, NODE "node0/distance");
	fake_file(dir, NODE "node1/distance", "21 10 30\n");
	for (unsigned int cpu = 0; cpu < 8; cpu++) {
		char path[64];

		for (unsigned int i = 0; i < 2; i++) {
			snprintf(path, sizeof(path), CPU "cpu%u/cache/index%u/level", cpu, i);
			gone(dir, path);
		}
	}
	m = read_with_notes(dir, "node 1 has 3 distances for 2 nodes: left out\n"
				 "nodes 0 tell no distances: 10 and 20 assumed\n"
				 "no caches are told: no last level is shared\n");
	assert_int_equal(machine_distance(m, 0, 1), 20);
	assert_int_equal(machine_distance(m, 1, 0), 20);
	assert_null(m->cpu[0].share[SHARE_LLC]);
	machine_free(m);
}

/* CPU 0 and 1 of a VM on AMD, as its kernel takes them: debugfs's x86/topo has one llc_id for both. */
static void test_no_caches_on_amd(void **state)
{
	char *dir = recording(), *caches = xasprintf("rm -r %s/" CPU "cpu*/cache", dir);
	struct machine *m;

	(void)state;
	assert_int_equal(system(caches), 0);
	free(caches);
	fake_file(dir, "proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 26\n");
	m = read_with_notes(
		dir, "no caches are told: a die shares the last level, as AMD's kernels take it\n");
	assert_set(m->cpu[0].share[SHARE_LLC], "0-3");
	assert_set(m->cpu[7].share[SHARE_LLC], "4-7");
	machine_free(m);
}

/* An offline CPU tells nothing and is in no node's list: its core's block and that core's node. */
static void test_an_offline_cpu(void **state)
{
	char *dir = recording(), *topology = xasprintf("rm -r %s/" CPU "cpu7", dir);
	struct machine *m;

	(void)state;
	assert_int_equal(system(topology), 0);
	free(topology);
	fake_file(dir, CPU "online", "0-6\n");
	fake_file(dir, CPU "cpu6/topology/core_cpus_list", "6\n");
	fake_file(dir, CPU "cpu6/topology/thread_siblings_list", "6\n");
	fake_file(dir, NODE "node1/cpulist", "4-6\n");
	m = read_with_notes(
		dir, "CPUs 7 are offline and tell nothing: taken to go on like the rest\n"
		     "CPUs 7 are in no node: taken into that of their siblings or neighbours\n");
	assert_set(m->cpu[7].share[SHARE_THREADS], "6-7");
	assert_set(m->node[1].cpus, "4-7");
	machine_free(m);
}

static void test_one_node_a_cpu(void **state)
{
	char *dir = recording();
	struct machine *m;

	(void)state;
	for (unsigned int i = 0; i < 8; i++) {
		char path[64], cpu[4];

		snprintf(path, sizeof(path), NODE "node%u/cpulist", i);
		snprintf(cpu, sizeof(cpu), "%u\n", i);
		fake_file(dir, path, cpu);
		snprintf(path, sizeof(path), NODE "node%u/distance", i);
		fake_file(dir, path, "10 10 10 10 10 10 10 10\n");
	}
	fake_file(dir, NODE "online", "0-7\n");
	m = read_with_notes(dir, "every node has one CPU: broken firmware?\n");
	assert_int_equal(m->nr_nodes, 8);
	machine_free(m);
}

static struct machine *of_model(const char *vendor, const char *family, const char *model)
{
	char *dir = recording(), *text;

	text = xasprintf("processor\t: 0\nvendor_id\t: %s\ncpu family\t: %s\nmodel\t\t: %s\n"
			 "model name\t: a name\n",
			 vendor, family, model);
	fake_file(dir, "proc/cpuinfo", text);
	free(text);
	return read_with_notes(dir, "");
}

/* Opteron's family is 21, Zen's from 23 on; Granite Rapids is 6, 173. */
static void test_models_that_kernels_treat_apart(void **state)
{
	struct machine *m = of_model("AuthenticAMD", "21", "2");

	(void)state;
	assert_int_equal(m->reclaim_distance, 30);
	machine_free(m);
	m = of_model("AuthenticAMD", "23", "49");
	assert_int_equal(m->reclaim_distance, 0);
	assert_false(m->average_remote);
	machine_free(m);
	m = of_model("GenuineIntel", "6", "173");
	assert_true(m->average_remote);
	machine_free(m);
	m = of_model("GenuineIntel", "6", "143");
	assert_false(m->average_remote);
	machine_free(m);
}

static void test_a_tree_without_cpus_is_refused(void **state)
{
	char *dir = fake_root_new();
	struct error err = { 0 };
	int ret;

	(void)state;
	fake_file(dir, CPU "kernel_max", "63\n");
	assert_null(read_back(dir, &ret, &err));
	assert_int_equal(ret, -EINVAL);
	assert_non_null(strstr(err.text, "no CPU below sys/devices/system/cpu"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sound_tree_needs_no_note),
		cmocka_unit_test(test_bytes_behind_values),
		cmocka_unit_test(test_no_die_whatever_its_list_says),
		cmocka_unit_test(test_no_list_of_online_cpus),
		cmocka_unit_test(test_lists_that_disagree),
		cmocka_unit_test(test_holes_and_long_masks),
		cmocka_unit_test(test_masks_that_are_none),
		cmocka_unit_test(test_nodes_that_can_t_be),
		cmocka_unit_test(test_a_node_left_out),
		cmocka_unit_test(test_no_nodes_caches_or_distances),
		cmocka_unit_test(test_no_caches_on_amd),
		cmocka_unit_test(test_an_offline_cpu),
		cmocka_unit_test(test_one_node_a_cpu),
		cmocka_unit_test(test_models_that_kernels_treat_apart),
		cmocka_unit_test(test_a_tree_without_cpus_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
