/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/machine_short.h - lines of a machine file, of which one says what many alike would. */
#ifndef TOPO_MACHINE_SHORT_H
#define TOPO_MACHINE_SHORT_H

#include "topo/machine.h"

/**
 * machine_next_share() - the set that the first CPU of *@left sees; NULL: it knows none
 * @left: not empty; the CPUs that see the same are taken out
 * @held: set: those CPUs
 */
const struct cset *machine_next_share(const struct machine *m, enum machine_share share,
				      const struct cset **left, const struct cset **held);

/** machine_print_share() - "share" lines of a kind; cores of one thread are left out */
void machine_print_share(const struct machine *m, enum machine_share share, struct strbuf *sb);

/** machine_print_nodes() - "node" lines, then "distance" lines */
void machine_print_nodes(const struct machine *m, struct strbuf *sb);

#endif
