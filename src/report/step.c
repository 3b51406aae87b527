// SPDX-License-Identifier: GPL-2.0-only
/* report/step.c - a report as one step of a bisection. */
#include "report/report.h"

#include <math.h>

bool report_all_failed(const struct report *report)
{
	for (size_t i = 0; i < report->nr_failures; i++)
		if (report->failures[i].failed == report->failures[i].runs)
			return true;
	return false;
}

/* The part of A by which a change of @change is for the worse. */
static double worse_by(const struct report_row *row, double change)
{
	double part = row->verdict.relative ? change : change / fabs(row->verdict.a.median);

	return row->better == BETTER_HIGHER ? -part : part;
}

static bool excludes(const struct report_row *row, double fraction)
{
	const struct verdict *verdict = &row->verdict;
	double lo, hi, most;

	if (!verdict->has_ci || row->better == BETTER_NONE ||
	    verdict->word == VERDICT_ORDER_CONFOUNDED ||
	    verdict->word == VERDICT_BELOW_RESOLUTION || verdict->word == VERDICT_NO_CONCLUSION)
		return false;
	if (fraction == 0 && verdict->word == VERDICT_EQUIVALENT)
		return true;
	lo = worse_by(row, verdict->ci.lo);
	hi = worse_by(row, verdict->ci.hi);
	most = fmax(lo, hi);
	return most < fraction || (fraction == 0 && verdict->word == VERDICT_IMPROVED);
}

enum report_step report_step(const struct report *report, double fraction)
{
	bool any = false, all = true;
	double worst;

	if (report_worst(report, &worst) && worst >= fraction)
		return STEP_BAD;
	for (size_t i = 0; i < report->nr_rows; i++) {
		if (!report->rows[i].primary)
			continue;
		any = true;
		all &= excludes(&report->rows[i], fraction);
	}
	return any && all ? STEP_GOOD : STEP_CANNOT_SAY;
}
