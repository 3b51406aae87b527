// SPDX-License-Identifier: GPL-2.0-only
/* Recorded machines as small trees in /tmp, as host_open() takes them. */
#include "host/facts.h"

#include <string.h>

#include "fake_root.h"

#define CPU "sys/devices/system/cpu/"

static int make_tree(void **state)
{
	*state = fake_root_new();
	return 0;
}

static int remove_tree(void **state)
{
	fake_root_free(*state);
	return 0;
}

/* For bytes that may be NUL. */
static void put_bytes(const char *tree, const char *path, const char *bytes, size_t n)
{
	char *full = xasprintf("%s/%s", tree, path);

	fake_file(tree, path, ""); /* makes the folders */
	assert_int_equal(file_replace(AT_FDCWD, full, bytes, n, 0600, NULL), 0);
	free(full);
}

static struct facts read_facts(const char *tree)
{
	struct facts facts = { 0 };
	struct host host = { 0 };

	assert_int_equal(host_open(&host, tree, NULL), 0);
	facts_read(&facts, &host);
	host_release(&host);
	return facts;
}

static const char *value_of(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n; i++)
		if (!strcmp(facts->facts[i].name, name))
			return facts->facts[i].value;
	return NULL;
}

/* Reads the tree and checks one fact; @value NULL: it must be absent. */
static void assert_fact(const char *tree, const char *name, const char *value)
{
	struct facts facts = read_facts(tree);

	if (value && value_of(&facts, name))
		assert_string_equal(value_of(&facts, name), value);
	else
		assert_ptr_equal(value_of(&facts, name), value);
	facts_release(&facts);
}

/* CPU @cpu with the CPUs of its core, die and package. */
static void put_cpu(const char *tree, int cpu, const char *core, const char *die,
		    const char *package)
{
	static const char *const files[] = { "core_cpus_list", "die_cpus_list",
					     "package_cpus_list" };
	const char *const lists[] = { core, die, package };

	for (int i = 0; i < 3; i++) {
		char *path = xasprintf(CPU "cpu%d/topology/%s", cpu, files[i]);

		fake_file(tree, path, lists[i]);
		free(path);
	}
}

static void test_nothing_readable_leaves_what_we_know_ourselves(void **state)
{
	struct facts facts = read_facts(*state);

	assert_int_equal(facts.n, 1);
	assert_string_equal(facts.facts[0].name, "build.compiler");
	facts_release(&facts);
}

static void test_proc_version_gives_build_compiler_and_preemption(void **state)
{
	fake_file(
		*state, "proc/version",
		"Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian "
		"12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40) #1 SMP PREEMPT_DYNAMIC "
		"Debian 6.1.76-1 (2024-02-01)\n");
	assert_fact(*state, "kernel.compiler", "gcc-12 (Debian 12.2.0-14) 12.2.0");
	assert_fact(*state, "kernel.build", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)");
	assert_fact(*state, "kernel.preempt", "dynamic");
}

static void test_older_and_clang_built_kernels_write_the_compiler_otherwise(void **state)
{
	fake_file(*state, "proc/version",
		  "Linux version 4.19.0 (me@here) (gcc version 8.3.0 (Debian 8.3.0-6)) #7 SMP "
		  "PREEMPT "
		  "Thu Jan 2 2020\n");
	assert_fact(*state, "kernel.compiler", "gcc version 8.3.0 (Debian 8.3.0-6)");
	assert_fact(*state, "kernel.preempt", "full");
	fake_file(*state, "proc/version",
		  "Linux version 6.9 (me@here) (clang version 18.1.3 (https://x/y, 1 a), LLD "
		  "18.1.3) #1 "
		  "SMP PREEMPT_RT Thu\n");
	assert_fact(*state, "kernel.compiler", "clang version 18.1.3 (https://x/y, 1 a)");
	assert_fact(*state, "kernel.preempt", "rt");
}

