// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu_smp.c - QEMU's -smp, -machine and -cpu. */
#include "topo/qemu.h"

#include "base/mem.h"

#include <errno.h>
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

/* smp-cache.0.cache=l2,smp-cache.0.topology=module: the two words come one after the other. */
void qemu_read_machine(struct qemu *q, char *arg)
{
	char *key, *value;
	int level = 0;

	while (arg) {
		size_t n;

		arg = qemu_next_option(arg, &key, &value);
		n = strlen(key);
		if (!value || strncmp(key, "smp-cache.", 10))
			continue;
		if (n > 6 && !strcmp(key + n - 6, ".cache"))
			level = cache_level(value);
		if (n > 9 && !strcmp(key + n - 9, ".topology") && level)
			q->cache[level] = cache_topology(value);
	}
}

void qemu_read_cpu(struct qemu *q, char *arg)
{
	static const char *const amd[] = { "EPYC", "Opteron", "phenom", "athlon", "Dhyana",
					   "max",  "qemu64",  "qemu32", "base" };
	char *key, *value;

	q->amd = false;
	for (size_t i = 0; i < ARRAY_SIZE(amd); i++)
		q->amd = q->amd || !strncmp(arg, amd[i], strlen(amd[i]));
	q->topoext = !strncmp(arg, "EPYC", 4);
	while (arg) {
		arg = qemu_next_option(arg, &key, &value);
		if (!strcmp(key, "+topoext") || (!strcmp(key, "topoext") && value))
			q->topoext = !value || !strcmp(value, "on");
		if (!strcmp(key, "-topoext"))
			q->topoext = false;
		if (!strcmp(key, "l3-cache") && value)
			q->no_l3 = !strcmp(value, "off");
	}
}
