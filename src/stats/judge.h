/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/judge.h - what the parts of the verdict share; not for others. */
#ifndef STATS_JUDGE_H
#define STATS_JUDGE_H

#include "stats/verdict.h"

/** judge_reason() - set verdict->reason; judge_remark(): only if nothing is said yet */
void judge_reason(struct verdict *verdict, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void judge_remark(struct verdict *verdict, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** judge_shown() - from the scale on which units are compared to that of the verdict; judge_unshown(): back */
double judge_shown(const struct verdict *verdict, double difference);
double judge_unshown(const struct verdict *verdict, double effect);

/** judge_excludes_zero() - does the interval? */
bool judge_excludes_zero(const struct interval *ci);

/**
 * judge_mde() - set verdict->mde from the interval
 * @alpha:      the interval's
 * @alpha_test: of the test that a change has to pass
 *
 * The half width is z(alpha) standard errors; the test finds a change of z(alpha_test) + 0.84 of them four times of
 * five. 1.43 half widths where both are 0.05.
 */
void judge_mde(struct verdict *verdict, double alpha, double alpha_test);

/**
 * judge_word() - set word from effect, interval and p_adjusted, with a remark where they need one
 *
 * The word of an order that was not drawn, of what the figures' steps hide, of the margin.
 */
void judge_word(struct verdict *verdict, enum better better, double alpha);

/** judge_found() - p_adjusted is at most alpha and the interval excludes 0 */
bool judge_found(const struct verdict *verdict, double alpha);

#endif
