/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report/whole.h - what is said of several rows together, in sentences: sweeps, what is better here and worse there, how
 * a sequential experiment ended, quantiles that were refused. Each format lays them out in its own way.
 */
#ifndef REPORT_WHOLE_H
#define REPORT_WHOLE_H

#include "report/report.h"

/** whole_curve() - append "Sweep hackbench time, 3 points together: -4.3% [-4.9,-3.6], p 0.002: improved" */
void whole_curve(const struct report_curve *curve, struct strbuf *sb);

/** whole_trade_off() - append which rows @variant makes better and which worse; nothing if it is no trade-off */
void whole_trade_off(const struct report *report, size_t variant, struct strbuf *sb);

/** whole_looks() - append how a sequential experiment is looked at and why it ended; nothing if it is none */
void whole_looks(const struct report *report, struct strbuf *sb);

/** whole_each() - call @say with each sentence on @variant: trade-off first, then sweeps, then what was refused */
void whole_each(const struct report *report, size_t variant,
		void (*say)(struct strbuf *sb, const char *text), struct strbuf *sb);

#endif
