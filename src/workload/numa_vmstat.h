/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/numa_vmstat.h - what the kernel counts of NUMA: page table entries made to fault, hint faults, migrations. */
#ifndef WORKLOAD_NUMA_VMSTAT_H
#define WORKLOAD_NUMA_VMSTAT_H

#include "workload/run.h"

#include <stdbool.h>
#include <stdint.h>

#define NUMA_VMSTAT_NR 12

/* Names of the metrics, in the order of struct numa_vmstat; all of them UNIT_COUNT and BETTER_NONE. */
extern const char *const numa_vmstat_names[NUMA_VMSTAT_NR];

/**
 * struct numa_vmstat - the machine's counters at one time
 * @there: the kernel has it
 */
struct numa_vmstat {
	bool there[NUMA_VMSTAT_NR];
	uint64_t values[NUMA_VMSTAT_NR];
};

/** numa_vmstat_parse() - from the text of /proc/vmstat */
void numa_vmstat_parse(struct numa_vmstat *vmstat, const char *text);

/** numa_vmstat_read() - from proc/vmstat below @root_fd; nothing is there if it can't be read */
void numa_vmstat_read(struct numa_vmstat *vmstat, int root_fd);

/** numa_vmstat_report() - what was added between two times */
void numa_vmstat_report(const struct numa_vmstat *before, const struct numa_vmstat *after,
			struct run *run);

#endif
