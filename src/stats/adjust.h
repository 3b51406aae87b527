/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/adjust.h - p of many tests that are read together. */
#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include <stddef.h>

/**
 * adjust_holm() - Holm's step-down: the chance of any false call among the n is kept
 * @adjusted: filled, adjusted[n]; may be @p
 * @p:        p[n], any dependence between them
 *
 * Source: Holm, Scandinavian Journal of Statistics 6 (1979) 65.
 */
void adjust_holm(double *adjusted, const double *p, size_t n);

/**
 * adjust_fdr() - Benjamini and Hochberg's q: the expected share of false calls among the calls is kept
 * @q: filled, q[n]; may be @p
 * @p: p[n], independent or positively dependent
 *
 * Source: Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289.
 */
void adjust_fdr(double *q, const double *p, size_t n);

#endif
