/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/failures.h - runs that failed or hung: rates with their intervals. */
#ifndef POSTED_FAILURES_H
#define POSTED_FAILURES_H

#include "posted/posted.h"
#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * failures_interval() - Wilson's interval of a share
 * @failed: <= @runs, runs >= 1
 *
 * Source: Brown, Cai and DasGupta, Statistical Science 16 (2001) 101.
 */
struct interval failures_interval(uint64_t failed, uint64_t runs, double alpha);

/**
 * failures_judge() - compare the shares of two sides' runs that failed or hung
 * @verdict: p is set, of Fisher's exact test, where nothing hung and there is no other figure
 * @text:    filled with both rates and their intervals
 *
 * Return: did a run hang? That is the verdict then; figures of the other runs are kept as they are.
 */
bool failures_judge(struct verdict *verdict, const struct posted_side *a,
		    const struct posted_side *b, double alpha, char *text, size_t size);

#endif
