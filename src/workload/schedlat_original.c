// SPDX-License-Identifier: GPL-2.0-only
/* workload/schedlat_original.c - the wakeups of each task, and cyclictest's lines of them. */
#include "workload/schedlat.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_US UINT64_C(1000)

void schedlat_tell(struct strbuf *sb, const struct schedlat_told *told)
{
	strbuf_addf(sb, "%llu %llu %llu %llu %llu %llu; ", told->tid, told->count, told->min_ns,
		    told->last_ns, told->mean_ns, told->max_ns);
}

static bool read_told(struct schedlat_told *told, const char *text)
{
	unsigned long long *const figures[] = { &told->tid,	&told->count,	&told->min_ns,
						&told->last_ns, &told->mean_ns, &told->max_ns };
	char *end;

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++, text = end) {
		*figures[i] = strtoull(text, &end, 10);
		if (end == text)
			return false;
	}
	return true;
}

bool schedlat_read(const struct result *result, uint64_t i, struct schedlat_told *told)
{
	const char *text;
	char name[32];

	snprintf(name, sizeof(name), "tasks-%" PRIu64, i / SCHEDLAT_PER_NOTE);
	text = result_note(result, name);
	for (i %= SCHEDLAT_PER_NOTE; text && i; i--) {
		text = strchr(text, ';');
		text = text ? text + 1 : NULL;
	}
	return text && read_told(told, text);
}

/* Whole microseconds, cut. */
void schedlat_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct schedlat_cfg *cfg = cfg_;
	struct schedlat_told told;

	if (cfg->awake)
		strbuf_addstr(sb, "# /dev/cpu_dma_latency set to 0us\n");
	for (uint64_t i = 0; i < cfg->tasks && schedlat_read(result, i, &told); i++)
		strbuf_addf(sb,
			    "T:%2" PRIu64 " (%5llu) P:%2" PRIu64 " I:%" PRIu64
			    " C:%7llu Min:%7llu Act:%5llu Avg:%5llu Max:%8llu\n",
			    i, told.tid, cfg->prio,
			    (cfg->interval_ns + i * cfg->distance_ns) / NS_PER_US, told.count,
			    told.min_ns / NS_PER_US, told.last_ns / NS_PER_US,
			    told.mean_ns / NS_PER_US, told.max_ns / NS_PER_US);
}
