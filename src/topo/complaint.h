/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/complaint.h - what the kernel says of a machine it doesn't like. */
#ifndef TOPO_COMPLAINT_H
#define TOPO_COMPLAINT_H

#include "base/strbuf.h"

#include <stdbool.h>

enum complaint_kind {
	COMPLAINT_ASYMMETRIC,	/* ERROR: Node-distance not symmetric (sched_verbose only) */
	COMPLAINT_SIBLING,	/* x86: ...-sibling CPU is not on the same node */
	COMPLAINT_PACKAGE_NODE, /* x86, counted nodes: a package has CPUs of two nodes after all */
	COMPLAINT_SUBSET,	/* BUG: arch topology borken */
	COMPLAINT_SPAN,		/* the span check found partial overlap: no domains */
	COMPLAINT_SMT_CAPACITY, /* threads of one core differ in capacity */
	COMPLAINT_DIAMETER,	/* Shortest NUMA path spans too many nodes */
	COMPLAINT_DEBUG,	/* ERROR: lines of the sched_verbose printout */
	NR_COMPLAINTS,
};

/**
 * struct complaint - one message
 * @cpu:   the CPU it is about, the first one
 * @times: of a COMPLAINT_DEBUG; all others stand once for each time
 * @text:  as the kernel prints it, without the log's prefix; may have two lines
 */
struct complaint {
	enum complaint_kind kind;
	unsigned int cpu;
	unsigned int times;
	char *text;
};

/** struct complaints - in the order in which they are printed; release with complaints_release() */
struct complaints {
	struct complaint *list;
	unsigned int nr;
};

void complaints_add(struct complaints *c, enum complaint_kind kind, unsigned int cpu,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
unsigned int complaints_count(const struct complaints *c, enum complaint_kind kind);
void complaints_release(struct complaints *c);

/** complaint_in_dump() - is this kind part of the sched_verbose printout? */
bool complaint_in_dump(enum complaint_kind kind);

/** complaint_why() - what it means and what it costs, one paragraph */
const char *complaint_why(enum complaint_kind kind);

#endif
