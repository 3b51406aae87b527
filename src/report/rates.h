/* SPDX-License-Identifier: GPL-2.0-only */
/* report/rates.h - how often runs fail or hang, judged by itself: no figure of the others says that. */
#ifndef REPORT_RATES_H
#define REPORT_RATES_H

#include "report/report.h"
#include "report/samples.h"

/** rates_add() - fill report->rates from the runs in @samples */
void rates_add(struct report *report, const struct samples *samples);

#endif
