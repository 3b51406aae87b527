/* SPDX-License-Identifier: GPL-2.0-only */
/* report/sessions.h - does each session (another day, another start of the machine) say the same? */
#ifndef REPORT_SESSIONS_H
#define REPORT_SESSIONS_H

#include "report/report.h"
#include "stats/trial.h"

/**
 * sessions_agree() - fill @row->sessions
 * @trial: what the row is made from
 *
 * Only of blocks in random order that lie within one session. Nothing where fewer than two sessions have one, so also
 * where the unit is the boot. No word rests on it.
 */
void sessions_agree(struct report_row *row, const struct trial *trial);

#endif
