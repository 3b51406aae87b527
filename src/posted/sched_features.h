/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/sched_features.h - do the sides differ in scheduler features? */
#ifndef POSTED_SCHED_FEATURES_H
#define POSTED_SCHED_FEATURES_H

#include "posted/posted.h"

#include <stdint.h>

/**
 * sched_features_note() - note in @table where a row of sysctl_sched_features differs between the sides
 *
 * Such a row is a set of bits, not a measure: it is taken out of the table, and the note says how many bits are set on
 * each side and, where one inserted bit explains the rest as shifted, which.
 */
void sched_features_note(struct posted_table *table);

/** sched_features_inserted() - highest bit that, set and put into @a with those above moved up, gives @b; -1: none */
int sched_features_inserted(uint64_t a, uint64_t b);

#endif
