/* SPDX-License-Identifier: GPL-2.0-only */
/* report/samples_parts.h - what the files of samples.h share. */
#ifndef REPORT_SAMPLES_PARTS_H
#define REPORT_SAMPLES_PARTS_H

#include "report/samples.h"

/** struct sample_run - @unit: its position, or the number of its boot */
struct sample_run {
	const struct run_row *run;
	int64_t unit;
};

/** struct slice - the runs of one point and variant */
struct slice {
	const struct sample_run *runs;
	size_t n;
};

struct slice samples_slice(const struct samples *samples, size_t point, size_t variant);

#endif
