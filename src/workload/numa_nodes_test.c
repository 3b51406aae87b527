// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_nodes.h"

#include "workload/numa_pages.h"
#include "workload/numa_vmstat.h"

#include <errno.h>

#include "fake_root.h"

/* Nodes 0, 2, 8 and 9: 8 has no CPUs and 9 no memory, as POWER machines number and build them. */
static int make_root(void **state)
{
	char *root = fake_root_new();

	fake_file(root, "sys/devices/system/node/online", "0,2,8-9\n");
	fake_file(root, "sys/devices/system/node/has_memory", "0,2,8\n");
	fake_file(root, "sys/devices/system/node/node0/cpulist", "0-3\n");
	fake_file(root, "sys/devices/system/node/node2/cpulist", "4-7\n");
	fake_file(root, "sys/devices/system/node/node8/cpulist", "\n");
	fake_file(root, "sys/devices/system/node/node9/cpulist", "8-9\n");
	fake_file(root, "proc/self/status",
		  "Name:\tx\nMems_allowed:\tff\nMems_allowed_list:\t0-8\n");
	*state = root;
	return 0;
}

static int drop_root(void **state)
{
	fake_root_free(*state);
	return 0;
}

static void read_root(struct numa_nodes *nodes, const char *root, const char *allowed)
{
	struct cpumask mask = { 0 };
	struct error err = { 0 };
	int fd = open(root, O_PATH | O_DIRECTORY);

	assert_int_equal(cpumask_parse(&mask, allowed, &err), 0);
	assert_int_equal(numa_nodes_read(nodes, fd, &mask, &err), 0);
	cpumask_release(&mask);
	close(fd);
}

