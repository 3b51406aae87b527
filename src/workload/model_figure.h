/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/model_figure.h - for tests of model programs: a figure of a run by its name. */
#ifndef WORKLOAD_MODEL_FIGURE_H
#define WORKLOAD_MODEL_FIGURE_H

#include "workload/run.h"

#include "check.h"

/** metric() - a metric, or a counter; the test fails where the run has neither */
static inline double metric(const struct run *run, const char *name)
{
	const struct value *value = result_metric(&run->result, name);

	if (!value)
		value = result_counter(&run->result, name);
	if (!value)
		fail_msg("no %s", name);
	return value ? value->value : 0;
}

#endif
