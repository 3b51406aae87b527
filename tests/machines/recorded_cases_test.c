// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines whose /sys somebody recorded for hwloc's tests, written down here by rule instead of file by
 * file, and read from a tar archive as those are. Spans are worked out by hand from the distance rows.
 */
#include "case.h"

#include "topo/preset.h"

#include "base/file.h"
#include "base/mem.h"
#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512

/* One member of a ustar archive. */
static void add_bytes(struct strbuf *tar, const char *name, const char *data, size_t len)
{
	static const char zeros[BLOCK];
	char header[BLOCK] = { 0 };
	unsigned int sum = 0;

	snprintf(header, 100, "%s", name);
	snprintf(header + 100, 8, "%07o", 0644);
	snprintf(header + 124, 12, "%011o", (unsigned int)len);
	header[156] = '0';
	memcpy(header + 257, "ustar\00000", 8);
	memset(header + 148, ' ', 8);
	for (unsigned int i = 0; i < BLOCK; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
	strbuf_add(tar, header, BLOCK);
	strbuf_add(tar, data, len);
	strbuf_add(tar, zeros, (BLOCK - len % BLOCK) % BLOCK);
}

static void add(struct strbuf *tar, const char *name, const char *text)
{
	add_bytes(tar, name, text, strlen(text));
}

static void __attribute__((format(printf, 4, 5)))
add_of(struct strbuf *tar, const char *folder, unsigned int number, const char *name_and_text, ...)
{
	char path[320], text[256], *value;
	va_list args;

	va_start(args, name_and_text);
	vsnprintf(text, sizeof(text), name_and_text, args);
	va_end(args);
	value = strchr(text, '=');
	*value++ = '\0';
	snprintf(path, sizeof(path), "tree/sys/devices/system/%s%u/%s", folder, number, text);
	/* what was recorded by copying files of /sys byte by byte ends in a NUL */
	add_bytes(tar, path, value, strlen(value) + 1);
}

static struct built build_tar(struct strbuf *tar, enum machine_arch arch, const char *kernel)
{
	static const char end[2 * BLOCK];
	struct built b;

	strbuf_add(tar, end, sizeof(end));
	b = build_bytes(tar->s, tar->len, arch, kernel, NULL);
	strbuf_release(tar);
	return b;
}

/* 128arm-2pa2n8cluster4co: NUL bytes behind every value, and -1 for the dies. */
static struct built kunpeng(const char *kernel)
{
	static const char *const rows[] = { "10 16 32 33", "16 10 25 32", "32 25 10 16",
					    "33 32 16 10" };
	struct strbuf tar = { 0 };

	add(&tar, "tree/sys/devices/system/cpu/online", "0-127\n");
	add(&tar, "tree/sys/devices/system/cpu/present", "0-127\n");
	add(&tar, "tree/sys/devices/system/cpu/possible", "0-127\n");
	for (unsigned int cpu = 0; cpu < 128; cpu++) {
		unsigned int cluster = cpu / 4 * 4, cache = cpu / 32 * 32, package = cpu / 64 * 64;

		add_of(&tar, "cpu/cpu", cpu, "topology/core_id=%u\n", cpu);
		add_of(&tar, "cpu/cpu", cpu, "topology/die_id=-1\n");
		add_of(&tar, "cpu/cpu", cpu, "topology/physical_package_id=%u\n", 36 + cpu / 64);
		add_of(&tar, "cpu/cpu", cpu, "topology/core_cpus_list=%u\n", cpu);
		add_of(&tar, "cpu/cpu", cpu, "topology/die_cpus_list=%u\n", cpu);
		add_of(&tar, "cpu/cpu", cpu, "topology/cluster_cpus_list=%u-%u\n", cluster,
		       cluster + 3);
		add_of(&tar, "cpu/cpu", cpu, "topology/package_cpus_list=%u-%u\n", package,
		       package + 63);
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/level=3\n");
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/type=Unified\n");
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/size=32768K\n");
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/shared_cpu_list=%u-%u\n", cache,
		       cache + 31);
	}
	for (unsigned int node = 0; node < 4; node++) {
		add_of(&tar, "node/node", node, "cpulist=%u-%u\n", 32 * node, 32 * node + 31);
		add_of(&tar, "node/node", node, "distance=%s\n", rows[node]);
	}
	return build_tar(&tar, ARCH_ARM64, kernel);
}

