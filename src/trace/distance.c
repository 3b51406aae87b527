// SPDX-License-Identifier: GPL-2.0-only
#include "trace/distance.h"

#include <assert.h>

static bool share(const struct machine *m, enum machine_share kind, uint32_t a, uint32_t b)
{
	const struct cset *set = m->cpu[a].share[kind];

	return set && cset_test(set, b);
}

enum trace_distance trace_distance(const struct machine *m, uint32_t a, uint32_t b)
{
	if (a == b)
		return TRACE_SAME;
	if (a >= m->nr_cpus || b >= m->nr_cpus)
		return TRACE_REMOTE;
	if (share(m, SHARE_THREADS, a, b))
		return TRACE_SMT;
	if (share(m, SHARE_CLUSTER, a, b))
		return TRACE_CLUSTER;
	if (share(m, SHARE_LLC, a, b))
		return TRACE_LLC;
	if (m->cpu[a].node == m->cpu[b].node)
		return TRACE_NODE;
	return share(m, SHARE_PACKAGE, a, b) ? TRACE_PACKAGE : TRACE_REMOTE;
}

const char *trace_distance_name(enum trace_distance distance)
{
	static const char *const names[NR_TRACE_DISTANCES] = {
		[TRACE_SAME] = "same",	   [TRACE_SMT] = "smt",	  [TRACE_CLUSTER] = "cluster",
		[TRACE_LLC] = "llc",	   [TRACE_NODE] = "node", [TRACE_PACKAGE] = "package",
		[TRACE_REMOTE] = "remote",
	};

	assert(distance < NR_TRACE_DISTANCES);
	return names[distance];
}
