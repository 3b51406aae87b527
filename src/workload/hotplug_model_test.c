// SPDX-License-Identifier: GPL-2.0-only
/* workload/hotplug_model_test.c - transitions whose length follows from the costs. */
#include "workload/hotplug.h"

#include "sim/fixture_script.h"
#include "workload/model_figure.h"

#include <errno.h>

#include "check.h"

extern const struct workload workload_hotplug;

#define OFF_NS	   20000
#define ON_NS	   7000
#define SYSCALL_NS 100

/* One node of four cores of two threads; CPUs 0 and 1 are threads of a core. */
static void boot(struct script_world *world)
{
	script_world_init(world, 1, 1, 4, 2);
	world->costs.syscall_ns = SYSCALL_NS;
	world->costs.hotplug_off_ns = OFF_NS;
	world->costs.hotplug_on_ns = ON_NS;
	world->costs.work_unit_ps = 85000;
	script_boot(world);
}

static struct hotplug_cfg configuration(int plan)
{
	return (struct hotplug_cfg){ .plan = plan, .way = WAY_CONTROL, .passes = 3, .discard = 1 };
}

static struct run play(const struct hotplug_cfg *cfg)
{
	struct run run = { .workload = &workload_hotplug };
	struct script_world world;
	struct error err = { 0 };

	boot(&world);
	if (hotplug_model(&run, world.sim, cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(&world);
	return run;
}

/* The upper half, CPUs 4-7: four go and four come, each a system call and what the costs say. */
static void test_hotplug_model_takes_what_costs_say(void **state)
{
	const struct hotplug_cfg cfg = configuration(PLUG_HALF);
	struct run run = play(&cfg);

	(void)state;
	assert_near(metric(&run, "off-time"), 4 * (OFF_NS + SYSCALL_NS), 0);
	assert_near(metric(&run, "on-time"), 4 * (ON_NS + SYSCALL_NS), 0);
	assert_near(metric(&run, "time"), 4 * (OFF_NS + ON_NS + 2 * SYSCALL_NS), 0);
	assert_near(metric(&run, "transitions"), 8, 0);
	assert_near(metric(&run, "off-sys"), 4 * SYSCALL_NS, 0);
	assert_near(metric(&run, "offline-max"), OFF_NS + SYSCALL_NS, OFF_NS / 512.);
	assert_near((double)(run.stop_ns - run.start_ns), 3 * metric(&run, "time"), 0);
	result_release(&run.result);
}

/* Four second threads. The switch for all is one transition of all their costs, CPU by CPU they are four. */
static void test_hotplug_model_switch_is_one_transition(void **state)
{
	struct hotplug_cfg cfg = configuration(PLUG_SMT);
	struct run all = play(&cfg), each;

	(void)state;
	cfg.way = WAY_CPUS;
	each = play(&cfg);
	assert_near(metric(&all, "off-time"), metric(&each, "off-time"), 0);
	assert_near(metric(&all, "transitions"), 2, 0);
	assert_near(metric(&each, "transitions"), 8, 0);
	assert_near(metric(&all, "offline-max"), 4 * (OFF_NS + SYSCALL_NS), 4 * OFF_NS / 512.);
	assert_near(metric(&each, "offline-max"), OFF_NS + SYSCALL_NS, OFF_NS / 512.);
	result_release(&all.result);
	result_release(&each.result);
}

/* A rest before each phase, in no figure: two a pass, three passes. */
static void test_hotplug_model_pauses(void **state)
{
	struct hotplug_cfg cfg = configuration(PLUG_HALF);
	struct run without = play(&cfg), with;

	(void)state;
	cfg.pause_ns = 1000000;
	with = play(&cfg);
	assert_near(metric(&with, "time"), metric(&without, "time"), 0);
	assert_near((double)(with.stop_ns - with.start_ns),
		    (double)(without.stop_ns - without.start_ns) + 6 * (1e6 + SYSCALL_NS), 0);
	result_release(&with.result);
	result_release(&without.result);
}

/* Tasks that compute are on all CPUs, so the one that writes waits for its turn: some longer, none shorter. */
static void test_hotplug_model_under_load(void **state)
{
	struct hotplug_cfg cfg = configuration(PLUG_EACH);
	struct run run;

	(void)state;
	cfg.load = 24;
	run = play(&cfg);
	assert_near(metric(&run, "transitions"), 14, 0);
	assert_true(metric(&run, "off-time") > 7 * (OFF_NS + SYSCALL_NS));
	result_release(&run.result);
}

static void assert_refused(const struct hotplug_cfg *cfg, const char *words)
{
	struct run run = { .workload = &workload_hotplug };
	struct script_world world;
	struct error err = { 0 };

	boot(&world);
	assert_int_not_equal(hotplug_model(&run, world.sim, cfg, &err), 0);
	assert_string_equal(err.text, words);
	result_release(&run.result);
	script_world_release(&world);
}

static void test_hotplug_model_refuses(void **state)
{
	char cpus[] = "9", root[] = "/tmp", four[] = "4";
	struct hotplug_cfg cfg = configuration(PLUG_HALF);

	(void)state;
	cfg.cpus = cpus;
	assert_refused(&cfg, "cpus: CPU 9 is not online");
	cfg.cpus = NULL;
	cfg.root = root;
	assert_refused(&cfg, "root: a simulated machine has no folder sys");
	cfg = configuration(PLUG_SMT);
	cfg.smt = four;
	assert_refused(&cfg, "no core has more than 4 threads online that could go");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hotplug_model_takes_what_costs_say),
		cmocka_unit_test(test_hotplug_model_switch_is_one_transition),
		cmocka_unit_test(test_hotplug_model_pauses),
		cmocka_unit_test(test_hotplug_model_under_load),
		cmocka_unit_test(test_hotplug_model_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
