/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats/signed_rank.h - Wilcoxon's signed-rank test.
 *
 * d[n] are differences within blocks of two (B - A, or log B - log A) whose order was drawn at random: if nothing
 * changed, each sign is a fair coin, whatever the noise. That is all the test relies on.
 */
#ifndef STATS_SIGNED_RANK_H
#define STATS_SIGNED_RANK_H

#include <stddef.h>
#include <stdint.h>

/* Up to here the null distribution is exact, in O(n^3); beyond, normal, whose p of 0.05 is then right to 0.3 %. */
#define SIGNED_RANK_EXACT_MAX 200

/**
 * signed_rank_p() - two-sided p, also with ties and zeros
 * @d: d[n], finite
 * @n: >= 1
 *
 * Ranks of |d|, ties share the middle of their ranks; zeros are ranked, then dropped (Pratt). The null distribution
 * is that of all equally likely sign patterns of the rest, summed by dynamic programming over doubled ranks.
 * Source: Pratt 1959; Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., 3.1.
 *
 * Return: p, 0 < p <= 1; 1 where all are zero.
 */
double signed_rank_p(const double *d, size_t n);

/** signed_rank_scores() - twice the rank of each |d[i]|, 0 where d[i] is 0: the test sums those of one sign */
void signed_rank_scores(unsigned int *scores, const double *d, size_t n);

/** signed_rank_min_p() - the least p that n pairs can give: 2 / 2^n */
double signed_rank_min_p(size_t n);

/**
 * signed_rank_critical() - the largest c with 2 P(T <= c) <= alpha
 * @c: filled on success; T is the sum of the ranks of one sign, without ties and zeros
 *
 * Return: 0, or -ERANGE if @n is too small for @alpha.
 */
int signed_rank_critical(uint64_t *c, size_t n, double alpha);

#endif
