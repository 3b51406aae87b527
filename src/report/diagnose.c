// SPDX-License-Identifier: GPL-2.0-only
/* report/diagnose.c - the noise of each primary row. */
#include "report/report.h"
#include "report/support.h"

void report_diagnose(struct report *report)
{
	static const struct verdict_rule rule = { .alpha = REPORT_ALPHA };
	const bool simulated = experiment_simulated(&report->experiment);

	for (size_t i = 0; i < report->nr_rows; i++) {
		struct report_row *row = &report->rows[i];
		const struct trial trial = {
			.value = row->units.value,
			.side = row->units.side,
			.block = row->units.block,
			.n = row->units.n,
			.order = row->verdict.order,
			.exact = simulated || row->unit == UNIT_COUNT,
		};

		if (row->primary && row->units.n)
			verdict_diagnose(&row->verdict, &trial, &rule);
	}
}
