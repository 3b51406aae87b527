// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/config.h"

#include <string.h>

#include "check.h"

static bool is_option(const char *name)
{
	return config_is_option(name, strlen(name));
}

/* PREEMPT* is all of preemption but what only has such a name; what the kit stands on is not for the user to decide. */
static void test_options_are_the_schedulers(void **state)
{
	(void)state;
	assert_true(is_option("PREEMPT"));
	assert_true(is_option("PREEMPT_RT"));
	assert_true(is_option("HZ_250"));
	assert_true(is_option("CFS_BANDWIDTH"));
	assert_true(is_option("RT_GROUP_SCHED"));
	assert_false(is_option("CGROUP_SCHED"));
	assert_false(is_option("UCLAMP_TASK_GROUP"));
	assert_false(is_option("SCHED_AUTOGROUP"));
	assert_false(is_option("NO_HZ_FULL"));
	assert_false(is_option("PREEMPT_NOTIFIERS"));
	assert_false(is_option("PREEMPTIRQ_TRACEPOINTS"));
	assert_false(is_option("PREEMP"));
	assert_false(is_option("SCHED_DEBUG"));
	assert_false(is_option("PSI"));
	assert_false(is_option("SCHED_SMT"));
	assert_false(is_option("NUMA"));
	assert_false(is_option("HZX"));
}

static const char base[] = "CONFIG_EXPERT=y\nCONFIG_PREEMPT=y\nCONFIG_NR_CPUS=8\n";
static const char user[] = "# Linux/x86 6.1.0 Kernel Configuration\n"
			   "CONFIG_X86_64=y\n"
			   "CONFIG_NR_CPUS=8192\n"
			   "# CONFIG_PREEMPT is not set\n"
			   "CONFIG_PREEMPT_VOLUNTARY=y\n"
			   "CONFIG_HZ=250\n"
			   "CONFIG_PSI=y\n";

/* The user's PREEMPT takes the place of the base's; NR_CPUS, X86_64 and PSI are not his to choose. */
static void test_merge_takes_scheduler_options_only(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	config_merge(&sb, base, user, 64);
	assert_string_equal(sb.s, "CONFIG_EXPERT=y\n"
				  "CONFIG_NR_CPUS=64\n"
				  "# CONFIG_PREEMPT is not set\n"
				  "CONFIG_PREEMPT_VOLUNTARY=y\n"
				  "CONFIG_HZ=250\n");
	strbuf_reset(&sb);
	config_merge(&sb, base, NULL, 0);
	assert_string_equal(sb.s, base);
	strbuf_release(&sb);
}

/* Of four options two came out, as PREEMPT=n is the same as its absence; PSI is told of, too. */
static void test_compare_tells_what_came_out_otherwise(void **state)
{
	static const char made[] = "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_HZ=1000\nCONFIG_PSI=n\n";
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(config_compare(&sb, user, made), 2);
	assert_string_equal(sb.s, "HZ: 250 there, 1000 here\nPSI: y there, n here\n");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options_are_the_schedulers),
		cmocka_unit_test(test_merge_takes_scheduler_options_only),
		cmocka_unit_test(test_compare_tells_what_came_out_otherwise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
