// SPDX-License-Identifier: GPL-2.0-only
#include "report/rates.h"

#include "base/mem.h"
#include "stats/adjust.h"

#include <stdlib.h>

static void add_rate(struct report *report, const struct samples *samples, size_t point,
		     size_t variant, enum run_status status)
{
	struct report_rate rate = {
		.point = report->experiment.points[point].label,
		.variant = variant,
		.status = status,
	};
	size_t runs[2], ended[2];
	struct rates rates;

	ended[0] = samples_count(samples, point, 0, status, &runs[0]);
	ended[1] = samples_count(samples, point, variant, status, &runs[1]);
	if (!ended[0] && !ended[1])
		return;
	rates = rates_judge(ended[0], runs[0], ended[1], runs[1], REPORT_ALPHA);
	rate.a = rates.a;
	rate.b = rates.b;
	rate.p = rates.p;
	rate.word = rates.word;
	report->rates = xreallocarray(report->rates, report->nr_rates + 1, sizeof(*report->rates));
	report->rates[report->nr_rates++] = rate;
}

/* Rates are read together too. */
static void adjust(struct report *report, enum trial_order order)
{
	double *p = xcalloc(report->nr_rates, sizeof(*p));

	for (size_t i = 0; i < report->nr_rates; i++)
		p[i] = report->rates[i].p;
	adjust_holm(p, p, report->nr_rates);
	for (size_t i = 0; i < report->nr_rates; i++) {
		struct report_rate *rate = &report->rates[i];

		rate->p_adjusted = p[i];
		if (rate->word > VERDICT_REGRESSED)
			continue;
		if (p[i] > REPORT_ALPHA)
			rate->word = VERDICT_INCONCLUSIVE;
		else if (order == TRIAL_SEQUENCE)
			rate->word = VERDICT_ORDER_CONFOUNDED;
	}
	free(p);
}

void rates_add(struct report *report, const struct samples *samples)
{
	static const enum run_status kinds[] = { RUN_FAILED, RUN_HANG };

	for (size_t p = 0; p < report->experiment.nr_points; p++)
		for (size_t v = 1; v < report->experiment.nr_variants; v++)
			for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
				add_rate(report, samples, p, v, kinds[k]);
	adjust(report, samples->order);
}
