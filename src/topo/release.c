// SPDX-License-Identifier: GPL-2.0-only
#include "topo/release.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const span_check_names[NR_SPAN_CHECKS] = {
	[SPAN_PAIRWISE_FULL] = "pairwise_full",
	[SPAN_PAIRWISE_HALF] = "pairwise_half",
	[SPAN_LINEAR_ARRAY] = "linear_array",
	[SPAN_LINEAR_IDSET] = "linear_idset",
	[SPAN_SDSPAN] = "sdspan",
};

/* A switch that is on in [from, to); to_major 0: still on. */
struct switch_span {
	const char *name;
	size_t offset;
	unsigned char from_major, from_minor, to_major, to_minor;
};

#define SWITCH(member, name, ...)                                                                  \
	{                                                                                          \
		name, offsetof(struct release, member), __VA_ARGS__                                \
	}

/*
 * Seen in boots of 6.1, 6.12, 7.2 and 7.3, or told by the changes' own texts, is that a value differs;
 * the release between two such points in which it changed is from memory where the text doesn't name one.
 */
static const struct switch_span switches[] = {
	SWITCH(config_smt, "SCHED_SMT", 0, 0, 0, 0),
	SWITCH(config_cluster, "SCHED_CLUSTER", 5, 16, 0, 0),
	SWITCH(config_mc, "SCHED_MC", 0, 0, 0, 0),
	SWITCH(config_numa, "NUMA", 0, 0, 0, 0),
	SWITCH(topo_node_mask_bug, "topo.node_mask_bug", 6, 16, 6, 18),
	SWITCH(topo_diameter_fix, "topo.diameter_fix", 5, 13, 0, 0),
	SWITCH(topo_diameter_warn, "topo.diameter_warn", 5, 11, 5, 13),
	SWITCH(topo_asym_levels, "topo.asym_levels", 5, 14, 0, 0),
	SWITCH(topo_asym_spreads, "topo.asym_spreads", 7, 0, 0, 0),
	SWITCH(topo_cluster_flag, "topo.cluster_flag", 6, 7, 0, 0),
	SWITCH(topo_coregroup_cluster, "topo.coregroup_cluster", 5, 18, 0, 0),
	SWITCH(topo_cluster_limit, "topo.cluster_limit", 6, 0, 0, 0),
	SWITCH(topo_cluster_smt, "topo.cluster_smt", 6, 0, 0, 0),
	SWITCH(topo_smt_level_always, "topo.smt_level_always", 0, 0, 6, 17),
	SWITCH(topo_l2_siblings, "topo.l2_siblings", 5, 16, 0, 0),
	SWITCH(topo_smt_packing, "topo.smt_packing", 0, 0, 6, 4),
	SWITCH(topo_pkg_packing, "topo.pkg_packing", 6, 6, 0, 0),
	SWITCH(topo_hybrid_cluster, "topo.hybrid_cluster", 6, 6, 0, 0),
	SWITCH(topo_power_cache, "topo.power_cache", 0, 0, 6, 8),
	SWITCH(topo_counted_nodes, "topo.counted_nodes", 6, 19, 0, 0),
	SWITCH(topo_weight_of_span, "topo.weight_of_span", 7, 0, 0, 0),
	SWITCH(topo_overlap_flag, "topo.overlap_flag", 0, 0, 6, 17),
	SWITCH(topo_imb_numa, "topo.imb_numa", 5, 18, 0, 0),
	SWITCH(topo_cpu_nodes_only, "topo.cpu_nodes_only", 5, 18, 0, 0),
	SWITCH(topo_average_remote, "topo.average_remote", 6, 19, 0, 0),
	SWITCH(hotplug_sync, "hotplug.sync", 6, 10, 0, 0),
	SWITCH(hotplug_primary_first, "hotplug.primary_first", 6, 5, 0, 0),
	SWITCH(x86_thread_count_mask, "x86.thread_count_mask", 6, 9, 0, 0),
	SWITCH(amd_smt_leaf, "x86.amd_smt_leaf", 6, 9, 0, 0),
	SWITCH(arm_default_llc, "arm.default_llc", 6, 5, 0, 0),
	SWITCH(print_pkg, "print.pkg", 6, 7, 0, 0),
	SWITCH(print_share_llc, "print.share_llc", 6, 9, 0, 0),
	SWITCH(print_max_capacity, "print.max_capacity", 0, 0, 6, 7),
	SWITCH(print_level_numbers, "print.level_numbers", 6, 7, 0, 0),
};

static bool *switch_of(struct release *r, const struct switch_span *s)
{
	return (bool *)((char *)r + s->offset);
}

void release_preset(struct release *r, unsigned int major, unsigned int minor,
		    enum machine_arch arch)
{
	*r = (struct release){ .major = major, .minor = minor, .arch = arch };
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		const struct switch_span *s = &switches[i];

		*switch_of(r, s) = release_at_least(r, s->from_major, s->from_minor) &&
				   (!s->to_major || !release_at_least(r, s->to_major, s->to_minor));
	}
	if (release_at_least(r, 6, 16))
		r->topo_span_check = SPAN_LINEAR_IDSET;
	else if (release_at_least(r, 6, 10))
		r->topo_span_check = SPAN_PAIRWISE_HALF;
	r->schedstat_version = release_at_least(r, 6, 14)   ? 17
			       : release_at_least(r, 6, 10) ? 16
							    : 15;
	r->print_line_max = release_at_least(r, 6, 3) ? 1021 : 989;
}

