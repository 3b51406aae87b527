// SPDX-License-Identifier: GPL-2.0-only
/* stats/verdict_rows.c - verdicts that are read together. */
#include "stats/judge.h"

#include "base/mem.h"
#include "stats/adjust.h"
#include "stats/compare.h"
#include "stats/max_t.h"
#include "stats/normal.h"

#include <math.h>
#include <stdlib.h>

/**
 * struct together - the rows that have a p
 * @row:   row[n]
 * @p:     p[n], adjusted
 * @max_t: max_t[n], where every row has its trial, else NULL
 * @pass:  level that a single row which was not found has to pass
 */
struct together {
	const struct verdict_row **row;
	size_t n;
	double *p;
	struct max_t *max_t;
	double pass;
};

static void together_init(struct together *t, const struct verdict_row *rows, size_t n)
{
	*t = (struct together){
		.row = xcalloc(n, sizeof(*t->row)),
		.p = xcalloc(n, sizeof(*t->p)),
	};
	for (size_t i = 0; i < n; i++)
		if (rows[i].verdict->has_ci) {
			t->p[t->n] = rows[i].verdict->p;
			t->row[t->n++] = &rows[i];
		}
}

static void together_release(struct together *t)
{
	free(t->row);
	free(t->p);
	free(t->max_t);
}

static bool all_have_trials(const struct together *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->row[i]->trial)
			return false;
	return true;
}

static void by_holm(struct together *t, double alpha)
{
	size_t left = 0;

	adjust_holm(t->p, t->p, t->n);
	for (size_t i = 0; i < t->n; i++)
		left += t->p[i] > alpha;
	t->pass = left ? alpha / (double)left : alpha;
}

static void by_max_t(struct together *t, double alpha)
{
	double critical;

	t->max_t = xcalloc(t->n, sizeof(*t->max_t));
	for (size_t i = 0; i < t->n; i++)
		t->max_t[i].trial = t->row[i]->trial;
	critical = max_t_adjust(t->max_t, t->n, alpha);
	for (size_t i = 0; i < t->n; i++)
		t->p[i] = fmax(t->p[i], t->max_t[i].p);
	t->pass = fmin(alpha, normal_two_sided_p(critical));
}

/* What a row's own p is to be: of maxT by how much adjusting makes of the least that its runs can give. */
static double asked_of(const struct together *t, size_t i, double alpha)
{
	return t->max_t ? alpha * t->row[i]->verdict->min_p / t->max_t[i].reach_p : t->pass;
}

/* As simulated runs are that a change has nothing to do with: more of them would be no different. */
static bool all_equal(const struct verdict *verdict)
{
	return verdict->has_ci && verdict->effect == 0 && verdict->ci.lo == 0 &&
	       verdict->ci.hi == 0;
}

static void judge_again(const struct together *t, size_t i, double alpha)
{
	struct verdict *verdict = t->row[i]->verdict;
	const double asked = asked_of(t, i, alpha);

	judge_mde(verdict, alpha, t->pass);
	if (verdict->word == VERDICT_NO_CONCLUSION)
		return;
	judge_word(verdict, t->row[i]->better, alpha);
	if (verdict->word != VERDICT_INCONCLUSIVE || t->row[i]->better == BETTER_NONE)
		return;
	if (all_equal(verdict)) {
		judge_reason(verdict, "A and B are equal in all %ss",
			     verdict->pairs ? "pair" : "block");
	} else if (verdict->min_p > asked) {
		verdict->word = VERDICT_NO_CONCLUSION;
		judge_reason(verdict,
			     "too few %ss for %zu rows: %zu can give p >= %.2g where %.2g is "
			     "asked; %zu are needed",
			     verdict->pairs ? "pair" : "block", t->n, verdict->n, verdict->min_p,
			     asked, compare_needed(verdict->min_p, verdict->n, asked));
	} else if (verdict->p <= alpha && verdict->p_adjusted > alpha) {
		judge_reason(verdict, "p is %.2g alone, but %.2g among %zu rows", verdict->p,
			     verdict->p_adjusted, t->n);
	}
}

void verdict_adjust(const struct verdict_row *rows, size_t n, const struct verdict_rule *rule)
{
	struct together t;

	together_init(&t, rows, n);
	if (t.n > 1 && all_have_trials(&t))
		by_max_t(&t, rule->alpha);
	else
		by_holm(&t, rule->alpha);
	for (size_t i = 0; i < t.n; i++) {
		t.row[i]->verdict->p_adjusted = t.p[i];
		judge_again(&t, i, rule->alpha);
	}
	together_release(&t);
}

void verdict_fdr(const struct verdict_row *rows, size_t n)
{
	struct together t;

	together_init(&t, rows, n);
	adjust_fdr(t.p, t.p, t.n);
	for (size_t i = 0; i < t.n; i++)
		t.row[i]->verdict->p_adjusted = t.p[i];
	together_release(&t);
}
