// SPDX-License-Identifier: GPL-2.0-only
/* Machines small enough to see from their text who shares what. */
#include "sim/machine.h"

#include "sim/sim.h"
#include "topo/machine.h"
#include "topo/release.h"
#include "topo/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static struct machine *machine_of(const char *text, enum machine_arch arch, struct release *r)
{
	struct source_opts opts = { .release = r };
	struct machine *m = NULL;
	struct error err = { 0 };

	release_preset(r, 6, 12, arch);
	if (machine_file_parse(&m, text, &opts, &err))
		fail_msg("%s", err.text);
	return m;
}

/* Two packages with a node each, of two cores of two threads; a cache a package. */
static const char small[] = "cpus 8\nshare threads 0-1 step 2 times 4\n"
			    "share llc 0-3 step 4 times 2\nshare package 0-3 step 4 times 2\n"
			    "node 0 0 0-3\nnode 1 0 4-7\ndistance 0 10 21\ndistance 1 21 10\n";

static void test_numbers_say_who_shares(void **state)
{
	struct sim_machine sim = { 0 };
	struct release r;
	struct machine *m = machine_of(small, ARCH_X86, &r);

	(void)state;
	assert_int_equal(sim_machine_make(&sim, m, &r, NULL), 0);
	assert_int_equal(sim.of.nr_cpus, 8);
	assert_int_equal(sim.of.nr_nodes, 2);
	assert_int_equal(sim.of.distance[1], 21);
	assert_int_equal(sim.of.reclaim_distance, 30);
	assert_int_equal(sim_distance(&sim.of, 0, 1), SIM_SMT);
	assert_int_equal(sim_distance(&sim.of, 0, 3), SIM_LLC);
	assert_int_equal(sim_distance(&sim.of, 0, 4), SIM_REMOTE);
	assert_true(sim.of.online[7]);
	assert_int_equal(sim.of.cpu[5].capacity, 1024);
	sim_machine_release(&sim);
	machine_free(m);
}

static const struct core_level *level_of(const struct sim_machine *sim, const char *name)
{
	for (uint32_t i = 0; i < sim->of.nr_levels; i++)
		if (!strcmp(sim->of.level[i].name, name))
			return &sim->of.level[i];
	return NULL;
}

/* x86 of 6.12: SMT, CLS, MC and PKG; NODE and NUMA follow from the distances. */
static void test_levels_are_the_architectures(void **state)
{
	struct sim_machine sim = { 0 };
	struct release r;
	struct machine *m = machine_of(small, ARCH_X86, &r);

	(void)state;
	assert_int_equal(sim_machine_make(&sim, m, &r, NULL), 0);
	assert_int_equal(sim.of.nr_levels, 4);
	assert_int_equal(level_of(&sim, "SMT")->flags, CORE_SHARE_CPUCAPACITY | CORE_SHARE_LLC);
	assert_int_equal(level_of(&sim, "SMT")->set[3], 2);
	assert_int_equal(level_of(&sim, "MC")->flags, CORE_SHARE_LLC);
	assert_int_equal(level_of(&sim, "MC")->set[3], 0);
	assert_int_equal(level_of(&sim, "PKG")->flags, 0);
	assert_null(level_of(&sim, "NUMA"));
	sim_machine_release(&sim);
	machine_free(m);
}

/* CPU 3 is off: its number is that of its core, which it joins when it comes up. */
static void test_offline_cpus_keep_their_places(void **state)
{
	char text[1024];
	struct sim_machine sim = { 0 };
	struct release r;
	struct machine *m;

	(void)state;
	snprintf(text, sizeof(text), "%sonline 0-2,4-7\n", small);
	m = machine_of(text, ARCH_X86, &r);
	assert_int_equal(sim_machine_make(&sim, m, &r, NULL), 0);
	assert_false(sim.of.online[3]);
	assert_int_equal(level_of(&sim, "SMT")->set[3], 2);
	assert_int_equal(level_of(&sim, "MC")->set[3], 0);
	sim_machine_release(&sim);
	machine_free(m);
}

/* CPUs 2 and 3 see a cache of 0-3, 0 and 1 one of 0-1 only. */
static void test_overlapping_sets_are_refused(void **state)
{
	struct sim_machine sim = { 0 };
	struct error err = { 0 };
	struct release r;
	struct machine *m = machine_of("cpus 4\nnode 0 0 0-3\nshare package 0-3\n", ARCH_X86, &r);

	(void)state;
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		m->cpu[cpu].share[SHARE_LLC] = cset_range(m->pool, 0, cpu < 2 ? 1 : 3);
	assert_int_equal(sim_machine_make(&sim, m, &r, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "MC"));
	machine_free(m);
}

/* POWER wakes nobody across nodes further than 10; a machine's own number wins. */
static void test_reclaim_distance_is_the_architectures(void **state)
{
	struct sim_machine sim = { 0 };
	struct release r;
	struct machine *m = machine_of(small, ARCH_POWER, &r);

	(void)state;
	assert_int_equal(sim_machine_make(&sim, m, &r, NULL), 0);
	assert_int_equal(sim.of.reclaim_distance, 10);
	sim_machine_release(&sim);
	m->reclaim_distance = 40;
	assert_int_equal(sim_machine_make(&sim, m, &r, NULL), 0);
	assert_int_equal(sim.of.reclaim_distance, 40);
	sim_machine_release(&sim);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_say_who_shares),
		cmocka_unit_test(test_levels_are_the_architectures),
		cmocka_unit_test(test_offline_cpus_keep_their_places),
		cmocka_unit_test(test_overlapping_sets_are_refused),
		cmocka_unit_test(test_reclaim_distance_is_the_architectures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
