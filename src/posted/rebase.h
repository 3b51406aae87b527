/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/rebase.h - the side that the others are compared with comes first. */
#ifndef POSTED_REBASE_H
#define POSTED_REBASE_H

#include "posted/posted.h"

/** posted_rebase() - put side @base first; without it, or NULL: one that its name calls a base, else nothing moves */
void posted_rebase(struct posted_table *table, const char *base);

#endif
