// SPDX-License-Identifier: GPL-2.0-only
/* trace/names.c - kinds of events and reasons of migrations by their names. */
#include "trace/trace.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

static const char *const kinds[NR_TRACE_KINDS] = {
	[TRACE_SWITCH] = "switch",
	[TRACE_WAKING] = "waking",
	[TRACE_WAKEUP] = "wakeup",
	[TRACE_NEW] = "new",
	[TRACE_EXIT] = "exit",
	[TRACE_MIGRATE] = "migrate",
	[TRACE_BLOCK] = "block",
	[TRACE_TICK] = "tick",
	[TRACE_IPI] = "ipi",
	[TRACE_TIMER] = "timer",
	[TRACE_FREQUENCY] = "frequency",
	[TRACE_HOTPLUG] = "hotplug",
	[TRACE_MARK] = "mark",
	[TRACE_WHY] = "why",
	[TRACE_AFFINITY] = "affinity",
	[TRACE_LOST] = "lost",
};

static const char *const reasons[NR_CORE_REASONS] = {
	[CORE_MIGRATE_WAKE] = "wake",	    [CORE_MIGRATE_FORK] = "fork",
	[CORE_MIGRATE_EXEC] = "exec",	    [CORE_MIGRATE_BALANCE] = "balance",
	[CORE_MIGRATE_NEWIDLE] = "newidle", [CORE_MIGRATE_NOHZ] = "nohz",
	[CORE_MIGRATE_ACTIVE] = "active",   [CORE_MIGRATE_AFFINITY] = "affinity",
	[CORE_MIGRATE_HOTPLUG] = "hotplug", [CORE_MIGRATE_NUMA] = "numa",
	[CORE_MIGRATE_RT] = "rt",	    [CORE_MIGRATE_OTHER] = "other",
};

const char *trace_kind_name(enum trace_kind kind)
{
	assert(kind < NR_TRACE_KINDS);
	return kinds[kind];
}

const char *trace_reason_name(enum core_reason reason)
{
	assert(reason < NR_CORE_REASONS);
	return reasons[reason];
}

static int find(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return i;
	return -EINVAL;
}

int trace_kind_parse(enum trace_kind *kind, const char *name)
{
	int found = find(kinds, NR_TRACE_KINDS, name);

	if (found < 0)
		return found;
	*kind = (enum trace_kind)found;
	return 0;
}

int trace_reason_parse(enum core_reason *reason, const char *name)
{
	int found = find(reasons, NR_CORE_REASONS, name);

	if (found < 0)
		return found;
	*reason = (enum core_reason)found;
	return 0;
}
