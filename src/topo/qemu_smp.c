// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_smp.c - QEMU's -smp, -machine and -cpu. */
#include "topo/qemu.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const smp_keys[NR_QEMU_LEVELS] = {
	[QEMU_DRAWERS] = "drawers", [QEMU_BOOKS] = "books",	  [QEMU_SOCKETS] = "sockets",
	[QEMU_DIES] = "dies",	    [QEMU_CLUSTERS] = "clusters", [QEMU_MODULES] = "modules",
	[QEMU_CORES] = "cores",	    [QEMU_THREADS] = "threads",
};

static int read_smp_key(struct qemu *q, const char *key, const char *value, struct error *err)
{
	long n = 0;
	int ret;

	if (!value || !strcmp(key, "cpus")) {
		ret = qemu_number("-smp", "cpus", value ? value : key, 1, MACHINE_MAX_CPUS, &n,
				  err);
		if (!ret)
			q->cpus = (unsigned int)n;
		return ret;
	}
	ret = qemu_number("-smp", key, value, 1, MACHINE_MAX_CPUS, &n, err);
	if (ret)
		return ret;
	if (!strcmp(key, "maxcpus")) {
		q->maxcpus = (unsigned int)n;
		return 0;
	}
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++) {
		if (strcmp(key, smp_keys[i]))
			continue;
		q->count[i] = (unsigned int)n;
		return 0;
	}
	return error_set(err, EINVAL, "-smp: unknown key '%.40s'", key);
}

int qemu_read_smp(struct qemu *q, char *arg, struct error *err)
{
	char *key, *value;
	int ret = 0;

	if (!*arg)
		return error_set(err, EINVAL, "-smp without its argument");
	while (arg && !ret) {
		arg = qemu_next_option(arg, &key, &value);
		if (*key)
			ret = read_smp_key(q, key, value, err);
	}
	return ret;
}

static int cache_level(const char *name)
{
	if (!strcmp(name, "l2"))
		return 2;
	return !strcmp(name, "l3") ? 3 : 0;
}

