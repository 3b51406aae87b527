/* SPDX-License-Identifier: GPL-2.0-only */
/* tests/machines/case.h - a machine that someone described, the kernel it met, and what came of it in words. */
#ifndef TESTS_MACHINES_CASE_H
#define TESTS_MACHINES_CASE_H

#include "topo/domains.h"
#include "topo/release.h"

/** struct built - a machine and its tree; built_free() takes both */
struct built {
	struct machine *m;
	struct release release;
	struct domain_tree *tree;
};

/**
 * build() - the domains of a description of any kind
 * @kernel: as release_parse() takes it
 * @config: one word for release_config(), or NULL
 *
 * A description that can't be read fails the test.
 */
struct built build(const char *text, enum machine_arch arch, const char *kernel,
		   const char *config);

/** build_bytes() - the same of @len bytes, as an archive is */
struct built build_bytes(const char *text, size_t len, enum machine_arch arch, const char *kernel,
			 const char *config);
void built_free(struct built *b);

/** assert_levels() - domains of @cpu from the bottom up: "MC 0-1, NUMA 0-3" */
void assert_levels(const struct built *b, unsigned int cpu, const char *want);

/** assert_ring() - groups of @cpu's domain number @depth: "{0-3} {4-7 mask 6-7}" */
void assert_ring(const struct built *b, unsigned int cpu, unsigned int depth, const char *want);

/** assert_distances() - the distinct distances, ascending: "10 12 14" */
void assert_distances(const struct built *b, const char *want);

/** assert_reach() - node numbers (not CPUs) within each distance of a node, equal ones once: "{0-2} {0-7}" */
void assert_reach(const struct built *b, unsigned int node, const char *want);

/** assert_complaints() - how many of a kind */
void assert_complaints(const struct built *b, enum complaint_kind kind, unsigned int want);

/** assert_said() - a complaint of these words was made @want times */
void assert_said(const struct built *b, const char *words, unsigned int want);

/** dump() - the sched_verbose text; the caller's to free */
char *dump(const struct built *b);

#endif
