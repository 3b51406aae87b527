// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs come up, go, and in which order: SMT control and the kernel's command line. */
#include "topo/hotplug.h"
#include "topo/print.h"
#include "topo/source.h"
#include "topo/threads.h"

#include "base/mem.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct machine *machine_of(const char *text, enum machine_arch arch)
{
	struct release r;
	struct source_opts opts = { .release = &r, .arch_known = true };
	struct machine *m = NULL;
	struct error err = { 0 };

	release_preset(&r, 7, 3, arch);
	if (source_text(&m, text, strlen(text), "test", &opts, &err))
		fail_msg("%s", err.text);
	return m;
}

static struct hotplug *boot(struct machine *m, unsigned int major, unsigned int minor,
			    const char *words)
{
	struct release r;

	release_preset(&r, major, minor, m->arch);
	assert_int_equal(machine_set_boot(m, words, NULL), 0);
	return hotplug_boot(m, &r);
}

static void assert_active(const struct hotplug *h, const char *want)
{
	struct strbuf sb = { 0 };

	cset_print(h->active, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

/* Does @word, step by step: "-1 -2 +3". */
static void assert_steps(struct hotplug *h, const char *word, const char *want)
{
	struct strbuf sb = { 0 };
	unsigned int *cpu, nr;
	bool *online;

	assert_int_equal(hotplug_plan(&cpu, &online, &nr, h, word, NULL), 0);
	for (unsigned int i = 0; i < nr; i++) {
		strbuf_addf(&sb, "%s%c%u", sb.len ? " " : "", online[i] ? '+' : '-', cpu[i]);
		assert_int_equal((online[i] ? hotplug_online : hotplug_offline)(h, cpu[i], NULL),
				 0);
	}
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
	free(cpu);
	free(online);
}

static int refused(struct hotplug *h, const char *word)
{
	unsigned int *cpu, nr;
	bool *online;

	return hotplug_plan(&cpu, &online, &nr, h, word, NULL);
}

/* Two big cores of eight threads, each two cores to the scheduler: even threads and odd ones. */
static const char big_cores[] = "cpus 16\nshare threads 0,2,4,6 step 8 times 2\n"
				"share threads 1,3,5,7 step 8 times 2\n";

/*
 * POWER's SMT control counts CPU numbers in blocks of a big core's threads: off leaves one thread of eight,
 * not one of each half; 2 is a thread of each half.
 */
static void test_power_smt_counts_threads_of_the_big_core(void **state)
{
	struct machine *m = machine_of(big_cores, ARCH_POWER);
	struct hotplug *h = boot(m, 6, 12, "");

	(void)state;
	assert_int_equal(threads_per_core(m), 8);
	assert_steps(h, "smt-off", "-1 -2 -3 -4 -5 -6 -7 -9 -10 -11 -12 -13 -14 -15");
	assert_steps(h, "smt=2", "+1 +9");
	assert_active(h, "0-1,8-9");
	assert_steps(h, "smt=4", "+2 +3 +10 +11");
	assert_steps(h, "smt=3", "-3 -11");
	assert_steps(h, "smt=8", "+3 +4 +5 +6 +7 +11 +12 +13 +14 +15");
	assert_int_equal(refused(h, "smt=9"), -EINVAL);
	assert_int_equal(refused(h, "smt=0"), -EINVAL);
	hotplug_free(h);
	machine_free(m);
}

/* Threads of a core that is down as a whole don't come. */
static void test_power_smt_leaves_a_core_that_is_down(void **state)
{
	struct machine *m = machine_of(big_cores, ARCH_POWER);
	struct hotplug *h = boot(m, 6, 12, "");

	(void)state;
	assert_steps(h, "9-15", "-9 -10 -11 -12 -13 -14 -15");
	assert_steps(h, "smt-off", "-1 -2 -3 -4 -5 -6 -7");
	assert_steps(h, "8", "-8");
	assert_steps(h, "smt=2", "+1");
	hotplug_free(h);
	machine_free(m);
}

/*
 * Cores of which all eight threads are one to the scheduler too; a boot of 6.12 (power10, two cores) took
 * these steps when off, 4 and 2 were written to its SMT control.
 */
static void test_power_smt_of_plain_cores(void **state)
{
	struct machine *m = machine_of("cpus 16\nshare threads 0-7 step 8 times 2\n", ARCH_POWER);
	struct hotplug *h = boot(m, 6, 12, "");

	(void)state;
	assert_steps(h, "smt-off", "-1 -2 -3 -4 -5 -6 -7 -9 -10 -11 -12 -13 -14 -15");
	assert_steps(h, "smt=4", "+1 +2 +3 +9 +10 +11");
	assert_steps(h, "smt=2", "-2 -3 -10 -11");
	hotplug_free(h);
	machine_free(m);
}

/* Siblings 0 and 4, 1 and 5 ...: elsewhere the kernel knows one thread a core and all, nothing between. */
static void test_smt_of_other_machines(void **state)
{
	struct machine *m = machine_of("cpus 8\nshare threads 0,4 step 1 times 4\n", ARCH_X86);
	struct hotplug *h = boot(m, 6, 12, "");

	(void)state;
	assert_steps(h, "smt=1", "-4 -5 -6 -7");
	assert_steps(h, "smt=2", "+4 +5 +6 +7");
	hotplug_free(h);
	machine_free(m);
	m = machine_of("cpus 8\nshare threads 0-3 step 4 times 2\n", ARCH_X86);
	h = boot(m, 6, 12, "");
	assert_int_equal(refused(h, "smt=2"), -EINVAL);
	assert_steps(h, "smt-off", "-1 -2 -3 -5 -6 -7");
	hotplug_free(h);
	machine_free(m);
}

/*
 * A core of three threads, APIC numbers 0, 1, 2 and 4, 5, 6. Up to 6.8 the mask for the primary thread is
 * 2^floor(log2 3) - 1 = 1: threads 0 and 2 pass; from 6.9 on it is 3 - 1 = 2: threads 0 and 1 do. Both
 * as boots of 6.1 and 7.2 showed.
 */
static void test_three_threads_have_two_primary_ones(void **state)
{
	struct machine *m = machine_of("cpus 6\nshare threads 0-2 step 3 times 2\n", ARCH_X86);
	struct hotplug *h = boot(m, 6, 1, "nosmt");

	(void)state;
	assert_active(h, "0,2-3,5");
	hotplug_free(h);
	h = boot(m, 7, 2, "nosmt");
	assert_active(h, "0-1,3-4");
	hotplug_free(h);
	machine_free(m);
}

/* Two threads a core, both up to 6.4; then the first thread of every core before any second one. */
static void test_maxcpus_takes_primary_threads_first(void **state)
{
	struct machine *m = machine_of("-smp 8,cores=4,threads=2", ARCH_X86);
	struct hotplug *h = boot(m, 6, 4, "maxcpus=5");

	(void)state;
	assert_active(h, "0-4");
	hotplug_free(h);
	h = boot(m, 6, 5, "maxcpus=5");
	assert_active(h, "0-2,4,6");
	hotplug_free(h);
	machine_free(m);
}

/* nosmt takes the SMT level away where the kernel counts threads (6.17 on), and so does one thread a core. */
static void test_nosmt_has_no_smt_level(void **state)
{
	struct machine *m = machine_of("-smp 8,cores=4,threads=2", ARCH_X86);
	struct hotplug *h = boot(m, 6, 16, "nosmt");

	(void)state;
	assert_string_equal(h->tree[0]->levels.level[0].name, "SMT");
	assert_int_equal(h->tree[0]->base[0]->level, 2);
	hotplug_free(h);
	h = boot(m, 6, 17, "nosmt");
	assert_string_equal(h->tree[0]->levels.level[0].name, "CLS");
	assert_int_equal(h->tree[0]->base[0]->level, 1);
	hotplug_free(h);
	machine_free(m);
}

static const char two_nodes[] =
	"-smp 8,sockets=2,cores=4 -numa node,nodeid=0,cpus=0-3 -numa node,nodeid=1,cpus=4-7 "
	"-numa node,nodeid=2 -numa dist,src=0,dst=1,val=40";

static void test_words_that_take_cpus_or_nodes(void **state)
{
	struct machine *m = machine_of(two_nodes, ARCH_X86);
	struct hotplug *h = boot(m, 6, 12, "nr_cpus=6");

	(void)state;
	assert_int_equal(m->nr_cpus, 6);
	assert_int_equal(m->nr_nodes, 2 + 1);
	assert_active(h, "0-5");
	hotplug_free(h);
	h = boot(m, 6, 12, "numa=off possible_cpus=5");
	assert_int_equal(m->nr_nodes, 1);
	assert_active(h, "0-4");
	hotplug_free(h);
	machine_free(m);
}

/* Made-up nodes: two a node change nothing but numbers; one for two nodes takes the other's CPUs. */
static void test_made_up_nodes(void **state)
{
	struct machine *m = machine_of(two_nodes, ARCH_X86);
	struct hotplug *h = boot(m, 6, 12, "numa=fake=2U");

	(void)state;
	assert_int_equal(m->node[1].id, 2);
	assert_int_equal(m->cpu[4].node, 1);
	assert_int_equal(machine_distance(m, 0, 1), 40);
	hotplug_free(h);
	h = boot(m, 6, 12, "numa=fake=1");
	assert_int_equal(m->nr_nodes, 1);
	assert_int_equal(m->node[0].cpus->weight, 8);
	hotplug_free(h);
	machine_free(m);
}

static void assert_housekeeping(struct machine *m, const char *words, const char *want)
{
	struct hotplug *h = boot(m, 7, 3, words);
	struct strbuf sb = { 0 };

	cset_print(h->housekeeping, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
	hotplug_free(h);
	m->boot.maxcpus = 0;
}

/*
 * One CPU that comes up must be left. arm64 knows of no CPU but the first when it reads the words: that one
 * is never isolated there (a boot of 7.3 with isolcpus=0,3,5 said so).
 */
static void test_the_boot_cpu_may_not_be_isolated(void **state)
{
	struct machine *m = machine_of("cpus 6\nshare package 0-5\n", ARCH_X86);

	(void)state;
	assert_housekeeping(m, "isolcpus=0,3,5", "1-2,4");
	assert_housekeeping(m, "isolcpus=0-5", "0");
	assert_housekeeping(m, "isolcpus=0-1 maxcpus=2", "0,2-5");
	assert_housekeeping(m, "isolcpus=0 maxcpus=2", "1-5");
	machine_free(m);
	m = machine_of("cpus 6\nshare package 0-5\n", ARCH_ARM64);
	assert_housekeeping(m, "isolcpus=0,3,5", "0-2,4");
	assert_housekeeping(m, "isolcpus=3,5", "0-2,4");
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_power_smt_counts_threads_of_the_big_core),
		cmocka_unit_test(test_power_smt_leaves_a_core_that_is_down),
		cmocka_unit_test(test_power_smt_of_plain_cores),
		cmocka_unit_test(test_smt_of_other_machines),
		cmocka_unit_test(test_three_threads_have_two_primary_ones),
		cmocka_unit_test(test_maxcpus_takes_primary_threads_first),
		cmocka_unit_test(test_nosmt_has_no_smt_level),
		cmocka_unit_test(test_words_that_take_cpus_or_nodes),
		cmocka_unit_test(test_made_up_nodes),
		cmocka_unit_test(test_the_boot_cpu_may_not_be_isolated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