static void assert_printed(const struct numa_nodes *nodes, const char *text)
{
	struct strbuf sb = { 0 };

	numa_nodes_print(nodes, &sb);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static void test_numa_nodes_may_lack_cpus_or_memory_and_have_gaps(void **state)
{
	struct numa_nodes nodes = { 0 };

	read_root(&nodes, *state, "0-9");
	assert_printed(&nodes,
		       "4 nodes: 0 with CPUs 0-3, 2 with CPUs 4-7, 8 without CPUs, 9 with CPUs "
		       "8-9 and no memory");
	assert_int_equal(nodes.nr_whole, 2);
	assert_int_equal(nodes.whole[1], 1);
	assert_int_equal(numa_node_find(&nodes, 8), 2);
	assert_int_equal(numa_node_find(&nodes, 1), -1);
	assert_int_equal(numa_node_of_cpu(&nodes, 5), 1);
	assert_int_equal(numa_node_of_cpu(&nodes, 10), -1);
	numa_nodes_release(&nodes);
}

static void test_numa_nodes_have_only_what_the_process_may_use(void **state)
{
	struct numa_nodes nodes = { 0 };

	fake_file(*state, "proc/self/status", "Name:\tx\nMems_allowed_list:\t2\n");
	read_root(&nodes, *state, "1,8");
	assert_printed(&nodes,
		       "4 nodes: 0 with CPUs 1 and no memory, 2 without CPUs, 8 without CPUs and "
		       "no memory, 9 with CPUs 8 and no memory");
	assert_int_equal(nodes.nr_whole, 0);
	numa_nodes_release(&nodes);
}

static void test_numa_nodes_of_a_kernel_without_numa_are_one(void **state)
{
	struct numa_nodes nodes = { 0 };
	char *root = fake_root_new();

	(void)state;
	read_root(&nodes, root, "0-1");
	assert_printed(&nodes, "1 node: 0 with CPUs 0-1");
	assert_int_equal(nodes.nr_whole, 1);
	numa_nodes_release(&nodes);
	fake_root_free(root);
}

static void test_numa_nodes_that_are_no_list_fail(void **state)
{
	struct numa_nodes nodes = { 0 };
	struct cpumask allowed = { 0 };
	struct error err = { 0 };
	int fd = open(*state, O_PATH | O_DIRECTORY);

	fake_file(*state, "sys/devices/system/node/online", "zero\n");
	assert_int_equal(numa_nodes_read(&nodes, fd, &allowed, &err), -EINVAL);
	assert_non_null(strstr(err.text, "/sys/devices/system/node/online"));
	close(fd);
}

static void assert_part(struct numa_part part, unsigned int first, unsigned int nr)
{
	assert_int_equal(part.first, first);
	assert_int_equal(part.nr, nr);
}

/* Two processes on 4 nodes: 0-1 and 2-3; on 5: 0-1 and 2-4. 8 tasks on 3 nodes: 0 0 0 1 1 1 2 2. */
static void test_numa_parts_share_out_the_nodes(void **state)
{
	static const unsigned int eight[] = { 0, 0, 0, 1, 1, 1, 2, 2 };

	(void)state;
	assert_part(numa_part_cpus(4, 0, 2), 0, 2);
	assert_part(numa_part_cpus(4, 1, 2), 2, 2);
	assert_part(numa_part_cpus(5, 1, 2), 2, 3);
	assert_part(numa_part_cpus(4, 0, 1), 0, 1);
	for (unsigned int i = 0; i < 8; i++)
		assert_part(numa_part_cpus(3, i, 8), eight[i], 1);
	assert_part(numa_part_memory(5, 1, 2, false), 2, 3);
}

/* No part has memory where it runs, for any machine of 2 nodes and more and any number of parts. */
static void test_numa_parts_inverse_are_never_local(void **state)
{
	(void)state;
	for (unsigned int nodes = 2; nodes <= 9; nodes++)
		for (unsigned int n = 1; n <= 20; n++)
			for (unsigned int i = 0; i < n; i++) {
				struct numa_part cpus = numa_part_cpus(nodes, i, n);
				struct numa_part memory = numa_part_memory(nodes, i, n, true);

				assert_true(memory.nr >= 1 && memory.first + memory.nr <= nodes);
				assert_true(memory.first >= cpus.first + cpus.nr ||
					    cpus.first >= memory.first + memory.nr);
			}
	assert_part(numa_part_memory(1, 0, 2, true), 0, 1);
}

static uint64_t *from_0x1000(uint64_t start, const void *arg)
{
	uint64_t *const *pages = arg;

	return start >= 0x1000 ? *pages : NULL;
}

/* Forms of lines as in the kernel's documentation of numa_maps; hugetlb pages of 2 MiB are 512 of 4 KiB. */
static void test_numa_maps_lines_are_counted_by_node(void **state)
{
	struct numa_nodes nodes = { 0 };
	uint64_t pages[4] = { 0 };
	uint64_t *const row = pages;
	const struct numa_maps_reader reader = {
		.nodes = &nodes, .row = from_0x1000, .arg = &row, .page_kb = 4
	};

	read_root(&nodes, *state, "0-9");
	numa_maps_line(&reader, "1000 default anon=3 dirty=3 N0=1 N8=2 kernelpagesize_kB=4");
	numa_maps_line(&reader, "7f0000200000 bind:2 anon=1024 dirty=1024 active=0 N2=1024 "
				"kernelpagesize_kB=4");
	numa_maps_line(&reader,
		       "7f0000400000 default file=/dev/hugepages/N0=7 huge anon=3 dirty=3 N0=3 "
		       "kernelpagesize_kB=2048");
	numa_maps_line(&reader, "0800 default anon=9 N0=9 kernelpagesize_kB=4"); /* not wanted */
	numa_maps_line(&reader,
		       "2000 default anon=9 N1=9 N77777=1 kernelpagesize_kB=4"); /* unknown */
	numa_maps_line(&reader, "");
	numa_maps_line(&reader, "nonsense N0=5");
	assert_int_equal(pages[0], 1 + 3 * 512);
	assert_int_equal(pages[1], 1024);
	assert_int_equal(pages[2], 2);
	assert_int_equal(pages[3], 0);
	numa_nodes_release(&nodes);
}

/* proc(5): processor is field 39; the name may hold blanks and brackets. */
static void test_numa_stat_has_the_cpu(void **state)
{
	(void)state;
	assert_int_equal(
		numa_stat_cpu("7 (a) b) R 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 "
			      "25 26 27 28 29 30 31 32 33 34 35 36 37 38 3 40 41\n"),
		3);
	assert_int_equal(numa_stat_cpu("7 (x) R 4 5"), -1);
	assert_int_equal(numa_stat_cpu(""), -1);
}

static void test_numa_vmstat_takes_what_is_there(void **state)
{
	struct numa_vmstat vmstat;

	(void)state;
	numa_vmstat_parse(
		&vmstat, "nr_free_pages 5\nnuma_hit 12345678901\nnuma_hit_more 3\nnuma_hint_faults "
			 "7\nnuma_hint_faults_local 2\npgmigrate_fail 1");
	for (int i = 0; i < NUMA_VMSTAT_NR; i++) {
		const char *name = numa_vmstat_names[i];

		if (!strcmp(name, "numa-hit"))
			assert_int_equal(vmstat.values[i], 12345678901);
		else if (!strcmp(name, "hint-faults"))
			assert_int_equal(vmstat.values[i], 7);
		else if (!strcmp(name, "hint-faults-local"))
			assert_int_equal(vmstat.values[i], 2);
		else if (!strcmp(name, "migrate-fails"))
			assert_int_equal(vmstat.values[i], 1);
		else
			assert_false(vmstat.there[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_numa_nodes_may_lack_cpus_or_memory_and_have_gaps, make_root,
			drop_root),
		cmocka_unit_test_setup_teardown(test_numa_nodes_have_only_what_the_process_may_use,
						make_root, drop_root),
		cmocka_unit_test(test_numa_nodes_of_a_kernel_without_numa_are_one),
		cmocka_unit_test_setup_teardown(test_numa_nodes_that_are_no_list_fail, make_root,
						drop_root),
		cmocka_unit_test(test_numa_parts_share_out_the_nodes),
		cmocka_unit_test(test_numa_parts_inverse_are_never_local),
		cmocka_unit_test_setup_teardown(test_numa_maps_lines_are_counted_by_node, make_root,
						drop_root),
		cmocka_unit_test(test_numa_stat_has_the_cpu),
		cmocka_unit_test(test_numa_vmstat_takes_what_is_there),
	};

	return cmocka_run_group_tests_name("workload/numa_nodes", tests, NULL, NULL);
}