/* "6.12" somewhere at the start of a word. */
static const char *find_version(const char *text, unsigned int *major, unsigned int *minor)
{
	for (const char *at = text; *at; at++) {
		char *end;
		unsigned long a, b;

		if (!isdigit((unsigned char)*at) ||
		    (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '.') &&
		     at[-1] != 'v' && at[-1] != 'k'))
			continue;
		a = strtoul(at, &end, 10);
		if (*end != '.' || !isdigit((unsigned char)end[1]))
			continue;
		b = strtoul(end + 1, &end, 10);
		if (a > 99 || b > 999)
			return NULL;
		*major = (unsigned int)a;
		*minor = (unsigned int)b;
		return at;
	}
	return NULL;
}

/* What a series of stable releases took over within it: by 6.17.13, as a boot showed, the stale NUMA index. */
static void mend_stable(struct release *r, const char *version)
{
	const char *dot = strchr(strchr(version, '.') + 1, '.');

	if (dot && r->major == 6 && r->minor == 17 && strtoul(dot + 1, NULL, 10) >= 13)
		r->topo_node_mask_bug = false;
}

static const struct {
	const char *suffix;
	enum machine_arch arch;
} debian_flavours[] = {
	{ "-amd64", ARCH_X86 },
	{ "-arm64", ARCH_ARM64 },
	{ "-powerpc64le", ARCH_POWER },
	{ "-s390x", ARCH_S390 },
};

int release_parse(struct release *r, const char *text, enum machine_arch arch, struct error *err)
{
	unsigned int major, minor;
	const char *at = find_version(text, &major, &minor);
	bool debian = strstr(text, "+deb") || strstr(text, "Debian");

	if (!at)
		return error_set(err, EINVAL, "'%.60s' names no kernel release like 6.12", text);
	if (major < RELEASE_FIRST_MAJOR ||
	    (major == RELEASE_FIRST_MAJOR && minor < RELEASE_FIRST_MINOR))
		return error_set(err, EINVAL,
				 "kernel %u.%u: releases before %d.%d are not modelled", major,
				 minor, RELEASE_FIRST_MAJOR, RELEASE_FIRST_MINOR);
	for (size_t i = 0; i < ARRAY_SIZE(debian_flavours); i++) {
		if (!strstr(at, debian_flavours[i].suffix))
			continue;
		arch = debian_flavours[i].arch;
		debian = true;
	}
	release_preset(r, major, minor, arch);
	mend_stable(r, at);
	if (debian && !release_at_least(r, 7, 0)) {
		r->config_cluster = r->config_cluster && arch != ARCH_ARM64;
		r->config_mc = arch != ARCH_POWER;
	}
	return 0;
}

static int config_bool(bool *value, const char *name, const char *text, struct error *err)
{
	if (!strcmp(text, "y") || !strcmp(text, "on") || !strcmp(text, "1"))
		*value = true;
	else if (!strcmp(text, "n") || !strcmp(text, "off") || !strcmp(text, "0"))
		*value = false;
	else
		return error_set(err, EINVAL, "%s: '%.40s' is neither y nor n", name, text);
	return 0;
}

static int config_span_check(struct release *r, const char *text, struct error *err)
{
	for (unsigned int i = 0; i < NR_SPAN_CHECKS; i++) {
		if (strcmp(text, span_check_names[i]))
			continue;
		r->topo_span_check = (enum span_check)i;
		return 0;
	}
	return error_set(err, EINVAL,
			 "topo.span_check: '%.40s' is none of pairwise_full, pairwise_half, "
			 "linear_array, linear_idset, sdspan",
			 text);
}

int release_config(struct release *r, const char *text, struct error *err)
{
	const char *eq = strchr(text, '=');
	struct nearest near;
	char name[40];

	if (!strncmp(text, "CONFIG_", 7))
		return release_config(r, text + 7, err);
	if (!eq || (size_t)(eq - text) >= sizeof(name))
		return error_set(err, EINVAL, "'%.60s' is not NAME=value", text);
	memcpy(name, text, (size_t)(eq - text));
	name[eq - text] = '\0';
	if (!strcmp(name, "topo.span_check"))
		return config_span_check(r, eq + 1, err);
	nearest_init(&near, name);
	nearest_offer(&near, "topo.span_check");
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		nearest_offer(&near, switches[i].name);
		if (!strcmp(switches[i].name, name))
			return config_bool(switch_of(r, &switches[i]), name, eq + 1, err);
	}
	return error_set(err, EINVAL, "no config '%s'%s%s%s", name,
			 near.best ? ": did you mean '" : "", near.best ? near.best : "",
			 near.best ? "'?" : "");
}

bool release_next(unsigned int *major, unsigned int *minor)
{
	static const struct {
		unsigned int major, last_minor;
	} lines[] = { { 5, 19 }, { 6, 19 }, { 7, 3 } };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (*major != lines[i].major)
			continue;
		if ((*minor)++ < lines[i].last_minor)
			return true;
		(*major)++;
		*minor = 0;
		return i + 1 < ARRAY_SIZE(lines);
	}
	return false;
}

bool release_known(unsigned int major, unsigned int minor)
{
	unsigned int a = RELEASE_FIRST_MAJOR, b = RELEASE_FIRST_MINOR;

	do {
		if (a == major && b == minor)
			return true;
	} while (release_next(&a, &b));
	return false;
}
