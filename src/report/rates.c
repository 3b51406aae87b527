// SPDX-License-Identifier: GPL-2.0-only
#include "report/rates.h"

#include "base/mem.h"
#include "stats/adjust.h"
#include "stats/beta.h"
#include "stats/fisher.h"

#include <stdlib.h>

/* Clopper and Pearson's interval: the rates under which so few, and so many, are no rarer than alpha / 2. */
static struct interval rate_interval(size_t count, size_t runs)
{
	const double k = (double)count, n = (double)runs;
	struct interval ci = { 0, 1 };

	if (count > 0)
		ci.lo = beta_quantile(REPORT_ALPHA / 2, k, n - k + 1);
	if (count < runs)
		ci.hi = beta_quantile(1 - REPORT_ALPHA / 2, k + 1, n - k);
	return ci;
}

static void add_rate(struct report *report, const struct samples *samples, size_t point,
		     size_t variant, enum run_status status)
{
	struct report_rate rate = {
		.point = report->experiment.points[point].label,
		.variant = variant,
		.status = status,
	};

	rate.a.count = samples_count(samples, point, 0, status, &rate.a.runs);
	rate.b.count = samples_count(samples, point, variant, status, &rate.b.runs);
	if (!rate.a.count && !rate.b.count)
		return;
	rate.a.ci = rate_interval(rate.a.count, rate.a.runs);
	rate.b.ci = rate_interval(rate.b.count, rate.b.runs);
	rate.p = fisher_exact_p(rate.a.count, rate.a.runs, rate.b.count, rate.b.runs);
	report->rates = xreallocarray(report->rates, report->nr_rates + 1, sizeof(*report->rates));
	report->rates[report->nr_rates++] = rate;
}

/* B's rate is higher: shares of unequal numbers of runs. */
static bool is_higher(const struct report_rate *rate)
{
	return rate->b.count * rate->a.runs > rate->a.count * rate->b.runs;
}

static void set_words(struct report *report, const struct samples *samples)
{
	double *p = xcalloc(report->nr_rates, sizeof(*p));

	for (size_t i = 0; i < report->nr_rates; i++)
		p[i] = report->rates[i].p;
	adjust_holm(p, p, report->nr_rates);
	for (size_t i = 0; i < report->nr_rates; i++) {
		struct report_rate *rate = &report->rates[i];

		rate->p_adjusted = p[i];
		rate->word = VERDICT_INCONCLUSIVE;
		if (p[i] <= REPORT_ALPHA)
			rate->word = is_higher(rate) ? VERDICT_REGRESSED : VERDICT_IMPROVED;
		if (rate->word != VERDICT_INCONCLUSIVE && samples->order != TRIAL_RANDOM)
			rate->word = VERDICT_ORDER_CONFOUNDED;
	}
	free(p);
}

void rates_judge(struct report *report, const struct samples *samples)
{
	static const enum run_status kinds[] = { RUN_FAILED, RUN_HANG };

	for (size_t p = 0; p < report->experiment.nr_points; p++)
		for (size_t v = 1; v < report->experiment.nr_variants; v++)
			for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
				add_rate(report, samples, p, v, kinds[k]);
	set_words(report, samples);
}
