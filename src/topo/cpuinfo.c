// SPDX-License-Identifier: GPL-2.0-only
/* topo/cpuinfo.c - architecture, vendor and model from /proc/cpuinfo. */
#include "topo/sysfs.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool guess_arch(enum machine_arch *arch, const char *cpuinfo)
{
	static const struct {
		const char *words;
		enum machine_arch arch;
	} marks[] = {
		{ "CPU implementer", ARCH_ARM64 }, { "IBM/S390", ARCH_S390 },
		{ ": IA-64", ARCH_GENERIC },	   { ": Ultra", ARCH_GENERIC },	      /* SPARC */
		{ "sparc", ARCH_GENERIC },	   { "\nhart\t", ARCH_GENERIC },      /* RISC-V */
		{ "oongson", ARCH_GENERIC },	   { "\ncpu model\t", ARCH_GENERIC }, /* MIPS */
		{ "cpu\t\t: ", ARCH_POWER },	   { "vendor_id\t: ", ARCH_X86 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (!strstr(cpuinfo, marks[i].words))
			continue;
		*arch = marks[i].arch;
		return true;
	}
	return false;
}

static void guess_vendor(struct machine *m, const char *cpuinfo)
{
	if (m->arch != ARCH_X86)
		return;
	if (strstr(cpuinfo, "GenuineIntel"))
		m->vendor = VENDOR_INTEL;
	if (strstr(cpuinfo, "AuthenticAMD") || strstr(cpuinfo, "HygonGenuine"))
		m->vendor = VENDOR_AMD;
}

/* The number behind "key : " in the text, or -1. */
static long number_of(const char *cpuinfo, const char *key)
{
	const char *at = strstr(cpuinfo, key);

	at = at ? strchr(at, ':') : NULL;
	return at ? strtol(at + 1, NULL, 10) : -1;
}

/*
 * Intel: models whose remote distances newer kernels average (Granite Rapids and Clearwater Forest). AMD:
 * families before Zen have the reclaim distance of everybody.
 */
static void guess_model(struct machine *m, const char *cpuinfo)
{
	long family = number_of(cpuinfo, "cpu family"), model = number_of(cpuinfo, "model\t");

	if (m->vendor == VENDOR_INTEL)
		m->average_remote = family == 6 && (model == 0xad || model == 0xdd);
	else if (m->vendor == VENDOR_AMD && family >= 0 && family < 0x17)
		m->reclaim_distance = 30;
}

/* What the kernel knows of threads that are switched off, and of cores it prefers. */
static void read_switches(struct sysfs *s)
{
	char *smt = tree_read(s->tree, SYSFS_CPU "/smt/control");
	char *itmt = tree_read(s->tree, "proc/sys/kernel/sched_itmt_enabled");

	s->m->smt = smt && (!strcmp(smt, "off") || !strcmp(smt, "forceoff"));
	s->m->itmt = itmt && !strcmp(itmt, "1");
	free(smt);
	free(itmt);
}

void sysfs_read_cpuinfo(struct sysfs *s)
{
	char *cpuinfo = tree_read(s->tree, "proc/cpuinfo");
	struct machine *m = s->m;

	m->arch = s->opts->release->arch;
	if (!s->opts->arch_known && !guess_arch(&m->arch, cpuinfo ? cpuinfo : ""))
		machine_note(m, "nothing in proc/cpuinfo tells the architecture: %s is taken",
			     machine_arch_name(m->arch));
	if (cpuinfo) {
		guess_vendor(m, cpuinfo);
		guess_model(m, cpuinfo);
	}
	if (m->arch == ARCH_X86 && !cpuinfo)
		machine_note(m, "there is no proc/cpuinfo: the vendor is not known");
	read_switches(s);
	free(cpuinfo);
}