static void test_a_version_of_another_form_is_no_trouble(void **state)
{
	static const char *const texts[] = {
		"", "(", "Linux", "Linux (a", "Linux (a) (b", ")))((", "Linux (a) b"
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		fake_file(*state, "proc/version", texts[i]);
		assert_fact(*state, "kernel.compiler", NULL);
		assert_fact(*state, "kernel.build", NULL);
	}
	fake_file(*state, "proc/sys/kernel/version", "#5 SMP\n");
	assert_fact(*state, "kernel.build", "#5 SMP");
}

static void test_debugfs_knows_the_preemption_that_is_chosen(void **state)
{
	fake_file(*state, "proc/version", "Linux version 6.9 (a) (b) #1 SMP PREEMPT_DYNAMIC x\n");
	fake_file(*state, "sys/kernel/debug/sched/preempt", "none voluntary (full) lazy \n");
	assert_fact(*state, "kernel.preempt", "full");
}

static void test_hz_and_preemption_come_from_the_configuration_in_boot(void **state)
{
	fake_file(*state, "proc/sys/kernel/osrelease", "5.15.1\n");
	fake_file(*state, "proc/version", "Linux version 5.15.1 (a) (b) #1 SMP x\n");
	assert_fact(*state, "kernel.hz", NULL);
	assert_fact(*state, "kernel.preempt", NULL);
	fake_file(*state, "boot/config-5.15.1",
		  "CONFIG_NO_HZ=y\n# CONFIG_HZ_100 is not set\nCONFIG_HZ=250\n"
		  "# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n");
	assert_fact(*state, "kernel.hz", "250");
	assert_fact(*state, "kernel.preempt", "voluntary");
	assert_fact(*state, "kernel.release", "5.15.1");
}

static void test_the_command_line_is_without_names_of_boot_files(void **state)
{
	fake_file(*state, "proc/cmdline",
		  "BOOT_IMAGE=/vmlinuz-6.1 root=/dev/vda  initrd=\\a dyndbg=\"file a.c +p; x\" "
		  "quiet\n");
	assert_fact(*state, "kernel.cmdline", "root=/dev/vda dyndbg=\"file a.c +p; x\" quiet");
	fake_file(*state, "proc/cmdline", "BOOT_IMAGE=/vmlinuz-6.1\n");
	assert_fact(*state, "kernel.cmdline", NULL);
}

static void test_cpuinfo_of_x86(void **state)
{
	fake_file(*state, "proc/cpuinfo",
		  "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD "
		  "EPYC\nstepping\t: "
		  "1\n"
		  "microcode\t: 0x1000065\ncpu MHz\t\t: 2445\nflags\t\t: fpu hypervisor vme\n\n"
		  "processor\t: 1\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD "
		  "EPYC\nstepping\t: "
		  "1\n"
		  "microcode\t: 0x1000066\nflags\t\t: fpu hypervisor vme\n\n");
	assert_fact(*state, "cpu.model", "AMD EPYC family 25 model 1 stepping 1");
	assert_fact(*state, "cpu.microcode", "0x1000065; 0x1000066");
	assert_fact(*state, "host.hypervisor", "yes, unnamed");
	fake_file(*state, "sys/class/dmi/id/sys_vendor", "QEMU\n");
	fake_file(*state, "sys/class/dmi/id/product_name", "Standard PC\n");
	assert_fact(*state, "host.hypervisor", "QEMU Standard PC");
	fake_file(*state, "sys/hypervisor/type", "xen\n");
	assert_fact(*state, "host.hypervisor", "xen");
}

static void test_a_machine_of_metal_has_no_hypervisor(void **state)
{
	fake_file(*state, "proc/cpuinfo", "flags\t\t: fpu nohypervisor hypervisorx\n");
	fake_file(*state, "sys/class/dmi/id/sys_vendor", "Dell Inc.\n");
	assert_fact(*state, "host.hypervisor", "none");
	fake_file(*state, "proc/cpuinfo", "processor\t: 0\n");
	assert_fact(*state, "host.hypervisor", NULL); /* no x86: not known */
}

