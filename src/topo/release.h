/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/release.h - what a kernel release does with a machine: every switch that changes a domain tree, its
 * text or a complaint, with the releases in which each value is real.
 */
#ifndef TOPO_RELEASE_H
#define TOPO_RELEASE_H

#include "topo/machine.h"

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>

enum span_check {
	SPAN_PAIRWISE_FULL,
	SPAN_PAIRWISE_HALF,
	SPAN_LINEAR_ARRAY,
	SPAN_LINEAR_IDSET,
	SPAN_SDSPAN,
	NR_SPAN_CHECKS,
};

extern const char *const span_check_names[NR_SPAN_CHECKS];

/**
 * struct release - a kernel, as far as its domains go
 * @major, @minor: of the mainline release, as 6, 12
 * @arch:          decides the level table
 *
 * The rest are switches; release_preset() sets them, release_config() changes one by name. Their
 * names there are the member names with '.' for the first '_' (topo.span_check), or the kernel's
 * own CONFIG names.
 */
struct release {
	unsigned int major, minor;
	enum machine_arch arch;

	/* CONFIG_SCHED_SMT, _CLUSTER, _MC, NUMA, PPC's and s390's follow SCHED_MC and SCHED_SMT */
	bool config_smt, config_cluster, config_mc, config_numa;

	enum span_check topo_span_check;
	bool topo_node_mask_bug;     /* 6.16, 6.17 (gone by 6.17.13) */
	bool topo_diameter_fix;	     /* 5.13 on: groups of distant nodes stay inside the domain */
	bool topo_diameter_warn;     /* 5.11, 5.12 */
	bool topo_asym_levels;	     /* 5.14 on: asymmetry is found at every level */
	bool topo_asym_spreads;	     /* 7.0 on: asymmetry above lets PREFER_SIBLING stand */
	bool topo_cluster_flag;	     /* 6.7 on: SD_CLUSTER */
	bool topo_coregroup_cluster; /* 5.18 on: arm64's MC is at least the cluster */
	bool topo_cluster_limit;     /* 6.0 on: arm64's CLS falls back to the core below MC */
	bool topo_cluster_smt;	     /* 6.0-rc5 on: that is the core, before it was the CPU alone */
	bool topo_smt_level_always;  /* x86 up to 6.16 has the SMT level without SMT too */
	bool topo_l2_siblings;	     /* 5.16 on: x86 knows who shares an L2 */
	bool topo_smt_packing;	     /* x86 up to 6.3: ITMT's preference is among threads too */
	bool topo_pkg_packing;	     /* x86, 6.6 on: and across a node */
	bool topo_hybrid_cluster;    /* x86, 6.6 on: cores of two kinds don't rule out CLS */
	bool topo_power_cache; /* POWER up to 6.7: CACHE is there though it's no wider than SMT */
	bool topo_counted_nodes; /* x86, 6.19 on: nodes in a package are counted at boot, not noticed */
	bool topo_weight_of_span;   /* intervals from the span; else from the level's whole mask */
	bool topo_overlap_flag;	    /* SD_OVERLAP exists */
	bool topo_imb_numa;	    /* 5.18 on */
	bool topo_cpu_nodes_only;   /* 5.18 on: nodes without CPUs make no level */
	bool topo_average_remote;   /* 6.19 on: x86 averages remote distances of some models */
	bool hotplug_sync;	    /* 6.10 on: rebuilt while the CPU still stands in the masks */
	bool hotplug_primary_first; /* x86, 6.5 on: maxcpus= brings up one thread a core first */
	bool x86_thread_count_mask; /* 6.9 on: primary threads by the count of threads less one */
	bool amd_smt_leaf;	    /* x86: a guest's AMD threads are seen */
	bool arm_default_llc;	    /* arm64: without cache nodes, all CPUs share the last cache */

	bool print_pkg;		     /* PKG, else DIE (up to 6.6) */
	bool print_share_llc;	     /* SD_SHARE_LLC, else SD_SHARE_PKG_RESOURCES (up to 6.8) */
	bool print_max_capacity;     /* root domain line of 6.1 */
	bool print_level_numbers;    /* debugfs level and groups_flags */
	unsigned int print_line_max; /* bytes of text before the log breaks a line */
	unsigned int schedstat_version;
};

/* The releases that release_next() knows: 5.10 to RELEASE_LAST. */
#define RELEASE_FIRST_MAJOR 5
#define RELEASE_FIRST_MINOR 10
#define RELEASE_LAST	    "7.3"

/** release_preset() - mainline @major.@minor for @arch, with the usual distribution's config */
void release_preset(struct release *r, unsigned int major, unsigned int minor,
		    enum machine_arch arch);

/**
 * release_parse() - "6.12", "6.12.117+deb12-amd64", "v6.16-rc1", or a line of /proc/version
 * @r:    a preset on success; @arch is taken from the text if it names one
 *
 * From Debian's config come SCHED_CLUSTER=n on arm64 before 7.0, and SCHED_MC=n on POWER before
 * 7.0, where the text says Debian ("+deb" or "-arm64" and the like).
 */
int release_parse(struct release *r, const char *text, enum machine_arch arch, struct error *err);

/**
 * release_config() - one "NAME=value": SCHED_CLUSTER=n, topo.span_check=linear_idset
 *
 * Return: 0; -EINVAL with the nearest known name or the values there are.
 */
int release_config(struct release *r, const char *text, struct error *err);

/** release_next() - the mainline release after it. Return: false behind the last one known */
bool release_next(unsigned int *major, unsigned int *minor);

/** release_known() - is there such a mainline release, from the first to the last one known? 6.20 is none */
bool release_known(unsigned int major, unsigned int minor);

/** release_at_least() - is it @major.@minor or later? */
static inline bool release_at_least(const struct release *r, unsigned int major, unsigned int minor)
{
	return r->major > major || (r->major == major && r->minor >= minor);
}

#endif
