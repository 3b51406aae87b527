// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hotplug.h"

#include "base/mem.h"
#include "base/opt.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_root.h"

extern const struct workload workload_hotplug;

#define CPUS "sys/devices/system/cpu/"

/* struct fake - a machine below a folder: CPUs 0-7, 0 and 4 are threads of a core and so on, CPU 0 can't be plugged */
struct fake {
	char *dir;
	int root;
	struct plug_cpus cpus;
	struct hotplug_cfg cfg;
};

static void fake_cpu(const char *dir, unsigned int cpu, const char *online)
{
	char path[80], text[16];

	snprintf(path, sizeof(path), CPUS "cpu%u/topology/thread_siblings_list", cpu);
	snprintf(text, sizeof(text), "%u,%u\n", cpu % 4, cpu % 4 + 4);
	fake_file(dir, path, text);
	snprintf(path, sizeof(path), CPUS "cpu%u/online", cpu);
	if (cpu)
		fake_file(dir, path, online);
}

static int set_up(void **state)
{
	struct fake *fake = xcalloc(1, sizeof(*fake));

	fake->dir = fake_root_new();
	fake_file(fake->dir, CPUS "online", "0-7\n");
	fake_file(fake->dir, CPUS "present", "0-7\n");
	fake_file(fake->dir, CPUS "smt/control", "on\n");
	for (unsigned int cpu = 0; cpu < 8; cpu++)
		fake_cpu(fake->dir, cpu, "1\n");
	fake->root = open(fake->dir, O_PATH | O_DIRECTORY);
	assert_int_equal(plug_cpus_read(&fake->cpus, fake->root, NULL), 0);
	opts_init(workload_hotplug.opts, &fake->cfg);
	*state = fake;
	return 0;
}

static int tear_down(void **state)
{
	struct fake *fake = *state;

	opts_release(workload_hotplug.opts, &fake->cfg);
	plug_cpus_release(&fake->cpus);
	close(fake->root);
	fake_root_free(fake->dir);
	free(fake);
	return 0;
}

static void set(struct fake *fake, const char *name, const char *text)
{
	assert_int_equal(opts_set(workload_hotplug.opts, &fake->cfg, name, text, NULL), 0);
}

/* The plan as text: "-4" goes, "+4" comes, a '|' where a phase begins; the switch by its values. */
static void assert_plan(struct fake *fake, const char *expected)
{
	struct strbuf sb = { 0 };
	struct plug_plan plan;
	unsigned int cpu;

	assert_int_equal(plug_plan(&plan, &fake->cfg, &fake->cpus, NULL), 0);
	for (size_t i = 0; i < plan.n; i++) {
		const struct plug_step *step = &plan.steps[i];

		strbuf_addf(&sb, "%s%c", step->begins ? "|" : "", step->comes ? '+' : '-');
		if (sscanf(step->path, CPUS "cpu%u/online", &cpu) == 1) {
			strbuf_addf(&sb, "%u", cpu);
			assert_string_equal(step->value, step->comes ? "1" : "0");
		} else {
			assert_string_equal(step->path, CPUS "smt/control");
			strbuf_addstr(&sb, step->value);
		}
	}
	assert_string_equal(sb.s, expected);
	strbuf_release(&sb);
	plug_plan_release(&plan);
}

static void assert_no_plan(struct fake *fake, int ret, const char *words)
{
	struct error err = { 0 };
	struct plug_plan plan;

	assert_int_equal(plug_plan(&plan, &fake->cfg, &fake->cpus, &err), ret);
	assert_non_null(strstr(err.text, words));
	assert_null(plan.steps);
}

static void test_plug_cpus_read_finds_what_there_is(void **state)
{
	const struct fake *fake = *state;

	assert_int_equal(cpumask_weight(&fake->cpus.online), 8);
	assert_int_equal(cpumask_weight(&fake->cpus.pluggable), 7);
	assert_false(cpumask_test(&fake->cpus.pluggable, 0));
	assert_int_equal(fake->cpus.siblings[3], 0);
	assert_int_equal(fake->cpus.siblings[7], 1);
	assert_string_equal(fake->cpus.control, "on");
}

static void test_plug_plan_of_each_kind(void **state)
{
	struct fake *fake = *state;

	assert_plan(fake, "|-4-5-6-7|+4+5+6+7");
	set(fake, "plan", "all");
	assert_plan(fake, "|-1-2-3-4-5-6-7|+1+2+3+4+5+6+7");
	set(fake, "cpus", "2,6");
	assert_plan(fake, "|-2-6|+2+6");
	set(fake, "plan", "half");
	assert_plan(fake, "|-2-6|+2+6");
	set(fake, "plan", "each");
	assert_plan(fake, "|-2|+2|-6|+6");
	set(fake, "plan", "smt");
	assert_plan(fake, "|-off|+on");
	set(fake, "way", "cpus");
	assert_plan(fake, "|-6|+6");
}

