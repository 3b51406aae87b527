/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/print.h - domain trees in the kernel's words, and in ours. All append to a text. */
#ifndef TOPO_PRINT_H
#define TOPO_PRINT_H

#include "topo/domains.h"
#include "topo/hotplug.h"

#include "base/json_out.h"

/**
 * print_dump() - what the kernel logs when it attaches the tree (boot option sched_verbose)
 *
 * Long lines of groups are broken where the log breaks them. A tree that failed gives the
 * distance error at most.
 */
void print_dump(const struct domain_tree *tree, struct strbuf *sb);

/** print_dump_null() - the line a CPU gets as it loses its domains */
void print_dump_null(unsigned int cpu, struct strbuf *sb);

/**
 * print_dump_state() - the last block of each CPU after @state's history
 *
 * CPUs that were taken offline show the NULL line that they got then.
 */
void print_dump_state(const struct hotplug *state, struct strbuf *sb);

/** print_debugfs() - values below /sys/kernel/debug/sched/domains; CPUs of equal lines in one line */
void print_debugfs(const struct hotplug *state, struct strbuf *sb);

/** print_debugfs_files() - the same, one "cpu0/domain0/name: SMT" a line */
void print_debugfs_files(const struct hotplug *state, struct strbuf *sb);

/** print_schedstat() - version line, cpu lines and domain lines of /proc/schedstat, counters left out */
void print_schedstat(const struct hotplug *state, struct strbuf *sb);

/** print_compact() - each distinct tree once, with the CPUs that have it */
void print_compact(const struct hotplug *state, struct strbuf *sb);

void print_json(const struct hotplug *state, struct json_out *out);

/** print_complaints() - everything the kernel logs outside of the dump, a line each */
void print_complaints(const struct domain_tree *tree, struct strbuf *sb);

/** print_complaints_once() - the same, but those of equal words once, with their number */
void print_complaints_once(const struct domain_tree *tree, struct strbuf *sb);

/** print_machine() - what the machine is, for a person: a few lines */
void print_machine(const struct machine *m, struct strbuf *sb);

#endif
