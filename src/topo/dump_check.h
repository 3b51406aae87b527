/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/dump_check.h - words for what sched_verbose finds wrong with a domain. */
#ifndef TOPO_DUMP_CHECK_H
#define TOPO_DUMP_CHECK_H

#include "topo/domains.h"

/** flags_not_in_child(), flags_not_in_parent() - flags of @sd that must be there too, and aren't */
unsigned int flags_not_in_child(const struct domain *sd, const struct release *r);
unsigned int flags_not_in_parent(const struct domain *sd);

/** ring_repeats() - index of the first group with a CPU of those before it; ring.nr if none */
unsigned int ring_repeats(const struct domain_tree *tree, const struct domain *sd);

/** dump_error_text() - appends "ERROR: ..." as printed; @flag only for the two about flags */
void dump_error_text(struct strbuf *sb, enum dump_error error, unsigned int cpu, const char *flag);

#endif