/* T3: five distances, three hops. */
static void test_kunpeng_with_nul_bytes_and_no_die(void **state)
{
	struct built b = kunpeng("6.12");

	(void)state;
	assert_int_equal(b.m->nr_notes, 0);
	assert_int_equal(b.m->cpu[0].die, -1);
	assert_int_equal(b.m->cpu[127].package, 37);
	assert_levels(&b, 0, "CLS 0-3, MC 0-31, NUMA 0-63, NUMA 0-95, NUMA 0-127");
	assert_levels(&b, 127, "CLS 124-127, MC 96-127, NUMA 64-127, NUMA 32-127, NUMA 0-127");
	assert_distances(&b, "10 16 25 32 33");
	assert_int_equal(b.tree->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_reach(&b, 0, "{0-1} {0-2} {0-3}");
	assert_reach(&b, 1, "{0-1} {0-2} {0-3}");
	assert_reach(&b, 3, "{2-3} {1-3} {0-3}");
	assert_int_equal(b.tree->complaints.nr, 0);
	built_free(&b);
	b = kunpeng("5.11");
	assert_said(&b, "Shortest NUMA path spans too many nodes", 1);
	built_free(&b);
}

/*
 * T13, offline-cpu0-node0: CPUs 0-3 and 21-23 and node 0 are offline, 192 CPUs possible. Even CPUs are of
 * package 0, odd ones of package 1 and node 1, the only node there is; its row has two distances.
 */
static void test_holes_are_mended_and_said(void **state)
{
	static const char high[] = "00000000,00000000,00000000,00000000,00000000,";
	struct strbuf tar = { 0 };
	struct built b;

	(void)state;
	add(&tar, "tree/sys/devices/system/cpu/online", "4-20\n");
	add(&tar, "tree/sys/devices/system/cpu/present", "0-23\n");
	add(&tar, "tree/sys/devices/system/cpu/possible", "0-191\n");
	for (unsigned int cpu = 4; cpu <= 20; cpu++) {
		unsigned int package = cpu % 2 ? 0x0aaaa0 : 0x155550;

		add_of(&tar, "cpu/cpu", cpu, "topology/core_id=%u\n", cpu / 2);
		add_of(&tar, "cpu/cpu", cpu, "topology/physical_package_id=%u\n", cpu % 2);
		add_of(&tar, "cpu/cpu", cpu, "topology/thread_siblings=%s%08x\n", high, 1u << cpu);
		add_of(&tar, "cpu/cpu", cpu, "topology/core_siblings=%s%08x\n", high, package);
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/level=3\n");
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/type=Unified\n");
		add_of(&tar, "cpu/cpu", cpu, "cache/index0/shared_cpu_map=%s%08x\n", high, package);
	}
	add(&tar, "tree/sys/devices/system/node/online", "1\n");
	add(&tar, "tree/sys/devices/system/node/possible", "0-1\n");
	add_of(&tar, "node/node", 1, "cpumap=%s000aaaa0\n", high);
	add_of(&tar, "node/node", 1, "distance=21 10\n");
	b = build_tar(&tar, ARCH_X86, "6.12");
	assert_int_equal(b.m->online->weight, 17);
	assert_int_equal(b.m->present->weight, 24);
	assert_int_equal(b.m->possible->weight, 192);
	assert_int_equal(b.m->nr_nodes, 1);
	assert_int_equal(b.m->node[0].id, 1);
	assert_non_null(strstr(strbuf_str(&b.m->notes), "node 1 has 2 distances for 1 nodes"));
	assert_int_equal(b.tree->complaints.nr, 0);
	assert_levels(&b, 4, "MC 4,6,8,10,12,14,16,18,20, PKG 4-20");
	assert_levels(&b, 5, "MC 5,7,9,11,13,15,17,19, PKG 4-20");
	built_free(&b);
}

/*
 * T32, 256ia64-64n2s2c: quads of nodes, of which the first has two at 26 and, at 30, seven more: 40 nodes
 * in all. The preset has the recorded rows.
 */
static void test_sgi_of_64_nodes(void **state)
{
	const char *nearest = NULL;
	const struct preset *preset = preset_find("sgi-altix-256", &nearest);
	struct built b;

	(void)state;
	assert_non_null(preset);
	b = build(preset->text, ARCH_GENERIC, "6.1", NULL);
	assert_distances(&b, "10 22 26 30 34");
	assert_int_equal(b.tree->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_reach(&b, 0, "{0-3} {0-11} {0-19,24-27,32-35,40-43,48-51,56-59} {0-63}");
	assert_int_equal(b.tree->levels.numa.node_mask[3 * 64]->weight, 40 * 4);
	built_free(&b);
}

/* T32, 256ppc-8n8s4t: a POWER7 with nodes numbered in pairs, an L3 a core. */
static void test_power7_of_8_nodes(void **state)
{
	static const char text[] = "cpus 256\nshare threads 0-3 step 4 times 64\n"
				   "share l2 0-3 step 4 times 64\nshare llc 0-3 step 4 times 64\n"
				   "node 0-1 ? 0-31 step 32\nnode 4-5 ? 64-95 step 32\n"
				   "node 8-9 ? 128-159 step 32\nnode 12-13 ? 192-223 step 32\n"
				   "distance 0-1 20x2 40x6\ndistance 4-5 40x2 20x2 40x4\n"
				   "distance 8-9 40x4 20x2 40x2\ndistance 12-13 40x6 20x2\n";
	struct built b = build(text, ARCH_POWER, "6.12", NULL);

	(void)state;
	assert_distances(&b, "10 20 40");
	assert_int_equal(b.tree->levels.numa.type, NUMA_BACKPLANE);
	assert_levels(&b, 0, "SMT 0-3, PKG 0-31, NUMA 0-63, NUMA 0-255");
	assert_reach(&b, 0, "{0-1} {0-1,4-5,8-9,12-13}");
	assert_int_equal(domain_llc(b.tree, 0)->span->weight, 4);
	built_free(&b);
}

/* T32, 16ia64-8n2s: an HP of two cells; CPUs share nothing but their node. */
static void test_hp_of_8_nodes(void **state)
{
	static const char text[] = "cpus 16\nshare llc 0 step 1 times 16\n"
				   "share package 0 step 1 times 16\nnode 0-7 ? 0-1 step 2\n"
				   "distance 0-3 25x4 29x4\ndistance 4-7 29x4 25x4\n";
	struct built b = build(text, ARCH_GENERIC, "6.1", NULL);

	(void)state;
	assert_distances(&b, "10 25 29");
	assert_int_equal(b.tree->levels.numa.type, NUMA_BACKPLANE);
	assert_reach(&b, 0, "{0-3} {0-7}");
	assert_levels(&b, 0, "DIE 0-1, NUMA 0-7, NUMA 0-15");
	built_free(&b);
}

/* The Opteron's cores have numbers that repeat in the two nodes of a package; they are no threads. */
static void test_opteron_numbers_cores_anew_in_each_node(void **state)
{
	static const char text[] = "vendor amd\nnode 0-1 ? 0-3 step 4\ndistance 0-1 16x2\n"
				   "share llc 0-3 step 4 times 2\nshare package 0-7\n"
				   "# cpu online package core\n0 1 0 0\n1 1 0 1\n2 1 0 2\n3 1 0 3\n"
				   "4 1 0 0\n5 1 0 1\n6 1 0 2\n7 1 0 3\n";
	struct built b = build(text, ARCH_X86, "6.12", NULL);

	(void)state;
	assert_int_equal(b.tree->complaints.nr, 0);
	assert_levels(&b, 0, "MC 0-3, NUMA 0-7");
	built_free(&b);
}

/*
 * What the kernel of a POWER10 with 768 CPUs printed for CPU 0, without the line that names the CPU and one
 * space less before each other. Kernels up to 6.6 say DIE, as it did.
 */
static void test_power10_prints_what_was_published(void **state)
{
	static const char *const kernels[] = { "5.15", "6.1", "6.6" };
	const char *nearest = NULL, *folder = *state;
	struct strbuf published = { 0 };
	char *path = xasprintf("%s/power-768.domains.txt", folder);

	assert_int_equal(file_read(&published, AT_FDCWD, path, 1 << 16, NULL), 0);
	assert_int_equal(published.len, 961);
	for (unsigned int i = 0; i < 3; i++) {
		struct built b = build(preset_find("power10-768", &nearest)->text, ARCH_POWER,
				       kernels[i], NULL);
		struct strbuf ours = { 0 };
		char *text = dump(&b), *line = strchr(text, '\n') + 1;

		for (; *line == ' '; line = strchr(line, '\n') + 1)
			strbuf_add(&ours, line + 1, strcspn(line, "\n"));
		assert_string_equal(strbuf_str(&ours), strbuf_str(&published));
		strbuf_release(&ours);
		free(text);
		built_free(&b);
	}
	strbuf_release(&published);
	free(path);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(test_power10_prints_what_was_published, argv[argc - 1]),
		cmocka_unit_test(test_kunpeng_with_nul_bytes_and_no_die),
		cmocka_unit_test(test_holes_are_mended_and_said),
		cmocka_unit_test(test_sgi_of_64_nodes),
		cmocka_unit_test(test_power7_of_8_nodes),
		cmocka_unit_test(test_hp_of_8_nodes),
		cmocka_unit_test(test_opteron_numbers_cores_anew_in_each_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
