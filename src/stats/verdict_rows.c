// SPDX-License-Identifier: GPL-2.0-only
/* stats/verdict_rows.c - verdicts that are read together. */
#include "stats/judge.h"

#include "base/mem.h"
#include "stats/adjust.h"
#include "stats/compare.h"

#include <stdlib.h>

static size_t rows_with_p(const struct verdict_row *rows, size_t n, double *p)
{
	size_t with = 0;

	for (size_t i = 0; i < n; i++)
		if (rows[i].verdict->has_ci)
			p[with++] = rows[i].verdict->p;
	return with;
}

/* p_adjusted of all that have a p by @adjust. Return: how many have one. */
static size_t adjust_rows(const struct verdict_row *rows, size_t n,
			  void (*adjust)(double *adjusted, const double *p, size_t n))
{
	double *p = xcalloc(n, sizeof(*p));
	size_t with = rows_with_p(rows, n, p), k = 0;

	adjust(p, p, with);
	for (size_t i = 0; i < n; i++)
		if (rows[i].verdict->has_ci)
			rows[i].verdict->p_adjusted = p[k++];
	free(p);
	return with;
}

/* @left: rows that are not found; the least of their p has to pass alpha / left. */
static void judge_again(const struct verdict_row *row, size_t rows, size_t left, double alpha)
{
	struct verdict *verdict = row->verdict;
	double pass = alpha / (double)left;

	judge_mde(verdict, alpha, pass);
	if (verdict->word == VERDICT_NO_CONCLUSION)
		return;
	judge_word(verdict, row->better, alpha);
	if (verdict->word != VERDICT_INCONCLUSIVE || row->better == BETTER_NONE)
		return;
	if (verdict->min_p > pass) {
		verdict->word = VERDICT_NO_CONCLUSION;
		judge_reason(verdict,
			     "too few %ss for %zu rows: %zu can give p >= %.2g where %.2g is "
			     "asked; %zu are needed",
			     verdict->pairs ? "pair" : "block", rows, verdict->n, verdict->min_p,
			     pass, compare_needed(verdict->min_p, verdict->n, pass));
	} else if (verdict->p <= alpha && verdict->p_adjusted > alpha) {
		judge_reason(verdict, "p is %.2g alone, but %.2g among %zu rows", verdict->p,
			     verdict->p_adjusted, rows);
	}
}

void verdict_adjust(const struct verdict_row *rows, size_t n, const struct verdict_rule *rule)
{
	size_t with = adjust_rows(rows, n, adjust_holm), left = with, i;

	for (i = 0; i < n; i++)
		left -= rows[i].verdict->has_ci && rows[i].verdict->p_adjusted <= rule->alpha;
	for (i = 0; i < n; i++)
		if (rows[i].verdict->has_ci)
			judge_again(&rows[i], with, left ? left : 1, rule->alpha);
}

void verdict_fdr(const struct verdict_row *rows, size_t n)
{
	adjust_rows(rows, n, adjust_fdr);
}