/* Whatever is drawn: no CPU goes twice before it comes, CPU 0 stays, and all are back in the end. */
static void test_plug_plan_random_ends_as_it_began(void **state)
{
	struct fake *fake = *state;
	struct plug_plan plan, again;
	bool off[8] = { false };
	size_t left = 0;

	set(fake, "plan", "random");
	set(fake, "steps", "101");
	assert_int_equal(plug_plan(&plan, &fake->cfg, &fake->cpus, NULL), 0);
	assert_int_equal(plug_plan(&again, &fake->cfg, &fake->cpus, NULL), 0);
	assert_true(plan.n > 101 && plan.n <= 101 + 7);
	assert_int_equal(plan.n, again.n);
	assert_memory_equal(plan.steps, again.steps, plan.n * sizeof(*plan.steps));
	for (size_t i = 0; i < plan.n; i++) {
		unsigned int cpu;

		assert_int_equal(sscanf(plan.steps[i].path, CPUS "cpu%u/online", &cpu), 1);
		assert_in_range(cpu, 1, 7);
		assert_true(off[cpu] == plan.steps[i].comes);
		off[cpu] = !off[cpu];
	}
	for (int cpu = 0; cpu < 8; cpu++)
		left += off[cpu];
	assert_int_equal(left, 0);
	plug_plan_release(&plan);
	plug_plan_release(&again);
}

static void test_plug_plan_says_what_cant_be(void **state)
{
	struct fake *fake = *state;

	set(fake, "cpus", "0,1");
	assert_no_plan(fake, -EINVAL, "CPU 0 is the first one online and stays");
	set(fake, "cpus", "9");
	assert_no_plan(fake, -EINVAL, "CPU 9 is not online");
	set(fake, "cpus", "1");
	cpumask_clear(&fake->cpus.pluggable, 1);
	assert_no_plan(fake, -EINVAL, "CPU 1 can't be taken offline here");
	set(fake, "cpus", "2");
	set(fake, "plan", "smt");
	set(fake, "smt", "2");
	assert_no_plan(fake, -EOPNOTSUPP, "no core has more than 2 threads");
	set(fake, "way", "cpus");
	assert_no_plan(fake, -EOPNOTSUPP, "no core has more than 2 threads");
	set(fake, "way", "control");
	strcpy(fake->cpus.control, "notsupported");
	assert_no_plan(fake, -EOPNOTSUPP, "says 'notsupported'");
	*fake->cpus.control = '\0';
	assert_no_plan(fake, -EOPNOTSUPP, "use way=cpus");
}

static void test_plug_plan_needs_cpus_that_can_be_plugged(void **state)
{
	struct fake *fake = *state;

	cpumask_release(&fake->cpus.pluggable);
	assert_no_plan(fake, -EOPNOTSUPP, "doesn't plug CPUs");
	/* the upper half is 4-7, and only 1 may go */
	cpumask_set(&fake->cpus.pluggable, 1);
	assert_no_plan(fake, -EOPNOTSUPP, "upper half");
}

/* What was offline in the beginning is none of our business. */
static void test_plug_plan_leaves_what_is_offline(void **state)
{
	struct fake *fake = *state;

	cpumask_clear(&fake->cpus.online, 6);
	cpumask_clear(&fake->cpus.online, 7);
	assert_plan(fake, "|-3-4-5|+3+4+5");
	set(fake, "plan", "each");
	assert_plan(fake, "|-1|+1|-2|+2|-3|+3|-4|+4|-5|+5");
}

static void test_plug_do_writes_and_looks(void **state)
{
	struct fake *fake = *state;
	struct plug_step step = { .path = CPUS "cpu5/online", .value = "0" };
	struct error err = { 0 };
	uint64_t ns = UINT64_MAX;

	assert_int_equal(plug_do(&step, fake->root, &ns, NULL), 0);
	assert_true(fake_has(fake->dir, CPUS "cpu5/online", "0"));
	assert_true(ns < UINT64_C(1000000000) * 60);
	strcpy(step.path, CPUS "cpu9/online");
	assert_int_equal(plug_do(&step, fake->root, &ns, &err), -ENOENT);
	assert_non_null(strstr(err.text, "cpu9/online"));
	/* a file that takes all and says nothing */
	strcpy(step.path, "null");
	assert_int_equal(symlinkat("/dev/null", open(fake->dir, O_RDONLY), "null"), 0);
	assert_int_equal(plug_do(&step, fake->root, &ns, &err), -EIO);
}

