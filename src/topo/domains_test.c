// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines small enough to work out by hand. The distances, spans, groups and operation counts are those
 * of the scheduler's rules as written down before this code was (rows T-A-1 to T-A-13).
 */
#include "topo/domains.h"
#include "topo/print.h"
#include "topo/source.h"
#include "topo/spancheck.h"

#include "base/mem.h"
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

static struct domain_tree *tree_of(const struct machine *m, unsigned int major, unsigned int minor,
				   const char *config)
{
	struct release r;

	release_preset(&r, major, minor, m->arch);
	if (config)
		assert_int_equal(release_config(&r, config, NULL), 0);
	return domains_build(m, &r, m->online, m->online);
}

/* Spans of a CPU from the bottom up, joined by ' '. */
static void assert_spans(const struct domain_tree *tree, unsigned int cpu, const char *want)
{
	struct strbuf sb = { 0 };
	const struct domain *sd;

	for (sd = tree->base[cpu]; sd; sd = sd->parent) {
		if (sb.len)
			strbuf_addch(&sb, ' ');
		cset_print(sd->span, &sb);
	}
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

/* Groups of a CPU's @depth-th domain: "{span mask M cap C}" each; mask only where it differs. */
static void assert_groups(const struct domain_tree *tree, unsigned int cpu, unsigned int depth,
			  const char *want)
{
	const struct domain *sd = tree->base[cpu];
	struct strbuf sb = { 0 };

	while (depth--)
		sd = sd->parent;
	for (unsigned int i = 0; i < sd->ring->nr; i++) {
		const struct group *g = domain_group(sd, i);

		strbuf_addstr(&sb, "{");
		cset_print(g->span, &sb);
		if (g->balance != g->span) {
			strbuf_addstr(&sb, " mask ");
			cset_print(g->balance, &sb);
		}
		strbuf_addf(&sb, " cap %u}", g->capacity);
	}
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void assert_imbalances(const struct domain_tree *tree, unsigned int cpu, const char *want)
{
	struct strbuf sb = { 0 };
	const struct domain *sd;

	for (sd = tree->base[cpu]; sd; sd = sd->parent)
		strbuf_addf(&sb, "%s%u", sb.len ? "," : "", sd->imb_numa_nr);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static const char line3[] = "cpus 12\nshare threads 0-1 step 2 times 6\n"
			    "share llc 0-3 step 4 times 3\nshare package 0-3 step 4 times 3\n"
			    "node 0 0 0-3\nnode 1 0 4-7\nnode 2 0 8-11\n"
			    "distance 0 10 20 30\ndistance 1 20 10 20\ndistance 2 30 20 10\n";

/* T-A-3: three nodes in a line. The text of CPUs 0 and 4 was written down by hand. */
static void test_dump_of_three_nodes_in_a_line(void **state)
{
	static const char cpu0[] = "CPU0 attaching sched-domain(s):\n"
				   " domain-0: span=0-1 level=SMT\n"
				   "  groups: 0:{ span=0 }, 1:{ span=1 }\n"
				   "  domain-1: span=0-3 level=MC\n"
				   "   groups: 0:{ span=0-1 cap=2048 }, 2:{ span=2-3 cap=2048 }\n"
				   "   domain-2: span=0-7 level=NUMA\n"
				   "    groups: 0:{ span=0-3 cap=4096 }, 4:{ span=4-7 cap=4096 }\n"
				   "    domain-3: span=0-11 level=NUMA\n"
				   "     groups: 0:{ span=0-7 mask=0-3 cap=8192 }, 8:{ span=4-11 "
				   "mask=8-11 cap=8192 }\n"
				   "CPU1 ";
	static const char cpu4[] = "CPU4 attaching sched-domain(s):\n"
				   " domain-0: span=4-5 level=SMT\n"
				   "  groups: 4:{ span=4 }, 5:{ span=5 }\n"
				   "  domain-1: span=4-7 level=MC\n"
				   "   groups: 4:{ span=4-5 cap=2048 }, 6:{ span=6-7 cap=2048 }\n"
				   "   domain-2: span=0-11 level=NUMA\n"
				   "    groups: 4:{ span=4-7 cap=4096 }, 8:{ span=8-11 cap=4096 }, "
				   "0:{ span=0-3 cap=4096 }\n"
				   "CPU5 ";
	struct machine *m = machine_of(line3, ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);
	struct strbuf sb = { 0 };

	(void)state;
	print_dump(tree, &sb);
	assert_int_equal(strncmp(strbuf_str(&sb), cpu0, strlen(cpu0)), 0);
	assert_non_null(strstr(strbuf_str(&sb), cpu4));
	strbuf_release(&sb);
	domain_tree_free(tree);
	machine_free(m);
}

/* T-A-4: the same without CPU 3; CPU 2's core has one thread left. */
static void test_dump_after_one_cpu_went(void **state)
{
	static const char cpu2[] = "CPU2 attaching sched-domain(s):\n"
				   " domain-0: span=0-2 level=MC\n"
				   "  groups: 2:{ span=2 }, 0:{ span=0-1 cap=2048 }\n"
				   "  domain-1: span=0-2,4-7 level=NUMA\n"
				   "   groups: 0:{ span=0-2 cap=3072 }, 4:{ span=4-7 cap=4096 }\n"
				   "   domain-2: span=0-2,4-11 level=NUMA\n"
				   "    groups: 0:{ span=0-2,4-7 mask=0-2 cap=7168 }, 8:{ "
				   "span=4-11 mask=8-11 cap=8192 }\n"
				   "CPU4 ";
	struct machine *m = machine_of(line3, ARCH_X86);
	struct release r;
	struct hotplug *h;
	struct strbuf sb = { 0 };

	(void)state;
	release_preset(&r, 6, 12, ARCH_X86);
	h = hotplug_boot(m, &r);
	h->log = &sb;
	assert_int_equal(hotplug_offline(h, 3, NULL), 0);
	assert_non_null(strstr(strbuf_str(&sb), cpu2));
	hotplug_free(h);
	strbuf_release(&sb);
	machine_free(m);
}

static const char ring4[] = "cpus 8\nshare llc 0-1 step 2 times 4\n"
			    "share package 0-1 step 2 times 4\n"
			    "node 0 0 0-1\nnode 1 0 2-3\nnode 2 0 4-5\nnode 3 0 6-7\n"
			    "distance 0 10 20 30 20\ndistance 1 20 10 20 30\n"
			    "distance 2 30 20 10 20\ndistance 3 20 30 20 10\n";

/* T-A-5: a ring: the nodes next to a node are nearer to it than the opposite one. */
static void test_ring_of_four_nodes(void **state)
{
	struct machine *m = machine_of(ring4, ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);

	(void)state;
	assert_int_equal(tree->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_spans(tree, 0, "0-1 0-3,6-7 0-7");
	assert_groups(tree, 0, 2, "{0-3,6-7 mask 0-1 cap 6144}{2-7 mask 4-5 cap 6144}");
	domain_tree_free(tree);
	machine_free(m);
}

static const char line4[] = "cpus 8\nshare llc 0-1 step 2 times 4\n"
			    "share package 0-1 step 2 times 4\n"
			    "node 0 0 0-1\nnode 1 0 2-3\nnode 2 0 4-5\nnode 3 0 6-7\n"
			    "distance 0 10 20 30 40\ndistance 1 20 10 20 30\n"
			    "distance 2 30 20 10 20\ndistance 3 40 30 20 10\n";

/* T-A-6: three hops, with the fix of 5.13. 40 is beyond 30: nothing is woken or started across. */
static void test_line_of_four_nodes(void **state)
{
	struct machine *m = machine_of(line4, ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);
	const struct domain *top;

	(void)state;
	assert_spans(tree, 0, "0-1 0-3 0-5 0-7");
	assert_groups(tree, 0, 2, "{0-3 mask 0-1 cap 4096}{4-5 cap 2048}");
	assert_groups(tree, 0, 3, "{0-5 mask 0-1 cap 6144}{2-7 mask 6-7 cap 6144}");
	top = tree->base[0]->parent->parent->parent;
	assert_int_equal(top->flags & (SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE), 0);
	assert_int_equal(complaints_count(&tree->complaints, COMPLAINT_DEBUG), 0);
	domain_tree_free(tree);
	machine_free(m);
}

/* T-A-7: without the fix a group of CPU 0's third domain sticks out of it, and the dump says so. */
static void test_line_of_four_nodes_without_the_fix(void **state)
{
	struct machine *m = machine_of(line4, ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, "topo.diameter_fix=off");
	struct strbuf sb = { 0 };

	(void)state;
	assert_groups(tree, 0, 2, "{0-3 mask 0-1 cap 4096}{2-7 mask 4-5 cap 6144}");
	print_dump(tree, &sb);
	assert_non_null(strstr(strbuf_str(&sb), "ERROR: groups don't span domain->span\n"));
	strbuf_release(&sb);
	domain_tree_free(tree);
	machine_free(m);
}

static const char kunpeng[] =
	"cpus 96\nshare cluster 0-3 step 4 times 24\nshare llc 0-23 step 24 times 4\n"
	"share package 0-47 step 48 times 2\n"
	"node 0 0 0-23\nnode 1 0 24-47\nnode 2 0 48-71\nnode 3 0 72-95\n"
	"distance 0 10 12 20 22\ndistance 1 12 10 22 24\n"
	"distance 2 20 22 10 12\ndistance 3 22 24 12 10\n";

/* T-A-8, and T-A-2's last: 30 336 bit tests, the sum of all spans of all CPUs. */
static void test_kunpeng_920(void **state)
{
	struct machine *m = machine_of(kunpeng, ARCH_ARM64);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);

	(void)state;
	assert_spans(tree, 0, "0-3 0-23 0-47 0-71 0-95");
	assert_groups(tree, 0, 4, "{0-71 mask 0-23 cap 73728}{48-95 mask 72-95 cap 49152}");
	assert_imbalances(tree, 0, "0,0,3,3,6");
	domain_tree_free(tree);
	machine_free(m);
}

/*
 * T-A-9: 2 x 56 cores x 2, one cache a node, so 56 groups of a core each. PKG is where the last cache ends:
 * one LLC in it, so an eighth of its 112 CPUs, 14; PKG goes, the NUMA level keeps it.
 */
static void test_two_sockets_of_56_cores(void **state)
{
	struct machine *m = machine_of("cpus 224\nshare threads 0-1 step 2 times 112\n"
				       "share llc 0-111 step 112 times 2\n"
				       "share package 0-111 step 112 times 2\n"
				       "node 0 0 0-111\nnode 1 0 112-223\n"
				       "distance 0 10 21\ndistance 1 21 10\n",
				       ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);

	(void)state;
	assert_spans(tree, 0, "0-1 0-111 0-223");
	assert_int_equal(tree->base[0]->parent->ring->nr, 56);
	assert_int_equal(tree->base[0]->parent->weight, 112);
	assert_imbalances(tree, 0, "0,0,14");
	domain_tree_free(tree);
	machine_free(m);
}

/* T-A-10: LLCs of 16 in nodes of 128. */
static void test_several_caches_a_node(void **state)
{
	struct machine *m = machine_of("cpus 256\nshare threads 0-1 step 2 times 128\n"
				       "share llc 0-15 step 16 times 16\n"
				       "share package 0-127 step 128 times 2\n"
				       "node 0 0 0-127\nnode 1 0 128-255\n"
				       "distance 0 10 21\ndistance 1 21 10\n",
				       ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);

	(void)state;
	assert_spans(tree, 0, "0-1 0-15 0-127 0-255");
	assert_int_equal(tree->base[0]->parent->parent->ring->nr, 8);
	assert_imbalances(tree, 0, "0,0,8,8");
	domain_tree_free(tree);
	machine_free(m);
}

static const char five[] = "cpus 10\nreclaim_distance 40\nshare threads 0-1 step 2 times 5\n"
			   "share llc 0-1 step 2 times 5\nshare package 0-1 step 2 times 5\n"
			   "node 0 0 0-1\nnode 1 0 2-3\nnode 2 0 4-5\nnode 3 0 6-7\nnode 4 0 8-9\n"
			   "distance 0 10 39 38 37 36\ndistance 1 39 10 38 37 36\n"
			   "distance 2 38 38 10 37 36\ndistance 3 37 37 37 10 36\n"
			   "distance 4 36 36 36 36 10\n";

static const struct level *find_level(const struct domain_tree *tree, const char *name)
{
	for (unsigned int i = 0; i < tree->levels.nr; i++)
		if (!strcmp(tree->levels.level[i].name, name))
			return &tree->levels.level[i];
	return NULL;
}

/* T-A-11: node 4 has one distance, so the last CPU built leaves index 1 behind, and the bug of 6.16 bites. */
static void test_five_nodes_and_the_stale_index(void **state)
{
	struct machine *m = machine_of(five, ARCH_X86);
	struct domain_tree *good = tree_of(m, 6, 18, NULL), *bad = tree_of(m, 6, 16, NULL);
	struct domain_tree *old = tree_of(m, 6, 12, "topo.node_mask_bug=on");
	struct span_check_in in = {
		.level = find_level(good, "NODE"), .nr = 1, .map = m->online, .pool = m->pool
	};
	struct span_check_out out;

	(void)state;
	assert_int_equal(good->levels.numa.type, NUMA_GLUELESS_MESH);
	assert_spans(good, 0, "0-1 0-1,8-9 0-1,6-9 0-1,4-9 0-9");
	assert_spans(good, 9, "8-9 0-9");
	span_check_run(&out, SPAN_LINEAR_IDSET, &in);
	assert_true(out.sane);
	assert_int_equal(out.ops.count[OP_FIRST], 10);
	assert_int_equal(out.ops.count[OP_TEST_BIT], 10);
	assert_int_equal(out.ops.count[OP_INTERSECTS], 5);
	assert_int_equal(out.ops.count[OP_OR], 5);
	assert_int_equal(out.ops.count[OP_SET_BIT], 5);
	assert_int_equal(out.ops.count[OP_EQUAL], 5);
	assert_true(bad->failed);
	assert_null(bad->base[0]);
	assert_int_equal(complaints_count(&bad->complaints, COMPLAINT_SPAN), 1);
	assert_false(old->failed); /* pairwise asks before the index goes stale */
	domain_tree_free(good);
	domain_tree_free(bad);
	domain_tree_free(old);
	machine_free(m);
}

/* A level whose masks are blocks of @size. */
static struct level blocks(struct machine *m, const char *name, unsigned int size)
{
	struct level level = { .name = name, .mask = xcalloc(m->nr_cpus, sizeof(*level.mask)) };

	for (unsigned int cpu = 0; cpu < m->nr_cpus; cpu++)
		level.mask[cpu] =
			cset_range(m->pool, cpu / size * size, cpu / size * size + size - 1);
	return level;
}

/* T-A-12: {0,1,2} and {2,3,4,5} overlap: every way of asking says so. */
static void test_partial_overlap_is_insane_in_every_variant(void **state)
{
	struct machine *m = machine_new(6);
	struct level level = blocks(m, "MC", 3);
	unsigned int built[6] = { 1, 1, 1, 1, 1, 1 };
	const struct cset *span[6];
	struct span_check_in in = { .level = &level,
				    .nr = 1,
				    .map = m->online,
				    .pool = m->pool,
				    .built = built,
				    .span = span };

	(void)state;
	for (unsigned int cpu = 3; cpu < 6; cpu++)
		level.mask[cpu] = cset_range(m->pool, 2, 5);
	memcpy(span, level.mask, sizeof(span));
	for (unsigned int how = 0; how < NR_SPAN_CHECKS; how++) {
		struct span_check_out out;

		span_check_run(&out, (enum span_check)how, &in);
		assert_false(out.sane);
	}
	free(level.mask);
	machine_free(m);
}

/*
 * Three cores whose threads are dealt out in turn, 0 and 2, 1 and 3, 4 and 5. Each CPU links the same groups from its own on, and CPU 5, the
 * last one, leaves 4-5 -> 0,2 -> 1,3: CPU 1 goes on with 4-5, though it had linked 0,2 behind its own.
 */
static void test_the_last_cpu_links_the_groups_of_all(void **state)
{
	struct machine *m = machine_of("cpus 6\nshare threads 0,2\nshare threads 1,3\n"
				       "share threads 4-5\nshare llc 0-5\nnode 0 0 0-5\n",
				       ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);

	(void)state;
	assert_groups(tree, 0, 1, "{0,2 cap 2048}{1,3 cap 2048}{4-5 cap 2048}");
	assert_groups(tree, 1, 1, "{1,3 cap 2048}{4-5 cap 2048}{0,2 cap 2048}");
	assert_groups(tree, 2, 1, "{0,2 cap 2048}{1,3 cap 2048}{4-5 cap 2048}");
	assert_groups(tree, 5, 1, "{4-5 cap 2048}{0,2 cap 2048}{1,3 cap 2048}");
	domain_tree_free(tree);
	machine_free(m);
}

/* T-A-13: eight cores of four threads that share their last cache: the LLC is the core. */
static void test_cache_of_a_core(void **state)
{
	struct machine *m = machine_of("cpus 32\nshare threads 0-3 step 4 times 8\nnode 0 0 0-31\n",
				       ARCH_POWER);
	struct domain_tree *tree = tree_of(m, 6, 12, NULL);

	(void)state;
	assert_spans(tree, 0, "0-3 0-31");
	assert_int_equal(domain_imbalance_pct(tree->base[0]), 110);
	assert_int_equal(tree->base[0]->parent->ring->nr, 8);
	assert_imbalances(tree, 0, "0,8");
	assert_int_equal(domain_llc(tree, 0)->span->weight, 4);
	domain_tree_free(tree);
	machine_free(m);
}

/* T-A-1: levels as blocks; @size[4]; a level that spans all CPUs is the last that pairwise looks at. */
static void assert_counts(unsigned int nr_cpus, const unsigned int *size, const uint64_t *full,
			  const uint64_t *half, const uint64_t *idset)
{
	static const enum mask_op ops[] = { OP_FIRST, OP_TEST_BIT, OP_INTERSECTS,
					    OP_OR,    OP_EQUAL,	   OP_CLEAR };
	static const char *const names[] = { "A", "B", "C", "D" };
	struct machine *m = machine_new(nr_cpus);
	struct level level[4];
	unsigned int *built = xcalloc(nr_cpus, sizeof(*built)), last;
	struct span_check_in in = {
		.level = level, .nr = 4, .map = m->online, .pool = m->pool, .built = built
	};
	struct span_check_out out;

	for (unsigned int i = 0; i < 4; i++)
		level[i] = blocks(m, names[i], size[i]);
	for (last = 0; last < 3 && size[last] != nr_cpus; last++)
		;
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		built[cpu] = last + 1;
	span_check_run(&out, SPAN_PAIRWISE_FULL, &in);
	assert_true(out.sane);
	assert_int_equal(out.ops.count[OP_EQUAL], full[0]);
	assert_int_equal(out.ops.count[OP_INTERSECTS], full[1]);
	span_check_run(&out, SPAN_PAIRWISE_HALF, &in);
	assert_int_equal(out.ops.count[OP_EQUAL], half[0]);
	assert_int_equal(out.ops.count[OP_INTERSECTS], half[1]);
	span_check_run(&out, SPAN_LINEAR_IDSET, &in);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		assert_int_equal(out.ops.count[ops[i]], idset[i]);
	for (unsigned int i = 0; i < 4; i++)
		free(level[i].mask);
	free(built);
	machine_free(m);
}

static void test_counts_of_the_span_check(void **state)
{
	(void)state;
	assert_counts(8, (const unsigned int[]){ 2, 4, 8, 8 }, (const uint64_t[]){ 168, 80 },
		      (const uint64_t[]){ 84, 40 }, (const uint64_t[]){ 32, 32, 8, 8, 24, 8 });
	assert_counts(24, (const unsigned int[]){ 4, 24, 24, 24 }, (const uint64_t[]){ 1104, 480 },
		      (const uint64_t[]){ 552, 240 }, (const uint64_t[]){ 96, 96, 9, 9, 87, 8 });
	assert_counts(12, (const unsigned int[]){ 2, 4, 4, 4 }, (const uint64_t[]){ 528, 408 },
		      (const uint64_t[]){ 264, 204 }, (const uint64_t[]){ 48, 48, 15, 15, 33, 8 });
	assert_counts(1920, (const unsigned int[]){ 2, 120, 120, 120 },
		      (const uint64_t[]){ 14737920, 14050560 },
		      (const uint64_t[]){ 7368960, 7025280 },
		      (const uint64_t[]){ 7680, 7680, 1008, 1008, 6672, 8 });
	assert_counts(8192, (const unsigned int[]){ 2, 128, 128, 128 },
		      (const uint64_t[]){ 268402688, 265273344 },
		      (const uint64_t[]){ 134201344, 132636672 },
		      (const uint64_t[]){ 32768, 32768, 4288, 4288, 28480, 8 });
}

static unsigned int count_domains(const struct domain_tree *tree, uint64_t *weight)
{
	unsigned int n = 0;

	*weight = 0;
	for (size_t i = 0; i < (size_t)tree->machine->nr_cpus * tree->levels.nr; i++)
		if (tree->sd[i].span) {
			n++;
			*weight += tree->sd[i].span->weight;
		}
	return n;
}

/*
 * T-A-2: bit tests of the groups are the sum of the spans built. SMT 2, MC 4, PKG 8 of 8 CPUs: 8 x (2 + 4 +
 * 8) = 112. The ring has MC, PKG and NODE of 2, then 6 and 8: 8 x 20 = 160 in 40 domains. Kunpeng's rows of
 * 96 CPUs sum up to 30 336.
 */
static void test_bit_tests_of_the_groups(void **state)
{
	struct machine *m = machine_of("cpus 8\nshare threads 0-1 step 2 times 4\n"
				       "share llc 0-3 step 4 times 2\nshare package 0-7\n"
				       "node 0 0 0-7\n",
				       ARCH_X86);
	struct domain_tree *tree = tree_of(m, 6, 12, "SCHED_CLUSTER=n");
	uint64_t weight;

	(void)state;
	assert_int_equal(count_domains(tree, &weight), 24);
	assert_int_equal(weight, 112);
	assert_int_equal(tree->build.count[OP_TEST_BIT], 112);
	domain_tree_free(tree);
	machine_free(m);
	m = machine_of(ring4, ARCH_GENERIC);
	tree = tree_of(m, 5, 15, "SCHED_SMT=n");
	assert_int_equal(count_domains(tree, &weight), 40);
	assert_int_equal(tree->build.count[OP_TEST_BIT], 160);
	domain_tree_free(tree);
	machine_free(m);
	m = machine_of(kunpeng, ARCH_ARM64);
	tree = tree_of(m, 6, 12, "SCHED_SMT=n");
	assert_int_equal(count_domains(tree, &weight), 720);
	assert_int_equal(tree->build.count[OP_TEST_BIT], 30336);
	domain_tree_free(tree);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_last_cpu_links_the_groups_of_all),
		cmocka_unit_test(test_dump_of_three_nodes_in_a_line),
		cmocka_unit_test(test_dump_after_one_cpu_went),
		cmocka_unit_test(test_ring_of_four_nodes),
		cmocka_unit_test(test_line_of_four_nodes),
		cmocka_unit_test(test_line_of_four_nodes_without_the_fix),
		cmocka_unit_test(test_kunpeng_920),
		cmocka_unit_test(test_two_sockets_of_56_cores),
		cmocka_unit_test(test_several_caches_a_node),
		cmocka_unit_test(test_five_nodes_and_the_stale_index),
		cmocka_unit_test(test_partial_overlap_is_insane_in_every_variant),
		cmocka_unit_test(test_cache_of_a_core),
		cmocka_unit_test(test_counts_of_the_span_check),
		cmocka_unit_test(test_bit_tests_of_the_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
