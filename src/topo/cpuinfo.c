// SPDX-License-Identifier: GPL-2.0-only
/* topo/cpuinfo.c - architecture, vendor and model from /proc/cpuinfo. */
#include "topo/sysfs.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void guess_vendor(struct sysfs *s, const char *cpuinfo)
{
	static const struct {
		const char *words;
		enum machine_arch arch;
	} marks[] = {
		{ "\nCPU implementer", ARCH_ARM64 }, { "vendor_id       : IBM/S390", ARCH_S390 },
		{ "\ncpu\t\t: POWER", ARCH_POWER },  { "GenuineIntel", ARCH_X86 },
		{ "AuthenticAMD", ARCH_X86 },	     { "HygonGenuine", ARCH_X86 },
	};
	struct machine *m = s->m;

	if (strstr(cpuinfo, "GenuineIntel"))
		m->vendor = VENDOR_INTEL;
	if (strstr(cpuinfo, "AuthenticAMD") || strstr(cpuinfo, "HygonGenuine"))
		m->vendor = VENDOR_AMD;
	for (size_t i = 0; i < ARRAY_SIZE(marks) && !s->opts->arch_known; i++)
		if (strstr(cpuinfo, marks[i].words))
			m->arch = marks[i].arch;
}

/* Models whose remote distances newer kernels average: Granite Rapids and Clearwater Forest. */
static void guess_model(struct machine *m, const char *cpuinfo)
{
	const char *family = strstr(cpuinfo, "cpu family"), *model = strstr(cpuinfo, "model\t");
	long f, n;

	if (m->vendor != VENDOR_INTEL || !family || !model)
		return;
	family = strchr(family, ':');
	model = strchr(model, ':');
	if (!family || !model)
		return;
	f = strtol(family + 1, NULL, 10);
	n = strtol(model + 1, NULL, 10);
	m->average_remote = f == 6 && (n == 0xad || n == 0xae || n == 0xdd);
}

void sysfs_read_cpuinfo(struct sysfs *s)
{
	char *cpuinfo = tree_read(s->tree, "proc/cpuinfo");

	if (cpuinfo) {
		guess_vendor(s, cpuinfo);
		guess_model(s->m, cpuinfo);
	}
	free(cpuinfo);
}