static enum qemu_level cache_topology(const char *name)
{
	static const struct {
		const char *name;
		enum qemu_level level;
	} names[] = {
		{ "thread", QEMU_THREADS },   { "core", QEMU_CORES }, { "module", QEMU_MODULES },
		{ "cluster", QEMU_CLUSTERS }, { "die", QEMU_DIES },   { "socket", QEMU_SOCKETS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].level;
	return NR_QEMU_LEVELS; /* "default" */
}

/* The board tells the architecture, and with "-6.1" behind its name the version whose defaults it keeps. */
static void read_board(struct qemu *q, const char *name)
{
	static const struct {
		const char *start;
		enum machine_arch arch;
	} boards[] = {
		{ "q35", ARCH_X86 },	    { "pc", ARCH_X86 },	       { "microvm", ARCH_X86 },
		{ "pseries", ARCH_POWER },  { "powernv", ARCH_POWER }, { "s390-ccw", ARCH_S390 },
		{ "sbsa-ref", ARCH_ARM64 },
	};
	const char *dash = strrchr(name, '-');
	unsigned int major, minor;

	for (size_t i = 0; i < ARRAY_SIZE(boards) && !q->arch_told; i++)
		if (!strncmp(name, boards[i].start, strlen(boards[i].start))) {
			q->arch = boards[i].arch;
			q->arch_told = true;
		}
	/* NOLINTNEXTLINE(cert-err34-c): four digits can't overflow */
	if (dash && sscanf(dash + 1, "%4u.%4u", &major, &minor) == 2)
		q->board_version = major * 100 + minor;
}

void qemu_read_accel(struct qemu *q, const char *names)
{
	/* the first that the host has: who names KVM has it, mostly */
	q->kvm = !strncmp(names, "kvm", 3);
	q->tcg = !strncmp(names, "tcg", 3);
}

/* smp-cache.0.cache=l2,smp-cache.0.topology=module: the two words come one after the other. */
static void read_cache_key(struct qemu *q, int *level, const char *key, const char *value)
{
	size_t n = strlen(key);

	if (n > 6 && !strcmp(key + n - 6, ".cache"))
		*level = cache_level(value);
	if (n > 9 && !strcmp(key + n - 9, ".topology") && *level)
		q->cache[*level] = cache_topology(value);
}

int qemu_read_machine(struct qemu *q, char *arg, struct error *err)
{
	char *key, *value;
	int level = 0, ret = 0;

	while (arg && !ret) {
		arg = qemu_next_option(arg, &key, &value);
		if (!value)
			read_board(q, key);
		else if (!strcmp(key, "type"))
			read_board(q, value);
		else if (!strcmp(key, "accel"))
			qemu_read_accel(q, value);
		else if (!strncmp(key, "smp-cache.", 10))
			read_cache_key(q, &level, key, value);
		else if (!strncmp(key, "smp.", 4))
			ret = read_smp_key(q, key + 4, value, err);
	}
	return ret;
}

static bool starts_with_any(const char *name, const char *const *starts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static void read_cpu_key(struct qemu *q, const char *key, const char *value)
{
	bool on = !value || !strcmp(value, "on");

	if (!strcmp(key, "+topoext") || (!strcmp(key, "topoext") && value))
		q->topoext = on;
	if (!strcmp(key, "-topoext"))
		q->topoext = false;
	if (!strcmp(key, "l3-cache") && value)
		q->no_l3 = !on;
	if (!strcmp(key, "ctop") || !strcmp(key, "+ctop"))
		q->ctop = on;
	if (!strcmp(key, "vendor") && value) {
		q->amd = !strcmp(value, "AuthenticAMD") || !strcmp(value, "HygonGenuine");
		q->tcg_amd = false;
	}
}

void qemu_read_cpu(struct qemu *q, char *arg)
{
	static const char *const amd[] = { "EPYC", "Opteron", "phenom", "athlon", "Dhyana" };
	static const char *const old[] = { "Opteron", "phenom", "athlon" };
	static const char *const tcg_amd[] = { "max", "qemu64", "qemu32", "base" };
	char *key, *value;

	q->cpu_told = true;
	q->amd = starts_with_any(arg, amd, ARRAY_SIZE(amd));
	q->tcg_amd = starts_with_any(arg, tcg_amd, ARRAY_SIZE(tcg_amd));
	/* a basic CPUID level of 0xb and more, which older models haven't got */
	q->leaf_b = !starts_with_any(arg, old, ARRAY_SIZE(old));
	q->zen = q->topoext = !strncmp(arg, "EPYC", 4);
	q->naples = q->zen && (!arg[4] || arg[4] == ',' || !strncmp(arg + 4, "-v", 2) ||
			       !strncmp(arg + 4, "-IBPB", 5));
	q->snc_model = !strncmp(arg, "GraniteRapids", 13) || !strncmp(arg, "ClearwaterForest", 16);
	while (arg) {
		arg = qemu_next_option(arg, &key, &value);
		read_cpu_key(q, key, value);
	}
}

/* "-device host-x86_64-cpu,socket-id=1,core-id=0,thread-id=0", "-device host-spapr-cpu-core,core-id=8" */
int qemu_read_device(struct qemu *q, char *arg, struct error *err)
{
	struct qemu_place place;
	char *key, *value;
	bool is_cpu;
	int ret = 0;

	arg = qemu_next_option(arg, &key, &value);
	is_cpu = strstr(key, "-x86_64-cpu") || strstr(key, "-i386-cpu") ||
		 strstr(key, "-spapr-cpu-core") || strstr(key, "-s390x-cpu");
	if (!is_cpu)
		return 0;
	memset(place.id, -1, sizeof(place.id));
	place.node = 0;
	while (arg && !ret) {
		arg = qemu_next_option(arg, &key, &value);
		ret = qemu_read_place(&place, "-device", key, value, err);
	}
	if (ret)
		return ret;
	if (q->nr_plugs == MACHINE_MAX_CPUS)
		return error_set(err, EFBIG, "too many CPUs by -device");
	q->plug = xreallocarray(q->plug, q->nr_plugs + 1, sizeof(*q->plug));
	q->plug[q->nr_plugs++] = place;
	return 0;
}
