/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/place.h - on which CPUs tasks run: which are allowed, how far two are apart, and being bound to some. */
#ifndef WORKLOAD_PLACE_H
#define WORKLOAD_PLACE_H

#include "base/cpumask.h"
#include "base/error.h"

/* How far two CPUs are apart: the nearest thing that they share. */
enum distance {
	DISTANCE_SAME,	 /* one CPU */
	DISTANCE_SMT,	 /* a core */
	DISTANCE_LLC,	 /* a last-level cache */
	DISTANCE_NODE,	 /* a NUMA node */
	DISTANCE_REMOTE, /* the machine */
};

/* For OPT_CHOICE: a "free" in front makes the number of a choice that of the distance + 1. */
#define DISTANCE_CHOICES "same|smt|llc|node|remote"

/** distance_name() - "same", "smt", ... */
const char *distance_name(enum distance distance);

/** place_allowed() - CPUs that this process may run on. Return: 0 or -errno */
int place_allowed(struct cpumask *mask, struct error *err);

/**
 * place_bind() - bind the calling thread, and what it creates later
 *
 * Return: 0; -EOPNOTSUPP if none of @mask is online and in the cpuset of this process.
 */
int place_bind(const struct cpumask *mask, struct error *err);

/** place_bind_cpu() - place_bind() to that one */
int place_bind_cpu(unsigned int cpu, struct error *err);

/**
 * place_distance() - of two CPUs that are online
 * @root_fd: folder that holds sys
 *
 * Where the kernel tells nothing of caches, those of a package share one.
 */
enum distance place_distance(int root_fd, unsigned int a, unsigned int b);

/**
 * place_pair() - the first two CPUs of @allowed, in their order, that are just so far apart
 *
 * Return: 0; -EOPNOTSUPP with the distances that there are.
 */
int place_pair(unsigned int pair[2], enum distance distance, int root_fd,
	       const struct cpumask *allowed, struct error *err);

#endif
