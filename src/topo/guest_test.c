// SPDX-License-Identifier: GPL-2.0-only
/* What x86 guests see of QEMU's words, and what their kernels say of it; each case but KVM's as a boot showed it. */
#include "topo/hotplug.h"
#include "topo/print.h"
#include "topo/source.h"

#include "base/mem.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

struct guest {
	struct machine *m;
	struct hotplug *h;
};

static struct guest boot(const char *words, unsigned int major, unsigned int minor)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct error err = { 0 };
	struct guest g = { 0 };

	release_preset(&r, major, minor, ARCH_X86);
	if (qemu_parse(&g.m, words, &opts, &err))
		fail_msg("%s", err.text);
	g.h = hotplug_boot(g.m, &r);
	return g;
}

static void guest_free(struct guest *g)
{
	hotplug_free(g->h);
	machine_free(g->m);
}

/* "LEVEL span | LEVEL span" of CPU 0 from the bottom up. */
static void assert_levels(const char *words, unsigned int major, unsigned int minor,
			  const char *want)
{
	struct guest g = boot(words, major, minor);
	struct strbuf sb = { 0 };
	const struct domain *sd;

	for (sd = g.h->tree[0]->base[0]; sd; sd = sd->parent) {
		strbuf_addf(&sb, "%s%s ", sb.len ? " | " : "", domain_name(g.h->tree[0], sd));
		cset_print(sd->span, &sb);
	}
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
	guest_free(&g);
}