/* CPU 2 was offline before and stays so, whatever was done to it; 5 and 6 come back; so does the switch. */
static void test_plug_cpus_restore_puts_all_back(void **state)
{
	struct fake *fake = *state;

	cpumask_clear(&fake->cpus.online, 2);
	fake_cpu(fake->dir, 5, "0\n");
	fake_cpu(fake->dir, 6, "0\n");
	fake_file(fake->dir, CPUS "smt/control", "off\n");
	assert_int_equal(plug_cpus_restore(&fake->cpus, fake->root, NULL), 0);
	assert_true(fake_has(fake->dir, CPUS "cpu2/online", "0"));
	assert_true(fake_has(fake->dir, CPUS "cpu5/online", "1"));
	assert_true(fake_has(fake->dir, CPUS "cpu6/online", "1"));
	assert_true(fake_has(fake->dir, CPUS "cpu7/online", "1\n")); /* untouched */
	assert_true(fake_has(fake->dir, CPUS "smt/control", "on"));
}

/* One that can't be put back is told, and the others are. */
static void test_plug_cpus_restore_goes_on_after_a_failure(void **state)
{
	struct fake *fake = *state;
	struct error err = { 0 };
	char *path = xasprintf("%s/" CPUS "cpu3/online", fake->dir);

	fake_cpu(fake->dir, 5, "0\n");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(plug_cpus_restore(&fake->cpus, fake->root, &err), -EISDIR);
	assert_non_null(strstr(err.text, "cpu3/online"));
	assert_true(fake_has(fake->dir, CPUS "cpu5/online", "1"));
	free(path);
}

static int check(struct fake *fake)
{
	return workload_hotplug.check(&fake->cfg, NULL);
}

static void test_hotplug_check_reads_smt_and_cpus(void **state)
{
	struct fake *fake = *state;

	assert_int_equal(check(fake), 0);
	set(fake, "smt", "4");
	assert_int_equal(check(fake), 0);
	set(fake, "smt", "0");
	assert_int_equal(check(fake), -EINVAL);
	set(fake, "smt", "on");
	assert_int_equal(check(fake), -EINVAL);
	set(fake, "smt", "off");
	set(fake, "cpus", "1-");
	assert_int_equal(check(fake), -EINVAL);
}

/* 68.634 s are 1 min and 8.634 s, as bash tells it. */
static void test_hotplug_original_is_what_time_prints(void **state)
{
	static const struct metric off = { "off-time", UNIT_NS, BETTER_LOWER, "" };
	static const struct metric on = { "on-time", UNIT_NS, BETTER_LOWER, "" };
	struct result result = { .workload = xstrdup("hotplug") };
	struct strbuf sb = { 0 };

	(void)state;
	result_add_metric(&result, &off, 68.6347e9);
	result_add_metric(&result, &on, 1.5e9);
	result_add_counter(&result, "off-sys", UNIT_NS, 0.25e9, 1);
	hotplug_original(&result, NULL, &sb);
	assert_string_equal(sb.s, "\nreal\t1m8.634s\nuser\t0m0.000s\nsys\t0m0.250s\n"
				  "\nreal\t0m1.500s\nuser\t0m0.000s\nsys\t0m0.000s\n");
	strbuf_release(&sb);
	result_release(&result);
}

#define FAKE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_TEST(test_plug_cpus_read_finds_what_there_is),
		FAKE_TEST(test_plug_plan_of_each_kind),
		FAKE_TEST(test_plug_plan_random_ends_as_it_began),
		FAKE_TEST(test_plug_plan_says_what_cant_be),
		FAKE_TEST(test_plug_plan_needs_cpus_that_can_be_plugged),
		FAKE_TEST(test_plug_plan_leaves_what_is_offline),
		FAKE_TEST(test_plug_do_writes_and_looks),
		FAKE_TEST(test_plug_cpus_restore_puts_all_back),
		FAKE_TEST(test_plug_cpus_restore_goes_on_after_a_failure),
		FAKE_TEST(test_hotplug_check_reads_smt_and_cpus),
		cmocka_unit_test(test_hotplug_original_is_what_time_prints),
	};

	return cmocka_run_group_tests_name("workload/hotplug", tests, NULL, NULL);
}
