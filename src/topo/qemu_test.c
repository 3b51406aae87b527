// SPDX-License-Identifier: GPL-2.0-only
/*
 * QEMU's words as bug reports have them. What is expected follows hw/core/machine-smp.c and the boards' own
 * rules as QEMU's manual tells them; cases marked "booted" were also seen in guests with Linux 6.1, 6.12 or 7.3.
 */
#include "topo/hotplug.h"
#include "topo/source.h"

#include "check.h"

#include <errno.h>
#include <string.h>

static int parse(struct machine **m, const char *words, unsigned int major, unsigned int minor,
		 enum machine_arch arch, struct error *err)
{
	struct release r;
	struct source_opts opts = { .release = &r };

	release_preset(&r, major, minor, arch);
	return qemu_parse(m, words, &opts, err);
}

static struct machine *machine_of(const char *words, unsigned int major, unsigned int minor)
{
	struct error err = { 0 };
	struct machine *m = NULL;

	if (parse(&m, words, major, minor, ARCH_X86, &err))
		fail_msg("%s: %s", words, err.text);
	return m;
}

static void assert_set(const struct cset *set, const char *want)
{
	struct strbuf sb = { 0 };

	assert_non_null(set);
	cset_print(set, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

/* CPU 0's package and core are these. */
static void assert_parts(const char *words, const char *package, const char *core)
{
	struct machine *m = machine_of(words, 6, 12);

	assert_set(m->cpu[0].share[SHARE_PACKAGE], package);
	assert_set(m->cpu[0].share[SHARE_THREADS], core);
	machine_free(m);
}

static void test_parts_left_out_are_filled_in(void **state)
{
	(void)state;
	assert_parts("-smp 8", "0-7", "0");
	assert_parts("-smp 8,sockets=2", "0-3", "0");
	assert_parts("-smp 8,threads=2", "0-7", "0-1");
	assert_parts("-smp 8,sockets=2,cores=2", "0-3", "0-1");
	assert_parts("-smp 2,maxcpus=8,sockets=2", "0-1", "0");
	assert_parts("-smp sockets=2,cores=3,threads=2", "0-5", "0-1");
	assert_parts("-smp cpus=8,dies=2,cores=2", "0-3", "0");
	assert_parts("-machine q35,smp.cpus=8,smp.sockets=4", "0-1", "0");
	/* sockets first, before 6.2 and on boards of then (booted) */
	assert_parts("-M pc-q35-6.0 -smp 4", "0", "0");
	assert_parts("# qemu 6.1 qemu-system-x86_64\n-smp 4,threads=2", "0-1", "0-1");
	assert_parts("-machine type=pc-i440fx-7.1,accel=kvm -smp 4", "0-3", "0");
}

static void assert_refused(const char *words, const char *why)
{
	struct error err = { 0 };
	struct machine *m = NULL;

	assert_int_equal(parse(&m, words, 6, 12, ARCH_X86, &err), -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("%s: '%s', not '%s'", words, err.text, why);
}

static void test_what_qemu_refuses_is_refused(void **state)
{
	(void)state;
	assert_refused("-smp 8,sockets=3,cores=2,threads=2", "8 CPUs for");
	assert_refused("-smp 9,maxcpus=8", "8 CPUs for");
	assert_refused("-smp 8,sockts=2", "unknown key 'sockts'");
	assert_refused("-smp 4 -numa node,cpus=0-4", "CPU 4 is beyond the 4");
	assert_refused("-smp 4 -numa node,cpus=0-2 -numa node,cpus=2-3",
		       "CPU 2 is in nodes 0 and 1");
	assert_refused("-smp 4 -numa node,nodeid=1 -numa node,nodeid=1", "a second node 1");
	assert_refused("-smp 4 -numa cpu,node-id=0", "without any -numa node");
	assert_refused("-smp 4 -numa node -numa cpu,node-id=1,core-id=0", "there is no node 1");
	assert_refused("-smp 4 -numa node -numa cpu,node-id=0,core-id=9", "no CPU is at the place");
	assert_refused("-smp 4 -numa node -numa dist,src=0,dst=3,val=20", "there is no node 3");
	assert_refused("-smp 4 -numa node -numa dist,src=0,dst=0,val=20", "10 from itself");
	assert_refused("-smp 4 -numa node -numa dist,src=0,dst=0,val=9", "10 from itself");
	assert_refused("-smp", "-smp without its argument");
	assert_refused("-smp 4 -numa", "-numa without its argument");
}

/* One list a node; nodes by socket where no CPUs are named; a distance one way is that of the other. */
static void test_nodes(void **state)
{
	struct machine *m = machine_of("-smp 12,sockets=2 -numa node,nodeid=0,cpus=0-3,cpus=8-11 "
				       "-numa node,nodeid=1,cpus=4-7 -numa dist,src=0,dst=1,val=15",
				       6, 12);

	(void)state;
	assert_set(m->node[0].cpus, "0-3,8-11");
	assert_int_equal(machine_distance(m, 1, 0), 15);
	machine_free(m);
	m = machine_of("-smp 8,sockets=4 -numa node -numa node", 6, 12);
	assert_set(m->node[0].cpus, "0-1,4-5");
	machine_free(m);
	/* booted */
	m = machine_of("-smp 8,sockets=4,cores=2 -numa node,nodeid=0 -numa node,nodeid=1 "
		       "-numa cpu,node-id=0,socket-id=0 -numa cpu,node-id=1,socket-id=1 "
		       "-numa cpu,node-id=0,socket-id=2 -numa cpu,node-id=1,socket-id=3",
		       6, 1);
	assert_set(m->node[1].cpus, "2-3,6-7");
	machine_free(m);
}

/* A core of pseries is named by its first thread. */
static void test_places_of_pseries(void **state)
{
	struct machine *m =
		machine_of("-M pseries -smp 8,threads=4 -numa node -numa node "
			   "-numa cpu,node-id=0,core-id=4 -numa cpu,node-id=1,core-id=0",
			   6, 12);

	(void)state;
	assert_int_equal(m->arch, ARCH_POWER);
	assert_set(m->node[0].cpus, "4-7");
	machine_free(m);
}

static void test_memory_objects(void **state)
{
	struct machine *m = machine_of(
		"-smp 2 -object memory-backend-ram,size=1G,id=m0 "
		"-object '{\"qom-type\":\"memory-backend-ram\",\"id\":\"m1\",\"size\":2097152}' "
		"-numa node,cpus=0,memdev=m0 -numa node,cpus=1,memdev=m1 -numa node,mem=3",
		6, 12);

	(void)state;
	assert_int_equal(m->node[0].mem_kb, 1048576);
	assert_int_equal(m->node[1].mem_kb, 2048);
	assert_int_equal(m->node[2].mem_kb, 3072);
	machine_free(m);
}

static void assert_there(const char *words, unsigned int major, unsigned int minor,
			 const char *present, const char *possible, const char *package)
{
	struct machine *m = machine_of(words, major, minor);

	assert_set(m->present, present);
	assert_set(m->possible, possible);
	assert_set(m->cpu[0].share[SHARE_PACKAGE], package);
	machine_free(m);
}

/*
 * CPUs that are only room for more. x86 counts them all up to 6.8; from 6.9 on none (booted: 6.12, 7.0 to 7.2
 * under TCG), but as a guest of KVM all.
 */
static void test_room_for_more(void **state)
{
	static const char one[] = "-smp 4,maxcpus=8,sockets=1",
			  two[] = "-smp 3,maxcpus=8,sockets=2";

	(void)state;
	assert_there(one, 6, 1, "0-3", "0-7", "0-7");
	assert_there(one, 6, 12, "0-3", "0-3", "0-3");
	assert_there(two, 6, 1, "0-2", "0-7", "0-3");
	assert_there(two, 6, 12, "0-2", "0-2", "0-2");
	assert_there("-enable-kvm -smp 3,maxcpus=8,sockets=2", 6, 12, "0-2", "0-7", "0-3");
}

/* Booted with 6.12 and 7.3. The kernel numbers CPUs that are there first: the one plugged into the other package becomes CPU 3. */
static void test_cpus_of_device_words(void **state)
{
	struct machine *m = machine_of("-smp 3,maxcpus=8,sockets=2,cores=4 -device host-x86_64-cpu,"
				       "socket-id=1,die-id=0,core-id=1,thread-id=0",
				       6, 12);

	(void)state;
	assert_set(m->present, "0-3");
	assert_set(m->cpu[0].share[SHARE_PACKAGE], "0-2");
	assert_set(m->cpu[3].share[SHARE_PACKAGE], "3");
	assert_int_equal(m->cpu[3].package, 1);
	machine_free(m);
}

static void assert_booted(const char *words, const char *online, unsigned int nodes)
{
	struct machine *m = machine_of(words, 6, 1);
	struct release r;
	struct hotplug *h;

	release_preset(&r, 6, 1, ARCH_X86);
	h = hotplug_boot(m, &r);
	assert_set(h->active, online);
	assert_int_equal(m->nr_nodes, nodes);
	hotplug_free(h);
	machine_free(m);
}

/* All but nosmp booted. */
static void test_words_of_the_guest(void **state)
{
#define TWO "-smp 8,sockets=2,cores=2,threads=2 -numa node,cpus=0-3 -numa node,cpus=4-7 "
	(void)state;
	assert_booted(TWO "-append 'quiet nosmt'", "0,2,4,6", 2);
	assert_booted(TWO "-append 'numa=off'", "0-7", 1);
	assert_booted(TWO "-append 'numa=fake=4'", "0-7", 2);
	assert_booted(TWO "-append 'nr_cpus=6'", "0-5", 2);
	assert_booted(TWO "-append 'nr_cpus=99'", "0-7", 2);
	assert_refused(TWO "-append 'nr_cpus=many'", "nr_cpus=many: no number");
}

static enum machine_vendor vendor_of(const char *words)
{
	struct machine *m = machine_of(words, 6, 12);
	enum machine_vendor vendor = m->vendor;

	machine_free(m);
	return vendor;
}

/* TCG's own models report AMD (booted); a guest of KVM has the host's vendor, of which nothing is known. */
static void test_vendors(void **state)
{
	(void)state;
	assert_int_equal(vendor_of("-smp 2 -cpu EPYC-Rome"), VENDOR_AMD);
	assert_int_equal(vendor_of("-smp 2 -cpu Icelake-Server"), VENDOR_INTEL);
	assert_int_equal(vendor_of("-smp 2 -accel tcg"), VENDOR_AMD);
	assert_int_equal(vendor_of("-smp 2 -cpu max"), VENDOR_AMD);
	assert_int_equal(vendor_of("-smp 2 -cpu max -enable-kvm"), VENDOR_INTEL);
	assert_int_equal(vendor_of("-smp 2 -cpu qemu64,vendor=GenuineIntel"), VENDOR_INTEL);
	assert_int_equal(vendor_of("-smp 2 -cpu host,vendor=AuthenticAMD -M q35,accel=kvm"),
			 VENDOR_AMD);
}

static const char *threads_of(struct strbuf *sb, const char *cpu, unsigned int minor)
{
	struct strbuf words = { 0 };
	struct machine *m;

	strbuf_addf(&words, "-smp 4,cores=2,threads=2 %s", cpu);
	m = machine_of(words.s, 6, minor);
	strbuf_reset(sb);
	cset_print(m->cpu[0].share[SHARE_THREADS], sb);
	machine_free(m);
	strbuf_release(&words);
	return sb->s;
}

/* Booted, but for KVM: 6.9 and later read leaf 0xb of AMD too, which old models lack. */
static void test_threads_of_amd(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	assert_string_equal(threads_of(&sb, "-accel tcg -cpu EPYC", 1), "0");
	assert_string_equal(threads_of(&sb, "-accel tcg -cpu EPYC", 12), "0-1");
	assert_string_equal(threads_of(&sb, "-accel tcg -cpu EPYC,topoext=off", 12), "0-1");
	assert_string_equal(threads_of(&sb, "-accel tcg -cpu max", 12), "0-1");
	assert_string_equal(threads_of(&sb, "-accel tcg", 12), "0-1");
	assert_string_equal(threads_of(&sb, "-accel tcg", 1), "0");
	assert_string_equal(threads_of(&sb, "-accel tcg -cpu phenom", 12), "0");
	assert_string_equal(threads_of(&sb, "-accel tcg -cpu Conroe", 1), "0-1");
	assert_string_equal(threads_of(&sb, "-enable-kvm -cpu EPYC", 1), "0-1");
	assert_string_equal(threads_of(&sb, "-enable-kvm -cpu EPYC,-topoext", 1), "0");
	strbuf_release(&sb);
}

static enum machine_arch arch_of(const char *words)
{
	struct machine *m = machine_of(words, 6, 12);
	enum machine_arch arch = m->arch;

	machine_free(m);
	return arch;
}

static void test_architectures(void **state)
{
	(void)state;
	assert_int_equal(arch_of("-M pc -smp 2"), ARCH_X86);
	assert_int_equal(arch_of("-machine pseries-6.0 -smp 2"), ARCH_POWER);
	assert_int_equal(arch_of("-M s390-ccw-virtio -smp 2"), ARCH_S390);
	assert_int_equal(arch_of("/usr/bin/qemu-system-aarch64 -M virt -smp 2"), ARCH_ARM64);
	assert_int_equal(arch_of("# qemu 9.0 qemu-system-riscv64\n-M virt -smp 2"), ARCH_GENERIC);
}

/* arm64 before 6.2: no topology is told, a node is a package to a kernel of 5.11 on. */
static void test_old_arm64_boards(void **state)
{
	static const char words[] = "-smp 4,sockets=1,cores=2,threads=2 -numa node,cpus=0-1 "
				    "-numa node,cpus=2-3";
	struct strbuf old = { 0 };
	struct machine *m = NULL;

	(void)state;
	strbuf_addf(&old, "qemu-system-aarch64 -M virt-6.1 %s", words);
	m = machine_of(old.s, 6, 12);
	assert_set(m->cpu[0].share[SHARE_PACKAGE], "0-1");
	assert_set(m->cpu[0].share[SHARE_THREADS], "0");
	machine_free(m);
	m = machine_of(old.s, 5, 10);
	assert_set(m->cpu[0].share[SHARE_PACKAGE], "0-3");
	machine_free(m);
	strbuf_reset(&old);
	strbuf_addf(&old, "qemu-system-aarch64 -M virt %s", words);
	m = machine_of(old.s, 6, 12);
	assert_set(m->cpu[0].share[SHARE_PACKAGE], "0-3");
	assert_set(m->cpu[0].share[SHARE_THREADS], "0-1");
	machine_free(m);
	strbuf_release(&old);
}

/* s390 without ctop is one of everything. */
static void test_s390(void **state)
{
	struct machine *m = machine_of("-M s390-ccw-virtio -smp 8,books=2,sockets=2", 6, 12);

	(void)state;
	assert_set(m->cpu[0].share[SHARE_BOOK], "0-7");
	machine_free(m);
	m = machine_of("-M s390-ccw-virtio -cpu host,ctop=on -smp 8,books=2,sockets=2", 6, 12);
	assert_set(m->cpu[0].share[SHARE_BOOK], "0-3");
	assert_set(m->cpu[0].share[SHARE_PACKAGE], "0-1");
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_left_out_are_filled_in),
		cmocka_unit_test(test_what_qemu_refuses_is_refused),
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_places_of_pseries),
		cmocka_unit_test(test_memory_objects),
		cmocka_unit_test(test_room_for_more),
		cmocka_unit_test(test_cpus_of_device_words),
		cmocka_unit_test(test_words_of_the_guest),
		cmocka_unit_test(test_vendors),
		cmocka_unit_test(test_threads_of_amd),
		cmocka_unit_test(test_architectures),
		cmocka_unit_test(test_old_arm64_boards),
		cmocka_unit_test(test_s390),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