static void assert_said(const char *words, unsigned int major, unsigned int minor, const char *want)
{
	struct guest g = boot(words, major, minor);
	struct strbuf sb = { 0 };

	print_complaints(g.h->tree[0], &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
	guest_free(&g);
}

/* 2 packages of 2 dies of 2 cores with 2 threads. */
#define EPYC "-smp 16,sockets=2,dies=2,cores=2,threads=2 -cpu EPYC-Rome"

/* Emulated, an AMD model has none of AMD's own leaves: the last cache is the package's. */
static void test_amd_under_tcg(void **state)
{
	(void)state;
	assert_levels("-accel tcg " EPYC, 6, 1, "MC 0-7 | DIE 0-15");
	assert_levels("-accel tcg " EPYC, 6, 12, "SMT 0-1 | MC 0-7 | PKG 0-15");
	/* dies of one CPU: up to 6.8 each is a package */
	assert_levels("-accel tcg -smp 9,sockets=3,dies=3,cores=1,threads=1 -cpu qemu64", 6, 1,
		      "DIE 0-8");
	assert_levels("-accel tcg -smp 9,sockets=3,dies=3,cores=1,threads=1 -cpu qemu64", 6, 12,
		      "MC 0-2 | PKG 0-8");
	assert_levels("-accel tcg -smp 8,sockets=2,cores=2,threads=2 -cpu qemu64", 6, 19,
		      "SMT 0-1 | MC 0-3 | PKG 0-7");
	assert_levels("-accel tcg " EPYC ",l3-cache=off", 7, 3, "SMT 0-1 | MC 0-7 | PKG 0-15");
	assert_levels("-accel tcg " EPYC " -M q35,smp-cache.0.cache=l3,smp-cache.0.topology=die", 7,
		      3, "SMT 0-1 | MC 0-7 | PKG 0-15");
}

/*
 * With KVM it has them (not booted: this follows from what kernels read there): the last cache is the die's,
 * of the first Zen eight APIC numbers, which are two dies of two cores with two threads; 6.1 sees the threads.
 */
static void test_amd_under_kvm(void **state)
{
	(void)state;
	assert_levels("-accel kvm " EPYC, 6, 1, "SMT 0-1 | MC 0-3 | DIE 0-15");
	assert_levels("-accel kvm " EPYC, 6, 12, "SMT 0-1 | MC 0-3 | PKG 0-15");
	assert_levels("-accel kvm -smp 16,sockets=1,dies=4,cores=2,threads=2 -cpu EPYC", 6, 12,
		      "SMT 0-1 | MC 0-7 | PKG 0-15");
}

#define TWO_FAR                                                                                    \
	" -smp 4,sockets=2,cores=2,threads=1 -numa node,nodeid=0,cpus=0-1 "                        \
	"-numa node,nodeid=1,cpus=2-3 -numa dist,src=0,dst=1,val=31"

/* Nodes 31 apart: within 32 of Zen, beyond the 30 of older models. */
static void test_reclaim_distance_is_zens(void **state)
{
	struct guest g = boot("-cpu EPYC" TWO_FAR, 6, 12);

	(void)state;
	assert_true(g.h->tree[0]->base[0]->parent->flags & SD_WAKE_AFFINE);
	guest_free(&g);
	g = boot("-cpu max" TWO_FAR, 6, 12);
	assert_false(g.h->tree[0]->base[0]->parent->flags & SD_WAKE_AFFINE);
	guest_free(&g);
}

/* Nodes that are as near as the own one: the firmware's table is thrown away, and 20 taken for 40. */
static void test_distance_of_ten_spoils_the_table(void **state)
{
	struct guest g = boot("-smp 6,sockets=3,cores=2 -numa node,cpus=0-1 -numa node,cpus=2-3 "
			      "-numa node,cpus=4-5 -numa dist,src=0,dst=1,val=10 "
			      "-numa dist,src=0,dst=2,val=40 -numa dist,src=1,dst=2,val=40",
			      6, 12);

	(void)state;
	assert_int_equal(g.h->tree[0]->levels.numa.nr, 2);
	assert_int_equal(g.h->tree[0]->levels.numa.max_distance, 20);
	guest_free(&g);
}

#define SPLIT                                                                                      \
	"-smp 8,sockets=1,cores=4,threads=2 -numa node,nodeid=0,cpus=0,cpus=3 "                    \
	"-numa node,nodeid=1,cpus=1-2,cpus=4-7 "

/*
 * CPUs 0 and 1 are a core, 2 and 3 too. In the order of numbers CPU 1 meets its sibling first. From 6.5 on
 * CPUs 2, 4 and 6 come before it: an AMD kernel then says that CPU 2 shares the last cache with CPU 0.
 */
static void test_siblings_in_the_order_of_bring_up(void **state)
{
	(void)state;
	assert_said("-cpu Icelake-Server " SPLIT, 6, 12,
		    "sched: CPU #1's smt-sibling CPU #0 is not on the same node! [node: 1 != 0]. "
		    "Ignoring dependency.\n");
	assert_said("-accel tcg -cpu EPYC " SPLIT, 6, 12,
		    "sched: CPU #2's llc-sibling CPU #0 is not on the same node! [node: 1 != 0]. "
		    "Ignoring dependency.\n");
}

/* An L2 for a module of four cores, across two nodes. */
static void test_l2_across_nodes(void **state)
{
	(void)state;
	assert_said("-cpu SapphireRapids -M q35,smp-cache.0.cache=l2,smp-cache.0.topology=module "
		    "-smp 8,modules=2,cores=4,threads=1 -numa node,nodeid=0,cpus=0-2 "
		    "-numa node,nodeid=1,cpus=3-7",
		    6, 12,
		    "sched: CPU #3's l2c-sibling CPU #0 is not on the same node! [node: 1 != 0]. "
		    "Ignoring dependency.\n");
}

/*
 * Nodes a package, rounded up, decide whether there is a PKG level. 4 nodes in 4 packages, of which one CPU
 * in the second is the last that is plugged: 4 / 2.
 */
static void test_nodes_count_though_unplugged(void **state)
{
	static const char words[] =
		"-smp 5,maxcpus=16,sockets=4,cores=2,threads=2 -numa node,nodeid=0,cpus=0-3 "
		"-numa node,nodeid=1,cpus=4-7 -numa node,nodeid=2,cpus=8-11 "
		"-numa node,nodeid=3,cpus=12-15 -cpu GraniteRapids,l3-cache=off";

	(void)state;
	assert_levels(words, 7, 2, "SMT 0-1 | NODE 0-3 | NUMA 0-4");
	assert_levels(words, 6, 12, "SMT 0-1 | PKG 0-3 | NUMA 0-4");
}

#define THREE_A_SOCKET                                                                             \
	"-smp 6,sockets=2,cores=3,threads=1 -numa node,cpus=0 -numa node,cpus=1 "                  \
	"-numa node,cpus=2 -numa node,cpus=3 -numa node,cpus=4 -numa node,cpus=5 "                 \
	"-numa dist,src=0,dst=1,val=15 -numa dist,src=0,dst=2,val=17 "                             \
	"-numa dist,src=1,dst=2,val=15 -numa dist,src=3,dst=4,val=15 "                             \
	"-numa dist,src=3,dst=5,val=17 -numa dist,src=4,dst=5,val=15 "                             \
	"-numa dist,src=0,dst=3,val=21 -numa dist,src=0,dst=4,val=28 "                             \
	"-numa dist,src=0,dst=5,val=26 -numa dist,src=1,dst=3,val=23 "                             \
	"-numa dist,src=1,dst=4,val=26 -numa dist,src=1,dst=5,val=23 "                             \
	"-numa dist,src=2,dst=3,val=26 -numa dist,src=2,dst=4,val=23 "                             \
	"-numa dist,src=2,dst=5,val=21 -numa dist,src=3,dst=0,val=21 "                             \
	"-numa dist,src=4,dst=0,val=23 -numa dist,src=5,dst=0,val=26 "                             \
	"-numa dist,src=3,dst=1,val=28 -numa dist,src=4,dst=1,val=26 "                             \
	"-numa dist,src=5,dst=1,val=23 -numa dist,src=3,dst=2,val=26 "                             \
	"-numa dist,src=4,dst=2,val=23 -numa dist,src=5,dst=2,val=21 "

/* Granite Rapids, three nodes a socket: 6.18.12 takes the distances as they are, 6.19.14 the mean, 24. */
static void test_mean_distance_between_sockets(void **state)
{
	(void)state;
	assert_levels("-cpu GraniteRapids " THREE_A_SOCKET, 6, 18,
		      "NUMA 0-1 | NUMA 0-2 | NUMA 0-3 | NUMA 0-3,5 | NUMA 0-5");
	assert_levels("-cpu GraniteRapids " THREE_A_SOCKET, 6, 19,
		      "NUMA 0-1 | NUMA 0-2 | NUMA 0-5");
	assert_levels("-cpu SapphireRapids " THREE_A_SOCKET, 6, 19,
		      "NUMA 0-1 | NUMA 0-2 | NUMA 0-3 | NUMA 0-3,5 | NUMA 0-5");
}

/* Two nodes a socket: the model's distances stay. */
static void test_no_mean_distance_of_two_a_socket(void **state)
{
	(void)state;
	assert_levels("-cpu GraniteRapids -smp 4,sockets=2,cores=2,threads=1 -numa node,cpus=0 "
		      "-numa node,cpus=1 -numa node,cpus=2 -numa node,cpus=3 "
		      "-numa dist,src=0,dst=1,val=12 -numa dist,src=2,dst=3,val=12 "
		      "-numa dist,src=0,dst=2,val=21 -numa dist,src=0,dst=3,val=23 "
		      "-numa dist,src=1,dst=2,val=22 -numa dist,src=1,dst=3,val=21",
		      7, 3, "NUMA 0-1 | NUMA 0-2 | NUMA 0-3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_amd_under_tcg),
		cmocka_unit_test(test_amd_under_kvm),
		cmocka_unit_test(test_reclaim_distance_is_zens),
		cmocka_unit_test(test_distance_of_ten_spoils_the_table),
		cmocka_unit_test(test_siblings_in_the_order_of_bring_up),
		cmocka_unit_test(test_l2_across_nodes),
		cmocka_unit_test(test_nodes_count_though_unplugged),
		cmocka_unit_test(test_mean_distance_between_sockets),
		cmocka_unit_test(test_no_mean_distance_of_two_a_socket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