static void test_cpuinfo_of_arm_and_power(void **state)
{
	fake_file(*state, "proc/cpuinfo",
		  "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n"
		  "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd05\n\n");
	assert_fact(*state, "cpu.model", "implementer 0x41 part 0xd0c; 0xd05");
	fake_file(*state, "proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n");
	assert_fact(*state, "cpu.model", "POWER9, altivec supported");
	/* the strings of a device tree end with a NUL byte */
	put_bytes(*state, "proc/device-tree/hypervisor/compatible", "linux,kvm\0xen", 14);
	assert_fact(*state, "host.hypervisor", "linux,kvm");
}

/* Two packages of one die; CPU n and n + 4 are threads of one core; two nodes. */
static void test_topology_counts_groups_not_ids(void **state)
{
	static const char *const cores[] = { "0,4", "1,5", "2,6", "3,7" };

	fake_file(*state, CPU "online", "0-7\n");
	fake_file(*state, "sys/devices/system/node/online", "0-1\n");
	for (int cpu = 0; cpu < 8; cpu++)
		put_cpu(*state, cpu, cores[cpu % 4], cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7",
			cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
	fake_file(*state, CPU "cpu0/topology/die_id", "-1\n");
	assert_fact(*state, "cpu.topology", "2 packages, 2 dies, 4 cores, 2 threads each, 2 nodes");
	assert_fact(*state, "cpu.online", "0-7");
}

/* One package; a core of two threads and two of one (a hybrid CPU); files of old names only on CPU 3. */
static void test_topology_of_unequal_cores_and_missing_files(void **state)
{
	fake_file(*state, CPU "online", "0-3\n");
	put_cpu(*state, 0, "0-1", "0-3", "0-3");
	put_cpu(*state, 1, "0-1", "0-3", "0-3");
	put_cpu(*state, 2, "2", "0-3", "0-3");
	fake_file(*state, CPU "cpu3/topology/thread_siblings_list", "3\n");
	fake_file(*state, CPU "cpu3/topology/core_siblings_list", "0-3\n");
	assert_fact(*state, "cpu.topology", "1 package, 1 die, 3 cores, 1-2 threads each, 1 node");
}

static void test_topology_that_is_not_told_is_one_cpu_a_package(void **state)
{
	fake_file(*state, CPU "online", "0\n");
	assert_fact(*state, "cpu.topology", "1 package, 1 die, 1 core, 1 thread each, 1 node");
	fake_file(*state, CPU "cpu0/topology/core_cpus_list", "garbage\n");
	assert_fact(*state, "cpu.topology", "1 package, 1 die, 1 core, 1 thread each, 1 node");
}

static void test_governors_are_joined_where_policies_differ(void **state)
{
	fake_file(*state, CPU "cpufreq/policy0/scaling_governor", "performance\n");
	fake_file(*state, CPU "cpufreq/policy0/scaling_driver", "intel_pstate\n");
	fake_file(*state, CPU "cpufreq/policy0/affected_cpus", "0 1\n");
	fake_file(*state, CPU "cpufreq/policy2/scaling_governor", "performance\n");
	fake_file(*state, CPU "cpufreq/policy2/scaling_driver", "intel_pstate\n");
	fake_file(*state, CPU "cpufreq/policy2/affected_cpus", "2 3\n");
	assert_fact(*state, "cpu.governor", "performance");
	fake_file(*state, CPU "cpufreq/policy10/scaling_governor", "powersave\n");
	fake_file(*state, CPU "cpufreq/policy10/affected_cpus", "10\n");
	assert_fact(*state, "cpu.governor", "performance (cpu 0-3), powersave (cpu 10)");
	assert_fact(*state, "cpu.driver", "intel_pstate");
}

static void test_turbo_is_read_from_either_driver(void **state)
{
	assert_fact(*state, "cpu.turbo", NULL);
	fake_file(*state, CPU "cpufreq/boost", "0\n");
	assert_fact(*state, "cpu.turbo", "off");
	fake_file(*state, CPU "intel_pstate/no_turbo", "0\n");
	assert_fact(*state, "cpu.turbo", "on");
}

static void test_mitigations_are_one_line_of_what_affects_the_cpu(void **state)
{
	fake_file(*state, CPU "vulnerabilities/mds", "Not affected\n");
	assert_fact(*state, "cpu.mitigations", "not affected");
	fake_file(*state, CPU "vulnerabilities/spectre_v1", "Mitigation: barriers\n");
	fake_file(*state, CPU "vulnerabilities/meltdown", "Mitigation: PTI\n");
	assert_fact(*state, "cpu.mitigations",
		    "meltdown: Mitigation: PTI; spectre_v1: Mitigation: barriers");
}

static void test_scheduler_knobs(void **state)
{
	fake_file(*state, "sys/kernel/debug/sched/features", "PLACE_LAG NO_HRTICK \n");
	fake_file(*state, "sys/kernel/debug/sched/base_slice_ns", "3000000\n");
	fake_file(*state, "proc/sys/kernel/numa_balancing", "1\n");
	fake_file(*state, "proc/sys/kernel/sched_autogroup_enabled", "0\n");
	assert_fact(*state, "sched.features", "PLACE_LAG NO_HRTICK");
	assert_fact(*state, "sched.base_slice", "3000000 ns");
	assert_fact(*state, "sched.numa_balancing", "1");
	assert_fact(*state, "sched.autogroup", "0");
}

static void test_scheduler_knobs_of_older_kernels(void **state)
{
	fake_file(*state, "proc/sys/kernel/sched_min_granularity_ns", "750000\n");
	assert_fact(*state, "sched.base_slice", "750000 ns");
	fake_file(*state, "sys/kernel/debug/sched/min_granularity_ns", "1500000\n");
	fake_file(*state, "sys/kernel/debug/sched_features", "GENTLE_FAIR_SLEEPERS\n");
	assert_fact(*state, "sched.base_slice", "1500000 ns");
	assert_fact(*state, "sched.features", "GENTLE_FAIR_SLEEPERS");
}

/* 25165824 KiB = 24 * 2^20 KiB; 524288 KiB = 512 * 2^10 KiB */
static void test_memory_smt_and_clock(void **state)
{
	fake_file(*state, "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	fake_file(*state, "proc/meminfo", "MemTotal:       25165824 kB\nMemFree: 1 kB\n");
	fake_file(*state, CPU "smt/control", "notsupported\n");
	fake_file(*state, "sys/devices/system/clocksource/clocksource0/current_clocksource",
		  "tsc\n");
	assert_fact(*state, "mem.thp", "madvise");
	assert_fact(*state, "mem.total", "24.0 GiB");
	assert_fact(*state, "cpu.smt", "notsupported");
	assert_fact(*state, "host.clocksource", "tsc");
	fake_file(*state, "proc/meminfo", "MemTotal: 524288 kB\n");
	assert_fact(*state, "mem.total", "512 MiB");
}

static void test_values_are_one_printable_line(void **state)
{
	put_bytes(*state, "proc/cmdline", "a\tb\033[31m\0c\n", 12);
	assert_fact(*state, "kernel.cmdline", "a b [31m");
	fake_file(*state, CPU "smt/control", "\n");
	assert_fact(*state, "cpu.smt", NULL);
}

static void test_restless_facts_are_written_only_on_demand(void **state)
{
	struct facts facts;
	struct strbuf sb = { 0 };

	fake_file(*state, "proc/loadavg", "0.50 1.25 2.00 3/456 789\n");
	fake_file(*state, "proc/sys/kernel/osrelease", "6.1 \"x\"\n");
	facts = read_facts(*state);
	assert_string_equal(value_of(&facts, "host.load"), "0.50 1.25 2.00");
	facts_write(&facts, true, &sb);
	assert_non_null(strstr(sb.s, "{\"kernel.release\":\"6.1 \\\"x\\\"\",\"host.load\":\"0.50 "
				     "1.25 2.00\",\"build.compiler\":"));
	strbuf_reset(&sb);
	facts_write(&facts, false, &sb);
	assert_null(strstr(sb.s, "host.load"));
	facts_release(&facts);
	strbuf_release(&sb);
}

static void test_a_variant_asks_for_the_facts_of_its_settings(void **state)
{
	struct settings *settings = settings_new();

	(void)state;
	assert_false(facts_asked(settings, "cpu.governor"));
	assert_int_equal(settings_set(settings, "governor", "performance", NULL), 0);
	assert_int_equal(settings_set(settings, "kernel", "6.12.*", NULL), 0);
	assert_int_equal(settings_set(settings, "sysctl.kernel.numa_balancing", "0", NULL), 0);
	assert_int_equal(settings_set(settings, "sched.base_slice_ns", "3000000", NULL), 0);
	assert_true(facts_asked(settings, "cpu.governor"));
	assert_true(facts_asked(settings, "kernel.release"));
	assert_true(facts_asked(settings, "kernel.build"));
	assert_true(facts_asked(settings, "kernel.compiler"));
	assert_true(facts_asked(settings, "sched.numa_balancing"));
	assert_true(facts_asked(settings, "sched.base_slice"));
	/* another kernel was asked for, not other options or features with it */
	assert_false(facts_asked(settings, "kernel.cmdline"));
	assert_false(facts_asked(settings, "kernel.hz"));
	assert_false(facts_asked(settings, "sched.features"));
	assert_false(facts_asked(settings, "no.such.fact"));
	settings_free(settings);
}

static char *notes_of(const char *tree)
{
	struct facts facts = { 0 };
	struct strbuf notes = { 0 };
	struct host host = { 0 };

	assert_int_equal(host_open(&host, tree, NULL), 0);
	facts_read(&facts, &host);
	facts_note(&facts, &host, &notes);
	facts_release(&facts);
	host_release(&host);
	return strbuf_take(&notes);
}

static void test_what_cannot_be_known_is_said_a_line_each(void **state)
{
	char *notes = notes_of(*state);

	assert_string_equal(notes, "scheduler features and base slice are not known: there is no "
				   "sys/kernel/debug in this folder\n"
				   "no cpufreq here: governor and driver are not known\n");
	free(notes);
	fake_file(*state, "sys/kernel/debug/sched/features", "TTWU_QUEUE NO_HRTICK\n");
	fake_file(*state, CPU "cpufreq/policy0/scaling_governor", "performance\n");
	fake_file(*state, CPU "cpufreq/policy0/affected_cpus", "0\n");
	notes = notes_of(*state);
	assert_string_equal(notes, "");
	free(notes);
}

static void test_names_end_and_none_is_there_twice(void **state)
{
	size_t n = 0;

	(void)state;
	for (; fact_name_at(n); n++)
		for (size_t i = 0; i < n; i++)
			assert_string_not_equal(fact_name_at(i), fact_name_at(n));
	assert_int_equal(n, 25); /* as many as the header lists */
	assert_null(fact_name_at(n + 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nothing_readable_leaves_what_we_know_ourselves),
		TEST(test_proc_version_gives_build_compiler_and_preemption),
		TEST(test_older_and_clang_built_kernels_write_the_compiler_otherwise),
		TEST(test_a_version_of_another_form_is_no_trouble),
		TEST(test_debugfs_knows_the_preemption_that_is_chosen),
		TEST(test_hz_and_preemption_come_from_the_configuration_in_boot),
		TEST(test_the_command_line_is_without_names_of_boot_files),
		TEST(test_cpuinfo_of_x86),
		TEST(test_a_machine_of_metal_has_no_hypervisor),
		TEST(test_cpuinfo_of_arm_and_power),
		TEST(test_topology_counts_groups_not_ids),
		TEST(test_topology_of_unequal_cores_and_missing_files),
		TEST(test_topology_that_is_not_told_is_one_cpu_a_package),
		TEST(test_governors_are_joined_where_policies_differ),
		TEST(test_turbo_is_read_from_either_driver),
		TEST(test_mitigations_are_one_line_of_what_affects_the_cpu),
		TEST(test_scheduler_knobs),
		TEST(test_scheduler_knobs_of_older_kernels),
		TEST(test_memory_smt_and_clock),
		TEST(test_values_are_one_printable_line),
		TEST(test_restless_facts_are_written_only_on_demand),
		TEST(test_a_variant_asks_for_the_facts_of_its_settings),
		TEST(test_what_cannot_be_known_is_said_a_line_each),
		TEST(test_names_end_and_none_is_there_twice),
	};

	return cmocka_run_group_tests_name("host/facts", tests, NULL, NULL);
}
